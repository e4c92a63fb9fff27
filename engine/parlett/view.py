"""What a seat may see of a deal of Parlett's game (docs/rules/parlett.md, "What a bot sees")."""

from engine.spite.view import SpiteView


class ParlettView(SpiteView, frozen=True, kw_only=True):
    """The family's `view` object, with what else of the past matters here.

    `goals` are the personal packs, `discards` the side piles; `must` is `forced` after both seats were frozen.
    """

    idle: int
    """Turns in a row, up to now, in which nothing was moved: from 2 on an ace or two must be played (A-PAR-12)."""
    plays: int
    """Cards played in the turn in progress: after the first, ending it is not idle; 200 end the deal (A-PAR-14)."""
    redeals: int
    """How often all but the personal packs has been shuffled and dealt again."""

    stands_for: tuple[tuple[tuple[tuple[str, ...], ...], ...], ...] | None = None
    """By seat, by side pile, bottom to top: the ranks each card may stand for (A-PAR-06).

    Only under the option `joker_memory`; without it the piles alone tell.
    """
