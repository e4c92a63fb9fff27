"""House bot `planner`: searches its own turn for the line of plays that serves it best.

It plays every game of the Spite & Malice family. It follows every order in which the cards it can see may go to the
centre and values where each line ends: the goal card played, the hand emptied (new cards), wild ones kept, and how near
the centre is left to the rivals' goal cards. It plays the first card of the best line and thinks again. It remembers
nothing: an answer depends on its request alone.
"""

import json
import sys
from typing import Any

NAMES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "14", "15"]
WILD = 16
RANK = {name: rank for rank, name in enumerate(NAMES, start=1)} | {"1": 1, "11": 11, "12": 12, "13": 13}

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
PAIR = 0.06
END = -0.2
OPENING_LOW = 0.15
NEVER = -100.0

PILES = 4
"""Discard piles of a seat."""

Heights = tuple[int, ...]
Cards = tuple[int, ...]


class Rules:
    """What the rules of a match say, in numbers: ranks from 1 up to `top`, which completes a pile, WILD for wild cards."""

    __slots__ = ("cover", "emptied", "growing", "hand", "optional", "rank", "sides", "top", "wild_at")

    def __init__(self, document: dict[str, Any]) -> None:
        """Read a rules document, `{game, rules_version, players, options}`."""
        game, options, players = document["game"], document["options"], document["players"]
        common = game == "spite-and-malice"
        kings_natural = not common or bool(options.get("jokers_to_king"))
        self.rank = RANK | {"*": WILD} | ({} if kings_natural else {"K": WILD})
        self.top = {"starturn": 15, "parlett": 13}.get(game, 13 if options.get("jokers_to_king") else 12)
        self.hand = 6 if options.get("misery") else 5
        self.growing = game == "parlett" or options.get("centre") == "unlimited"
        self.cover = bool(options.get("cover_wild"))
        self.optional = game == "parlett"
        self.sides = players // 2 if options.get("partners") else players
        self.emptied = EMPTIED if game != "starturn" or options.get("continue_on_empty") else EMPTIED / 2
        banned = {1} if common else set()
        if options.get("jokers_to_king"):
            banned |= {2, 7, 11}
        if options.get("natural_low_pairs"):
            banned |= {2}
        if self.cover:
            banned |= {7, self.top}
        self.wild_at = [rank not in banned for rank in range(1, self.top + 1)]

    def fits(self, card: int, height: int) -> bool:
        """Whether a card may go on a pile of this height: the next rank, or a wild one where wild ones may."""
        return card == height + 1 or (card == WILD and self.wild_at[height])

    def raised(self, heights: Heights, slot: int) -> Heights:
        """Return the heights, sorted, after one more card on a pile; a complete pile is taken off."""
        changed = list(heights)
        changed[slot] = (changed[slot] + 1) % self.top
        changed.sort()
        if self.growing:
            changed = [0, *[height for height in changed if height]]
        return tuple(changed)


CLASSIC: dict[str, Any] = {"game": "spite-and-malice", "rules_version": 1, "players": 2, "options": {}}


class Turn:
    """What one request says, in numbers.

    Where a partner's cards may be played, his piles follow the own ones.
    """

    __slots__ = ("dangers", "depths", "drawn", "goals", "hand", "heights", "legal", "piles", "rules")

    def __init__(
        self,
        rules: Rules,
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
        self.rules = rules
        self.legal = legal
        rank = rules.rank
        seats = len(goals)
        ours = range(seat, seat + seats, rules.sides)
        self.hand = tuple(sorted([rank[name] for name in hand]))
        self.goals = [rank[name] for place in ours for name in goals[place % seats]]
        self.piles = [[rank[name] for name in pile] for place in ours for pile in discards[place % seats]]
        self.depths = tuple([len(pile) for pile in self.piles])
        self.heights = tuple(centre)
        self.drawn = chances(rules, unseen)
        self.dangers = []
        for step in range(1, seats):
            rival = (seat + step) % seats
            if step % rules.sides == 0:
                continue
            ready = list(self.drawn)
            for pile in discards[rival]:
                if pile:
                    ready[rank[pile[-1]]] = 1.0
            for name in goals[rival]:
                goal = rank[name]
                self.dangers.append([reach(rules, height, goal, ready) / step for height in range(rules.top)])


def chances(rules: Rules, unseen: dict[str, int]) -> list[float]:
    """Return by rank how likely a hand of unseen cards can serve it, a wild card counting half for each."""
    counts = [0.0] * (WILD + 1)
    for name, count in unseen.items():
        counts[rules.rank[name]] += count
    total = max(1.0, sum(counts))
    wild = counts[WILD] / 2
    return [1.0 - (1.0 - min(1.0, (count + wild) / total)) ** rules.hand for count in counts]


def reach(rules: Rules, height: int, goal: int, ready: list[float]) -> float:
    """Return how likely a pile of this height can be built up to take the goal card.

    `ready` holds by rank how likely its owner can play it.
    """
    if goal == WILD:
        return 1.0 if rules.wild_at[height] else ready[height + 1]
    chance = 1.0
    if height >= goal:
        for rank in range(height + 1, rules.top + 1):
            chance *= ready[rank]
        height = 0
    for rank in range(height + 1, goal):
        chance *= ready[rank]
    return chance


class Search:
    """The lines of one turn. Piles of the centre count by height only, so they are kept sorted."""

    __slots__ = ("known", "rules", "turn")

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.rules = turn.rules
        self.known: dict[tuple[Heights, Cards, Cards], float] = {}

    def best(self, heights: Heights, hand: Cards, depths: Cards) -> float:
        """Return the value of the best line from here, stopping at once being one of them.

        `depths` are the cards left in each of the discard piles.
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
        fits, raised = self.rules.fits, self.rules.raised
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
            for index, card in enumerate(hand):
                if fits(card, height) and (not index or hand[index - 1] != card):
                    best = max(best, self.after(heights, slot, card, without(hand, card), depths))
            for index, depth in enumerate(depths):
                if depth:
                    card = self.turn.piles[index][depth - 1]
                    if fits(card, height):
                        best = max(best, self.after(heights, slot, card, hand, lowered(depths, index)))
        return best

    def after(self, heights: Heights, slot: int, card: int, hand: Cards, depths: Cards) -> float:
        """Return the value of the best line after a play, `hand` and `depths` being what it leaves."""
        after = self.rules.raised(heights, slot)
        if card == WILD and self.rules.cover:
            return self.covered(after, heights[slot] + 1, hand, depths)
        return self.best(after, hand, depths)

    def covered(self, heights: Heights, height: int, hand: Cards, depths: Cards) -> float:
        """Return the value of the best line that begins by covering the wild card on top of a pile of this height."""
        wanted = height + 1
        after = self.rules.raised(heights, heights.index(height))
        if wanted in self.turn.goals:
            return GOAL + self.rest(after, hand)
        lines = [self.best(after, without(hand, wanted), depths)] if wanted in hand else []
        for index, depth in enumerate(depths):
            if depth and self.turn.piles[index][depth - 1] == wanted:
                lines.append(self.best(after, hand, lowered(depths, index)))
        return max(lines, default=NEVER)

    def stop(self, heights: Heights, hand: Cards, depths: Cards) -> float:
        """Return what it is worth to leave it at this."""
        ready = self.ready(hand, depths)
        rules = self.rules
        near = [reach(rules, height, goal, ready) for goal in self.turn.goals for height in heights]
        return self.rest(heights, hand) + PROSPECT * max(near)

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
        """Return the worth of everything but the own goal card; an emptied hand brings new cards."""
        value = KING * hand.count(WILD) - HELD * len(hand) if hand else self.rules.emptied
        for danger in self.turn.dangers:
            value -= DANGER * max([danger[height] for height in heights])
        return value


def without(hand: Cards, card: int) -> Cards:
    """Return a hand less one card."""
    index = hand.index(card)
    return hand[:index] + hand[index + 1 :]


def lowered(depths: Cards, index: int) -> Cards:
    """Return the depths with the top of one discard pile gone."""
    return (*depths[:index], depths[index] - 1, *depths[index + 1 :])


def choose(turn: Turn) -> str:
    """Return the move: the first play of the best line, or the best discard when stopping is best."""
    if len(turn.legal) == 1:
        return turn.legal[0]
    plays = [move for move in turn.legal if ">c" in move]
    scoring = [move for move in plays if "g" in move]
    ends = [move for move in turn.legal if ">c" not in move]
    search = Search(turn)
    if plays:
        values = {move: after_play(search, move) for move in scoring or plays}
        best = max(values, key=values.__getitem__)
        if scoring or not ends or values[best] > search.stop(turn.heights, turn.hand, turn.depths):
            return best
    return max(ends, key=lambda move: after_discard(search, move))


def after_play(search: Search, move: str) -> float:
    """Return the value of the best line that begins with this play."""
    turn = search.turn
    source, _, target = move.partition(">c")
    slot = int(target)
    if "g" in source:
        return GOAL + search.rest(turn.rules.raised(turn.heights, slot), turn.hand)
    if source[0] == "h":
        card = turn.rules.rank[source[1:]]
        return search.after(turn.heights, slot, card, without(turn.hand, card), turn.depths)
    index = int(source[-1]) + (PILES if source[0] == "p" else 0)
    return search.after(turn.heights, slot, turn.piles[index][-1], turn.hand, lowered(turn.depths, index))


def after_discard(search: Search, move: str) -> float:
    """Return the worth of a discard: what stays in reach of the goal, and how tidy the pile stays."""
    turn, rules = search.turn, search.rules
    source, _, target = move.partition(">d")
    if not target:
        return END + PROSPECT * prospect(turn, search.ready(turn.hand, turn.depths))
    name, index = source[1:], int(target)
    pair = name not in rules.rank
    card = rules.rank[name[: len(name) // 2] if pair else name]
    hand = without(turn.hand, card)
    if pair:
        hand = without(hand, card)
    ready = search.ready(hand, (*turn.depths[:index], 0, *turn.depths[index + 1 :]))
    ready[card] = 1.0
    value = PROSPECT * prospect(turn, ready)
    worth = KING if card == WILD else LOW_CARD * (rules.top - card) / rules.top
    value -= 2 * worth - PAIR if pair else worth
    if card in hand:
        value += SPARE
    return value + tidiness(rules, card, turn.piles[index])


def prospect(turn: Turn, ready: list[float]) -> float:
    """Return how likely the own next turn brings a goal card to the centre as it stands."""
    return max([reach(turn.rules, height, goal, ready) for goal in turn.goals for height in turn.heights])


def tidiness(rules: Rules, card: int, pile: list[int]) -> float:
    """Return what a card does to a pile: best runs downwards, so that it can be played off upwards.

    These figures, too, were found by play.
    """
    if not pile:
        return OPENING_LOW * (card / rules.top - 1) - 0.1 if rules.optional else -0.1
    if pile[-1] == WILD:
        return -0.3
    gap = pile[-1] - card
    if gap in (0, 1):
        return 0.05 * gap
    return -0.05 - 0.02 * gap if gap > 0 else -0.15 + 0.03 * gap


def main() -> None:
    """Answer requests until the host closes the pipe."""
    seat, rules = 0, Rules(CLASSIC)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "act":
            print(f'{{"act":"{choose(turn_of(rules, seat, message))}"}}', flush=True)
        elif message["type"] == "hello":
            seat, rules = message["seat"], Rules(message["rules"])
            print('{"type":"ready"}', flush=True)


def turn_of(rules: Rules, seat: int, request: dict[str, Any]) -> Turn:
    """Return what an `act` says."""
    view = request["view"]
    return Turn(
        rules,
        seat=seat,
        legal=request["legal"],
        hand=view["hand"],
        goals=[[pile["top"] for pile in piles if pile["left"]] for piles in view["goals"]],
        discards=view["discards"],
        centre=view["centre"],
        unseen=view["unseen"],
    )


if __name__ == "__main__":
    main()
