"""House bot `uniform`: any legal move, each as likely as the others, in any game.

Its chances come from `bot_seed` and the request alone. It remembers nothing, so the same requests always get the
same answers.
"""

import json
import sys

WORD = (1 << 64) - 1


def mix(number: int) -> int:
    """Return 64 well-spread bits for a number (the finaliser of SplitMix64, Steele et al. 2014)."""
    number = number * 0x9E3779B97F4A7C15 & WORD
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & WORD
    number = (number ^ number >> 27) * 0x94D049BB133111EB & WORD
    return number ^ number >> 31


def pick(seed: int, deal: int, request: int, count: int) -> int:
    """Return an index below `count`, drawn by the seed for this request of this deal."""
    return mix(mix(mix(seed + 1) + deal) + request) * count >> 64


def main() -> None:
    """Answer requests until the host closes the pipe."""
    seed = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "act":
            chosen = pick(seed, message["deal"], message["id"], len(message["legal"]))
            print(f'{{"act":{chosen}}}', flush=True)
        elif message["type"] == "hello":
            seed = message["bot_seed"]
            print('{"type":"ready"}', flush=True)


if __name__ == "__main__":
    main()
