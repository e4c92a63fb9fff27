"""House bot `spoiler`: Spoil Five and Forty-five, for itself or with partners.

For every card it may play it deals what it cannot see at random, plays the deal out with simple manners for every seat,
and keeps the card that did best: tricks of its own, and none to whoever is about to win. An answer depends on its request
and `bot_seed` alone. Its style, from `style.json` beside it:

`samples`  deals tried for each decision; 0 plays by its manners at once (12, in Forty-five 40: fixtures are short);
`spite`    what another's win costs, a win of its own being worth 1 (1 / the number of opponents);
`nerve`    how likely all five tricks must be for `jink`, less than what it pays to take (0; may be negative).
"""

import json
import os
import sys
from random import Random
from typing import Any

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITS = "CDHS"
RED = "DH"
CARDS = [rank + suit for suit in SUITS for rank in RANKS]
NUMBER = {text: number for number, text in enumerate(CARDS)}
ACE_OF_HEARTS = NUMBER["AH"]

TRUMP = 4
"""The suit of every trump, the ace of hearts included; the others are 0 to 3."""
TOP_TRUMPS = 3
"""The five, the jack and the ace of hearts: they may be kept from a lower trump led."""
STRONG = 109
"""Trumps from here on are led, and worth keeping for a trick that counts."""

TRICKS = 5
ENOUGH = 3
SAMPLES, SAMPLES_FORTY_FIVE = 12, 40
SIDE, TRICK, BEST_TRUMP = "side", "trick", "best_trump"


class Order:
    """How cards rank in a deal: `suit` and `power` by number. Trumps have a power above 100."""

    __slots__ = ("kept", "power", "suit")

    def __init__(self, trump: str, simple: bool, ace_fell: bool) -> None:
        self.suit = [number // 13 for number in range(52)]
        self.power = [0] * 52
        for index, suit in enumerate(SUITS):
            for place, rank in enumerate(reversed(plain(suit, simple))):
                self.power[NUMBER[rank + suit]] = place
                if index == SUITS.index(trump):
                    self.suit[NUMBER[rank + suit]] = TRUMP
        order = [rank + trump for rank in plain(trump, simple) if rank not in ("5", "J", "A")]
        order = ["5" + trump, "J" + trump, *(["AH"] if trump != "H" else []), "A" + trump, *order]
        if ace_fell:
            order = [text for text in order if text != "A" + trump] + ["A" + trump]
        for place, text in enumerate(reversed(order)):
            self.power[NUMBER[text]] = 101 + place
        self.suit[ACE_OF_HEARTS] = TRUMP
        kept = ["5" + trump, "J" + trump] + ([] if ace_fell and trump == "H" else ["AH"])
        self.kept = [NUMBER[text] for text in kept]

    def playable(self, hand: list[int], led: int) -> list[int]:
        """Return the cards of a hand that may follow a card, -1 for none led."""
        if led < 0:
            return hand
        suit = self.suit
        trumps = [card for card in hand if suit[card] == TRUMP]
        if suit[led] == TRUMP:
            power = self.power
            bound = [card for card in trumps if card not in self.kept or power[card] < power[led]]
            return trumps if bound else hand
        follows = [card for card in hand if suit[card] == suit[led]]
        return follows + trumps if follows else hand

    def takers(self, cards: list[int], best: int) -> list[int]:
        """Return those of some cards that take the trick from the best so far."""
        suit, power = self.suit, self.power
        led, bar = suit[best], power[best]
        return [card for card in cards if power[card] > bar and suit[card] in (led, TRUMP)]

    def beats(self, card: int, best: int) -> bool:
        """Whether a card played later takes the trick from the best so far."""
        if self.suit[card] == self.suit[best]:
            return self.power[card] > self.power[best]
        return self.suit[card] == TRUMP


def plain(suit: str, simple: bool) -> list[str]:
    """Return the ranks of a suit that is not trumps, highest first."""
    if simple:
        return ["A", "K", "Q", "J", *RANKS[9:0:-1]]
    if suit in RED:
        return ["K", "Q", "J", *RANKS[9:0:-1], "A"]
    return ["K", "Q", "J", *RANKS[:10]]


class Rules:
    """What a match is played by: sides, the order of cards, what a deal pays."""

    __slots__ = ("five", "players", "scoring", "sides", "simple")

    def __init__(self, document: dict[str, Any]) -> None:
        """Read a rules document, `{game, rules_version, players, options}`."""
        options = document["options"]
        self.five = document["game"] == "spoil-five"
        self.players: int = document["players"]
        self.sides = self.players if self.five else 2
        self.simple = options.get("order") == "simple"
        self.scoring: str = options.get("scoring", "points" if self.five else SIDE)


class Table:
    """A deal in numbers, as one seat sees it or as it may be: whose cards, which trick, who has won what.

    `best` is the place in the trick of the card that holds it.
    """

    __slots__ = ("best", "best_trump", "hands", "jinker", "leader", "notes", "order", "rules", "trick", "won")

    def __init__(self, rules: Rules, order: Order, hands: list[list[int]], view: dict[str, Any]) -> None:
        """`hands` by seat are what this table goes on with."""
        self.rules = rules
        self.order = order
        self.hands = hands
        self.trick: list[int] = []
        self.best = 0
        self.leader: int = view["leader"]
        self.jinker = -1 if view["jinker"] is None else int(view["jinker"])
        self.won = [0] * rules.sides
        for seat, count in enumerate(view["tricks_won"]):
            self.won[seat % rules.sides] += count
        self.notes = rules.scoring == BEST_TRUMP
        self.best_trump = (0, 0)
        if self.notes:
            for trick in view["played"]:
                for played in trick:
                    self._note(NUMBER[played["card"]], played["seat"])
        for played in view["trick"]:
            self._add(NUMBER[played["card"]], played["seat"])

    def _add(self, card: int, seat: int) -> None:
        """Lay a card on the trick."""
        if self.notes:
            self._note(card, seat)
        trick = self.trick
        if trick and self.order.beats(card, trick[self.best]):
            self.best = len(trick)
        trick.append(card)

    def _note(self, card: int, seat: int) -> None:
        if self.order.suit[card] == TRUMP:
            self.best_trump = max(self.best_trump, (self.order.power[card], seat % self.rules.sides))

    def play(self, seat: int, card: int) -> None:
        """Let a seat play a card; the last one of a trick decides it."""
        self.hands[seat].remove(card)
        self._add(card, seat)
        if len(self.trick) == self.rules.players:
            self.leader = (self.leader + self.best) % self.rules.players
            self.won[self.leader % self.rules.sides] += 1
            self.trick = []
            self.best = 0

    def over(self) -> bool:
        """Whether the deal is decided: in Spoil Five by three tricks, or by the first one a jinker has lost."""
        total = sum(self.won)
        if total == TRICKS:
            return True
        if not self.rules.five:
            return False
        if self.jinker >= 0:
            return self.won[self.jinker] < total
        return max(self.won) >= ENOUGH

    def worth(self, side: int, spite: float) -> float:
        """Return what the finished deal is worth to a side, a plain win being 1."""
        if not self.rules.five:
            points = self._points()
            return points[side] - points[1 - side]
        if self.jinker >= 0 and self.won[self.jinker] < TRICKS:
            return 0.0
        if max(self.won) < ENOUGH:
            return 0.0
        return 1.0 if self.won[side] >= ENOUGH else -spite

    def _points(self) -> list[float]:
        if self.rules.scoring == SIDE:
            return [0.0 if count < ENOUGH else 2.0 if count == TRICKS else 1.0 for count in self.won]
        points = [float(count) for count in self.won]
        if self.rules.scoring == BEST_TRUMP and self.best_trump[0]:
            points[self.best_trump[1]] += 1
        return points


def manners(table: Table) -> int:
    """Return the card the seat to play chooses without thinking ahead."""
    rules, order, trick = table.rules, table.order, table.trick
    seat = (table.leader + len(trick)) % rules.players
    hand = table.hands[seat]
    if len(hand) == 1:
        return hand[0]
    side = seat % rules.sides
    if not trick:
        return lead(hand, table.won[side], order)
    cards = order.playable(hand, trick[0])
    if len(cards) == 1:
        return cards[0]
    power = order.power
    holder = (table.leader + table.best) % rules.players % rules.sides
    takers = order.takers(cards, trick[table.best]) if holder != side else []
    if not takers:
        return min(cards, key=power.__getitem__)
    if len(trick) == rules.players - 1:
        return min(takers, key=power.__getitem__)
    if table.jinker >= 0 or table.won[holder] >= ENOUGH - 1 or table.won[side] >= ENOUGH - 1:
        return max(takers, key=power.__getitem__)
    cheap = [card for card in takers if power[card] < STRONG]
    return max(cheap, key=power.__getitem__) if cheap else min(cards, key=power.__getitem__)


def lead(hand: list[int], won: int, order: Order) -> int:
    """Return a card to lead: the best one when a trick decides or is sure, else the lowest."""
    power = order.power
    best = max(hand, key=power.__getitem__)
    if won >= ENOUGH - 1 or power[best] >= STRONG or len(hand) <= ENOUGH:
        return best
    return min(hand, key=power.__getitem__)


def finish(table: Table) -> None:
    """Play a deal out, every seat by its manners."""
    leader, players = table.leader, table.rules.players
    while not table.over():
        for place in range(len(table.trick), players):
            table.play((leader + place) % players, manners(table))
        leader = table.leader


class Hidden:
    """What one seat has not seen, to be dealt again and again."""

    __slots__ = ("known", "sizes", "unseen")

    def __init__(self, view: dict[str, Any], seat: int, players: int) -> None:
        """`sizes` are the hands of the others by seat, `known` the cards in them that all have seen."""
        out = [played["card"] for trick in [*view["played"], view["trick"]] for played in trick]
        seen = {*out, *view["hand"], view["turn_up"], view.get("laid")}
        self.unseen = [number for number, text in enumerate(CARDS) if text not in seen]
        done = {played["seat"] for played in view["trick"]}
        self.sizes = [TRICKS - len(view["played"]) - (other in done) for other in range(players)]
        self.sizes[seat] = 0
        self.known: list[list[int]] = [[] for _ in range(players)]
        robbed, turn_up = view["robbed"], view["turn_up"]
        if robbed is not None and self.sizes[robbed] and turn_up not in out:
            self.known[robbed].append(NUMBER[turn_up])

    def deal(self, chance: Random) -> list[list[int]]:
        """Return hands for the other seats."""
        unseen = self.unseen.copy()
        chance.shuffle(unseen)
        hands = []
        for known, size in zip(self.known, self.sizes, strict=True):
            hand = known.copy()
            while len(hand) < size:
                hand.append(unseen.pop())
            hands.append(hand)
        return hands


class Mind:
    """One seat's way of deciding."""

    __slots__ = ("bot_seed", "nerve", "rules", "samples", "seat", "spite")

    def __init__(self, hello: dict[str, Any], style: dict[str, Any]) -> None:
        self.rules = Rules(hello["rules"])
        self.seat: int = hello["seat"]
        self.bot_seed: int = hello["bot_seed"]
        self.samples = int(style.get("samples", SAMPLES if self.rules.five else SAMPLES_FORTY_FIVE))
        self.spite = float(style.get("spite", 1 / (self.rules.sides - 1)))
        self.nerve = float(style.get("nerve", 0.0))

    def choose(self, request: dict[str, Any]) -> str:
        """Return the move."""
        legal: list[str] = request["legal"]
        view = request["view"]
        order = Order(view["trump"], self.rules.simple, view["ace_fell"])
        if len(legal) == 1:
            return legal[0]
        if "jink" in legal:
            return "jink" if self._jinks(request, order) else "take"
        if "stand" in legal:
            return self._picked(legal, view, order)
        choices = self._worth_trying(legal, view, order)
        if len(choices) == 1:
            return choices[0]
        return self._tried(choices, request, order)

    def _picked(self, legal: list[str], view: dict[str, Any], order: Order) -> str:
        """Answer a turned ace: it is taken for the weakest card, unless that is better still."""
        weakest = min(view["hand"], key=lambda text: order.power[NUMBER[text]])
        if order.power[NUMBER[weakest]] > order.power[NUMBER[view["turn_up"]]]:
            return "stand"
        return f"rob {weakest}"

    def _worth_trying(self, legal: list[str], view: dict[str, Any], order: Order) -> list[str]:
        """Return the moves worth a trial: who holds the trump ace declares it, and lays only his weakest card away."""
        if not any(move.startswith("stand>") for move in legal):
            return legal
        ace = "A" + view["trump"]
        weakest = min(
            [text for text in view["hand"] if text != ace], key=lambda text: order.power[NUMBER[text]]
        )
        if order.power[NUMBER[weakest]] > order.power[NUMBER[view["turn_up"]]]:
            return [move for move in legal if move.startswith("stand>")]
        return [move for move in legal if move.startswith(f"rob {weakest}>")]

    def _tried(self, choices: list[str], request: dict[str, Any], order: Order) -> str:
        """Return the move that did best over the same sampled deals."""
        view = request["view"]
        plays = [after(move, view) for move in choices]
        if not self.samples:
            hand, _ = plays[0]
            hands: list[list[int]] = [[] for _ in range(self.rules.players)]
            hands[self.seat] = hand
            wanted = manners(Table(self.rules, order, hands, view))
            return next(
                (move for move, play in zip(choices, plays, strict=True) if play[1] == wanted), choices[0]
            )
        totals = [0.0] * len(choices)
        chance = self._chance(request)
        side = self.seat % self.rules.sides
        hidden = Hidden(view, self.seat, self.rules.players)
        for _ in range(self.samples):
            others = hidden.deal(chance)
            for index, (hand, card) in enumerate(plays):
                hands = [cards.copy() for cards in others]
                hands[self.seat] = hand.copy()
                table = Table(self.rules, order, hands, view)
                table.play(self.seat, card)
                finish(table)
                totals[index] += table.worth(side, self.spite)
        return choices[totals.index(max(totals))]

    def _jinks(self, request: dict[str, Any], order: Order) -> bool:
        """Whether all five tricks are likely enough, against hands dealt at random and played to stop it."""
        view = request["view"]
        chance = self._chance(request)
        made, trials = 0, max(SAMPLES, self.samples)
        hidden = Hidden(view, self.seat, self.rules.players)
        for _ in range(trials):
            hands = hidden.deal(chance)
            hands[self.seat] = [NUMBER[text] for text in view["hand"]]
            table = Table(self.rules, order, hands, view)
            table.jinker = self.seat
            finish(table)
            made += table.won[self.seat] == TRICKS
        others = self.rules.players - 1
        prize = view["pool"] or others
        return made / trials > prize / (prize + others) - self.nerve

    def _chance(self, request: dict[str, Any]) -> Random:
        view = request["view"]
        return Random(f"{self.bot_seed}/{request['deal']}/{view['turn']}/{len(view['trick'])}")


def after(move: str, view: dict[str, Any]) -> tuple[list[int], int]:
    """Return the hand a play is made from, a robbed card in it, and the card played."""
    first, _, card = move.rpartition(">")
    hand = [NUMBER[text] for text in view["hand"]]
    if first.startswith("rob "):
        hand.remove(NUMBER[first[4:]])
        hand.append(NUMBER[view["turn_up"]])
    return hand, NUMBER[card]


def read_style() -> dict[str, Any]:
    """Return the style packed beside the program; none is the plain one."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "style.json")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return dict(json.load(file))


def main() -> None:
    """Answer requests until the host closes the pipe."""
    mind, style = None, read_style()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "act" and mind is not None:
            print(json.dumps({"act": mind.choose(message)}), flush=True)
        elif message["type"] == "hello":
            mind = Mind(message, style)
            print('{"type":"ready"}', flush=True)


if __name__ == "__main__":
    main()
