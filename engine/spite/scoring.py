"""Points of a deal of the family, by side."""

from typing import Final

WIN_BONUS: Final = 5


def won_points(winner: int, left: list[int], bonus: int = WIN_BONUS, value: int = 1) -> tuple[int, ...]:
    """Return the points by side when `winner` has played out: the bonus and `value` for every goal card `left` to others."""
    score = bonus + value * sum(left)
    return tuple([score if side == winner else 0 for side in range(len(left))])


def drawn_points(left: list[int], value: int = 1) -> tuple[int, ...]:
    """Return the points by side of a drawn deal (A-STD-14).

    The side with the fewest goal cards `left` scores `value` for every card each other has more than it; where several
    have the fewest nobody scores.
    """
    fewest = min(left)
    if left.count(fewest) > 1:
        return (0,) * len(left)
    score = value * (sum(left) - fewest * len(left))
    return tuple([score if count == fewest else 0 for count in left])
