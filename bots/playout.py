"""Quick turns of two-handed Spite & Malice, for programs that try many futures; a module of the house bot `oracle`.

Ranks run from 1 (ace) to 12 (queen); WILD is a king or joker. Everything is a plain list changed in place: `heights` of
the centre, `hand`, four discard `piles`, the known `goal` pile (top last) and `draw`, the cards to come (next last).
"""

QUEEN = 12
WILD = 16
HAND = 5
RANKS = (*range(1, QUEEN + 1), WILD)

# What things are worth, in goal cards: as the planner has it, but that each card still missing halves a chance.
DANGER = 0.7
PROSPECT = 0.5
EMPTIED = 0.4
KING = 0.22
HELD = 0.03
LOW_CARD = 0.02
BURIED = 0.25
STEP = 0.5

LONGEST = 7
"""Cards of the longest way to a goal card that is looked for."""
NEVER = 99.0


def missing(height: int, goal: int) -> list[int]:
    """Return the ranks a pile of this height still needs before it takes the goal card."""
    if goal == WILD:
        return [] if height else [1]
    if height < goal:
        return list(range(height + 1, goal))
    return [*range(height + 1, QUEEN + 1), *range(1, goal)]


def discard_costs() -> list[list[float]]:
    """Return what a discard costs, by the pile's top (0 for none) and the card; aces are never discarded."""
    table = []
    for top in range(WILD + 1):
        row = [NEVER] * (WILD + 1)
        for card in RANKS[1:]:
            gap = top - card
            if top == 0:
                cost = 0.1
            elif top == WILD:
                cost = 0.3
            elif gap in (0, 1):
                cost = -0.05 * gap
            else:
                cost = 0.05 + 0.02 * gap if gap > 0 else 0.15 - 0.03 * gap
            row[card] = cost + (KING if card == WILD else LOW_CARD * (QUEEN - card) / QUEEN)
        table.append(row)
    return table


NEEDED = [[missing(height, goal) for height in range(QUEEN)] for goal in range(WILD + 1)]
CHANCE = [[STEP ** len(NEEDED[goal][height]) for height in range(QUEEN)] for goal in range(WILD + 1)]
PROSPECTS = [[PROSPECT * chance for chance in row] for row in CHANCE]
DANGERS = [[DANGER * chance for chance in row] for row in CHANCE]
COSTS = discard_costs()


def turn(
    heights: list[int], hand: list[int], piles: list[list[int]], goal: list[int], draw: list[int], rival: int
) -> int:
    """Play a turn to its end and return how many goal cards went; `rival` is the rank the other seat waits for."""
    fill(hand, draw)
    return go_on(heights, hand, piles, goal, draw, rival)


def go_on(
    heights: list[int], hand: list[int], piles: list[list[int]], goal: list[int], draw: list[int], rival: int
) -> int:
    """Play on in a turn already begun, and return how many goal cards went."""
    scored = 0
    dangers = DANGERS[rival]
    while True:
        if not hand:
            fill(hand, draw)
            if not hand:
                return scored
        line = way(heights, hand, piles, goal[-1], dangers)
        if line:
            slot = line[0]
            for card in line[1:]:
                move(heights, hand, piles, slot, card)
            goal.pop()
            scored += 1
            heights[slot] = (heights[slot] + 1) % QUEEN
            if not goal:
                return scored
        elif not single(heights, hand, piles, PROSPECTS[goal[-1]], dangers):
            discard(heights, hand, piles, goal[-1])
            return scored


def fill(hand: list[int], draw: list[int]) -> None:
    """Draw up to a full hand, as far as there are cards."""
    while len(hand) < HAND and draw:
        hand.append(draw.pop())


def move(heights: list[int], hand: list[int], piles: list[list[int]], slot: int, card: int) -> None:
    """Play a card of the hand, or the top of pile k as card -1 - k."""
    if card < 0:
        piles[-1 - card].pop()
    else:
        hand.remove(card)
    heights[slot] = (heights[slot] + 1) % QUEEN


def way(
    heights: list[int], hand: list[int], piles: list[list[int]], goal: int, dangers: list[float]
) -> list[int]:
    """Return the cheapest way to play the goal card: the slot, then the cards before it; empty when there is none."""
    best, least = [], NEVER
    kings = hand.count(WILD)
    needed = NEEDED[goal]
    for slot, height in enumerate(heights):
        ranks = needed[height]
        if not ranks:
            cost = dangers[(height + 1) % QUEEN] - 1.0
            cards = []
        elif len(ranks) > LONGEST or (slot and height == heights[slot - 1]):
            continue
        else:
            cards = served(ranks, hand, piles, kings)
            if not cards:
                continue
            cost = KING * cards.count(WILD) - HELD * len(cards) + dangers[goal % QUEEN]
        if cost < least:
            best, least = [slot, *cards], cost
    return best


def served(ranks: list[int], hand: list[int], piles: list[list[int]], kings: int) -> list[int]:
    """Return the cards that serve these ranks in turn, discards first and kings last; empty when they do not suffice."""
    cards: list[int] = []
    depths = [len(pile) for pile in piles]
    for rank in ranks:
        for index in range(4):
            depth = depths[index]
            if depth and piles[index][depth - 1] == rank:
                depths[index] = depth - 1
                cards.append(-1 - index)
                break
        else:
            if rank in hand:
                cards.append(rank)
            elif kings and rank > 1:
                kings -= 1
                cards.append(WILD)
            else:
                return []
    return cards


def single(
    heights: list[int], hand: list[int], piles: list[list[int]], prospects: list[float], dangers: list[float]
) -> bool:
    """Play the one card that is worth most, if any is worth playing, and say whether one was."""
    now = max([prospects[height] for height in heights]) - max([dangers[height] for height in heights])
    most, chosen, target = 0.0, 0, 0
    for slot in range(4):
        rank = heights[slot] + 1
        card, gain = candidate(rank, hand, piles)
        if not card:
            continue
        heights[slot] = rank % QUEEN
        gain += (
            max([prospects[height] for height in heights])
            - max([dangers[height] for height in heights])
            - now
        )
        heights[slot] = rank - 1
        if gain > most:
            most, chosen, target = gain, card, slot
    if chosen:
        move(heights, hand, piles, target, chosen)
    return chosen != 0


def candidate(rank: int, hand: list[int], piles: list[list[int]]) -> tuple[int, float]:
    """Return a card that serves a rank, 0 for none, and what it is worth to be rid of it.

    A king goes only as the last card of a hand, for five new ones.
    """
    if rank in hand:
        return rank, HELD if len(hand) > 1 else EMPTIED
    for index in range(4):
        pile = piles[index]
        if pile and pile[-1] == rank:
            return -1 - index, 0.0
    if rank > 1 and len(hand) == 1 and hand[0] == WILD:
        return WILD, EMPTIED - KING
    return 0, 0.0


def discard(heights: list[int], hand: list[int], piles: list[list[int]], goal: int) -> None:
    """Discard the card that costs least, burying nothing that is on the way to the goal card; an ace stays."""
    low = max([height for height in heights if height < goal], default=0)
    least, card, target = NEVER, 0, 0
    for index in range(4):
        pile = piles[index]
        top = pile[-1] if pile else 0
        buried = BURIED if low < top < goal else 0.0
        costs = COSTS[top]
        for held in hand:
            cost = costs[held] + buried
            if cost < least:
                least, card, target = cost, held, index
    if card:
        hand.remove(card)
        piles[target].append(card)
