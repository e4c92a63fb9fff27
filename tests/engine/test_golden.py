"""Whole matches whose logs may never change while ENGINE_VERSION stays the same: old logs would no longer replay.

Where one of these fails because the game is meant to play differently, raise ENGINE_VERSION and renew the table.
"""

import hashlib

import pytest

from engine import ENGINE_VERSION
from engine.games import profiles
from engine.replay import replay
from tests.engine.logs import played_log

GOLDEN = {
    ("classic", 2): "0d8334bdd476b5b45dd2f401b03e909668218aed50b561f8167b3ca5ac8f8051",
    ("classic", 3): "1b6309b6ee8199a51b3b4c5f47d0bbac791e94f5c74f47baeacd255ca744ae7c",
    ("classic", 4): "35c1bd346bbd93e238a8657f3f51d072a503bdd7f24eac9ec2a7e7fe7c5ddae1",
    ("short", 2): "031d4ae11a122941e6503ad283f6560671c6c19d3d1a5e22aac466ee420feabf",
    ("short", 3): "dd4e66b0f72ae1c490950e70f20d6915761714dbcd8cc2d322e915839cdab757",
    ("short", 4): "45f0d432620363069e399065dfb3c8bf054f65366ff21063464d2771dca02fae",
    ("two-pack", 2): "03d70c4bef8358fb1097e4b93748e8b527b8c91cccbd8cfa5a5a3c93dfd09986",
}


def test_the_table_is_that_of_this_engine() -> None:
    assert ENGINE_VERSION == "1"
    assert set(GOLDEN) == {
        (name, players) for name, profile in profiles().items() for players in profile.players
    }


@pytest.mark.parametrize(("name", "players"), GOLDEN)
def test_a_match_played_the_same_way_has_the_same_log(name: str, players: int) -> None:
    log = played_log(players, 25, profiles()[name].options)
    assert replay(log).reason in ("target", "deals")
    assert hashlib.sha256(log).hexdigest() == GOLDEN[name, players]
