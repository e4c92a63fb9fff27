"""A folder is packed for upload as its author sees it."""

import io
import zipfile
from pathlib import Path

import click
import pytest

from service.cli.packing import bot_name, pack, read_source


def names(data: bytes) -> list[str]:
    return zipfile.ZipFile(io.BytesIO(data)).namelist()


def test_a_file_is_sent_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_bytes(b"print()\n")
    assert read_source(file) == ("bot.py", b"print()\n")


def test_a_folder_is_sent_as_a_zip_without_what_tools_left_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    for name in ("main.py", "lib/cards.py", "lib/__pycache__/cards.pyc", ".git/config", ".env"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    filename, data = read_source(folder)
    assert filename == "bot.zip"
    assert names(data) == ["lib/cards.py", "main.py"]


@pytest.mark.parametrize("target", ["/etc/passwd", "."])
def test_a_symlink_is_refused_and_named(tmp_path: Path, target: str) -> None:
    (tmp_path / "main.py").write_text("")
    (tmp_path / "link").symlink_to(target)
    with pytest.raises(click.ClickException, match="link is a symlink"):
        pack(tmp_path)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(click.ClickException, match="holds no files"):
        pack(tmp_path)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("My_Bot.py", "my-bot"),
        ("shark", "shark"),
        ("--x--.zip", "x"),
        ("Ünïcode!.py", "n-code"),
        ("a" * 40, "a" * 32),
    ],
)
def test_a_bot_is_named_after_its_file(path: str, name: str) -> None:
    assert bot_name(Path(path)) == name
