"""Ladders as a file describes them: the ones a new installation starts with, or an operator's own."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from engine.errors import RulesError
from engine.games import game_from_profile
from service.messages import Clock

DEFAULTS = Path(__file__).with_name("defaults.toml")
OWN_FILE = "ladders.toml"
"""What an operator's file is called, in the home folder."""

Slug = Annotated[str, msgspec.Meta(pattern="^[a-z0-9][a-z0-9-]{1,47}$")]
Share = Annotated[float, msgspec.Meta(ge=0, lt=1)]
Positive = Annotated[float, msgspec.Meta(gt=0)]


class LadderFileError(ValueError):
    """A file of ladders that cannot be used: which file, what is wrong in it."""


class Rating(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """TrueSkill parameters (docs/ratings.md)."""

    mu: float = 25.0
    sigma: Positive = 25 / 3
    beta: Positive = 25 / 6
    tau: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    draw_probability: Share = 0.02


class LadderSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ladder to be made."""

    slug: Slug
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    profile: str
    target: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    players: Annotated[int, msgspec.Meta(ge=2, le=10)] = 2
    priority: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0
    clock: Clock = Clock()
    rating: Rating = Rating()


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ladder: list[LadderSpec]


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
        try:
            game_from_profile(spec.profile, spec.players)
        except RulesError as error:
            raise LadderFileError(f"{path}: ladder {spec.slug!r}: {error}") from None
    return specs
