"""`malice new`: a program to start from."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from service.cli.text import fail, note, say

if TYPE_CHECKING:
    from service.ladders.defaults import LadderSpec

USUAL_RULES = "classic"
PARTNERS = """
Where partners play, moves may begin with the partner's piles: "pg>c0" plays his goal card on centre pile 0, "pd1>c0" the
top of his discard pile 1. He sits across from you.
"""
TRICK_GAMES = frozenset({"spoil-five", "forty-five"})


@click.command()
@click.argument("name")
@click.option("--game", default="spite-and-malice", show_default=True, help="The game it is to play.")
def new(name: str, game: str) -> None:
    """Write a small program that plays, to start from.

    It becomes NAME.py in this folder; nothing that is there already is touched.

    \b
    Examples:
      malice new my_bot
      malice new my_trickster --game spoil-five
    """
    from difflib import get_close_matches

    from engine.games import profiles
    from service.cli.local.roster import starters

    games = {profile.game: profile.name for profile in profiles().values()}
    if game not in games:
        near = get_close_matches(game, games, n=1)
        meant = f" (did you mean {near[0]!r}?)" if near else ""
        raise click.UsageError(f"no game {game!r}{meant}; there are {', '.join(games)}")
    stem = name.removesuffix(".py")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", stem):
        raise click.UsageError(f"{name!r} is no name for a bot: use letters, digits, '-' and '_'")
    program = starters()["starter-tricks" if game in TRICK_GAMES else "starter"]
    path = Path(f"{stem}.py")
    try:
        with path.open("xb") as file:
            file.write(_with_header(program.read_text(encoding="utf-8"), path, game).encode())
    except FileExistsError:
        fail(f"{path} is there already: give another name")
    except OSError as error:
        fail(f"cannot write {path} ({(error.strerror or str(error)).lower()})")
    ladder = _main_ladder(game)
    say(f"{path} plays {game}.")
    note(f"Try it: {_play_line(path, ladder)}")
    note(f"Then:   {_submit_line(path, ladder)}   (`malice ladders` lists the others)")


def _main_ladder(game: str) -> "LadderSpec":
    """Return the ladder of a game that a new installation serves first."""
    from service.ladders.defaults import load_ladders

    return max((spec for spec in load_ladders() if spec.game().name == game), key=lambda spec: spec.priority)


def _play_line(path: Path, ladder: "LadderSpec") -> str:
    others = " uniform" * (ladder.game().sides - 1)
    rules = "" if ladder.profile == USUAL_RULES else f" --rules {ladder.profile}"
    return f"malice play ./{path}{others}{rules}"


def _submit_line(path: Path, ladder: "LadderSpec") -> str:
    return f"malice submit {path} --ladder {ladder.slug}"


def _with_header(program: str, path: Path, game: str) -> str:
    """Return a starter with a docstring of its own: what the file is called and what it plays."""
    from service.narration.games import words_for

    words, ladder = words_for(game), _main_ladder(game)
    partners = PARTNERS if game == "skip-bo" else ""
    header = f'''"""A first bot for {words.title}. Change `choose`, leave the rest, and you are on the ladder.

Try it at home:   {_play_line(path, ladder)}
Then submit it:   {_submit_line(path, ladder)}

The rules, the moves and everything a request holds: docs/{words.document}.md and docs/protocol.md.
{partners}"""
'''
    return header + program.partition('"""\n')[2]
