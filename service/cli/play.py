"""`malice play`: bots against each other on this machine, with the service's own engine, referee and sandbox."""

import hashlib
import secrets
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from service.cli.text import console, fail, harmless, note, on_a_terminal, print_json, print_table, say

if TYPE_CHECKING:
    from service.cli.local.series import Series, Setting
    from service.cli.local.tally import Tally
    from workers.programs import Sandbox

FAULTS_SHOWN = 10


@click.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT [BOT...]")
@click.option(
    "--rules",
    default="classic",
    show_default=True,
    metavar="PROFILE",
    help="What is played; `malice rules` lists it all.",
)
@click.option("--players", type=click.IntRange(2, 10), help="Seats, where the number of bots leaves it open.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="A single option changed from the profile; may be repeated.",
)
@click.option(
    "--target", type=click.IntRange(1, 10_000), help="Points to play to; default: as usual in the game."
)
@click.option("--fixtures", default=20, show_default=True, type=click.IntRange(1), help="How many fixtures.")
@click.option("--seed", metavar="TEXT", help="Deal the same cards as another run with this seed.")
@click.option(
    "--log-dir",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep every log, and what bots wrote to stderr.",
)
@click.option(
    "--sandbox",
    type=click.Choice(["auto", "S3", "S2", "S0"]),
    default="auto",
    show_default=True,
    help="Isolation; S0 is none, for your own bots.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def play(
    bots: tuple[str, ...],
    rules: str,
    players: int | None,
    options: tuple[str, ...],
    target: int | None,
    fixtures: int,
    seed: str | None,
    log_dir: Path | None,
    sandbox: str,
    as_json: bool,
) -> None:
    """Play bots against each other on this machine.

    BOT is the name of a house bot (uniform plays every game) or the path of a source file, a folder or a zip. There are
    as many bots as sides: partners are one bot in several seats. A fixture deals the same cards once per rotation of
    the seats, so luck largely cancels out. Ctrl-C prints what was played so far.

    \b
    Examples:
      malice play greedy uniform
      malice play ./mybot.py planner --fixtures 100 --seed monday
      malice play mybot.zip greedy --rules short --target 25 --log-dir logs
      malice play ./a.py ./b.py --rules forty-five --players 4
    """
    from service.cli.local.rulebook import (
        RulebookError,
        choose_game,
        find_profile,
        length_of,
        parse_options,
        target_of,
    )
    from service.cli.local.series import Setting

    if len(bots) < 2:
        raise click.UsageError("it takes two bots at least: malice play greedy uniform")
    try:
        profile = find_profile(rules)
        game = choose_game(profile, len(bots), players, parse_options(profile, options))
        target = target_of(game, target)
    except RulebookError as error:
        raise click.UsageError(str(error)) from None
    seed = seed or secrets.token_hex(8)
    setting = Setting(game, target, hashlib.sha256(seed.encode()).digest(), log_dir)
    with _series(setting, bots, sandbox) as series:
        interrupted = _run(series, fixtures, quiet=as_json)
        tally = series.tally
    if as_json:
        print_json(_document(tally, rules, setting, seed, interrupted))
    else:
        _print(tally, f"{_words(rules, options)} {length_of(game, target)}, seed {seed}")
        if log_dir is not None:
            say(f"Logs are in {log_dir}; `malice verify {log_dir}/*.ndjson` replays them.")
    if interrupted:
        fail(f"interrupted after {tally.fixtures} of {fixtures} fixtures")


@contextmanager
def _series(setting: "Setting", words: tuple[str, ...], wanted: str) -> Iterator["Series"]:
    """Make everything ready: a place on this host, a sandbox, built bots; nothing stays behind."""
    from service.blobs import FolderBlobs
    from service.cli.local.roster import RosterError, contender, distinct
    from service.cli.local.series import Series, on_one_core
    from workers.bundles import BundleCache
    from workers.places import NoPlaceError, take_place
    from workers.programs import SandboxError

    with tempfile.TemporaryDirectory(prefix="malice-play-") as folder, ExitStack() as stack:
        try:
            place = take_place("local", 1)
            stack.callback(place.release)
            sandbox = _sandbox(wanted)
            blobs = FolderBlobs(Path(folder))
            bundles = BundleCache(blobs, place.bundles)
            stack.enter_context(on_one_core())
            contenders = [
                contender(
                    word,
                    name,
                    setting.game,
                    setting.target,
                    sandbox=sandbox,
                    bundles=bundles,
                    blobs=blobs,
                    slot=place.slots[0],
                )
                for word, name in zip(words, distinct(words), strict=True)
            ]
        except (NoPlaceError, SandboxError, RosterError) as error:
            fail(str(error))
        yield Series(setting, contenders, sandbox=sandbox, bundles=bundles, blobs=blobs, slot=place.slots[0])


def _sandbox(wanted: str) -> "Sandbox":
    """Return the sandbox asked for; where there can be none one's own bots play without, and it is said."""
    from workers.sandbox import choose_sandbox

    if wanted == "auto" and not sys.platform.startswith("linux"):
        wanted = "S0"
    sandbox = choose_sandbox(wanted)
    if sandbox.layer == "S0":
        note("No sandbox: these bots run with your rights. Play only what you trust.")
    return sandbox


def _run(series: "Series", fixtures: int, *, quiet: bool) -> bool:
    """Play the fixtures behind a progress bar; return whether somebody interrupted."""
    from service.cli.local.series import SeriesError, interruptible

    try:
        with (
            _progress(fixtures, hidden=quiet or not on_a_terminal()) as advance,
            interruptible() as check,
        ):
            for number in range(1, fixtures + 1):
                check()
                series.play(number, check)
                advance()
    except KeyboardInterrupt:
        return True
    except (SeriesError, OSError) as error:
        fail(str(error))
    return False


@contextmanager
def _progress(fixtures: int, *, hidden: bool) -> Iterator[Callable[[], None]]:
    """A progress bar on stderr; yields what moves it on by one fixture."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("fixtures"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True, disable=hidden) as bar:
        task = bar.add_task("", total=fixtures)
        yield lambda: bar.advance(task)


def _print(tally: "Tally", title: str) -> None:
    rows = [
        (
            row.name,
            str(row.wins),
            str(row.draws),
            str(row.losses),
            f"{row.win_share:.1%}",
            "{:.0%} to {:.0%}".format(*row.interval),
            str(row.points),
            str(row.faulted),
            f"{row.used_us / 1e3 / max(1, row.fixtures):.1f}",
        )
        for row in sorted(tally.rows, key=lambda row: -row.win_share)
    ]
    figures = ("wins", "draws", "losses", "share", "points", "faults", "ms")
    say(f"{tally.fixtures} {'fixture' if tally.fixtures == 1 else 'fixtures'} of {title}")
    print_table(
        ("bot", "wins", "draws", "losses", "share", "95 %", "points", "faults", "ms"),
        rows,
        right=figures,
        folding=("bot",),
    )
    for fault in tally.faults[:FAULTS_SHOWN]:
        say(
            harmless(f"fixture {fault.fixture}, leg {fault.leg}: {fault.bot}: {fault.kind}: {fault.evidence}")
        )
    if len(tally.faults) > FAULTS_SHOWN:
        say(f"and {len(tally.faults) - FAULTS_SHOWN} more faults; --json lists them all")


def _words(rules: str, options: tuple[str, ...]) -> str:
    return f"{rules} ({', '.join(options)})" if options else rules


def _document(tally: "Tally", rules: str, setting: "Setting", seed: str, interrupted: bool) -> dict[str, Any]:
    document = setting.game.document()
    return {
        "rules": rules,
        "game": document["game"],
        "players": setting.game.players,
        "sides": setting.game.sides,
        "options": document["options"],
        "target": setting.target,
        "seed": seed,
        "fixtures": tally.fixtures,
        "interrupted": interrupted,
        "bots": [row.document() for row in tally.rows],
        "faults": [fault.document() for fault in tally.faults],
    }
