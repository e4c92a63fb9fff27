"""`malice` itself: quick help, exit codes, one line per command."""

import subprocess
import sys
from importlib.metadata import version

import click
import pytest

from service.cli import COMMANDS, SECTIONS, main
from tests.service.cli.conftest import Malice


def test_help_lists_every_command_under_what_it_is_for(malice: Malice) -> None:
    result = malice("--help")
    assert result.exit_code == 0
    for name, line in COMMANDS.items():
        assert f"  {name} " in result.output
        assert line in result.output
    assert sorted(name for names in SECTIONS.values() for name in names) == sorted(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_and_shows_an_example(malice: Malice, name: str) -> None:
    result = malice(name, "--help")
    assert result.exit_code == 0, result.output
    assert max(map(len, result.output.splitlines())) <= 80, "wider than a common terminal"
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.name == name
    assert isinstance(command, click.Group) or "Example" in result.output


def test_an_engine_there_is_not_is_a_wrong_usage(malice: Malice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MALICE_ENGINE", "plain")
    result = malice("rules")
    assert result.exit_code == 2
    assert "MALICE_ENGINE='plain' means nothing; unset it, or say source" in result.output


def test_help_imports_nothing_heavy() -> None:
    heavy = ("celery", "flask", "sqlalchemy", "httpx", "rich", "msgspec", "engine")
    script = f"""
import sys
from service.cli import main
try:
    main(["--help"])
except SystemExit:
    print([name for name in {heavy!r} if name in sys.modules])
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "[]"


def test_the_version_is_the_installed_one(malice: Malice) -> None:
    assert malice("--version").output.strip() == f"malice {version('malice')}"


@pytest.mark.parametrize("arguments", [["nonsense"], ["standings", "--nonsense"], ["verify"]])
def test_wrong_usage_exits_with_2(malice: Malice, arguments: list[str]) -> None:
    assert malice(*arguments).exit_code == 2


def test_a_mistyped_setting_is_wrong_usage_that_names_it(
    malice: Malice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MALICE_PROT", "8001")
    result = malice("up")
    assert result.exit_code == 2
    assert "MALICE_PROT is not a setting" in result.output
