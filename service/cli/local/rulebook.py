"""From what stands on a command line to a game: profiles, options, numbers of bots and players."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, get_args, get_type_hints

import msgspec

from engine.errors import RulesError
from engine.game import Game
from engine.games import game_from_profile, profiles
from engine.parlett.options import Options as ParlettOptions
from engine.profile import Profile
from engine.spite.options import Options, SkipBoOptions, StarturnOptions
from engine.tricks.options import FortyFiveOptions, SpoilFiveOptions
from service.ladders.defaults import refused_in_words

OPTIONS: Mapping[str, type[msgspec.Struct]] = MappingProxyType(
    {
        "spite-and-malice": Options,
        "skip-bo": SkipBoOptions,
        "starturn": StarturnOptions,
        "parlett": ParlettOptions,
        "spoil-five": SpoilFiveOptions,
        "forty-five": FortyFiveOptions,
    }
)
"""What a rule set of each game may choose."""

TARGETS: Mapping[str, int] = MappingProxyType(
    {
        "spite-and-malice": 50,
        "skip-bo": 500,
        "starturn": 25,
        "parlett": 50,
        "spoil-five": 30,
        "forty-five": 45,
    }
)
"""Points each game is usually played to."""

SETTLED_BY: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "misery": ("packs", "goal", "pack_per_player"),
        "pack_per_player": ("packs",),
        "jokers_to_king": ("jokers_wild",),
    }
)
"""What may not be given beside an option that is on: it settles that itself."""

USUAL = "usual"
_INTEGER = re.compile(r"-?\d{1,9}")


class RulebookError(ValueError):
    """A game that cannot be played as asked, and what to ask for instead."""


@dataclass(frozen=True)
class Choice:
    """An option of a game: its default first, then what else it may be."""

    name: str
    values: tuple[str, ...]
    """In words: `true`, a number, a name, or `usual` for what follows from the number of players."""
    limits: tuple[int, int] | None
    """The least and the most, of a number that may be anything between."""


def find_profile(name: str) -> Profile:
    """Return a profile by its name. Raises RulebookError, with the nearest names."""
    found = profiles().get(name)
    if found is None:
        raise RulebookError(f"no rules {name!r}{_meant(name, profiles())}; `malice rules` lists them all")
    return found


def choices(game: str) -> Sequence[Choice]:
    """Return the options of a game, in the order of its rules."""
    struct = OPTIONS[game]
    hints = get_type_hints(struct)
    return [
        Choice(field.name, _values(hints[field.name], field.default), _limits(field.type))
        for field in msgspec.structs.fields(struct)
    ]


def parse_options(profile: Profile, texts: Iterable[str]) -> dict[str, Any]:
    """Return options given as `name=value`. Raises RulebookError for one that is not, or that the game lacks."""
    known = {choice.name: choice.values for choice in choices(profile.game)}
    options: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.replace("-", "_")
        if not equals:
            raise RulebookError(f"{text!r} is no option: give name=value, such as {next(iter(known))}=…")
        if name not in known:
            raise RulebookError(
                f"{profile.game} has no option {name!r}{_meant(name, known)}; it has {', '.join(known)}"
            )
        if len(known[name]) > 1 and value not in known[name]:
            raise RulebookError(
                f"{name} is {' or '.join(known[name])}, not {value!r}{_meant(value, known[name])}"
            )
        options[name] = _value(value)
    return options


def choose_game(profile: Profile, bots: int, players: int | None, options: Mapping[str, Any]) -> Game:
    """Return the game that so many bots play: one a side, partners being one bot in several seats.

    Without `players` the smallest number that fits. Raises RulebookError.
    """
    games, refused = [], ""
    for number in profile.players if players is None else (players,):
        try:
            games.append(game_from_profile(profile.name, number, options))
        except RulesError as error:
            refused = refused or refused_in_words(error, options)
    if not games:
        raise RulebookError(refused)
    for game in games:
        if game.sides == bots:
            return game
    partners = ""
    if profile.game == "skip-bo" and players == 2 * bots and not options.get("partners"):
        partners = "; for partners add --option partners=true"
    raise RulebookError(f"{profile.name} {_wants(games)}, not {bots}{partners}")


def target_of(game: Game, asked: int | None) -> int:
    """Return the points to play to, or the number of deals where that is fixed. Raises RulebookError."""
    if game.fixed_deals is None:
        return asked or TARGETS[game.name]
    if asked is not None:
        raise RulebookError(
            f"a match is {game.fixed_deals} deals here, whatever the points: leave out --target"
        )
    return game.fixed_deals


def length_of(game: Game, target: int) -> str:
    """Return how long a match is, in words: `to 50` or `of 25 deals`."""
    return f"to {target}" if game.fixed_deals is None else f"of {game.fixed_deals} deals"


def _wants(games: Sequence[Game]) -> str:
    """Say how many bots play, with as many players as asked or with any number."""
    if len(games) > 1:
        numbers = sorted({game.sides for game in games})
        return f"takes {_either(numbers)} bots"
    (game,) = games
    partners = f", each in {game.players // game.sides} seats" if game.sides < game.players else ""
    return f"for {game.players} players takes {game.sides} bots{partners}"


def _either(numbers: Sequence[int]) -> str:
    return " or ".join(map(str, numbers)) if len(numbers) < 4 else f"{numbers[0]} to {numbers[-1]}"


def _meant(word: str, known: Iterable[str]) -> str:
    near = get_close_matches(word, list(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def _value(text: str) -> bool | int | str:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if _INTEGER.fullmatch(text) else text


def _values(hint: Any, default: Any) -> tuple[str, ...]:
    first = _in_words(default)
    if hint is bool:
        return (first, _in_words(not default))
    named = [_in_words(value) for value in get_args(hint) if isinstance(value, str | int)]
    return (first, *(value for value in named if value != first))


def _limits(kind: Any) -> tuple[int, int] | None:
    number: Any = msgspec.inspect.type_info(kind)
    if isinstance(number, msgspec.inspect.UnionType):
        number = number.types[0]
    if not isinstance(number, msgspec.inspect.IntType) or number.ge is None or number.le is None:
        return None
    return number.ge, number.le


def _in_words(value: Any) -> str:
    if value is None:
        return USUAL
    return str(value).lower() if isinstance(value, bool) else str(value)
