"""What docs/engine.md tells authors works as it stands."""

import re
from pathlib import Path
from typing import Any

import pytest

from engine.adapters.features import features_of
from engine.games import game_from_profile
from engine.rollout import rollout

PAGE = (Path(__file__).parents[2] / "docs" / "engine.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text.split()[1])
def test_an_example_runs_as_it_stands(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    exec(example, names)
    assert capsys.readouterr().out or "print" not in example


def test_every_part_of_an_observation_is_explained() -> None:
    explained = set(re.findall(r"`(\w+)`", PAGE))
    for profile, players in (("classic", 2), ("parlett", 2), ("spoil-five", 5)):
        assert set(features_of(game_from_profile(profile, players)).fields) <= explained


def test_every_method_it_names_exists() -> None:
    game = game_from_profile("classic")
    deal = game.deal(bytes(32), 0, 0)
    for row in re.findall(r"^\| (`.*?`) \| [a-z]", PAGE, re.MULTILINE):
        for name in re.findall(r"`(\w+)(?:\(.*?\))?`", row):
            known = {*dir(game), *dir(deal), *features_of(game_from_profile("parlett")).fields}
            assert name in known | set(features_of(game_from_profile("spoil-five", 5)).fields), name


def test_policies_it_names_are_built_in() -> None:
    named = re.search(r"Policies are `(\w+)` .*?`(\w+)` \(", PAGE, re.DOTALL)
    assert named is not None
    for policy in named.groups():
        assert rollout(game_from_profile("forty-five", 4).deal(bytes(32), 0, 0), policy, 1, b"").deals == 1
