"""The table of a Spite & Malice game as a spectator sees it: everything but the face-down cards."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from engine.spite.view import GoalPile, SpiteView


@dataclass(frozen=True, slots=True)
class CentrePile:
    """A place in the middle of the table."""

    slot: int
    top: str
    """The rank its top card counts as; empty where there is none."""
    needs: str
    """The rank that goes on it next."""
    is_touched: bool
    """The last move ended here."""


@dataclass(frozen=True, slots=True)
class DiscardPile:
    """A discard or side pile, bottom to top."""

    number: int
    cards: tuple[str, ...]
    is_touched: bool


@dataclass(frozen=True, slots=True)
class SpiteSeat:
    """All that lies before one seat."""

    seat: int
    side: int
    hand: tuple[str, ...]
    goals: tuple[GoalPile, ...]
    discards: tuple[DiscardPile, ...]
    acts: bool
    """It decides next."""


@dataclass(frozen=True, slots=True)
class SpiteTable:
    """The whole table."""

    kind: ClassVar[str] = "spite"

    centre: tuple[CentrePile, ...]
    stock: int
    finished: int
    """Cards of completed piles that are not yet back in the stock."""
    seats: tuple[SpiteSeat, ...]
    pile_name: str
    """What the game calls a discard pile."""
    sides: int

    @property
    def has_partners(self) -> bool:
        """Whether several seats are one side."""
        return self.sides < len(self.seats)


def table_of(
    views: Sequence[object],
    ranks: Sequence[str],
    pile_name: str,
    sides: int,
    *,
    acts: int | None,
    touched: str | None,
) -> SpiteTable:
    """Return the table that these views by seat show together.

    `touched` is the place the last move ended at: `c0`, or seat and pile as in `1d2`.
    """
    known = [view for view in views if isinstance(view, SpiteView)]
    public = known[0]
    return SpiteTable(
        centre=tuple(
            CentrePile(slot, ranks[height - 1] if height else "", ranks[height], touched == f"c{slot}")
            for slot, height in enumerate(public.centre)
        ),
        stock=public.stock,
        finished=sum(public.spent.values()) - sum(public.centre),
        seats=tuple(
            _seat(seat, seat % sides, view, acts == seat, touched) for seat, view in enumerate(known)
        ),
        pile_name=pile_name,
        sides=sides,
    )


def _seat(seat: int, side: int, view: SpiteView, acts: bool, touched: str | None) -> SpiteSeat:
    return SpiteSeat(
        seat=seat,
        side=side,
        hand=tuple(view.hand),
        goals=view.goals[seat],
        discards=tuple(
            DiscardPile(number, cards, touched == f"{seat}d{number}")
            for number, cards in enumerate(view.discards[seat])
        ),
        acts=acts,
    )
