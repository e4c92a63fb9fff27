"""Packing a bot's folder for upload."""

import io
import os
import re
import zipfile
from pathlib import Path

import click

LEFT_OUT = frozenset({"__pycache__", "node_modules", "target", "venv"})
"""Folders that hold what tools made; hidden files and folders are left out, too."""
LONGEST_NAME = 32


def read_source(path: Path) -> tuple[str, bytes]:
    """Return a file name and the bytes to upload: the file itself, or the folder as a zip.

    Raises click.ClickException when it cannot be read or holds nothing.
    """
    try:
        return (f"{path.name}.zip", pack(path)) if path.is_dir() else (path.name, path.read_bytes())
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise click.ClickException(f"cannot read {error.filename or path} ({reason})") from None


def pack(folder: Path) -> bytes:
    """Return the folder's files as a zip; nothing in it leads out of the folder."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in bot_files(folder):
            archive.writestr(str(file.relative_to(folder)), file.read_bytes())
    if not archive.namelist():
        raise click.ClickException(f"{folder} holds no files to upload")
    return buffer.getvalue()


def bot_files(folder: Path) -> list[Path]:
    """Return the files of a bot, sorted. A symlink is refused: the server would refuse it, too."""
    files = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in LEFT_OUT and not name.startswith(".")]
        for name in (*names, *folders):
            path = Path(place, name)
            if path.is_symlink():
                raise click.ClickException(f"{path} is a symlink: put the file itself there")
            if path.is_file() and not name.startswith("."):
                files.append(path)
    return sorted(files)


def bot_name(path: Path) -> str:
    """Return a name for a bot made from its file's or folder's name, such as `my-bot` for `My_Bot.py`."""
    stem = path.resolve().stem.lower()
    return re.sub(r"[^a-z0-9]+", "-", stem).strip("-")[:LONGEST_NAME].rstrip("-")
