"""What docs/log.md and docs/rules/common.md say is what the engine does."""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.chance import bot_seed, fixture_seed, seat_order, shuffled
from engine.games import game_from_profile
from engine.log import ActLine, DealLine, DealOverLine, FaultLine, Header, OverLine
from tests.engine.logs import played_log
from tests.engine.spite.positions import position

DOCS = Path(__file__).parents[2] / "docs"
LOG = (DOCS / "log.md").read_text(encoding="utf-8")
RULES = (DOCS / "rules" / "common.md").read_text(encoding="utf-8")
SEED = bytes(range(32))


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


@pytest.fixture(scope="module")
def first_wrong_line() -> Callable[[bytes], int | None]:
    """The checker printed in docs/log.md."""
    names: dict[str, Any] = {}
    exec(blocks(LOG, "python")[0], names)
    checker: Callable[[bytes], int | None] = names["first_wrong_line"]
    return checker


@pytest.mark.parametrize("faults", [{}, {3: [1]}])
def test_the_printed_checker_accepts_a_log(
    first_wrong_line: Callable[[bytes], int | None], faults: dict[int, list[int]]
) -> None:
    assert first_wrong_line(played_log(faults=faults)) is None


def test_the_printed_checker_names_the_line_of_any_altered_byte(
    first_wrong_line: Callable[[bytes], int | None],
) -> None:
    log = played_log()
    for offset in range(0, len(log), 7):
        altered = log[:offset] + bytes([log[offset] ^ 1]) + log[offset + 1 :]
        assert first_wrong_line(altered) == 1 + log[:offset].count(b"\n"), offset


def test_the_printed_checker_finds_a_log_cut_off(first_wrong_line: Callable[[bytes], int | None]) -> None:
    log = played_log()
    lines = log.count(b"\n")
    assert first_wrong_line(b"") == 1
    assert first_wrong_line(log[: log.rindex(b"\n", 0, -1) + 1]) == lines
    assert first_wrong_line(log[:-1]) == lines


@pytest.mark.parametrize("line", [Header, DealLine, ActLine, DealOverLine, OverLine, FaultLine])
def test_every_field_of_a_line_is_described(line: type[msgspec.Struct]) -> None:
    fields = {field.encode_name for field in msgspec.structs.fields(line)}
    assert fields - set(re.findall(r"`(\w+)`", LOG)) == set()


def test_the_shuffle_vector_is_right() -> None:
    rows = re.findall(r"^\| `(\d/\S+)` \| `([0-9a-f]{16})` \| (\d) \|$", LOG, flags=re.MULTILINE)
    assert shuffled(sorted(card for card, _, _ in rows), SEED, 3, 1) == [card for card, _, _ in rows]
    for place, (card, begins, printed_place) in enumerate(rows):
        digest = hashlib.sha256(SEED + bytes([0, 0, 0, 3]) + bytes([0, 0, 0, 1]) + card.encode())
        assert (digest.hexdigest()[:16], place) == (begins, int(printed_place))


def test_the_deal_and_seed_vectors_are_right() -> None:
    cards = game_from_profile("classic").deal(SEED, 0, 0).starting_cards()
    goals, stock = cards["goals"], cards["stock"]
    printed = [
        f"begins with `{' '.join(goals[0][:3])}`",
        f"the tops are `{goals[0][-1]}` and `{goals[1][-1]}`",
        f"begins with `{' '.join(stock[:3])}` and ends with `{' '.join(stock[-3:])}`",
        fixture_seed(bytes(32), "classic-50/ladder", "2026-01-31", 7).hex(),
        f"has the bot seed {bot_seed(SEED, 'v1')}",
        f"in the order {', '.join(map(str, seat_order(bytes(32), 4)))}",
    ]
    words = " ".join(LOG.split())
    assert [text for text in printed if text not in words] == []


def test_the_printed_position_has_the_printed_moves() -> None:
    view, legal = (json.loads(block) for block in blocks(RULES, "json"))
    deal = position(
        hand=" ".join(view["hand"]),
        goal=view["goals"][0][0]["top"],
        left=[piles[0]["left"] for piles in view["goals"]],
        discards=[" ".join(pile) for pile in view["discards"][0]],
        centre=view["centre"],
    )
    assert deal.legal() == legal
    shown = json.loads(msgspec.json.encode(deal.view(0)))
    # The other seat's goal card is whatever is left in the deck.
    assert {key: shown[key] for key in view if key != "goals"} == {
        key: view[key] for key in view if key != "goals"
    }
    deal.apply("g>c0")
    assert (deal.view(0).centre[0], deal.to_act) == (5, 0)
