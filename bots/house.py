"""The list of house bots, `house.toml`: who they are, which games they play, what their bundles hold."""

import json
from collections.abc import Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated

import msgspec

LIST = "house.toml"
EVERY_GAME = "*"
MAIN = "main.py"
STYLE = "style.json"

Name = Annotated[str, msgspec.Meta(pattern="^[a-z0-9][a-z0-9-]{1,31}$")]
Stem = Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9_]*$")]


class HouseFileError(ValueError):
    """A list of house bots that cannot be used: what is wrong in it."""


class HouseBot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A house bot: a program of this folder under a name, perhaps in a style of its own."""

    name: Name
    program: Stem
    """Its main file in this folder, without `.py`."""
    games: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    """Names of games, or `*` alone for all of them."""
    modules: tuple[Stem, ...] = ()
    """Files of this folder that the program imports, without `.py`."""
    style: dict[str, bool | int | float | str] = {}
    """Parameters the program reads from `style.json` beside itself."""

    def plays(self, game: str) -> bool:
        """Whether it knows a game."""
        return self.games == (EVERY_GAME,) or game in self.games

    def files(self) -> dict[str, bytes]:
        """Return its bundle's files by name: `main.py`, the modules and, where there is a style, `style.json`."""
        folder = files(__package__)
        packed = {MAIN: _read(folder, self.program)} | {
            f"{module}.py": _read(folder, module) for module in self.modules
        }
        if self.style:
            packed[STYLE] = (json.dumps(self.style, indent=1, sort_keys=True) + "\n").encode()
        return packed


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    bot: Annotated[list[HouseBot], msgspec.Meta(min_length=1)]


def house_bots() -> Sequence[HouseBot]:
    """Return the house bots in the order of the list. Raises HouseFileError."""
    return read_list(files(__package__).joinpath(LIST).read_bytes())


def read_list(data: bytes) -> Sequence[HouseBot]:
    """Read a list of house bots (TOML). Raises HouseFileError, with what is wrong."""
    try:
        bots = msgspec.toml.decode(data, type=_File).bot
    except msgspec.MsgspecError as error:
        raise HouseFileError(f"{LIST}: {error}") from None
    folder = files(__package__)
    names = [bot.name for bot in bots]
    for bot in bots:
        if names.count(bot.name) > 1:
            raise HouseFileError(f"{LIST}: there are two bots {bot.name!r}")
        if EVERY_GAME in bot.games and len(bot.games) > 1:
            raise HouseFileError(
                f"{LIST}: {bot.name!r} plays {EVERY_GAME!r} and single games; name one or the other"
            )
        for stem in (bot.program, *bot.modules):
            if not folder.joinpath(f"{stem}.py").is_file():
                raise HouseFileError(f"{LIST}: {bot.name!r} needs {stem}.py, which is not there")
    return bots


def _read(folder: Traversable, stem: str) -> bytes:
    return folder.joinpath(f"{stem}.py").read_bytes()
