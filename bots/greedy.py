"""House bot `greedy`: the goal card whenever it can go, else any card that can, else the least harmful discard.

It plays every game of the Spite & Malice family and remembers nothing: an answer depends on its request alone.
Its style, from `style.json` beside it, may ask for more patience:

`hoards`    a wild card waits in the hand until the goal card can go right after it;
`spiteful`  a card that would bring a centre pile to where a rival's goal card goes waits, too.
"""

import json
import os
import sys
from typing import Any

NAMES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "14", "15"]
RANK = {name: rank for rank, name in enumerate(NAMES, start=1)} | {"1": 1, "11": 11, "12": 12, "13": 13}
WILD = 16
WILD_KINGS = RANK | {"K": WILD, "*": WILD}
WILD_JOKERS = RANK | {"*": WILD}

EMPTY = 2
"""An empty pile is as good as one whose top is two higher than the card."""
BURIES = 12
"""A card on a lower one is worse than any on a higher one."""
END = 50
"""Where discards are optional any is better than none, but for a wild card."""
LAST_RESORT = 100


def ranks(rules: dict[str, Any]) -> dict[str, int]:
    """Return the rank of every card as printed, WILD for the wild ones: kings, where they are not a rank of their own."""
    kings = rules["game"] == "spite-and-malice" and not rules["options"].get("jokers_to_king")
    return WILD_KINGS if kings else WILD_JOKERS


def choose(
    seat: int, legal: list[str], discards: list[list[list[str]]], rank: dict[str, int] = WILD_KINGS
) -> str:
    """Return the first play listed, the goal's before all others; where there is none, the best discard.

    `legal` lists plays on the centre before discards, and among the plays the goal's first. `discards` holds each
    seat's piles, bottom to top; `rank` is what `ranks` makes of the rules.
    """
    if ">c" in legal[0] or len(legal) == 1:
        return legal[0]
    piles = discards[seat]
    return min(legal, key=lambda move: cost(move, piles, rank))


def cost(move: str, piles: list[list[str]], rank: dict[str, int]) -> tuple[int, int]:
    """Return how much a discard such as `h9>d2` or `hQQ>d1` is regretted, the smallest being best.

    Wild cards stay in hand; a pile should run downwards, so that it can be played off upwards; high cards go first, for
    low ones are wanted more often.
    """
    source, _, slot = move.partition(">d")
    if not slot:
        return (END, 0)
    name = source[1:]
    card = rank.get(name) or rank[name[: len(name) // 2]]
    pile = piles[int(slot)]
    gap = rank[pile[-1]] - card if pile else EMPTY
    misplaced = max(0, gap - 1) if gap >= 0 else BURIES - gap
    return (misplaced + (LAST_RESORT if card == WILD else 0), -card)


def without_waiting(
    seat: int, legal: list[str], view: dict[str, Any], rank: dict[str, int], style: dict[str, Any], sides: int
) -> list[str]:
    """Return the moves less those plays that the style would rather see wait; all of them when nothing else is left."""
    goals = [
        {rank[pile["top"]] for pile in piles if pile["left"]} if place % sides != seat % sides else set()
        for place, piles in enumerate(view["goals"])
    ]
    theirs = set().union(*goals)
    ours = {
        rank[pile["top"]]
        for place, piles in enumerate(view["goals"])
        if place % sides == seat % sides
        for pile in piles
        if pile["left"]
    }
    wild = ["h" + name for name, value in rank.items() if value == WILD]

    def waits(move: str) -> bool:
        source, _, slot = move.partition(">c")
        if not slot or "g" in source:
            return False
        above = view["centre"][int(slot)] + 2
        return bool(
            (style.get("hoards", False) and source in wild and above not in ours)
            or (style.get("spiteful", False) and above in theirs and above not in ours)
        )

    return [move for move in legal if not waits(move)] or legal


def read_style() -> dict[str, Any]:
    """Return the style packed beside the program; none is the plain one."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "style.json")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return dict(json.load(file))


def main() -> None:
    """Answer requests until the host closes the pipe."""
    seat, sides, rank, style = 0, 2, WILD_KINGS, read_style()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "act":
            view, legal = message["view"], message["legal"]
            if style and view.get("must") is None:
                legal = without_waiting(seat, legal, view, rank, style, sides)
            print(f'{{"act":"{choose(seat, legal, view["discards"], rank)}"}}', flush=True)
        elif message["type"] == "hello":
            seat, rank = message["seat"], ranks(message["rules"])
            sides = message["players"] // (2 if message["rules"]["options"].get("partners") else 1)
            print('{"type":"ready"}', flush=True)


if __name__ == "__main__":
    main()
