"""A first bot for Spite & Malice. Change `choose`, leave the rest, and you are on the ladder.

Try it at home:   malice play starter.py greedy --rules classic
Then submit it:   malice submit starter.py --bot my-first-bot

The rules, the moves and everything a request holds: docs/rules/common.md and docs/protocol.md.
"""

import json
import sys
from typing import Any


def choose(request: dict[str, Any]) -> str:
    """Return one of the moves in request["legal"]. This is the part to change.

    Moves read "from>to": "g>c0" plays the goal card on centre pile 0, "h7>c2" a seven from the hand, "d1>c0" the top
    of your discard pile 1; "h9>d2" discards a nine on your pile 2 and ends the turn.
    """
    legal: list[str] = request["legal"]

    # 1. The goal card, whenever it can go: that is how a deal is won.
    for move in legal:
        if move.startswith("g"):
            return move

    # 2. Any other card that can go to the centre. (Idea: does this one help the opponent? See
    #    request["view"]["goals"]. Should a king, which fits everywhere, wait?)
    for move in legal:
        if ">c" in move:
            return move

    # 3. A discard: the highest card, but no wild one. (Idea: which of your piles? See request["view"]["discards"].)
    discards = [move for move in legal if ">d" in move and not move.startswith(("hK", "h*"))]
    return discards[-1] if discards else legal[0]


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
