"""The bot printed in docs/bots.md is a bot."""

from pathlib import Path

import pytest

from engine.games import game_from_profile
from tests.bots.programs import FOLDER, play_match, running

PAGE = FOLDER.parent / "docs" / "bots.md"
SEED = bytes(32)


@pytest.fixture
def ten_lines(tmp_path: Path) -> Path:
    """The page's first program, as a file."""
    block = PAGE.read_text().split("```python\n", 1)[1].split("```", 1)[0]
    assert len([line for line in block.splitlines() if line]) <= 10
    path = tmp_path / "main.py"
    path.write_text(block)
    return path


def test_the_ten_lines_play_and_beat_uniform(ten_lines: Path) -> None:
    with running(str(ten_lines), "uniform") as seated:
        match = play_match(game_from_profile("classic"), 25, SEED, seated)
    assert match.places() == (1, 2)
