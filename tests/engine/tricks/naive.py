"""The rules of following and of who wins, once more: straight from their text, slowly, on printed cards.

Shares nothing with the engine. A hand is a list of cards such as `10C`, in the deck's order.
"""

ORDER = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
DECK = [rank + suit for suit in "CDHS" for rank in ORDER]
RED = "DH"


def rank_of(card: str) -> str:
    return card[:-1]


def suit_of(card: str) -> str:
    return card[-1]


def trumps_best_first(trump: str, order: str, fallen: bool) -> list[str]:
    """5, J, A of hearts, trump A, K, Q, then red 10 … 2, black 2 … 10; a fallen ace is the lowest of all."""
    low = ["10", "9", "8", "7", "6", "4", "3", "2"]
    if order == "traditional" and trump not in RED:
        low = ["2", "3", "4", "6", "7", "8", "9", "10"]
    ace = "A" + trump
    cards = ["5" + trump, "J" + trump, "AH"]
    if ace not in cards:
        cards.append(ace)
    cards += [rank + trump for rank in ["K", "Q", *low]]
    if fallen:
        cards.remove(ace)
        cards.append(ace)
    return cards


def plain_best_first(suit: str, order: str) -> list[str]:
    """Red K Q J 10 … 2 A, black K Q J A 2 … 10; simple A K Q J 10 … 2. The ace of hearts is no heart."""
    if order == "simple":
        ranks = "A K Q J 10 9 8 7 6 5 4 3 2"
    elif suit in RED:
        ranks = "K Q J 10 9 8 7 6 5 4 3 2 A"
    else:
        ranks = "K Q J A 2 3 4 5 6 7 8 9 10"
    return [rank + suit for rank in ranks.split() if rank + suit != "AH"]


def winning_card(cards: list[str], trump: str, order: str, fallen: bool) -> str:
    """The highest trump, else the highest of the suit led."""
    for card in trumps_best_first(trump, order, fallen):
        if card in cards:
            return card
    for card in plain_best_first(suit_of(cards[0]), order):
        if card in cards:
            return card
    raise AssertionError(f"no card of {cards} wins")


def playable(hand: list[str], led: str | None, trump: str, order: str, fallen: bool) -> list[str]:
    """What may be played to a lead, or led."""
    if led is None:
        return hand
    trumps = trumps_best_first(trump, order, fallen)
    held = [card for card in hand if card in trumps]
    if led in trumps:
        if not held:
            return hand
        keepers = ["5" + trump, "J" + trump]
        if not (trump == "H" and fallen):
            keepers.append("AH")
        if all(card in keepers and trumps.index(card) < trumps.index(led) for card in held):
            return hand
        return held
    of_suit = [card for card in hand if suit_of(card) == suit_of(led) and card not in trumps]
    if not of_suit:
        return hand
    return [card for card in hand if card in of_suit or card in held]


def first_moves(hand: list[str], led: str | None, trump: str, turn_up: str, order: str) -> list[str]:
    """What the trump ace's holder may do at his first card: silence, standing, robbing."""
    moves = list(playable(hand, led, trump, order, fallen=True))
    moves += ["stand>" + card for card in playable(hand, led, trump, order, fallen=False)]
    for laid in hand:
        if laid != "A" + trump:
            after = sorted([card for card in hand if card != laid] + [turn_up], key=DECK.index)
            moves += [f"rob {laid}>{card}" for card in playable(after, led, trump, order, fallen=False)]
    return moves
