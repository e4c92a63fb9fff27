"""Keyed shuffles and seeds: the published vectors, and what a fair shuffle must do."""

import hashlib
from collections import Counter

import pytest

from engine.chance import BOT_SEED_BITS, bot_seed, fixture_seed, seat_order, shuffled
from engine.games import game_from_profile

SEED = bytes(range(32))


def test_the_shuffle_gives_the_published_vector() -> None:
    assert shuffled(["0/C/A", "0/D/10", "1/S/K", "0/*/*"], SEED, 3, 1) == [
        "0/*/*",
        "0/C/A",
        "1/S/K",
        "0/D/10",
    ]


def test_a_classic_deal_gives_the_published_vector() -> None:
    cards = game_from_profile("classic").deal(SEED, 0, 0).starting_cards()
    assert cards["goals"][0][:3] == ["0/S/3", "0/S/2", "2/S/K"]
    assert [pile[-1] for pile in cards["goals"]] == ["2/C/J", "0/S/J"]
    assert cards["stock"][:3] == ["2/S/J", "0/C/6", "0/C/A"]
    assert cards["stock"][-3:] == ["1/C/6", "2/D/2", "2/C/2"]


def test_seeds_give_the_published_vectors() -> None:
    assert fixture_seed(bytes(32), "classic-50/ladder", "2026-01-31", 7).hex() == (
        "88dd4c00bd81a55cbf94ff4213019767577ad0deff471d4e5e1b1917c5cd2857"
    )
    assert bot_seed(SEED, "v1") == 6291007727121585
    assert seat_order(bytes(32), 4) == (3, 1, 0, 2)


def test_a_shuffle_sorts_by_the_hash_of_seed_deal_epoch_and_card() -> None:
    cards = [f"{pack}/H/{rank}" for pack in range(3) for rank in range(2, 11)]
    key = SEED + (70_000).to_bytes(4, "big") + (5).to_bytes(4, "big")
    expected = sorted(cards, key=lambda card: hashlib.sha256(key + card.encode()).digest())
    assert shuffled(reversed(cards), SEED, 70_000, 5) == expected


@pytest.mark.parametrize(("deal", "epoch", "seed"), [(1, 0, SEED), (0, 1, SEED), (0, 0, bytes(32))])
def test_another_deal_epoch_or_seed_gives_another_order(deal: int, epoch: int, seed: bytes) -> None:
    cards = [str(number) for number in range(52)]
    assert shuffled(cards, seed, deal, epoch) != shuffled(cards, SEED, 0, 0)


def test_every_card_comes_first_about_equally_often() -> None:
    cards = [str(number) for number in range(10)]
    first = Counter(shuffled(cards, SEED, deal, 0)[0] for deal in range(2_000))
    assert set(first) == set(cards)
    assert max(first.values()) - min(first.values()) < 100


def test_a_seed_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="a seed has 32 bytes, this one 3"):
        shuffled(["0/C/A"], b"abc", 0, 0)


def test_a_bot_seed_is_exact_in_every_json_reader_and_differs_by_version_and_fixture() -> None:
    seeds = {bot_seed(bytes([fixture]) * 32, f"v{version}") for fixture in range(20) for version in range(20)}
    assert len(seeds) == 400
    assert max(seeds) < 2**BOT_SEED_BITS
    assert max(seeds) > 2 ** (BOT_SEED_BITS - 1)


def test_fixture_seeds_differ_by_secret_stream_day_and_number() -> None:
    seeds = {
        fixture_seed(secret, stream, day, number)
        for secret in (bytes(32), SEED)
        for stream in ("classic-50/ladder", "short-50/ladder")
        for day in ("2026-01-31", "2026-02-01")
        for number in range(1, 4)
    }
    assert len(seeds) == 24


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_seat_order_is_a_permutation_and_none_is_favoured(players: int) -> None:
    orders = [seat_order(hashlib.sha256(bytes([number])).digest(), players) for number in range(250)]
    assert all(sorted(order) == list(range(players)) for order in orders)
    first = Counter(order[0] for order in orders)
    assert min(first.values()) > 250 / players / 2
