"""The digests a shuffle sorts by are SHA-256, whichever way they are computed here."""

import hashlib
import random
from collections.abc import Callable

import pytest

from engine.digests import digests, portable_digests

Digests = Callable[[bytes, list[bytes]], list[bytes]]
LONGEST = 119

each_way = pytest.mark.parametrize("compute", [digests, portable_digests], ids=["best", "portable"])


@each_way
def test_they_are_sha256_at_every_length_there_can_be(compute: Digests) -> None:
    chance = random.Random(1)
    for begun in range(LONGEST + 1):
        beginning = chance.randbytes(begun)
        names = [chance.randbytes(length) for length in range(LONGEST - begun + 1)]
        assert compute(beginning, names) == [hashlib.sha256(beginning + name).digest() for name in names]


@each_way
def test_a_long_name_leaves_nothing_behind_in_the_next(compute: Digests) -> None:
    names = [b"a" * 79, b"b", b"", b"c" * 20]
    assert compute(bytes(40), names) == [hashlib.sha256(bytes(40) + name).digest() for name in names]


@each_way
@pytest.mark.parametrize(("begun", "length"), [(40, 80), (119, 1), (120, 0), (0, 120)])
def test_what_does_not_fit_is_refused(compute: Digests, begun: int, length: int) -> None:
    with pytest.raises(ValueError, match="beginning and name are longer than 119 bytes together"):
        compute(bytes(begun), [bytes(length)])


@each_way
def test_no_names_have_no_digests(compute: Digests) -> None:
    assert compute(b"beginning", []) == []
