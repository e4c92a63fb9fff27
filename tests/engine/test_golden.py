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
    ("parlett", 2): "a0d12e26ee8990b36cef91a6cfabc1fe18c7ee0f8a29a6eac8f89c13c8f6dce9",
    ("spoil-five", 2): "47b7eac2fc708242cba78e1883f9028d1533ff5b965bd98142d1fbe6fd3b0c30",
    ("spoil-five", 3): "2e31e8020ef06872b32853859f3252bf1951c9f4514a7ecb180d855df34fd1ce",
    ("spoil-five", 4): "7fe6bb6869028468e75773f113ccffd910a34b524c16183e70e7ee85200e1fb4",
    ("spoil-five", 5): "5305c6617ed00cff9f99f5f5b7910e9f5c82f05822d67cb8f9cb44efd046215c",
    ("spoil-five", 6): "b2f75104ee4f3f86eec11d65b9f36bfb2208936c705975e4534f29a7ad998980",
    ("spoil-five", 7): "fc04bb4d47ff636c2f442bb6885841f653ab6ff8905311f17aa62b08f6661ec8",
    ("spoil-five", 8): "312441470f1b49eea03f41df3d7c2e3e83a73a083b40e6709bf4a42abddce5e3",
    ("spoil-five", 9): "1808c718d2ac63d6441744d3029c4f2b69b86eb970ca7c38d5e984e5958847be",
    ("spoil-five", 10): "94faa4fe2db34e541267c7d71193782f9b44de20393873f2c00a22b497c63a87",
    ("spoil-five-simple", 2): "3992b096d90309e26992f60fcde28145bc312cd5966a4815b1dda3347fa0e522",
    ("spoil-five-simple", 3): "04d9d7bdd2e8b80ac9dc5f380f6d2467c1b87ba1aeddc76ba90e30b5846a7588",
    ("spoil-five-simple", 4): "ea846982367829cdee771b2899a35c1b4e4a564fb6d7afce95f87416c615a13f",
    ("spoil-five-simple", 5): "0fb8ecfc35d6bf4330d7f538e80975158c9d1357df141ef2d528e5ac16848581",
    ("spoil-five-simple", 6): "4d849cff91ea2af08b22062eecfc7abd8019baf40f489134a011067380ec290e",
    ("spoil-five-simple", 7): "95d8f5fc5a8fb99001073eb1aef1a8cd323915123a84219f48e4d2cd2e5ddcb6",
    ("spoil-five-simple", 8): "d97446aea5945a403483ee623b7174ba03e11ed5c55aaba727d095646129db03",
    ("spoil-five-simple", 9): "7382f972dde18b778a43be675dacbf56a9869dead72973601c9e8a03027fce3a",
    ("spoil-five-simple", 10): "b9c3c3811c62e09c4237ae9d6e1e19ae7cd6c366e13d0934f863914e9986495c",
    ("forty-five", 2): "42eddf6c3b66c4231e78266ceae89fc1225db95b117a52b558c7ec1581ba7122",
    ("forty-five", 4): "fea6f2709a8bdab91990a8bd8b504d4b65d8aa0b3c27d7ae3155d544c0437951",
    ("forty-five", 6): "5f0c5f2bf62d70ca4f0a6e1a17b94c1e2076a96a38daa2fe7ad7d5a92c1e8216",
}


def test_the_table_is_that_of_this_engine() -> None:
    assert ENGINE_VERSION == "1"
    assert set(GOLDEN) == {
        (name, players) for name, profile in profiles().items() for players in profile.players
    }


@pytest.mark.parametrize(("name", "players"), GOLDEN)
def test_a_match_played_the_same_way_has_the_same_log(name: str, players: int) -> None:
    profile = profiles()[name]
    log = played_log(players, 25, profile.options, game_name=profile.game)
    assert replay(log).reason in ("target", "deals")
    assert hashlib.sha256(log).hexdigest() == GOLDEN[name, players]
