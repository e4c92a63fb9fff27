"""Builds: ordered, recorded, repeated, given up; and entering the ladders afterwards."""

import msgspec
import pytest
from sqlalchemy import update

from engine.games import game_from_profile
from service.ledger import builds
from service.ledger.sweeper import sweep
from service.messages import BuildOrder, BuildReport
from service.models import Account, Bundle, Entry, Ladder, Notice, Version
from tests.service.ledger.conftest import Hall
from tests.service.ledger.factories import MU, make_ladder, make_version, make_worker


def upload(hall: Hall, *ladders: str, workers: int = 1) -> Version:
    """A queued version, and a worker to build it."""
    with hall.database.transaction() as session:
        version = make_version(session, "nova", status="queued")
        version.ladders = list(ladders)
        for number in range(workers):
            make_worker(session, f"w{number}")
    return version


def verdict(hall: Hall, order: BuildOrder, **changes: object) -> BuildReport:
    """What a worker says of a build that went well, but for `changes`."""
    report = BuildReport(
        version=order.version,
        attempt=order.attempt,
        worker="w0",
        bundle=hall.blobs.put("bundle", b"a bundle"),
        runtime="python",
        reason="",
        log=hall.blobs.put("text", b"fine"),
    )
    return msgspec.structs.replace(report, **changes)


def version_of(hall: Hall) -> Version:
    (version,) = hall.all(Version)
    assert isinstance(version, Version)
    return version


def test_a_queued_version_is_ordered_once_and_becomes_built(hall: Hall) -> None:
    version = upload(hall)
    (order,) = hall.orders()
    assert (order.version, order.source, order.attempt) == (version.id, version.source_digest, 1)
    assert (order.language, order.entry) == ("python", "main.py")
    assert hall.orders() == []
    assert version_of(hall).status == "building"
    report = verdict(hall, order)
    hall.tell(report, report)
    built = version_of(hall)
    assert (built.status, built.reason, built.build_log) == ("built", "", report.log)
    (bundle,) = hall.all(Bundle)
    assert (bundle.digest, bundle.runtime) == (report.bundle, "python")


def test_a_version_is_tried_at_the_first_ladder_it_asked_for_that_there_is(hall: Hall) -> None:
    with hall.database.transaction() as session:
        make_ladder(session, "short-5")
        tricks = make_ladder(session, "tricks", profile="spoil-five", players=5, target=30)
    upload(hall, "gone", "tricks", "short-5")
    (order,) = hall.orders()
    assert (order.rules, order.target) == (tricks.rules, 30)


def test_without_any_such_ladder_it_is_tried_at_the_common_game(hall: Hall) -> None:
    upload(hall, "gone")
    (order,) = hall.orders()
    assert (order.rules, order.target) == (game_from_profile("classic").document(), 50)


def test_no_build_is_ordered_while_no_worker_lives(hall: Hall) -> None:
    upload(hall, workers=0)
    assert hall.orders() == []


def test_a_failed_build_keeps_its_reason_and_tells_the_owner(hall: Hall) -> None:
    upload(hall, "short-5")
    (order,) = hall.orders()
    hall.tell(verdict(hall, order, bundle=None, reason="main.py, line 3: invalid syntax"))
    failed = version_of(hall)
    assert (failed.status, failed.reason) == ("failed", "main.py, line 3: invalid syntax")
    assert failed.build_log is not None
    (notice,) = hall.all(Notice)
    assert notice.text == "nova: version 1 was not built: main.py, line 3: invalid syntax"
    assert hall.all(Entry) == []


def test_a_silent_build_is_ordered_again_and_either_answer_counts(hall: Hall) -> None:
    upload(hall)
    (first,) = hall.orders()
    hall.lapse()
    assert sweep(hall.database) == 1
    (second,) = hall.orders()
    assert second.attempt == 2
    hall.tell(verdict(hall, first))
    assert version_of(hall).status == "built"
    hall.tell(verdict(hall, second, bundle=None, reason="too late"))
    assert version_of(hall).status == "built"


def test_a_spoilt_build_is_ordered_again_after_a_pause(hall: Hall) -> None:
    upload(hall)
    (order,) = hall.orders()
    hall.tell(verdict(hall, order, bundle=None, infra=True, reason="no sandbox"))
    assert version_of(hall).reason == "no sandbox"
    assert sweep(hall.database) == 0
    assert hall.orders() == []
    hall.lapse()
    sweep(hall.database)
    (again,) = hall.orders()
    hall.tell(verdict(hall, order, bundle=None, infra=True, reason="no sandbox"))
    assert version_of(hall).status == "building", "an old order's breakdown says nothing of the new one"
    hall.tell(verdict(hall, again))
    assert version_of(hall).status == "built"


@pytest.mark.parametrize("how", ["silence", "breakdown"])
def test_a_build_that_never_succeeds_is_given_up_with_a_reason(hall: Hall, how: str) -> None:
    upload(hall)
    with hall.database.transaction() as session:
        session.execute(update(Version).values(attempt=builds.MAX_ORDERS - 1))
    (order,) = hall.orders()
    if how == "silence":
        hall.lapse()
        sweep(hall.database)
    else:
        hall.tell(verdict(hall, order, bundle=None, infra=True, reason="no sandbox"))
    assert version_of(hall).status == "failed"
    assert version_of(hall).reason.startswith("it could not be built in 20 attempts, through no fault")
    assert hall.orders() == []


def test_a_bundle_that_is_not_in_the_store_is_not_believed(hall: Hall) -> None:
    upload(hall)
    (order,) = hall.orders()
    hall.tell(verdict(hall, order, bundle="0" * 64))
    assert version_of(hall).status == "building"


@pytest.mark.parametrize("field", ["bundle", "log"])
def test_a_report_that_names_no_digest_is_not_believed(hall: Hall, field: str) -> None:
    upload(hall)
    (order,) = hall.orders()
    hall.tell(verdict(hall, order, **{field: "../../etc/passwd"}))
    assert version_of(hall).status == "building"


def test_a_retired_version_stays_retired_whatever_its_build_says(hall: Hall) -> None:
    upload(hall)
    (order,) = hall.orders()
    with hall.database.transaction() as session:
        session.execute(update(Version).values(status="retired", reason="by its owner"))
    hall.tell(verdict(hall, order))
    assert (version_of(hall).status, hall.all(Bundle)) == ("retired", [])


def test_a_built_version_enters_the_ladders_it_asked_for(hall: Hall) -> None:
    with hall.database.transaction() as session:
        for slug, state in (("one", "open"), ("two", "paused"), ("three", "closed")):
            make_ladder(session, slug).state = state
    upload(hall, "one", "two", "three", "none-such")
    (order,) = hall.orders()
    hall.tell(verdict(hall, order))
    names = {ladder.id: ladder.slug for ladder in hall.all(Ladder)}
    entries = hall.all(Entry)
    assert [(names[entry.ladder_id], entry.status, entry.mu) for entry in entries] == [
        ("one", "validating", MU),
        ("two", "validating", MU),
    ]
    assert [notice.text for notice in hall.all(Notice)] == [
        "nova: three takes no new versions; enter another ladder",
        "nova: none-such takes no new versions; enter another ladder",
    ]


def test_the_houses_own_bots_play_without_validation(hall: Hall) -> None:
    with hall.database.transaction() as session:
        make_ladder(session, "one")
    upload(hall, "one")
    with hall.database.transaction() as session:
        session.execute(update(Account).values(is_house=True))
    (order,) = hall.orders()
    hall.tell(verdict(hall, order))
    (entry,) = hall.all(Entry)
    assert entry.status == "active"
    assert entry.activated_us is not None
