"""What the command line's tests share."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import main

Malice = Callable[..., Result]


@pytest.fixture
def malice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Malice:
    """Run `malice` with arguments, in a user's account of the test's own; returns click's result."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("MALICE_SERVER", "MALICE_TOKEN", "MALICE_HOME"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)

    return run
