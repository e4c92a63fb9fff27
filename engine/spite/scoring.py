"""Points of a deal of the common game."""

WIN_BONUS = 5


def won_points(winner: int, left: list[int]) -> tuple[int, ...]:
    """Return the points by seat when `winner` has played out: 5 and one for every goal card `left` to the others."""
    return tuple(WIN_BONUS + sum(left) if seat == winner else 0 for seat in range(len(left)))


def drawn_points(left: list[int]) -> tuple[int, ...]:
    """Return the points by seat of a drawn deal (A-STD-14).

    The seat with the fewest goal cards `left` scores what each other has more than it; where several have the
    fewest nobody scores.
    """
    fewest = min(left)
    if left.count(fewest) > 1:
        return (0,) * len(left)
    score = sum(count - fewest for count in left)
    return tuple(score if count == fewest else 0 for count in left)
