"""docs/protocol.md: its example is what the referee sends, and its figures are those in force."""

import re
from pathlib import Path

import pytest

from engine.chance import bot_seed
from engine.games import game_from_profile
from engine.match import MAX_DEALS, MAX_DECISIONS, Match
from service.messages import Clock
from tests.workers.playing import SEED
from workers.referee.channel import STDERR_HEAD, STDERR_TAIL
from workers.referee.clock import BANK_CAP, Bank
from workers.referee.faults import NEAR_LIMIT
from workers.referee.leg import GRACE_S
from workers.referee.protocol import (
    LINE_CAP,
    PROTOCOL,
    Act,
    DealOver,
    Hello,
    Over,
    encode,
    parse_answer,
    parse_ready,
)

DOC = Path(__file__).parents[3] / "docs" / "protocol.md"
TARGET = 5
CHARGE_US = 400
SHOWN_REQUESTS = 2


def example() -> str:
    """The example: both seats make the first legal move, and every decision is charged alike."""
    clock = Clock()
    game = game_from_profile("short")
    match, bank = Match(game, TARGET, SEED), Bank(clock)
    hello = Hello(PROTOCOL, game.name, game.document(), 0, 2, TARGET, bot_seed(SEED, "you"), clock)
    lines = [_host(hello), '< {"type":"ready"}']
    requests = 0
    while not match.over:
        deal, number = match.deal, match.number
        move = deal.legal()[0]
        if deal.to_act == 0:
            if requests < SHOWN_REQUESTS:
                act = Act(
                    requests,
                    number,
                    match.scores,
                    deal.view(0),
                    deal.legal(),
                    deal.take_events(0),
                    bank.left_ms,
                )
                lines += [
                    _host(act),
                    f'< {{"act":"{move}"}}' if requests == 0 else f'< {{"act":0,"id":{requests}}}',
                ]
            elif requests == SHOWN_REQUESTS:
                lines.append("  (and so on)")
            bank.spend(CHARGE_US)
            requests += 1
        result = match.apply(move)
        if result is not None:
            news = DealOver(number, result.points, list(match.scores), result.reason)
    lines += [_host(news), _host(Over(match.scores, match.places()))]
    return "\n".join(lines)


def _host(message: Hello | Act | DealOver | Over) -> str:
    return "> " + encode(message).decode().rstrip("\n")


def test_the_example_is_what_travels() -> None:
    found = re.search(r"<!-- example -->\n```\n(.*?)\n?```\n<!-- /example -->", DOC.read_text(), re.DOTALL)
    assert found is not None
    assert found[1] == example()


def test_the_answers_in_the_example_are_answers() -> None:
    answers = [line[2:].encode() for line in example().splitlines() if line.startswith("< ")]
    parse_ready(answers[0])
    assert [type(parse_answer(answer, number)) for number, answer in enumerate(answers[1:])] == [str, int]


@pytest.mark.parametrize(
    "sentence",
    [
        f"at most {LINE_CAP:,} bytes",
        f"you have {GRACE_S * 1_000:.0f} ms to end",
        f"the first {STDERR_HEAD >> 10} KiB and the last {STDERR_TAIL >> 10} KiB",
        f"after {MAX_DEALS} deals or {MAX_DECISIONS:,} decisions",
        f"{NEAR_LIMIT:.0%}".replace("%", " %") + " of the limit",
        {2: "more than twice"}[BANK_CAP],
    ],
)
def test_the_figures_are_those_in_force(sentence: str) -> None:
    assert sentence in " ".join(DOC.read_text().split())
