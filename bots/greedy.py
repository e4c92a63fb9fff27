"""House bot `greedy`: the goal card whenever it can go, else any card that can, else the least harmful discard.

It never holds a card back and never looks at the opponents. It remembers nothing: an answer depends on its request
alone.
"""

import json
import sys

NAMES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "*"]
RANK = {name: rank for rank, name in enumerate(NAMES, start=1)}
KING = RANK["K"]

EMPTY = 2
"""An empty pile is as good as one whose top is two higher than the card."""
BURIES = 12
"""A card on a lower one is worse than any on a higher one."""
LAST_RESORT = 100


def choose(seat: int, legal: list[str], discards: list[list[list[str]]]) -> str:
    """Return the first play listed, the goal's before all others; where there is none, the best discard.

    `legal` lists plays on the centre before discards, and among the plays the goal's first. `discards` holds each
    seat's piles, bottom to top.
    """
    if ">d" not in legal[0]:
        return legal[0]
    piles = discards[seat]
    return min(legal, key=lambda move: cost(move, piles))


def cost(move: str, piles: list[list[str]]) -> tuple[int, int]:
    """Return how much a discard such as `h9>d2` is regretted, the smallest being best.

    Kings stay in hand; a pile should run downwards, so that it can be played off upwards; high cards go first, for
    low ones are wanted more often.
    """
    source, _, slot = move.partition(">d")
    card, pile = RANK[source[1:]], piles[int(slot)]
    gap = RANK[pile[-1]] - card if pile else EMPTY
    misplaced = max(0, gap - 1) if gap >= 0 else BURIES - gap
    return (misplaced + (LAST_RESORT if card >= KING else 0), -card)


def main() -> None:
    """Answer requests until the host closes the pipe."""
    seat = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "act":
            move = choose(seat, message["legal"], message["view"]["discards"])
            print(f'{{"act":"{move}"}}', flush=True)
        elif message["type"] == "hello":
            seat = message["seat"]
            print('{"type":"ready"}', flush=True)


if __name__ == "__main__":
    main()
