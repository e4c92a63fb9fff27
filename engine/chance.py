"""All randomness, derived by keyed hashes from a fixture's seed, so that anybody can check it (docs/log.md)."""

import hmac
from collections.abc import Iterable

from engine.digests import digests

SEED_BYTES = 32
BOT_SEED_BITS = 53
"""Every JSON reader keeps an integer of this size exact."""


def shuffled(cards: Iterable[str], seed: bytes, deal: int, epoch: int) -> list[str]:
    """Return the cards sorted by sha256(seed ‖ deal u32be ‖ epoch u32be ‖ card as ASCII).

    A card is its identity `pack/suit/rank`, such as `0/S/10`, unique among `cards`; their order on entry does not
    matter. `deal` numbers the deals of a match from 0; `epoch` is 0 for the deal itself and one more for every
    reshuffle in it. Raises ValueError when the seed is not 32 bytes.
    """
    names = list(cards)
    keys = [name.encode("ascii") for name in names]
    return [names[place] for place in shuffled_places(keys, seed, deal, epoch)]


def shuffled_places(names: list[bytes], seed: bytes, deal: int, epoch: int) -> list[int]:
    """Return the places in `names`, cards as ASCII, in the order `shuffled` gives to the cards."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, this one {len(seed)}")
    keys = digests(seed + deal.to_bytes(4, "big") + epoch.to_bytes(4, "big"), names)
    return sorted(range(len(names)), key=keys.__getitem__)


def fixture_seed(secret: bytes, stream: str, day: str, sequence: int) -> bytes:
    """Return a fixture's 32 bytes: HMAC-SHA256 under the stream's secret of the day over `stream/day/sequence`.

    `day` is the UTC date such as `2026-01-31`; `sequence` the fixture's number in its stream.
    """
    return hmac.digest(secret, f"{stream}/{day}/{sequence}".encode(), "sha256")


def bot_seed(seed: bytes, version: str) -> int:
    """Return the seed a bot is given: the top 53 bits of HMAC-SHA256 under the fixture's seed over `bot/version`.

    The same in all legs and seats of a fixture; tells nothing about the deck.
    """
    digest = hmac.digest(seed, f"bot/{version}".encode(), "sha256")
    return int.from_bytes(digest[:8], "big") >> (64 - BOT_SEED_BITS)


def seat_order(seed: bytes, players: int) -> tuple[int, ...]:
    """Return an order of 0..players-1, by HMAC-SHA256 under the fixture's seed over `seat/0`, `seat/1`, …"""
    keys = [hmac.digest(seed, f"seat/{number}".encode(), "sha256") for number in range(players)]
    return tuple(sorted(range(players), key=lambda number: keys[number]))
