"""Deals a seat might be in: what it cannot see is dealt at random, within what everybody's plays have shown."""

from engine.chance import shuffled
from engine.errors import IllegalMoveError
from engine.tricks.cards import CARD_OF, CARDS, NAMES, NUMBERS, SUIT_CARDS, TEXTS, TRUMP, ranking
from engine.tricks.deal import TrickDeal, dealt
from engine.tricks.moves import JINK_TEXT, ROBS, STAND_PLAYS, STAND_TEXT
from engine.tricks.scoring import HAND_CARDS, STAKE, Terms
from engine.tricks.view import TrickView


def sampled(terms: Terms, view: TrickView, seat: int, seed: bytes) -> TrickDeal:
    """Return a deal in which `seat` is to act and sees `view`; hidden cards are keyed by `seed` (32 bytes).

    Whoever robbed holds the turn-up and the ace until he plays them, whoever did not follow has nothing to follow with.
    Within that the cards are dealt as they come, which is uniform only while nobody has shown a void. Raises ValueError
    when no deal looks like that.
    """
    if not 0 <= seat < terms.players or not 0 <= view.dealer < terms.players:
        raise ValueError(f"no deal looks like that: there are {terms.players} seats")
    try:
        deal = _replayed(terms, view, seat, _order(terms, view, seat, seed))
    except (IllegalMoveError, LookupError) as error:
        raise ValueError(f"no deal looks like that: {error}") from None
    if deal.to_act != seat or deal.view(seat) != view:
        raise ValueError(f"no deal looks like that to seat {seat} when it is to act")
    return deal.copy()


def _order(terms: Terms, view: TrickView, seat: int, seed: bytes) -> list[int]:
    """Return a whole pack as it may have been dealt."""
    turn_up = CARD_OF[view.turn_up]
    history = _plays(view)
    hands: list[list[int]] = [[] for _ in range(terms.players)]
    hands[seat] = [CARD_OF[text] for text in view.hand]
    for other in range(terms.players):
        if other != seat:
            hands[other] = _held_for_certain(view, other, history)
    seen = set(hands[seat])
    seen.add(turn_up)
    seen.update([card for _, card in history])
    if seat == view.robbed and view.laid is not None:
        seen.add(CARD_OF[view.laid])
    for hand in hands:
        seen.update(hand)
    free = [NUMBERS[name] for name in shuffled([NAMES[c] for c in range(CARDS) if c not in seen], seed, 0, 0)]
    free = _deal_out(free, hands, _wanted(hands, history), _excluded(terms, view, history))
    for who, card in history:
        hands[who].append(card)
    if view.robbed is not None:
        robber = hands[view.robbed]
        robber.remove(turn_up)
        robber.append(CARD_OF[view.laid] if view.laid is not None else free.pop())
    order = [card for hand in hands for card in hand]
    order.append(turn_up)
    return order + free


def _plays(view: TrickView) -> list[tuple[int, int]]:
    """Return seat and card of all that was played, oldest first."""
    tricks = [*view.played, view.trick]
    return [(played.seat, CARD_OF[played.card]) for trick in tricks for played in trick]


def _held_for_certain(view: TrickView, seat: int, history: list[tuple[int, int]]) -> list[int]:
    """Return the cards a seat is known to hold: the turn-up it took, the ace it declared."""
    turn_up = CARD_OF[view.turn_up]
    ace = turn_up - turn_up % SUIT_CARDS
    cards: list[int] = []
    if seat == view.robbed:
        cards.append(turn_up)
    if seat in (view.robbed, view.stood) and ace not in cards:
        cards.append(ace)
    return [card for card in cards if (seat, card) not in history]


def _wanted(hands: list[list[int]], history: list[tuple[int, int]]) -> list[int]:
    """Return how many cards each hand lacks."""
    wanted = [HAND_CARDS - len(hand) for hand in hands]
    for seat, _ in history:
        wanted[seat] -= 1
    return wanted


def _excluded(terms: Terms, view: TrickView, history: list[tuple[int, int]]) -> list[int]:
    """Return for each seat the cards (bits) that it cannot hold, or it would have had to play them."""
    turn_up = CARD_OF[view.turn_up]
    trump = turn_up // SUIT_CARDS
    declared = view.robbed is not None or view.stood is not None or turn_up % SUIT_CARDS == 0
    # An ace not declared has fallen for whoever has played a card.
    order = ranking(trump, terms.simple, not declared)
    excluded = [0] * terms.players
    led = 0
    for number, (seat, card) in enumerate(history):
        if number % terms.players == 0:
            led = card
        suit = order.suits[led]
        if order.suits[card] in (suit, TRUMP):
            continue
        for other in range(CARDS):
            if order.suits[other] == suit and not order.renege[led] >> other & 1:
                excluded[seat] |= 1 << other
    return excluded


def _deal_out(free: list[int], hands: list[list[int]], wanted: list[int], excluded: list[int]) -> list[int]:
    """Fill the hands with the cards in their order and return the rest. Raises LookupError when it cannot be done.

    Each place in a hand takes the first card that fits; where none is left, places before it change their cards.
    """
    places = [seat for seat in range(len(hands)) for _ in range(wanted[seat])]
    # Who can hold little chooses first, or the choice of others would be skewed by having to give way.
    places.sort(key=lambda seat: -excluded[seat].bit_count())
    owner: dict[int, int] = {}
    for place in range(len(places)):
        if not _find_card(place, places, free, excluded, owner, set()):
            raise LookupError("the hands that the plays leave possible cannot be filled")
    rest: list[int] = []
    for card in free:
        if card in owner:
            hands[places[owner[card]]].append(card)
        else:
            rest.append(card)
    return rest


def _find_card(
    place: int,
    places: list[int],
    free: list[int],
    excluded: list[int],
    owner: dict[int, int],
    tried: set[int],
) -> bool:
    """Give a place a card, moving other places on to other cards where need be (an augmenting path)."""
    barred = excluded[places[place]]
    fitting = [card for card in free if not barred >> card & 1]
    for card in fitting:
        if card not in owner:
            owner[card] = place
            return True
    for card in fitting:
        if card not in tried:
            tried.add(card)
            if _find_card(owner[card], places, free, excluded, owner, tried):
                owner[card] = place
                return True
    return False


def _replayed(terms: Terms, view: TrickView, seat: int, order: list[int]) -> TrickDeal:
    """Deal a pack and make every move that the view shows."""
    pool = view.pool or 0
    # A pool of one stake from each is new; one that was carried is larger, by the dealer's stake at least.
    deal = dealt(terms, order, view.dealer, 0 if pool <= STAKE * terms.players else pool - STAKE)
    if deal.is_dealer_asked():
        if view.robbed is not None:
            deal.apply(ROBS[_laid(deal, view)])
        elif seat != view.dealer or view.trick or view.played:
            deal.apply(STAND_TEXT)
    for number, (who, card) in enumerate(_plays(view)):
        if deal.is_jink_asked():
            deal.apply(JINK_TEXT)
        deal.apply(_move(deal, view, who, card) if number < terms.players else TEXTS[card])
    if deal.is_jink_asked() and view.jinker is not None:
        deal.apply(JINK_TEXT)
    return deal


def _move(deal: TrickDeal, view: TrickView, seat: int, card: int) -> str:
    """Return the move by which a seat played its first card."""
    if seat == view.stood:
        return STAND_PLAYS[card]
    if seat == view.robbed and deal.turn_up != deal.ace:
        return f"{ROBS[_laid(deal, view)]}>{TEXTS[card]}"
    return TEXTS[card]


def _laid(deal: TrickDeal, view: TrickView) -> int:
    """Return the card that the robber was dealt and holds no more: it stands last in his hand of the pack."""
    return deal.last_dealt(view.robbed or 0)
