"""What `malice status BOT` says of the ladders a bot plays on."""

import pytest

from service.cli.status import show_entries

WAITING = "waiting: the slots are on classic-50; 6 fixtures outstanding"


def entry(**changes: object) -> dict[str, object]:
    """An entry as the server sends it."""
    return {
        "ladder": "spoil-five-points-30",
        "version": 1,
        "status": "active",
        "rank": None,
        "mu": 25.0,
        "fixtures": 0,
        "provisional": True,
        "reason": "",
        "waiting": WAITING,
    } | changes


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, WAITING),
        ({"waiting": ""}, ""),
        ({"reason": "slow at times"}, "slow at times"),
        ({"provisional": False, "rank": 2, "fixtures": 31}, ""),
    ],
)
def test_a_newcomer_is_told_what_its_ladder_waits_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, changes: dict[str, object], said: str
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    show_entries([entry(**changes)])
    shown = capsys.readouterr().out
    assert said in shown
    assert (WAITING in shown) == (said == WAITING)
