"""House bot `oracle`: the planner's lines, tried against futures it deals itself.

In two-handed Spite & Malice on four centre piles to the queen it takes the lines and discards the planner thinks best,
deals what it cannot see at random, plays some turns on from each (`playout.py`) and keeps the one that leaves it
furthest ahead; every candidate meets the same futures. Of goal cards that can go, in other games, and when time runs
short it moves as the planner does. Otherwise an answer depends on its request and `bot_seed` alone.
"""

import json
import sys
from random import Random
from typing import Any, NamedTuple

import planner  # type: ignore[import-not-found]  # packed beside this file
import playout  # type: ignore[import-not-found]

TURNS = 5
"""Turns of a future, the one in progress included."""
ROUNDS = ((12, 4), (20, 2), (20, 1))
"""Futures dealt for each candidate still in the running, and how many candidates stay after them."""
LINES = 3
"""Ends of lines that become candidates."""
FIRST_DISCARDS, OTHER_DISCARDS = 4, 2
"""Discards tried when no card is played before, and after the best line."""
BEHIND = 0.5
"""A candidate the planner values so much less than its best, in goal cards, is not tried."""
POSITIONS = 300
"""Positions looked at for ends of lines."""

DEEP = 10
"""Face-down goal cards dealt for a future."""
DRAWN = 60
"""Cards of the stock dealt for a future."""
WIN = 5.0
"""Points for winning a deal, beside one for every card left to the rival."""
CLOSE = 4.0
"""A lead of so many goal cards is half way from an even race to a sure win."""
KING = 0.2
LOW_BANK_MS = 3000
"""With less than this left it moves as the planner does."""

Place = tuple[planner.Heights, planner.Cards, planner.Cards]
"""Where a line has led: heights, hand, depths of the own discard piles."""


class Candidate(NamedTuple):
    """A way to play on: the first move, where its line ends, and the discard (card and pile; 0 for none) that follows."""

    move: str
    worth: float
    """As the planner values it, in goal cards."""
    heights: planner.Heights
    hand: planner.Cards
    depths: planner.Cards
    card: int
    pile: int


class Scene(NamedTuple):
    """What one request says of both seats, own first."""

    turn: planner.Turn
    tops: tuple[int, int]
    left: tuple[int, int]
    held: int
    """Cards in the rival's hand."""
    rival_piles: list[list[int]]
    hidden: list[int]
    """The ranks of everything unseen; those of the centre's cards too when few are left to draw."""


def ends(search: planner.Search) -> dict[Place, str]:
    """Return where the lines of this turn can end, each with its first move; "" where nothing is played.

    A line ends, too, where a goal card can go or the hand is empty: new cards follow.
    """
    turn, rules = search.turn, search.rules
    start = (turn.heights, turn.hand, turn.depths)
    first = {start: ""}
    queue = [start]
    for place in queue:
        heights, hand, depths = place
        if len(queue) > POSITIONS:
            break
        if not hand or is_scoring(search, place):
            continue
        for slot, height in enumerate(heights):
            if height in heights[:slot]:
                continue
            after = rules.raised(heights, slot)
            for index, card in enumerate(hand):
                if rules.fits(card, height) and (not index or hand[index - 1] != card):
                    note(
                        first,
                        queue,
                        place,
                        (after, planner.without(hand, card), depths),
                        f"h{name(card)}>c{slot}",
                    )
            for index, depth in enumerate(depths):
                if depth and rules.fits(turn.piles[index][depth - 1], height):
                    note(
                        first,
                        queue,
                        place,
                        (after, hand, planner.lowered(depths, index)),
                        f"d{index}>c{slot}",
                    )
    return first


def note(first: dict[Place, str], queue: list[Place], place: Place, reached: Place, move: str) -> None:
    """Note a place reached by a move, if it is a new one; the first move of the way there is what counts."""
    if reached not in first:
        first[reached] = first[place] or move
        queue.append(reached)


def is_scoring(search: planner.Search, place: Place) -> bool:
    """Whether a goal card can go."""
    return any(search.rules.fits(goal, height) for goal in search.turn.goals for height in place[0])


def name(card: int) -> str:
    """Return how a rank is printed; `legal` says whether a wild card is a king or a joker."""
    return "K" if card == planner.WILD else planner.NAMES[card - 1]


def discards(search: planner.Search, place: Place) -> list[tuple[float, int, int]]:
    """Return the discards from here, best first: worth, card, pile."""
    heights, hand, depths = place
    turn, rules = search.turn, search.rules
    found = []
    for index, depth in enumerate(depths):
        if not depth and 0 in depths[:index]:
            continue
        pile = turn.piles[index][:depth]
        for at, card in enumerate(hand):
            if card == 1 or (at and hand[at - 1] == card):
                continue
            rest = planner.without(hand, card)
            ready = search.ready(rest, (*depths[:index], 0, *depths[index + 1 :]))
            ready[card] = 1.0
            near = max(
                [planner.reach(rules, height, goal, ready) for goal in turn.goals for height in heights]
            )
            worth = planner.PROSPECT * near + planner.tidiness(rules, card, pile)
            worth -= (
                planner.KING if card == planner.WILD else planner.LOW_CARD * (rules.top - card) / rules.top
            )
            found.append((worth + (planner.SPARE if card in rest else 0.0), card, index))
    found.sort(reverse=True)
    return found


def candidates(search: planner.Search, legal: list[str]) -> list[Candidate]:
    """Return what is worth trying: the best ends of lines by the planner's measure, with their best discards."""
    valued = []
    for place, move in ends(search).items():
        scoring = is_scoring(search, place)
        value = planner.GOAL + search.rest(place[0], place[1]) if scoring else search.stop(*place)
        valued.append((value, scoring or not place[1], place, move))
    valued.sort(key=lambda end: -end[0])
    found = []
    tried = FIRST_DISCARDS
    for value, goes_on, place, move in valued[:LINES]:
        options = [] if goes_on else discards(search, place)[: tried if move else FIRST_DISCARDS]
        if not options:
            found.append(Candidate(move, value, *place, 0, 0))
        for worth, card, pile in options:
            first = move or f"h{name(card)}>d{pile}"
            found.append(Candidate(first, value + worth - options[0][0], *place, card, pile))
        if move and not goes_on:
            tried = 1 if tried < OTHER_DISCARDS else OTHER_DISCARDS - 1
    bar = max([one.worth for one in found], default=0.0) - BEHIND
    return [one for one in (as_listed(one, legal) for one in found) if one.worth >= bar and one.move in legal]


def as_listed(candidate: Candidate, legal: list[str]) -> Candidate:
    """Return the candidate with its move as listed, where a joker stands for the king."""
    if candidate.move in legal:
        return candidate
    return candidate._replace(move=candidate.move.replace("hK", "h*"))


def scene(turn: planner.Turn, seat: int, view: dict[str, Any]) -> Scene:
    """Read both seats' sides of a request."""
    rank, rival = turn.rules.rank, 1 - seat
    own, other = view["goals"][seat][0], view["goals"][rival][0]
    hidden = [rank[text] for text, count in view["unseen"].items() for _ in range(count)]
    if len(hidden) < DRAWN + 2 * DEEP:
        hidden += [rank[text] for text, count in view["spent"].items() for _ in range(count)]
    return Scene(
        turn,
        (rank[own["top"]], rank[other["top"]]),
        (own["left"], other["left"]),
        view["hand_sizes"][rival],
        [[rank[text] for text in pile] for pile in view["discards"][rival]],
        hidden,
    )


def future(seen: Scene, chance: Random) -> list[list[int]]:
    """Deal what is hidden: the rival's hand, both goal piles, and the cards each seat will draw."""
    count = min(len(seen.hidden), seen.held + 2 * DEEP + DRAWN)
    cards = chance.sample(seen.hidden, count)
    hand, cards = cards[: seen.held], cards[seen.held :]
    goals = []
    for top, left in zip(seen.tops, seen.left, strict=True):
        below = min(left - 1, DEEP)
        goals.append([*cards[:below], top])
        cards = cards[below:]
    half = len(cards) // 2
    return [hand, *goals, cards[:half], cards[half:]]


def outcome(candidate: Candidate, seen: Scene, dealt: list[list[int]]) -> float:
    """Play one future out from a candidate; return how far ahead it leads, in points."""
    heights, hand = list(candidate.heights), list(candidate.hand)
    piles = [pile[:depth] for pile, depth in zip(seen.turn.piles, candidate.depths, strict=True)]
    rival_piles = [pile.copy() for pile in seen.rival_piles]
    rival_hand, goal, rival_goal, draw, rival_draw = [cards.copy() for cards in dealt]
    mine = theirs = 0
    if candidate.card:
        hand.remove(candidate.card)
        piles[candidate.pile].append(candidate.card)
    else:
        mine = playout.go_on(heights, hand, piles, goal, draw, rival_goal[-1])
    for step in range(1, TURNS):
        if not goal or not rival_goal:
            break
        if step % 2:
            theirs += playout.turn(heights, rival_hand, rival_piles, rival_goal, rival_draw, goal[-1])
        else:
            mine += playout.turn(heights, hand, piles, goal, draw, rival_goal[-1])
    kings = hand.count(planner.WILD) - rival_hand.count(planner.WILD)
    return lead(seen.left[0] - mine, seen.left[1] - theirs) + KING * kings


def lead(own: int, other: int) -> float:
    """Return what a race is worth with so many goal cards left to each, in points."""
    ahead = other - own
    if own <= 0 or other <= 0:
        return ahead + (WIN if own <= 0 else -WIN)
    return ahead + WIN * ahead / (abs(ahead) + CLOSE)


def tried(options: list[Candidate], seen: Scene, chance: Random) -> str:
    """Return the move of the candidate that does best; the weaker half drops out after each round."""
    totals = [0.0] * len(options)
    running = list(range(len(options)))
    count = 0
    for futures, stay in ROUNDS:
        for _ in range(futures):
            dealt = future(seen, chance)
            for index in running:
                totals[index] += outcome(options[index], seen, dealt)
        count += futures
        running.sort(key=lambda index: -totals[index] / count - options[index].worth)
        running = running[:stay]
        if len({options[index].move for index in running}) == 1:
            break
    return options[running[0]].move


def is_known(rules: dict[str, Any]) -> bool:
    """Whether these are rules its futures are played by."""
    others = {
        "packs",
        "goal",
        "jokers_wild",
        "first",
        "hands_dealt_upfront",
        "recycle",
        "threshold",
        "exhaustion",
    }
    others.add("pack_per_player")
    return (
        rules["game"] == "spite-and-malice" and rules["players"] == 2 and others.issuperset(rules["options"])
    )


def choose(turn: planner.Turn, seat: int, bot_seed: int, request: dict[str, Any]) -> str:
    """Return the move, in a game whose futures it knows."""
    legal: list[str] = request["legal"]
    if len(legal) == 1 or legal[0][0] == "g" or request["bank_ms"] < LOW_BANK_MS:
        return str(planner.choose(turn))
    options = candidates(planner.Search(turn), legal)
    if len({option.move for option in options}) < 2:
        return options[0].move if options else str(planner.choose(turn))
    view = request["view"]
    chance = Random(f"{bot_seed}/{request['deal']}/{view['turn']}/{len(legal)}/{view['stock']}")
    return tried(options, scene(turn, seat, view), chance)


def main() -> None:
    """Answer requests until the host closes the pipe."""
    seat = bot_seed = 0
    rules, known = planner.Rules(planner.CLASSIC), True
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "act":
            turn = planner.turn_of(rules, seat, message)
            move = choose(turn, seat, bot_seed, message) if known else planner.choose(turn)
            print(f'{{"act":"{move}"}}', flush=True)
        elif message["type"] == "hello":
            seat, bot_seed = message["seat"], message["bot_seed"]
            rules, known = planner.Rules(message["rules"]), is_known(message["rules"])
            print('{"type":"ready"}', flush=True)


if __name__ == "__main__":
    main()
