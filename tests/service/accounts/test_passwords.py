"""Passwords: bounds, hashes, and what is no password."""

import pytest

from service.accounts.passwords import hash_password, is_password
from service.refusals import InvalidError


def test_a_password_is_recognised_by_its_hash_and_no_other_is() -> None:
    hashed = hash_password("correct horse")
    assert "correct" not in hashed
    assert is_password(hashed, "correct horse")
    assert not is_password(hashed, "correct horse ")


@pytest.mark.parametrize("stored", [None, "", "nonsense"])
def test_where_there_is_no_hash_no_password_is_right(stored: str | None) -> None:
    assert not is_password(stored, "")
    assert not is_password(stored, "nonsense")


@pytest.mark.parametrize("length", [0, 7, 201])
def test_a_password_out_of_bounds_is_refused_with_its_length_and_not_itself(length: int) -> None:
    with pytest.raises(InvalidError, match=f"the password has {length} characters; use 8 to 200") as caught:
        hash_password("z" * length)
    assert caught.value.field == "password"
    assert "zzz" not in caught.value.message
