"""The table of a trick game as a spectator sees it: all hands, the trick, the tricks before it, the turn-up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from engine.tricks.view import Played, TrickView


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick, or what has been played of it, in the order played."""

    number: int
    """From 1."""
    cards: tuple[Played, ...]
    winner: int | None
    """None while it is being played."""


@dataclass(frozen=True, slots=True)
class TrickSeat:
    """A seat and what it holds."""

    seat: int
    side: int
    hand: tuple[str, ...]
    tricks: int
    """Tricks won."""
    acts: bool
    """It decides next."""
    is_dealer: bool
    is_jinker: bool


@dataclass(frozen=True, slots=True)
class TrickTable:
    """The whole table."""

    kind: ClassVar[str] = "tricks"

    trump: str
    turn_up: str
    robbed: int | None
    """The seat that took the turn-up."""
    stood: int | None
    """The seat that had it turned down."""
    ace_fell: bool
    """The trump ace was not declared: it is the lowest trump."""
    pool: int | None
    trick: Trick
    """The trick being played; between tricks the one just won."""
    earlier: tuple[Trick, ...]
    seats: tuple[TrickSeat, ...]
    sides: int

    @property
    def has_partners(self) -> bool:
        """Whether several seats are one side."""
        return self.sides < len(self.seats)


def table_of(views: Sequence[object], sides: int, acts: int | None) -> TrickTable:
    """Return the table that these views by seat show together."""
    known = [view for view in views if isinstance(view, TrickView)]
    public = known[0]
    done = [
        Trick(number, tuple(cards), _winner(public, number)) for number, cards in enumerate(public.played, 1)
    ]
    if public.trick or not done:
        done.append(Trick(len(done) + 1, tuple(public.trick), None))
    return TrickTable(
        trump=public.trump,
        turn_up=public.turn_up,
        robbed=public.robbed,
        stood=public.stood,
        ace_fell=any(view.ace_fell for view in known),
        pool=public.pool,
        trick=done[-1],
        earlier=tuple(done[:-1]),
        seats=tuple(
            TrickSeat(
                seat=seat,
                side=seat % sides,
                hand=tuple(view.hand),
                tricks=view.tricks_won[seat],
                acts=acts == seat,
                is_dealer=view.dealer == seat,
                is_jinker=view.jinker == seat,
            )
            for seat, view in enumerate(known)
        ),
        sides=sides,
    )


def _winner(view: TrickView, number: int) -> int:
    """Return who won a completed trick: he leads the next."""
    return view.played[number][0].seat if number < len(view.played) else view.leader
