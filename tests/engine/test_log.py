"""Reading logs: whatever is done to their bytes is found, and the right line is named."""

import hashlib
import json
import random
from collections.abc import Callable

import msgspec
import pytest

from engine.canonical import CanonicalError, encode
from engine.errors import LogError
from engine.log import ActLine, DealOverLine, FaultLine, Header, LogWriter, OverLine, read_log
from tests.engine.logs import played_log, rows_of, signed

# Ends in its second deal, so that it has every kind of line, evidence beyond ASCII, and few bytes.
LOG = played_log(faults={18: [0]})
LINES = LOG.splitlines(keepends=True)


def line_at(offset: int) -> int:
    """Return the number of the line a byte of LOG lies in."""
    return 1 + LOG[:offset].count(b"\n")


def first_difference(altered: bytes) -> int:
    """Return where a log first differs from LOG: a newline put before a newline, for one, is only seen after it."""
    return next(
        (at for at, (one, other) in enumerate(zip(altered, LOG, strict=False)) if one != other), len(LOG)
    )


def wrong_line(log: bytes) -> int:
    with pytest.raises(LogError) as refused:
        read_log(log)
    return refused.value.line


def test_the_log_of_these_tests_is_short_and_has_every_kind_of_line() -> None:
    assert len(LINES) < 30
    assert not LOG.isascii()
    assert {type(line).__name__ for line in read_log(LOG)} == {
        "Header",
        "DealLine",
        "ActLine",
        "DealOverLine",
        "OverLine",
    }


@pytest.mark.parametrize("log", [LOG, played_log()], ids=["with a fault", "to the target"])
def test_another_writer_and_another_json_library_give_the_same_bytes(log: bytes) -> None:
    assert signed(rows_of(log)) == log


def test_the_writer_s_short_cut_for_acts_gives_canonical_bytes() -> None:
    acts = [(line, row) for line, row in zip(read_log(LOG), LINES, strict=True) if isinstance(line, ActLine)]
    assert acts
    assert all(encode(line) + b"\n" == row for line, row in acts)


def test_most_lines_carry_eight_digits_and_the_ends_of_deals_and_match_all() -> None:
    for line in read_log(LOG):
        assert len(line.h) == (64 if isinstance(line, DealOverLine | OverLine) else 8)


def test_the_last_line_s_digest_is_over_all_before_it() -> None:
    digest = bytes(32)
    for row in rows_of(LOG):
        text = json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        digest = hashlib.sha256(digest + text.encode()).digest()
    assert read_log(LOG)[-1].h == digest.hex()


def test_faults_stand_in_the_last_line_with_their_evidence() -> None:
    over = read_log(LOG)[-1]
    assert isinstance(over, OverLine)
    assert over.faults == [FaultLine(0, "crash", "exit status 1 – “naïve”\n", 18)]
    assert over.reason == "fault"


def test_any_single_altered_byte_is_found_and_its_line_named() -> None:
    source = random.Random(1)
    for offset, byte in enumerate(LOG):
        for other in {byte ^ 1, byte ^ 0x20, ord("\n"), source.randrange(256)} - {byte}:
            altered = LOG[:offset] + bytes([other]) + LOG[offset + 1 :]
            assert wrong_line(altered) == line_at(offset), (offset, byte, other)


def test_any_deleted_byte_is_found_and_its_line_named() -> None:
    for offset in range(len(LOG)):
        assert wrong_line(LOG[:offset] + LOG[offset + 1 :]) == line_at(offset), offset


def test_any_inserted_byte_is_found_and_its_line_named() -> None:
    source = random.Random(2)
    for offset in range(len(LOG)):
        byte = source.choice([b" ", b"0", b"\n", b",", b"\x00", b"\xff"])
        altered = LOG[:offset] + byte + LOG[offset:]
        assert wrong_line(altered) == line_at(first_difference(altered)), (offset, byte)


def test_a_log_cut_off_anywhere_names_the_first_line_it_lacks() -> None:
    for length in range(1, len(LOG)):
        assert wrong_line(LOG[:length]) == line_at(length), length


@pytest.mark.parametrize("number", range(1, len(LINES) + 1))
def test_a_deleted_line_is_found(number: int) -> None:
    assert wrong_line(b"".join(LINES[: number - 1] + LINES[number:])) == number


@pytest.mark.parametrize("number", range(1, len(LINES) + 1))
def test_a_duplicated_line_is_found(number: int) -> None:
    assert wrong_line(b"".join(LINES[:number] + LINES[number - 1 :])) == number + 1


@pytest.mark.parametrize("number", range(1, len(LINES)))
def test_two_lines_that_changed_places_are_found(number: int) -> None:
    swapped = [*LINES[: number - 1], LINES[number], LINES[number - 1], *LINES[number + 1 :]]
    assert wrong_line(b"".join(swapped)) == number


def test_a_line_from_another_log_is_found() -> None:
    other = played_log(seed=bytes(32)).splitlines(keepends=True)
    for number in range(1, min(len(other), len(LINES))):
        mixed = [*LINES[: number - 1], other[number - 1], *LINES[number:]]
        # Another header begins another chain: only what follows shows it.
        assert wrong_line(b"".join(mixed)) == (2 if number == 1 else number)


@pytest.mark.parametrize(
    ("log", "line", "message"),
    [
        (b"", 0, "the log is empty"),
        (b"\n", 1, "line 1: not a line of a match log: "),
        (LOG[:-1], len(LINES), f"line {len(LINES)}: the line does not end with a newline"),
        (LOG + b"\n", len(LINES) + 1, "not a line of a match log"),
        (
            LOG + b" ",
            len(LINES) + 1,
            "does not end with a newline: the log is cut off or something follows it",
        ),
        (LOG + LINES[-1], len(LINES) + 1, "nothing may follow the `over` line"),
        (LOG + LOG, len(LINES) + 1, "the header is the first line, and only that"),
        (b"".join(LINES[:-1]), len(LINES), "the line is missing: the log stops before its `over` line"),
        (b"".join(LINES[1:]), 1, "the header is the first line"),
        (LOG.replace(b"\n", b"\r\n", 1), 1, "not in canonical form"),
        (b'{"a":1}\n', 1, "missing required field `type`"),
        (b"[" * 100_000 + b"\n", 1, "not a line of a match log"),
        (b'{"cards":' + b"[" * 100_000 + b"\n", 1, "not a line of a match log"),
        (b"\xef\xbb\xbf" + LOG, 1, "not a line of a match log"),
        (LOG.decode().encode("utf-16"), 1, "not a line of a match log"),
    ],
)
def test_a_log_that_is_not_whole_is_refused_with_the_reason(log: bytes, line: int, message: str) -> None:
    with pytest.raises(LogError) as refused:
        read_log(log)
    assert refused.value.line == line
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace('"seat":', '"seat": ', 1),
        lambda text: text.replace('"seat":0', '"seat":-0', 1),
        lambda text: text.replace('"seat":0', '"seat":0.0', 1),
        lambda text: text.replace('"seat":0', '"seat":false', 1),
        lambda text: text.replace('"move":"', '"move":"\\u0068', 1),
        lambda text: text.replace('"type":"act"', '"type":"act","x":1', 1),
        lambda text: text.replace('"type":"act"', '"type":"act","type":"act"', 1),
        lambda text: text.replace('"seat":0', '"seat":' + "9" * 30, 1),
    ],
)
def test_a_line_in_another_form_is_refused_even_where_its_meaning_is_the_same(
    change: Callable[[str], str],
) -> None:
    number = 1 + next(index for index, line in enumerate(LINES) if b'"seat":0,"type":"act"' in line)
    text = LINES[number - 1].decode()
    assert change(text) != text
    assert wrong_line(b"".join([*LINES[: number - 1], change(text).encode(), *LINES[number:]])) == number


def test_a_header_whose_rules_have_no_canonical_form_cannot_be_written() -> None:
    header = read_log(LOG)[0]
    assert isinstance(header, Header)
    with pytest.raises(CanonicalError):
        LogWriter(msgspec.structs.replace(header, h="", rules={"goal": 2.5}))
