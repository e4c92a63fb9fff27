"""Programs written on the spot, where a sandbox can read them."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workers.programs import Program
from workers.sandbox.staging import FILE_MODE, FOLDER_MODE, staging_folder

MakeProgram = Callable[..., Program]


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A temporary folder everybody may enter, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(dir=staging_folder(), prefix="test-"))
    folder.chmod(FOLDER_MODE)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def make_program(open_folder: Path) -> MakeProgram:
    """Return a maker of Python programs: `make_program(main_source, helper=helper_source, …)`."""

    def make(main: str, **modules: str) -> Program:
        folder = Path(tempfile.mkdtemp(dir=open_folder))
        folder.chmod(FOLDER_MODE)
        for name, source in {"main": main, **modules}.items():
            (folder / f"{name}.py").write_text(source)
            (folder / f"{name}.py").chmod(FILE_MODE)
        return Program("python", folder, "main.py")

    return make
