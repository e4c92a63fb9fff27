"""Whose fixture is next: slot-seconds shared fairly among owners, whatever each has queued."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Waiting:
    """A queued fixture; one of higher priority is served before any of lower."""

    fixture: str
    owner: str
    priority: int
    is_rated: bool


def fair_order(
    waiting: Iterable[Waiting], used: Mapping[str, float], cost: float, limit: int
) -> list[Waiting]:
    """Return at most `limit` fixtures to dispatch, in order.

    `waiting` is oldest first; `used` has the slot-seconds each owner took of late and holds now; `cost` is what one
    fixture is expected to take. Of one priority, the owner who used least goes first, and pays for it.
    """
    paid = defaultdict(float, used)
    priorities: dict[int, dict[str, deque[Waiting]]] = {}
    for one in waiting:
        priorities.setdefault(one.priority, {}).setdefault(one.owner, deque()).append(one)
    chosen: list[Waiting] = []
    for priority in sorted(priorities, reverse=True):
        owners = priorities[priority]
        while owners and len(chosen) < limit:
            # Equal shares: whose fixture has waited longest.
            owner = min(owners, key=lambda name: (paid[name], owners[name][0].fixture))
            chosen.append(owners[owner].popleft())
            paid[owner] += cost
            if not owners[owner]:
                del owners[owner]
    return chosen
