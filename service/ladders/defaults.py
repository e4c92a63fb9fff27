"""Ladders as a file describes them: the ones a new installation starts with, or an operator's own."""

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from engine.errors import RulesError
from engine.game import Game
from engine.games import game_from_profile
from service.messages import Clock

DEFAULTS = Path(__file__).with_name("defaults.toml")
OWN_FILE = "ladders.toml"
"""What an operator's file is called, in the home folder."""

_MISFIT = re.compile(
    r"Expected `(?P<kind>\w+)[^`]*`(?P<bound> [<>]= \d+)?.* - at `\$\.options\.(?P<name>\w+)`$"
)
_NO_CHOICE = re.compile(r"Invalid enum value (?P<value>.*) - at `\$\.options\.(?P<name>\w+)`$")
_NO_OPTION = re.compile(r"rules of (?P<game>\S+): .*unknown field `(?P<name>.*)` - at `\$\.options`$")
_KINDS = {"int": "a whole number", "bool": "true or false", "str": "a word"}
_BOUNDS = {" >= ": "at least", " <= ": "at most"}

Slug = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]{1,47}\Z")]
Title = Annotated[str, msgspec.Meta(min_length=1, max_length=100, pattern=r"\S")]
Share = Annotated[float, msgspec.Meta(ge=0, lt=1)]
Positive = Annotated[float, msgspec.Meta(gt=0)]
Milliseconds = Annotated[int, msgspec.Meta(ge=1, le=3_600_000)]


class LadderFileError(ValueError):
    """A file of ladders that cannot be used: which file, what is wrong in it."""


class Rating(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """TrueSkill parameters (docs/ratings.md)."""

    mu: float = 25.0
    sigma: Positive = 25 / 3
    beta: Positive = 25 / 6
    tau: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    draw_probability: Share = 0.02


class ClockSpec(Clock, frozen=True, forbid_unknown_fields=True):
    """A clock that bots can keep to: an hour at most of anything."""

    start_ms: Milliseconds = Clock().start_ms
    bank_ms: Milliseconds = Clock().bank_ms
    increment_ms: Annotated[int, msgspec.Meta(ge=0, le=3_600_000)] = Clock().increment_ms
    leg_ms: Milliseconds = Clock().leg_ms


class LadderSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ladder to be made."""

    slug: Slug
    title: Title
    profile: str
    target: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | None = None
    """Points a match is played to; None only where the rules fix its number of deals."""
    players: Annotated[int, msgspec.Meta(ge=2, le=10)] = 2
    """Seats of a match."""
    options: dict[str, Any] = {}
    """Single options that differ from the profile's."""
    priority: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0
    clock: ClockSpec = ClockSpec()
    rating: Rating = Rating()

    def game(self) -> Game:
        """Return the game that is played. Raises RulesError."""
        return game_from_profile(self.profile, self.players, self.options)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ladder: Annotated[list[LadderSpec], msgspec.Meta(min_length=1)]


def load_ladders(path: Path = DEFAULTS) -> Sequence[LadderSpec]:
    """Read a file of ladders. Raises LadderFileError."""
    try:
        specs = msgspec.toml.decode(path.read_bytes(), type=_File).ladder
    except (OSError, msgspec.MsgspecError) as error:
        raise LadderFileError(f"{path}: {error}") from None
    slugs = [spec.slug for spec in specs]
    for spec in specs:
        if slugs.count(spec.slug) > 1:
            raise LadderFileError(f"{path}: there are two ladders {spec.slug!r}")
        if why := _unplayable(spec):
            raise LadderFileError(f"{path}: ladder {spec.slug!r}: {why}")
    return specs


def refused_in_words(error: RulesError, options: Mapping[str, Any]) -> str:
    """Return why options were refused, in words where one is unknown or has a value that is none for it."""
    if choice := _NO_CHOICE.search(str(error)):
        return f"{choice['name']} may not be {choice['value']}; `malice rules PROFILE` lists what it may be"
    if option := _NO_OPTION.fullmatch(str(error)):
        return f"{option['game']} has no option {option['name']!r}; `malice rules PROFILE` lists the options"
    misfit = _MISFIT.search(str(error))
    if misfit is None or misfit["name"] not in options or misfit["kind"] not in _KINDS:
        return str(error)
    bound = misfit["bound"]
    limit = f" of {_BOUNDS[bound[:4]]} {bound[4:]}" if bound else ""
    return f"{misfit['name']} wants {_KINDS[misfit['kind']]}{limit}, not {options[misfit['name']]!r}"


def _unplayable(spec: LadderSpec) -> str:
    """Return what keeps a ladder from being played; empty when nothing does."""
    if not spec.title.isprintable():
        return "its title has characters that cannot be shown"
    for name, value in msgspec.structs.asdict(spec.rating).items():
        if not math.isfinite(value):
            return f"`{name}` of its rating is {value}, not a number that can be reckoned with"
    try:
        game = spec.game()
    except RulesError as error:
        return refused_in_words(error, spec.options)
    if game.fixed_deals is None and spec.target is None:
        return "say the `target`, the points a match is played to"
    if game.fixed_deals is not None and spec.target is not None:
        return f"its matches are {game.fixed_deals} deals, whatever the points: leave out `target`"
    return ""
