"""What a seat is shown of a table."""

from engine.spite.table import Table
from engine.spite.view import GoalPile, SpiteView


def view_of(table: Table, seat: int, turn: int, dealer: int) -> SpiteView:
    """Return what a seat sees of a table."""
    plan = table.plan
    deck = plan.deck
    texts = deck.texts
    unseen = [count - spent for count, spent in zip(deck.counts, table.spent, strict=True)]
    discards: list[tuple[tuple[str, ...], ...]] = []
    for owner in range(plan.players):
        discards.append(_shown_discards(table, owner))
        unseen = [count - shown for count, shown in zip(unseen, table.shown_counts[owner], strict=True)]
    goals: list[tuple[GoalPile, ...]] = []
    for owner in range(plan.players):
        piles: list[GoalPile] = []
        for pile in range(owner * plan.goal_piles, (owner + 1) * plan.goal_piles):
            top = table.goal_tops[pile]
            unseen[top] -= 1
            piles.append(GoalPile(texts[top] or None, len(table.goals[pile])))
        goals.append(tuple(piles))
    hand: list[str] = []
    for card in table.hands[seat]:
        hand.append(deck.printed[card])
        unseen[table.ranks[card]] -= 1
    return SpiteView(
        hand,
        [len(cards) for cards in table.hands],
        tuple(goals),
        tuple(discards),
        table.heights.copy(),
        table.stock.count,
        dict(zip(texts[1:], table.spent[1:], strict=True)),
        dict(zip(texts[1:], unseen[1:], strict=True)),
        turn,
        dealer,
        None if table.must < 0 else f"c{table.must}",
    )


def _shown_discards(table: Table, owner: int) -> tuple[tuple[str, ...], ...]:
    shown = table.shown[owner]
    if shown is not None:
        return shown
    printed = table.plan.deck.printed
    counts = [0] * len(table.spent)
    piles: list[tuple[str, ...]] = []
    for pile in table.discards[owner]:
        for card in pile:
            counts[table.ranks[card]] += 1
        piles.append(tuple([printed[card] for card in pile]))
    shown = tuple(piles)
    table.shown[owner] = shown
    table.shown_counts[owner] = counts
    return shown
