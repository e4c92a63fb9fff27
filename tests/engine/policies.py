"""Players for property tests, good and bad ones: each makes a listed move of any game, and remembers nothing."""

import random
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from engine.game import Deal

Policy = Callable[[Deal], str]


def eager(deal: Deal) -> str:
    """Make the first move listed: goal cards before all others, and discards last."""
    return deal.legal()[0]


def last(deal: Deal) -> str:
    """Make the last move listed: end or pass wherever that is legal, else discard the highest card."""
    return deal.legal()[-1]


def idle(deal: Deal) -> str:
    """End the turn or pass where that is legal, else discard, else do what there is to do."""
    legal = deal.legal()
    return _first(legal, lambda move: move in ("end", "pass")) or deal.passive_move()


def refusing(deal: Deal) -> str:
    """Keep the game flowing, but play a goal card only when nothing else is legal."""
    legal = deal.legal()
    others = [move for move in legal if not is_goal_play(move)]
    return others[0] if others else legal[0]


def discarding_lowest(deal: Deal) -> str:
    """Play nothing that need not be played; discard the lowest card."""
    return _first(deal.legal(), is_discard) or deal.legal()[0]


def discarding_highest(deal: Deal) -> str:
    """Play nothing that need not be played; discard the highest card."""
    return _first(deal.legal()[::-1], is_discard) or deal.legal()[0]


def hoarding(deal: Deal) -> str:
    """Neither play nor discard a wild, a king or a joker while there is another move."""
    legal = deal.legal()
    kept = [move for move in legal if not move.startswith(("hK", "h*"))]
    return kept[0] if kept else legal[0]


def burying(deal: Deal) -> str:
    """Play all it can from its hand, never from the piles before it, and discard everything on one pile."""
    legal = deal.legal()
    plays = [move for move in legal if move.startswith("h") and ">c" in move]
    return plays[-1] if plays else _first(legal, lambda move: move.endswith(">d0")) or legal[-1]


POLICIES: Mapping[str, Policy] = MappingProxyType(
    {
        "eager": eager,
        "last": last,
        "idle": idle,
        "refusing": refusing,
        "discarding lowest": discarding_lowest,
        "discarding highest": discarding_highest,
        "hoarding": hoarding,
        "burying": burying,
    }
)


def at_random(seed: int, plays: float = 0.0) -> Policy:
    """Return a policy that makes any legal move, but with this probability one that is no discard, end or pass."""
    source = random.Random(seed)

    def policy(deal: Deal) -> str:
        legal = deal.legal()
        preferred = [move for move in legal if not is_discard(move) and move not in ("end", "pass")]
        return source.choice(preferred if preferred and source.random() < plays else legal)

    return policy


def is_goal_play(move: str) -> bool:
    """Whether a move takes a card from a goal pile, the seat's or its partner's."""
    return move.startswith(("g", "pg"))


def is_discard(move: str) -> bool:
    """Whether a move lays a card of the hand on a discard pile."""
    return ">d" in move


def _first(legal: Sequence[str], wanted: Callable[[str], bool]) -> str | None:
    return next((move for move in legal if wanted(move)), None)
