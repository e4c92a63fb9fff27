"""A first bot for Spoil Five and Forty-five. Change `choose`, leave the rest, and you are on the ladder.

Try it at home:   malice play starter_tricks.py spoiler --rules forty-five
Then submit it:   malice submit starter_tricks.py --bot my-first-bot --ladder forty-five-45

The rules, the moves and everything a request holds: docs/rules and docs/protocol.md.
"""

import json
import sys
from typing import Any


def choose(request: dict[str, Any]) -> str:
    """Return one of the moves in request["legal"]. This is the part to change.

    "5D" plays the five of diamonds. Whoever was dealt the trump ace may also take the turned card with his first one:
    "rob 8C>5D" lays the 8C away, takes it, plays 5D. Under a turned ace the dealer answers "rob 8C" or "stand". After
    three tricks in a row Spoil Five asks "take" or "jink".
    """
    legal: list[str] = request["legal"]
    view = request["view"]

    # 1. Three tricks are enough. (Idea: with the two best trumps in hand, "jink" pays twice.)
    if "take" in legal:
        return "take"

    # 2. Take the turned card where that is offered: it is a trump. (Idea: lay the weakest card away.)
    robs = [move for move in legal if move.startswith("rob ")]
    if robs:
        return robs[0]

    # 3. A trump when leading, or when somebody is about to win his third trick; else none. (Idea: which trumps are
    #    left? See view["played"]. Does this card win the trick at all? See view["trick"].)
    urgent = not view["trick"] or max(view["tricks_won"]) >= 2
    trumps = [move for move in legal if move.endswith(view["trump"]) or move == "AH"]
    others = [move for move in legal if move not in trumps]
    wanted = trumps if urgent else others
    return wanted[0] if wanted else legal[0]


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
