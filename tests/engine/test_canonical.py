"""Canonical JSON, against RFC 8785 and against another writer."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.canonical import LARGEST_INTEGER, CanonicalError, canonical

ASCII = st.text(st.characters(max_codepoint=127), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-LARGEST_INTEGER, LARGEST_INTEGER) | st.text(max_size=8),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(ASCII, children, max_size=4),
    max_leaves=12,
)


def test_keys_are_sorted_and_nothing_is_spaced() -> None:
    assert (
        canonical({"b": [1, True, None], "a": {"d": "x", "c": -1}})
        == b'{"a":{"c":-1,"d":"x"},"b":[1,true,null]}'
    )


def test_strings_have_the_shortest_escapes() -> None:
    text = '\x00\x1f\x7f\b\t\n\f\r"\\/é€😀\u2028'
    expected = '"\\u0000\\u001f\x7f\\b\\t\\n\\f\\r\\"\\\\/é€😀\u2028"'
    assert canonical(text) == expected.encode()


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(VALUES)
def test_another_writer_gives_the_same_bytes(value: Any) -> None:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert canonical(value) == text.encode()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (1.0, "1.0 is neither text"),
        ({"a": [0.5]}, "0.5 is neither text"),
        (LARGEST_INTEGER + 1, "too large"),
        ([-LARGEST_INTEGER - 1], "too large"),
        ({"é": 1}, "the key 'é'"),
        ({1: 1}, "the key 1"),
        ({"a": {1, 2}}, "is neither text"),
    ],
)
def test_what_has_no_canonical_form_here_is_refused(value: Any, message: str) -> None:
    with pytest.raises(CanonicalError, match=message):
        canonical(value)
