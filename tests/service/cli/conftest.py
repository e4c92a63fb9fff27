"""What the command line's tests share."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import structlog
from click.testing import CliRunner, Result

from service.cli import main

Malice = Callable[..., Result]


@pytest.fixture
def malice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Malice]:
    """Run `malice` with arguments, in a user's account of the test's own; returns click's result."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("MALICE_SERVER", "MALICE_TOKEN", "MALICE_HOME"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)

    yield run
    # A command that is a process of its own sets logging up for good.
    structlog.reset_defaults()
    root.handlers[:], root.level = handlers, level
