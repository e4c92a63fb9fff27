"""From options to plans: what each game of the family is made of, and what cannot be played."""

from engine.errors import RulesError
from engine.spite.cards import (
    JOKER,
    KING,
    QUEEN,
    SKIP_BO_TOP,
    SKIP_BO_WILD,
    STARTURN_TOP,
    Deck,
    common_deck,
    skip_bo_deck,
    starturn_deck,
)
from engine.spite.options import Options, SkipBoOptions, StarturnOptions
from engine.spite.plan import Plan
from engine.spite.scoring import WIN_BONUS

HAND_CARDS = 5
CENTRE_SLOTS = 4
ACES_IN_A_PACK = 4

MISERY_HAND = 6
MISERY_GOAL = 12
MISERY_PILES = 2
MISERY_PLAYERS = (2, 3)

SKIP_BO_BONUS = 25
SKIP_BO_VALUE = 5
SKIP_BO_GOAL = 30
SKIP_BO_GOAL_OF_MANY = 20
SKIP_BO_MANY = 5
"""From this many players the smaller goal piles are dealt."""

NOT_FOR_JOKERS = (1, 2, 7, 11)
"""Ranks a joker may not stand for where piles run to the king (V4)."""
NOT_TO_BE_COVERED = (1, 7)
"""Ranks, beside the top one, a wild that must be covered may not stand for (V5)."""
NATURAL_LOW = (1, 2)


def common_plan(players: int, options: Options) -> Plan:
    """Return the plan of the common game under these options. Raises RulesError where it cannot be played."""
    check_options(players, options)
    packs = players if options.misery or options.pack_per_player else options.packs
    jokers = options.jokers_per_pack * packs if options.jokers_to_king else options.jokers_wild
    deck = common_deck(packs, jokers)
    goal = MISERY_GOAL if options.misery else options.goal
    hand = MISERY_HAND if options.misery else HAND_CARDS
    goal_piles = MISERY_PILES if options.misery else 1
    top = KING if options.jokers_to_king else QUEEN
    check_cards(deck, players, players * goal_piles, goal, hand, top)
    wild_ranks = [JOKER] if options.jokers_to_king else [KING, JOKER] if jokers else [KING]
    forbidden = _not_for_wilds(options, top)
    unlimited = options.centre == "unlimited"
    # A pile is opened by a natural ace, so that there are never more piles than aces.
    slots = ACES_IN_A_PACK * packs if unlimited else CENTRE_SLOTS
    return Plan(
        deck=deck,
        players=players,
        sides=players,
        hand=hand,
        goal=goal,
        goal_piles=goal_piles,
        top=top,
        slots=slots,
        unlimited=unlimited,
        wild=_by_rank(deck, top, wild_ranks),
        wild_at=[rank not in forbidden for rank in range(1, top + 1)],
        ace_ban=True,
        pairs=options.natural_low_pairs,
        forced_low=options.forced_low,
        cover=options.cover_wild,
        first=options.first,
        upfront=options.hands_dealt_upfront,
        recycle_at={"lazy": 0, "immediate": 1, "threshold": options.threshold}[options.recycle],
        exhaustion=options.exhaustion,
        redraw=True,
        bonus=WIN_BONUS,
        value=1,
        goal_sources=[[seat * goal_piles + pile for pile in range(goal_piles)] for seat in range(players)],
        wild_ranks=wild_ranks,
        singles=[[slot] for slot in range(slots + 1)],
    )


def skip_bo_plan(players: int, options: SkipBoOptions) -> Plan:
    """Return the plan of Skip-Bo under these options. Raises RulesError where it cannot be played."""
    if options.partners and players not in (4, 6):
        raise RulesError(f"partners face each other, so they are 4 or 6 players, not {players}")
    deck = skip_bo_deck()
    goal = skip_bo_goal(players) if options.goal is None else options.goal
    check_cards(deck, players, players, goal, HAND_CARDS, SKIP_BO_TOP)
    sides = players // 2 if options.partners else players
    partners = [[seat, (seat + sides) % players] for seat in range(players)]
    return Plan(
        deck=deck,
        players=players,
        sides=sides,
        hand=HAND_CARDS,
        goal=goal,
        goal_piles=1,
        top=SKIP_BO_TOP,
        slots=CENTRE_SLOTS,
        unlimited=False,
        wild=_by_rank(deck, SKIP_BO_TOP, [SKIP_BO_WILD]),
        wild_at=[True] * SKIP_BO_TOP,
        ace_ban=False,
        pairs=False,
        forced_low=False,
        cover=False,
        first="dealer",
        upfront=False,
        recycle_at=0,
        exhaustion="on_failed_draw",
        redraw=True,
        bonus=SKIP_BO_BONUS,
        value=SKIP_BO_VALUE,
        goal_sources=partners if options.partners else [[seat] for seat in range(players)],
        wild_ranks=[SKIP_BO_WILD],
        singles=[[slot] for slot in range(CENTRE_SLOTS)],
    )


def starturn_plan(players: int, options: StarturnOptions) -> Plan:
    """Return the plan of Starturn under these options."""
    deck = starturn_deck()
    cards = options.score == "cards"
    return Plan(
        deck=deck,
        players=players,
        sides=players,
        hand=HAND_CARDS,
        goal=sum(deck.dark) // players,
        goal_piles=1,
        top=STARTURN_TOP,
        slots=CENTRE_SLOTS,
        unlimited=False,
        wild=_by_rank(deck, STARTURN_TOP, []),
        wild_at=[False] * STARTURN_TOP,
        ace_ban=False,
        pairs=False,
        forced_low=False,
        cover=False,
        first="dealer",
        upfront=True,
        recycle_at=1,
        exhaustion="on_failed_draw",
        redraw=options.continue_on_empty,
        bonus=0 if cards else 1,
        value=1 if cards else 0,
        goal_sources=[[seat] for seat in range(players)],
        wild_ranks=[],
        singles=[[slot] for slot in range(CENTRE_SLOTS)],
    )


def skip_bo_goal(players: int) -> int:
    """Return the cards in each goal pile of Skip-Bo where the rules document does not say."""
    return SKIP_BO_GOAL_OF_MANY if players >= SKIP_BO_MANY else SKIP_BO_GOAL


def check_options(players: int, options: Options) -> None:
    """Refuse options of the common game that contradict each other. Raises RulesError with the reason."""
    defaults = Options()
    if (options.recycle == "threshold") != (options.threshold > 0):
        raise RulesError(
            "`threshold` says how many dead cards are recycled, so it goes with recycle=threshold and only with it"
        )
    if options.centre == "unlimited" and options.recycle != "lazy":
        raise RulesError(
            "with centre=unlimited completed piles stay until the stock has run out, so `recycle` must be lazy"
        )
    if options.misery:
        if players not in MISERY_PLAYERS:
            raise RulesError(f"`misery` is for 2 or 3 players, not {players}")
        if options.goal != defaults.goal:
            raise RulesError("`misery` has two goal piles of 12 each, so `goal` may not be given")
        if options.pack_per_player:
            raise RulesError("`misery` has a pack for every player, so `pack_per_player` may not be given")
    if (options.misery or options.pack_per_player) and options.packs != defaults.packs:
        name = "misery" if options.misery else "pack_per_player"
        raise RulesError(f"`{name}` has a pack for every player, so `packs` may not be given")
    if options.jokers_to_king and options.jokers_wild:
        raise RulesError(
            "`jokers_to_king` counts its jokers by `jokers_per_pack`, so `jokers_wild` may not be given"
        )
    if options.jokers_per_pack != defaults.jokers_per_pack and not options.jokers_to_king:
        raise RulesError("`jokers_per_pack` goes with jokers_to_king and only with it")


def check_cards(deck: Deck, players: int, piles: int, goal: int, hand: int, top: int) -> None:
    """Refuse rules under which the packs cannot supply the deal. Raises RulesError with the count."""
    cards = len(deck.names)
    # One full centre pile must be left after dealing goal piles and hands.
    needed = piles * goal + players * hand + top
    if cards < needed:
        raise RulesError(
            f"{piles} goal piles of {goal}, the hands and one centre pile need {needed} cards, the packs "
            f"have {cards}; take more packs or fewer goal cards"
        )


def _not_for_wilds(options: Options, top: int) -> set[int]:
    """Return the ranks a wild may not stand for."""
    forbidden = {1}
    if options.jokers_to_king:
        forbidden.update(NOT_FOR_JOKERS)
    if options.cover_wild:
        forbidden.update(NOT_TO_BE_COVERED)
        forbidden.add(top)
    if options.natural_low_pairs:
        forbidden.update(NATURAL_LOW)
    return forbidden


def _by_rank(deck: Deck, top: int, wild_ranks: list[int]) -> list[bool]:
    size = max(len(deck.texts), top + 1)
    return [rank in wild_ranks for rank in range(size)]
