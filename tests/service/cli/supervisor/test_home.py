"""The home folder: one `malice up` at a time, and clear words when it cannot be used."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from service.cli.supervisor.home import (
    LONGEST_SOCKET_PATH,
    HomeBusyError,
    HomeError,
    HomeLock,
    open_home,
    read_holder,
    socket_path,
)


def test_a_new_home_is_for_its_owner_only(tmp_path: Path) -> None:
    home = open_home(tmp_path / "deep" / "home")
    for folder in (home.root, home.logs, home.run, home.broker):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("where", ["/proc/nothing", "/dev/null"])
def test_a_home_that_cannot_be_made_is_named_with_what_to_do(where: str) -> None:
    with pytest.raises(HomeError, match=f"cannot use {where}.*--home"):
        open_home(Path(where))


def test_a_full_disk_is_called_one() -> None:
    full = "import pathlib, sys; from service.cli.supervisor.home import open_home; open_home(pathlib.Path(sys.argv[1]))"
    script = (
        'mount -t tmpfs -o size=64k tmpfs "$1" && mkdir "$1/home" && head -c 1M /dev/zero > "$1/fill"; '
        '"$0" -c "$2" "$1/home"'
    )
    if os.geteuid() != 0:
        pytest.skip("only root may mount the small disk this fills")
    with_disk = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, sys.executable, "/mnt", full],
        capture_output=True,
        text=True,
    )
    assert "the disk of /mnt/home is full" in with_disk.stderr


def test_a_second_start_is_told_who_runs_and_where(tmp_path: Path) -> None:
    home = open_home(tmp_path)
    first = HomeLock(home)
    first.announce("http://127.0.0.1:8000")
    with pytest.raises(HomeBusyError) as refusal:
        HomeLock(home)
    assert f"process {os.getpid()} at http://127.0.0.1:8000" in str(refusal.value)
    assert f"kill {os.getpid()}" in str(refusal.value)
    first.release()
    assert read_holder(home) is None
    HomeLock(home).release()


def test_a_home_is_free_again_when_its_holder_was_killed(tmp_path: Path) -> None:
    script = (
        "import sys, time, pathlib; from service.cli.supervisor.home import HomeLock, open_home;"
        "lock = HomeLock(open_home(pathlib.Path(sys.argv[1]))); lock.announce('x'); print(1, flush=True); time.sleep(99)"
    )
    holder = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    holder.stdout.readline()
    home = open_home(tmp_path)
    with pytest.raises(HomeBusyError, match=f"process {holder.pid} at x"):
        HomeLock(home)
    holder.kill()
    holder.wait()
    assert read_holder(home) is None
    HomeLock(home).release()


def test_the_brokers_socket_lies_in_the_home(tmp_path: Path) -> None:
    home = open_home(tmp_path)
    assert socket_path(home).parent == home.run


def test_a_deep_home_gets_a_short_private_folder_for_the_socket(tmp_path: Path) -> None:
    home = open_home(tmp_path / ("deep" * 25))
    path = socket_path(home)
    try:
        assert len(os.fsencode(path)) <= LONGEST_SOCKET_PATH
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert socket_path(home) == path
        path.parent.chmod(0o777)
        with pytest.raises(HomeError, match="not a private folder of yours"):
            socket_path(home)
    finally:
        path.parent.rmdir()
