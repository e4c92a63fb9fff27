"""Whether the installation can do its work, as named checks, each with what is wrong and what to do."""

from collections.abc import Sequence

import redis
from sqlalchemy.exc import SQLAlchemyError

from service.ledger.periodic import is_alive
from service.ledger.workers import live_slots
from service.settings import Settings
from service.storage.database import Database
from service.storage.schema import pending
from service.views import View

BROKER_TIMEOUT_S = 1


class Check(View):
    """One thing that must be so."""

    name: str
    """`database`, `migrations`, `broker`, `ledger` or `workers`."""
    ok: bool
    detail: str
    """What was found; when it is not ok, also what to do."""


class Readiness(View):
    """All checks together."""

    ready: bool
    checks: Sequence[Check]


def readiness(settings: Settings, database: Database) -> Readiness:
    """Run all checks; never raises for what is not there."""
    checks = [*_database_checks(database), _broker_check(settings.broker_url)]
    return Readiness(ready=all(check.ok for check in checks), checks=checks)


def _database_checks(database: Database) -> list[Check]:
    try:
        with database.reading() as session:
            if pending(session.connection()):
                return [
                    _passed("database", "answers"),
                    _failed("migrations", "the tables are not those of this version; run malice migrate"),
                ]
            ledger = is_alive(session)
            slots = live_slots(session)
    except SQLAlchemyError as error:
        return [_failed("database", f"does not answer ({type(error).__name__}); see MALICE_DATABASE_URL")]
    return [
        _passed("database", "answers"),
        _passed("migrations", "up to date"),
        _passed("ledger", "did its periodic work within ten seconds")
        if ledger
        else _failed(
            "ledger", "has done no periodic work for ten seconds; run malice worker ledger and malice beat"
        ),
        _passed("workers", f"{slots} slots")
        if slots
        else _failed("workers", "no play worker was heard of for ten seconds; run malice worker play"),
    ]


def _broker_check(broker_url: str) -> Check:
    if not broker_url:
        return _failed("broker", "none is set; set MALICE_BROKER_URL, or start everything with malice up")
    try:
        with redis.Redis.from_url(
            broker_url, socket_timeout=BROKER_TIMEOUT_S, socket_connect_timeout=BROKER_TIMEOUT_S
        ) as broker:
            broker.ping()
    except redis.RedisError as error:
        return _failed("broker", f"does not answer ({type(error).__name__}); see MALICE_BROKER_URL")
    return _passed("broker", "answers")


def _passed(name: str, detail: str) -> Check:
    return Check(name=name, ok=True, detail=detail)


def _failed(name: str, detail: str) -> Check:
    return Check(name=name, ok=False, detail=detail)
