"""`malice migrate`: the database brought up to date and seeded."""

from pathlib import Path

import click
import msgspec

from service.cli.processes import configure_logging, load_settings, usable_home
from service.cli.storage import refusal
from service.cli.supervisor.embedded import Prepared
from service.cli.text import fail, say
from service.settings import Settings


@click.command()
@click.option("--home", type=click.Path(path_type=Path), help="The installation's home; default ./var.")
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
def migrate(home: Path | None, as_json: bool) -> None:
    """Bring the database up to date, and make what is missing of the ladders and house bots.

    Harmless to repeat, and to run from several hosts at once. The first run prints a token for the operator.

    \b
    Example:
      export MALICE_DATABASE_URL=postgresql://db/malice
      export MALICE_BLOBS_URL=/srv/blobs
      malice migrate
    """
    from sqlalchemy.exc import SQLAlchemyError

    from service.ladders.defaults import LadderFileError
    from service.seeding import SeedingError

    settings = load_settings(home=home)
    usable_home(settings.home)
    configure_logging()
    try:
        prepared = bring_up_to_date(settings)
    except (SQLAlchemyError, ImportError) as error:
        fail(refusal(error))
    except (LadderFileError, SeedingError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"cannot write {error.filename} ({(error.strerror or str(error)).lower()})")
    if as_json:
        say(msgspec.json.encode(prepared).decode())
        return
    say("The database is up to date.")
    if prepared.operator_token:
        say(f"The operator's one-time token, for `malice login {prepared.operator} --once TOKEN`:")
        say(f"    {prepared.operator_token}")


def bring_up_to_date(settings: Settings) -> Prepared:
    """Migrate, seed, and give the operator a token if there is no operator yet."""
    from sqlalchemy import select

    from service.accounts.registration import OPERATOR, make_operator
    from service.blobs import open_blobs
    from service.ladders.defaults import OWN_FILE, load_ladders
    from service.models import Account, Ladder
    from service.seeding import seed
    from service.storage.database import Database
    from service.storage.migrate import migrate as migrate_tables

    migrate_tables(settings.resolved_database_url)
    database = Database(settings.resolved_database_url)
    try:
        with database.reading() as session:
            before = set(session.scalars(select(Ladder.slug)))
        own = settings.home / OWN_FILE
        specs = load_ladders(own) if own.exists() else load_ladders()
        seed(database, open_blobs(settings.resolved_blobs), specs)
        with database.transaction() as session:
            ladders = session.scalars(select(Ladder.slug).order_by(Ladder.priority.desc(), Ladder.slug)).all()
            there = session.scalars(select(Account.id).where(Account.is_operator)).first()
            issued = None if there else make_operator(session)
    finally:
        database.close()
    return Prepared(
        ladders=[slug for slug in ladders if slug not in before],
        operator=issued.name if issued else OPERATOR,
        operator_token=issued.token if issued else None,
    )
