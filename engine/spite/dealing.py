"""How a deal of the family begins: the shuffle, the goal piles, who is first."""

from engine.chance import shuffled_places
from engine.spite.deal import SpiteDeal
from engine.spite.moves import Moves
from engine.spite.plan import Plan
from engine.spite.table import Table


def dealt(plan: Plan, moves: Moves, seed: bytes, number: int, dealer: int) -> SpiteDeal:
    """Shuffle, lay the goal piles and open the first turn.

    Where the deck has two colours the dark cards make the goal piles, what they cannot be shared out of is set aside,
    and the others are the stock; each colour keeps the order of the one shuffle of all.
    """
    deck = plan.deck
    cards = shuffled_places(deck.keys, seed, number, 0)
    piles = plan.players * plan.goal_piles
    laid = piles * plan.goal
    table = Table(plan)
    if deck.dark:
        dark = [card for card in cards if deck.dark[card]]
        table.aside = dark[laid:]
        cards = dark[:laid] + [card for card in cards if not deck.dark[card]]
    for pile in range(piles):
        table.lay_goals(pile, cards[pile * plan.goal : (pile + 1) * plan.goal])
    table.stock.refill(cards[laid:])
    deal = SpiteDeal(plan, moves, table, seed, number, dealer)
    deal.dealt = cards
    deal.begin(first_seat(plan, table, dealer))
    return deal


def first_seat(plan: Plan, table: Table, dealer: int) -> int:
    """Return who takes the first turn (A-STD-03); tops of goal piles that tie for the highest are turned again."""
    if plan.first == "dealer":
        return dealer
    if plan.first == "eldest":
        return (dealer + 1) % plan.players
    for _ in range(plan.goal):
        # Of several goal piles the first counts.
        tops = [table.goal_tops[seat * plan.goal_piles] for seat in range(plan.players)]
        highest = [seat for seat in range(plan.players) if tops[seat] == max(tops)]
        if len(highest) == 1:
            return highest[0]
        for seat in highest:
            table.bury_goal(seat * plan.goal_piles)
    return dealer
