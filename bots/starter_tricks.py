"""A first bot for Spoil Five and Forty-five. Change `choose`, leave the rest, and you are on the ladder.

Try it at home:   malice play starter_tricks.py spoiler --rules forty-five
Then submit it:   malice submit starter_tricks.py --bot my-first-bot --ladder forty-five-45

The rules, the moves and everything a request holds: docs/rules and docs/protocol.md.
"""

import json
import sys
from typing import Any


def strength(card: str, trump: str, led: str) -> int:
    """Return how high a card stands: trumps from 100, the suit led from 0, below that what cannot win the trick.

    (Idea: with the option `order=simple` all plain suits run A K Q J 10 ... 2, trumps likewise below their top three.)
    """
    rank, suit = card[:-1], card[-1]
    rising = "A 2 3 4 5 6 7 8 9 10 J Q K" if suit in "DH" else "10 9 8 7 6 5 4 3 2 A J Q K"
    place = rising.split().index(rank)
    if card == "AH":
        return 122
    if suit == trump:
        return 100 + {"5": 24, "J": 23, "A": 21}.get(rank, place)
    return place if suit == led else place - 20


def last_card(move: str) -> str:
    """Return the card a move ends with, the one it plays: "5D" of "rob 8C>5D"."""
    return move.replace(">", " ").split()[-1]


def choose(request: dict[str, Any]) -> str:
    """Return one of the moves in request["legal"]. This is the part to change.

    "5D" plays the five of diamonds. Whoever was dealt the trump ace may also take the turned card with his first one:
    "rob 8C>5D" lays the 8C away, takes it, plays 5D. Under a turned ace the dealer answers "rob 8C" or "stand". After
    three tricks in a row Spoil Five asks "take" or "jink".
    """
    legal: list[str] = request["legal"]
    view = request["view"]
    trump: str = view["trump"]
    table: list[str] = [played["card"] for played in view["trick"]]
    led = table[0][-1] if table else ""

    # 1. Three tricks are enough. (Idea: with the two best trumps in hand, "jink" pays twice.)
    if "take" in legal:
        return "take"

    # 2. Take the turned card where that is offered, for the weakest card: it is a trump.
    robs = [move for move in legal if move.startswith("rob ")]
    if robs:
        laid = min(
            (last_card(move.split(">")[0]) for move in robs), key=lambda card: strength(card, trump, "")
        )
        legal = [move for move in robs if move.startswith(f"rob {laid}")]

    # 3. Lead the best card; else win the trick as cheaply as you can, or throw the worst card away. (Idea: which trumps
    #    are left? See view["played"]. Who has two tricks, and must be stopped? See view["tricks_won"]. In Forty-five
    #    with four or six, every other seat is your partner's: let him have his trick.)
    def standing(move: str) -> int:
        return strength(last_card(move), trump, led)

    if not table:
        return max(legal, key=standing)
    to_beat = max(strength(card, trump, led) for card in table)
    winners = [move for move in legal if standing(move) > to_beat]
    return min(winners or legal, key=standing)


def main() -> None:
    """Read one request per line, answer those that ask for a move. Nothing here needs to change."""
    for line in sys.stdin:
        request = json.loads(line)
        if request["type"] == "hello":
            # Sent once, before the first deal: the rules, your seat, the clock.
            answer = {"type": "ready"}
        elif request["type"] == "act":
            answer = {"act": choose(request)}
        else:
            # "deal_over" and "over" tell how it went and want no answer; so may kinds added later.
            continue
        # flush=True sends the answer at once; without it the host would wait in vain. Print nothing else to
        # stdout: your own notes go to stderr, print("...", file=sys.stderr).
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
