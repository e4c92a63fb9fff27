"""Whose fixture is next: slot-seconds shared fairly among owners, whatever each has queued."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Waiting:
    """A queued fixture. `rank` orders what never shares: a higher one is served before any lower one."""

    fixture: str
    owner: str
    rank: tuple[int, int]


def fair_order(waiting: Iterable[Waiting], used: Mapping[str, float], cost: float, limit: int) -> list[str]:
    """Return at most `limit` fixtures to dispatch, in order.

    `waiting` is oldest first; `used` has the slot-seconds each owner took of late and holds now; `cost` is what one
    fixture is expected to take. Of one rank, the owner who used least goes first, and pays for it.
    """
    paid = defaultdict(float, used)
    ranks: dict[tuple[int, int], dict[str, deque[str]]] = {}
    for one in waiting:
        ranks.setdefault(one.rank, {}).setdefault(one.owner, deque()).append(one.fixture)
    chosen: list[str] = []
    for rank in sorted(ranks, reverse=True):
        owners = ranks[rank]
        while owners and len(chosen) < limit:
            # Equal shares: whose fixture has waited longest.
            owner = min(owners, key=lambda name: (paid[name], owners[name][0]))
            chosen.append(owners[owner].popleft())
            paid[owner] += cost
            if not owners[owner]:
                del owners[owner]
    return chosen
