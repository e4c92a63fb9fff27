"""`malice admin`: what only operators do, on the machine that has the database."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from service.cli.processes import load_settings
from service.cli.storage import open_database
from service.cli.text import console, fail, harmless, note, on_a_terminal, print_json, say
from service.settings import Settings

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from service.models import Account, Ladder
    from service.ratings.comparison import RebuildReport
    from service.storage.database import Database


@click.group()
@click.option("--home", type=click.Path(path_type=Path), help="The installation's home; default ./var.")
@click.pass_context
def admin(context: click.Context, home: Path | None) -> None:
    """For operators: work on the installation's database from the machine that has it.

    The database is that of MALICE_DATABASE_URL, else the one in the home.
    """
    context.obj = load_settings(home=home)


@admin.command("rebuild-ratings", short_help="Work the ratings out again from the results.")
@click.argument("ladders", nargs=-1, metavar="[LADDER]...")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
@click.pass_obj
def rebuild_ratings(settings: Settings, ladders: tuple[str, ...], as_json: bool) -> None:
    """Work the ratings out again from the results, and compare them bit by bit with those shown.

    Writes nothing where they are identical and puts right what is not; the exit code is 1 if anything was. Safe
    while everything runs, and to interrupt. Without LADDER, all ladders.

    \b
    Example:
      malice admin rebuild-ratings classic-50
    """
    reports: dict[str, RebuildReport] = {}
    with open_database(settings) as database:
        for ladder in _ladders(database, ladders):
            reports[ladder.slug] = _rebuild_shown(database, ladder)
            if not as_json:
                for line in _words(ladder.slug, reports[ladder.slug]):
                    say(line)
    if as_json:
        print_json({slug: _document(report) for slug, report in reports.items()})
    if not all(report.identical for report in reports.values()):
        raise SystemExit(1)


@admin.command()
@click.argument("fixtures", nargs=-1, required=True, metavar="FIXTURE...")
@click.option("--reason", required=True, help="Why; shown with the fixture, for ever.")
@click.pass_obj
def void(settings: Settings, fixtures: tuple[str, ...], reason: str) -> None:
    """Take fixtures out of the ratings for good.

    A void is final: the fixture stays listed with the reason, and the ratings become what they would be without it.

    \b
    Example:
      malice admin void 01kb3r2c9v0000000000000000 --reason "host out of memory"
    """
    from service.ledger import states
    from service.models import Fixture
    from service.ratings.rater import rate

    if not reason.strip():
        raise click.UsageError("--reason must say why")
    with open_database(settings) as database:
        touched = set()
        with database.transaction() as session:
            for wanted in fixtures:
                fixture = session.get(Fixture, wanted)
                if fixture is None:
                    fail(f"there is no fixture {harmless(wanted)}; nothing was voided")
                if not states.void(session, fixture.id, reason):
                    note(f"{fixture.id} was void already")
                touched.add(fixture.ladder_id)
        for ladder in touched:
            rate(database, ladder)
    say(f"{len(fixtures)} void; the ratings have followed.")


@admin.command(short_help="Print invitations to make an account.")
@click.option("--count", type=click.IntRange(1, 1_000), default=1, show_default=True, help="How many.")
@click.pass_obj
def invite(settings: Settings, count: int) -> None:
    """Print invitations, one a line; each lets one person make an account.

    \b
    Example:
      malice admin invite --count 30 > invitations.txt
    """
    from service.accounts.registration import make_invite

    with open_database(settings) as database, database.transaction() as session:
        operator = _operator(session)
        invitations = [make_invite(session, operator) for _ in range(count)]
    for invitation in invitations:
        say(invitation)


@admin.command(short_help="Print a new one-time token for the operator.")
@click.pass_obj
def operator(settings: Settings) -> None:
    """Print a new one-time token for the operator, when the first one or the password is lost.

    It is good for a week and for one thing: setting the account's password with `malice login operator --once TOKEN`.

    \b
    Example:
      malice admin operator
    """
    from service.accounts.registration import make_operator

    with open_database(settings) as database, database.transaction() as session:
        issued = make_operator(session)
    say(issued.token)
    note(f"Next: `malice login {issued.name} --once TOKEN`.")


def _rebuild_shown(database: "Database", ladder: "Ladder") -> "RebuildReport":
    from service.ratings.rater import rebuild

    if not on_a_terminal():
        return rebuild(database, ladder.id)
    with console(stderr=True).status(ladder.slug) as status:
        return rebuild(
            database, ladder.id, progress=lambda done: status.update(f"{ladder.slug}: {done:,} fixtures")
        )


def _ladders(database: "Database", slugs: tuple[str, ...]) -> "list[Ladder]":
    from sqlalchemy import select

    from service.ladders.listing import find_ladder
    from service.models import Ladder
    from service.refusals import UnknownError

    with database.reading() as session:
        try:
            wanted = [find_ladder(session, slug) for slug in slugs]
        except UnknownError as error:
            fail(harmless(str(error)))
        return wanted or list(session.scalars(select(Ladder).order_by(Ladder.priority.desc(), Ladder.slug)))


def _operator(session: "Session") -> "Account":
    from sqlalchemy import select

    from service.models import Account

    found = session.scalars(select(Account).where(Account.is_operator).order_by(Account.id).limit(1)).first()
    return found or fail("there is no operator yet: make one with `malice admin operator`")


def _words(slug: str, report: "RebuildReport") -> list[str]:
    counted = f"{slug}: {report.fixtures:,} fixtures, {report.entries:,} entries"
    if report.identical:
        return [f"{counted}: identical to the last bit"]
    lines = [f"{counted}: {report.different:,} differed and were put right; the first of them:"]
    return lines + [
        f"  entry {one.entry_id} after {one.sequence or 'all'}: shown {one.shown}, from results {one.rebuilt}"
        for one in report.differences
    ]


def _document(report: "RebuildReport") -> dict[str, Any]:
    return {
        "fixtures": report.fixtures,
        "entries": report.entries,
        "different": report.different,
        "identical": report.identical,
    }
