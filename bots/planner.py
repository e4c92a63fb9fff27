"""House bot `planner`: searches its own turn for the line of plays that serves it best.

It follows every order in which the cards it can see may go to the centre and values where each line ends: the goal
card played, the hand emptied (five new cards), kings kept, and how near the centre is left to the opponents' goal
cards. It plays the first card of the best line and thinks again. It remembers nothing: an answer
depends on its request alone.
"""

import json
import sys

NAMES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
QUEEN, WILD = 12, 13
RANK = {name: rank for rank, name in enumerate(NAMES, start=1)} | {"*": WILD}
HAND = 5

MAX_POSITIONS = 400
"""Positions searched for one decision; beyond it lines are valued where they stand."""

# What things are worth, in goal cards; found by playing variants against each other.
GOAL = 1.0
EMPTIED = 0.4
KING = 0.22
DANGER = 0.7
PROSPECT = 0.5
HELD = 0.03
LOW_CARD = 0.02
SPARE = 0.05

Heights = tuple[int, ...]
Cards = tuple[int, ...]


class Turn:
    """What one request says, in numbers: ranks from 1 (ace) to 12 (queen), 13 for kings and jokers."""

    __slots__ = ("dangers", "depths", "drawn", "goals", "hand", "heights", "legal", "piles")

    def __init__(
        self,
        *,
        seat: int,
        legal: list[str],
        hand: list[str],
        goals: list[list[str]],
        discards: list[list[list[str]]],
        centre: list[int],
        unseen: dict[str, int],
    ) -> None:
        """`goals` are the tops of each seat's goal piles, `discards` each seat's piles from bottom to top."""
        self.legal = legal
        self.hand = tuple(sorted(RANK[name] for name in hand))
        self.goals = [RANK[name] for name in goals[seat]]
        self.piles = [[RANK[name] for name in pile] for pile in discards[seat]]
        self.depths = tuple(len(pile) for pile in self.piles)
        self.heights = tuple(centre)
        self.drawn = chances(unseen)
        self.dangers = []
        seats = len(goals)
        for step in range(1, seats):
            rival = (seat + step) % seats
            ready = list(self.drawn)
            for pile in discards[rival]:
                if pile:
                    ready[RANK[pile[-1]]] = 1.0
            for name in goals[rival]:
                self.dangers.append([reach(height, RANK[name], ready) / step for height in range(QUEEN)])


def chances(unseen: dict[str, int]) -> list[float]:
    """Return by rank how likely a hand of five unseen cards can serve it, a king counting half for each."""
    counts = [0.0] * (WILD + 1)
    for name, count in unseen.items():
        counts[RANK[name]] += count
    total = max(1.0, sum(counts))
    wild = counts[WILD] / 2
    return [1.0 - (1.0 - min(1.0, (count + wild) / total)) ** HAND for count in counts]


def reach(height: int, goal: int, ready: list[float]) -> float:
    """Return how likely a pile of this height can be built up to take the goal card.

    `ready` holds by rank how likely its owner can play it.
    """
    if goal == WILD:
        return 1.0 if height else ready[1]
    chance = 1.0
    if height >= goal:
        for rank in range(height + 1, QUEEN + 1):
            chance *= ready[rank]
        height = 0
    for rank in range(height + 1, goal):
        chance *= ready[rank]
    return chance


class Search:
    """The lines of one turn. Piles of the centre count by height only, so they are kept sorted."""

    __slots__ = ("known", "turn")

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.known: dict[tuple[Heights, Cards, Cards], float] = {}

    def best(self, heights: Heights, hand: Cards, depths: Cards) -> float:
        """Return the value of the best line from here, stopping at once being one of them.

        `depths` are the cards left in each of the own discard piles.
        """
        key = (heights, hand, depths)
        value = self.known.get(key)
        if value is None:
            value = self.stop(heights, hand, depths)
            if len(self.known) < MAX_POSITIONS:
                self.known[key] = value  # counts it now; what lies beyond is searched next
                self.known[key] = value = self.explore(heights, hand, depths, value)
        return value

    def explore(self, heights: Heights, hand: Cards, depths: Cards, best: float) -> float:
        """Follow every play from here, stopping being worth `best`; a goal card that can go, goes."""
        slots = [slot for slot, height in enumerate(heights) if not slot or heights[slot - 1] != height]
        scores = [
            GOAL + self.rest(raised(heights, slot), hand)
            for slot in slots
            if any(fits(goal, heights[slot]) for goal in self.turn.goals)
        ]
        if scores or not hand:
            return max(scores, default=best)
        for slot in slots:
            height = heights[slot]
            after = raised(heights, slot)
            for index, card in enumerate(hand):
                if fits(card, height) and (not index or hand[index - 1] != card):
                    best = max(best, self.best(after, hand[:index] + hand[index + 1 :], depths))
            for index, depth in enumerate(depths):
                if depth and fits(self.turn.piles[index][depth - 1], height):
                    best = max(best, self.best(after, hand, lowered(depths, index)))
        return best

    def stop(self, heights: Heights, hand: Cards, depths: Cards) -> float:
        """Return what it is worth to leave it at this."""
        ready = self.ready(hand, depths)
        near = max([reach(height, goal, ready) for goal in self.turn.goals for height in heights])
        return self.rest(heights, hand) + PROSPECT * near

    def ready(self, hand: Cards, depths: Cards) -> list[float]:
        """Return by rank how likely the own next turn can serve it."""
        ready = list(self.turn.drawn)
        for card in hand:
            ready[card] = 1.0
        for pile, depth in zip(self.turn.piles, depths, strict=True):
            if depth:
                ready[pile[depth - 1]] = 1.0
        return ready

    def rest(self, heights: Heights, hand: Cards) -> float:
        """Return the worth of everything but the own goal card; an emptied hand brings five new cards."""
        value = KING * hand.count(WILD) - HELD * len(hand) if hand else EMPTIED
        for danger in self.turn.dangers:
            value -= DANGER * max([danger[height] for height in heights])
        return value


def fits(card: int, height: int) -> bool:
    """Whether a card may go on a pile of this height: the next rank, or a wild one on any pile begun."""
    return card == height + 1 or (card == WILD and height > 0)


def raised(heights: Heights, slot: int) -> Heights:
    """Return the heights after one more card on a pile; a pile that reaches the queen is taken off."""
    changed = list(heights)
    changed[slot] = (changed[slot] + 1) % QUEEN
    changed.sort()
    return tuple(changed)


def without(hand: Cards, card: int) -> Cards:
    """Return a hand less one card."""
    index = hand.index(card)
    return hand[:index] + hand[index + 1 :]


def lowered(depths: Cards, index: int) -> Cards:
    """Return the depths with the top of one discard pile gone."""
    return (*depths[:index], depths[index] - 1, *depths[index + 1 :])


def choose(turn: Turn) -> str:
    """Return the move: the first play of the best line, or the best discard when stopping is best."""
    plays = [move for move in turn.legal if ">c" in move]
    scoring = [move for move in plays if move[0] == "g"]
    discards = [move for move in turn.legal if ">d" in move]
    search = Search(turn)
    if plays:
        values = {move: after_play(search, move) for move in scoring or plays}
        best = max(values, key=values.__getitem__)
        if scoring or not discards or values[best] > search.stop(turn.heights, turn.hand, turn.depths):
            return best
    return max(discards, key=lambda move: after_discard(search, move), default=turn.legal[0])


def after_play(search: Search, move: str) -> float:
    """Return the value of the best line that begins with this play."""
    turn = search.turn
    source, _, slot = move.partition(">c")
    heights = raised(turn.heights, int(slot))
    if source[0] == "g":
        return GOAL + search.rest(heights, turn.hand)
    if source[0] == "h":
        return search.best(heights, without(turn.hand, RANK[source[1:]]), turn.depths)
    return search.best(heights, turn.hand, lowered(turn.depths, int(source[1:])))


def after_discard(search: Search, move: str) -> float:
    """Return the worth of a discard: what stays in reach of the goal, and how tidy the pile stays."""
    turn = search.turn
    source, _, slot = move.partition(">d")
    card, index = RANK[source[1:]], int(slot)
    hand = without(turn.hand, card)
    ready = search.ready(hand, (*turn.depths[:index], 0, *turn.depths[index + 1 :]))
    ready[card] = 1.0
    value = PROSPECT * max(reach(height, goal, ready) for goal in turn.goals for height in turn.heights)
    value -= KING if card == WILD else LOW_CARD * (QUEEN - card) / QUEEN
    if card in hand:
        value += SPARE
    return value + tidiness(card, turn.piles[index])


def tidiness(card: int, pile: list[int]) -> float:
    """Return what a card does to a pile: best runs downwards, so that it can be played off upwards.

    These figures, too, were found by play.
    """
    if not pile:
        return -0.1
    if pile[-1] == WILD:
        return -0.3
    gap = pile[-1] - card
    if gap in (0, 1):
        return 0.05 * gap
    return -0.05 - 0.02 * gap if gap > 0 else -0.15 + 0.03 * gap


def main() -> None:
    """Answer requests until the host closes the pipe."""
    seat = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "act":
            view = message["view"]
            turn = Turn(
                seat=seat,
                legal=message["legal"],
                hand=view["hand"],
                goals=[[pile["top"] for pile in piles if pile["left"]] for piles in view["goals"]],
                discards=view["discards"],
                centre=view["centre"],
                unseen=view["unseen"],
            )
            print(f'{{"act":"{choose(turn)}"}}', flush=True)
        elif message["type"] == "hello":
            seat = message["seat"]
            print('{"type":"ready"}', flush=True)


if __name__ == "__main__":
    main()
