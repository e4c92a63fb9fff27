"""Forged logs with a valid chain: replaying finds them and names the line."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.errors import LogError
from engine.log import read_log
from engine.replay import replay, steps
from engine.spite.view import SpiteView
from tests.engine.logs import Row, at, played_log, rows_of, signed

LOG = played_log()

Forgery = Callable[[list[Row]], None]


def refusal(log: bytes) -> LogError:
    with pytest.raises(LogError) as refused:
        replay(log)
    return refused.value


def change(kind: str, which: int, **fields: object) -> Forgery:
    """Return a forgery that overwrites fields of the which-th row of a kind."""

    def forge(rows: list[Row]) -> None:
        rows[at(rows, kind, which)].update(fields)

    return forge


def change_seat(**fields: object) -> Forgery:
    def forge(rows: list[Row]) -> None:
        rows[0]["seats"][0].update(fields)

    return forge


def swap_cards(rows: list[Row]) -> None:
    stock = rows[at(rows, "deal", 1)]["cards"]["stock"]
    stock[3], stock[4] = stock[4], stock[3]


def other_seat(rows: list[Row]) -> None:
    row = rows[at(rows, "act", 3)]
    row["seat"] = 1 - row["seat"]


def unlisted_form(rows: list[Row]) -> None:
    row = rows[at(rows, "act", 2)]
    assert row["move"].endswith(">d0")
    row["move"] = row["move"][:-1] + "3"


def drop(kind: str, which: int) -> Forgery:
    def forge(rows: list[Row]) -> None:
        del rows[at(rows, kind, which)]

    return forge


def double(kind: str, which: int) -> Forgery:
    def forge(rows: list[Row]) -> None:
        index = at(rows, kind, which)
        rows.insert(index, rows[index])

    return forge


def blame(seat: int, decision: int) -> Forgery:
    """Return a forgery that adds a fault nobody committed."""
    return change(
        "over", 0, faults=[{"seat": seat, "kind": "crash", "evidence": "none", "decision": decision}]
    )


HEADER = 1
FORGERIES: dict[str, tuple[Forgery, tuple[str, int] | int, str]] = {
    "another format": (change("header", 0, format=2), HEADER, "`format` is 2, replaying gives 1"),
    "another engine": (change("header", 0, engine="0"), HEADER, "`engine` is '0'"),
    "another rules hash": (change("header", 0, rules_hash="0" * 64), HEADER, "`rules_hash` is "),
    "other rules": (
        change(
            "header", 0, rules={"game": "spite-and-malice", "rules_version": 1, "players": 2, "options": {}}
        ),
        HEADER,
        "`rules_hash` is ",
    ),
    "rules not in normal form": (
        change(
            "header",
            0,
            rules={
                "game": "spite-and-malice",
                "rules_version": 1,
                "players": 2,
                "options": {"packs": 1, "goal": 2, "first": "dealer"},
            },
        ),
        HEADER,
        "`rules` is ",
    ),
    "impossible rules": (
        change("header", 0, rules={"game": "snap"}),
        HEADER,
        "cannot be played: no game 'snap'",
    ),
    "a bot seed of its own": (change_seat(bot_seed=1), HEADER, "`bot_seed of seat 0` is 1"),
    "another version": (change_seat(version="v9"), HEADER, "`bot_seed of seat 0`"),
    "three seats": (lambda rows: rows[0]["seats"].append(rows[0]["seats"][0]), HEADER, "3 seats and leg 0"),
    "a leg too many": (change("header", 0, leg=2), HEADER, "2 seats and leg 2"),
    "no target": (change("header", 0, target=0), HEADER, "less than 1 point"),
    "a short seed": (change("header", 0, seed="ab"), HEADER, "not 32 bytes"),
    "a seed in capitals": (change("header", 0, seed="AB" * 32), HEADER, "lower-case"),
    "a seed with blanks": (change("header", 0, seed="ab " * 21 + "a"), HEADER, "hexadecimal"),
    "a chosen shuffle": (swap_cards, ("deal", 1), "not those the seed gives"),
    "another dealer": (change("deal", 1, dealer=0), ("deal", 1), "`dealer` is 0, replaying gives 1"),
    "another deal number": (change("deal", 1, number=2), ("deal", 1), "`number` is 2, replaying gives 1"),
    "a move that is not legal": (
        change("act", 3, move="hK>c9"),
        ("act", 3),
        "an illegal move: 'hK>c9' is not a move of this game",
    ),
    "a card not held": (change("act", 2, move="h2>d3"), ("act", 2), "there is no 2 in the hand"),
    "a move in unlisted form": (unlisted_form, ("act", 2), "is listed as "),
    "another seat": (other_seat, ("act", 3), "acts, but it is the turn of seat"),
    "a seat there is not": (change("act", 3, seat=7), ("act", 3), "seat 7 acts"),
    "points for the other": (change("deal_over", 0, points=[7, 0]), ("deal_over", 0), "`points` is [7, 0]"),
    "another score": (change("deal_over", 0, scores=[1, 7]), ("deal_over", 0), "`scores` is [1, 7]"),
    "another reason": (change("deal_over", 0, reason="passed"), ("deal_over", 0), "`reason` is 'passed'"),
    "a deal over of another deal": (change("deal_over", 0, number=1), ("deal_over", 0), "`number` is 1"),
    "another final score": (change("over", 0, scores=[9, 9]), ("over", 0), "`scores` is [9, 9]"),
    "swapped places": (change("over", 0, places=[1, 1]), ("over", 0), "`places` is [1, 1]"),
    "another end": (change("over", 0, reason="deals"), ("over", 0), "`reason` is 'deals'"),
    "no acts": (drop("act", 0), ("act", 0), ""),
    "no deal": (drop("deal", 1), ("act", -1), ""),
    "no deal over": (drop("deal_over", 0), ("deal", 1), "`deal` where `deal_over` belongs"),
    "two deals": (double("deal", 1), ("deal", 2), "`deal` where `act` belongs"),
    "two deal overs": (double("deal_over", 0), ("deal_over", 1), "`deal_over` where `deal` belongs"),
    "an early end": (lambda rows: rows.__delitem__(slice(6, -1)), ("over", 0), "`over` where `act` belongs"),
    "blame at the end": (
        blame(0, 10_000),
        ("over", 0),
        "a fault after decision 10000 does not fit this match",
    ),
    "blame in the middle": (blame(0, 3), ("act", 3), "`act` where `over` belongs"),
    "blame for a seat there is not": (blame(5, 3), ("over", 0), "there is no seat 5"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_log_with_a_valid_chain_is_found_and_its_line_named(name: str) -> None:
    forge, where, message = FORGERIES[name]
    rows = rows_of(played_log())
    assert replay(signed(rows)).deals >= 2
    forge(rows)
    log = signed(rows)
    read_log(log)
    error = refusal(log)
    assert message in error.message
    if isinstance(where, int):
        assert error.line == where
    elif where[1] >= 0:
        assert error.line == 1 + at(rows, *where)


def test_a_dropped_discard_is_found_because_the_turn_did_not_pass() -> None:
    rows = rows_of(LOG)
    discards = [index for index, row in enumerate(rows) if row["type"] == "act" and ">d" in row["move"]]
    assert discards
    for index in discards:
        error = refusal(signed(rows[:index] + rows[index + 1 :]))
        assert error.line == index + 1
        assert "acts, but it is the turn of" in error.message


def test_a_fault_after_the_match_was_decided_is_found() -> None:
    rows = rows_of(LOG)
    blame(0, sum(row["type"] == "act" for row in rows))(rows)
    assert refusal(signed(rows)).line == len(rows)


def test_faults_out_of_order_or_twice_for_a_seat_are_found() -> None:
    rows = rows_of(played_log(3, 5, {"goal": 3}, faults={5: [0], 7: [1]}))
    faults = rows[-1]["faults"]
    for wrong in (faults[::-1], [faults[0], *faults]):
        assert refusal(signed([*rows[:-1], {**rows[-1], "faults": wrong}])).line <= len(rows)
    assert refusal(signed([*rows[:-1], {**rows[-1], "faults": faults[:1]}])).line <= len(rows)


@pytest.mark.parametrize("forgery", [{"charge_us": 5}, {"move": None}])
def test_another_move_than_the_passive_one_for_a_forfeited_seat_is_found(forgery: dict[str, object]) -> None:
    rows = rows_of(played_log(3, 5, {"goal": 3}, faults={0: [1]}))
    number = next(index for index, row in enumerate(rows) if row["type"] == "act" and row["seat"] == 1)
    step = next(step for step in steps(signed(rows)) if step.line == number + 1)
    if "move" in forgery:
        view = step.before[1]
        assert isinstance(view, SpiteView)
        discards = [
            f"h{text}>d0" for text in sorted(set(view.hand) - {"A"}) if f"h{text}>d0" != step.act.move
        ]
        forgery = {"move": discards[0]}
    rows[number] = {**rows[number], **forgery}
    error = refusal(signed(rows))
    assert (error.line, error.message.split(":")[0]) == (number + 1, "seat 1 has forfeited")


IMMATERIAL = {"target", "charge_us", "bank_ms", "fixture"}
"""What replaying alone cannot disprove: the recorder compares the header with the fixture. The target shows in the end."""

STRANGE: list[Any] = [None, True, -1, 0, 7, 2**53, 10**30, 1.5, "", "x", [], [7], {}, {"a": [[]]}, [None] * 9]


@pytest.mark.parametrize("log", [LOG, played_log(3, 5, {"goal": 3}, faults={5: [0]})], ids=["two", "three"])
def test_a_strange_value_of_any_field_is_refused_and_never_an_accident(log: bytes) -> None:
    rows = rows_of(log)
    one_of_each = {row["type"]: index for index, row in enumerate(rows)}
    accepted = set()
    for index in one_of_each.values():
        for name, value in rows[index].items():
            for strange in STRANGE:
                forged = [*rows[:index], {**rows[index], name: strange}, *rows[index + 1 :]]
                if strange != value and name != "type" and _is_accepted(signed(forged)):
                    accepted.add(name)
    assert accepted <= IMMATERIAL


def _is_accepted(log: bytes) -> bool:
    try:
        replay(log)
    except LogError:
        return False
    return True
