"""`malice new`: a program to start from."""

import re
from pathlib import Path

import click

from service.cli.text import fail, note, say

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
            file.write(program.read_bytes())
    except FileExistsError:
        fail(f"{path} is there already: give another name")
    except OSError as error:
        fail(f"cannot write {path} ({(error.strerror or str(error)).lower()})")
    rules = "" if game == "spite-and-malice" else f" --rules {_first_profile(game)}"
    say(f"{path} plays {game}.")
    note(f"Try it: malice play ./{path} uniform{rules}")
    note(f"Then:   malice submit {path}{_ladder_hint(game)}")


def _first_profile(game: str) -> str:
    from engine.games import profiles

    return next(profile.name for profile in profiles().values() if profile.game == game)


def _ladder_hint(game: str) -> str:
    return (
        "" if game == "spite-and-malice" else " --ladder LADDER   (`malice standings` shows a ladder's table)"
    )
