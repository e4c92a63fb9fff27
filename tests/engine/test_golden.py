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
    ("unlimited-centre", 2): "4c0cf20157cbad53f95524a77dea110e7d8f13d3978a85eb721461f33cacc774",
    ("unlimited-centre", 3): "b5d23bb341f1b59d5267df802640d4753c9ef34c5e56a9655b1a1927049c2ae2",
    ("unlimited-centre", 4): "d6f70f0a4cf2a9468f1affa76eeed96ca412e7249260a941b95791a597e1f440",
    ("forced-low", 2): "00a5af892b02243d3a0b8715cfad4cfe747a7af422155dcac9a269629c412b9f",
    ("forced-low", 3): "5d00bf667c1e206d42879b5717617931063989182540a5c6c1c6e6f36a7059ea",
    ("forced-low", 4): "77fed47075481714549127c9de240964c5fb50b633989ebd15e8f1b835849e92",
    ("misery", 2): "0222a8938cb9c0917297c6be8dacef2cc5ea895dd72fa9e9dc2a8db5e244bc37",
    ("misery", 3): "595dc73b3286fefa7cede223d6d0353a88edbe90b97175e07270fd9916e99fe7",
    ("king-high", 2): "992d4f784944a1bbbebcb0ed5d31743cf900d5d23fa6906477600c3486fcc31d",
    ("king-high", 3): "db369e2ba72862569f17c21960a12132daca6ba96ef09131b515294c609d98db",
    ("king-high", 4): "7e2892c6bb300b58948b146174f29d621dbfac0c0cd1a5c894e37b42da702d28",
    ("cover-wild", 2): "198fae5b4cf74ff33d985383480c97bf7c27bc10516dac126de29fc4848e11b8",
    ("cover-wild", 3): "3921ed211fc8a3981ceb6d2412404da8a614ff55bdf0f5defb1778714af2e5d6",
    ("cover-wild", 4): "2aade17310e03247b0f7bf2986920d9f2cb9800af25f8edbe78473c2df0826eb",
    ("pack-per-player", 2): "d4299767a815c80361456b68f9006e95ea420cf625fa69a7a8961eac329b5574",
    ("pack-per-player", 3): "5deadcabedf78377e3dfea58c4a0e1859c1009a879577ee1528b75b223fcc08c",
    ("pack-per-player", 4): "d040253b89e23ec1b92d5e4944d3705a9d7618b38bbfab472e37edba81434981",
    ("natural-pairs", 2): "0206d1beb2b6c0219cc568b3815ec7ac9f1966183322275b3c34b56f6be0cb63",
    ("natural-pairs", 3): "e76d0ced414241c532288f88d7a7609bcb6c47972bee22edfed86bda07e2719b",
    ("natural-pairs", 4): "0dac30670c6aaf3856936575232c671939e5826be9682c83c1f2deff0fe0d7a2",
    ("skip-bo", 2): "58af6d50285cd9872613b8b4add0a5577f1f851c02ccfc96d8b50f0899ed58fb",
    ("skip-bo", 3): "6f5df073f3bc9fcc3aa9bc77bc78da58fa560754776ad1e505329b80946c9914",
    ("skip-bo", 4): "f6136e27d3bab3a946a84c957f41b807070cb5d6fcc6775d40516305bb6e061a",
    ("skip-bo", 5): "9a716b6122c70895d4435c64e1922ad15e573d5d5504d91f98077a36ce903ade",
    ("skip-bo", 6): "67815b90b2564034fe63c7a448065e2d21416b3373505ed3d891b2302fc99c6b",
    ("starturn", 2): "ea022a425fa6f8928298561ead7102e437c75686e4f8ea3214ef485caba748b0",
    ("starturn", 3): "890ee49dc33b8e8052010e0ee2cf6af2e857a7535da608138572adf597b4505d",
    ("starturn", 4): "befa8e0891349bc049766797a3825d28d0b34112ca774e6d9a804d7ae2b45a19",
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
