"""What becomes of sandboxes whose worker is killed while they start.

`--die-with-parent` holds from the moment bubblewrap's init has asked the kernel for it, which it does late. A worker
killed before that leaves a sandbox behind: tried, it happened in every second kill during starts. So every sandbox's
command line carries a mark, which nothing inside can see, and each process that starts sandboxes has a keeper: a
shell that waits until the process is gone, however it went, and kills what carries its mark.
"""

import itertools
import os
import secrets
import signal
import subprocess
import time
import weakref
from pathlib import Path

SHELL = "/bin/sh"
ENVIRONMENT = {"PATH": "/usr/bin:/bin"}

QUIET_ROUNDS = 3
"""So many looks in a row must find nothing: what is being started shows its mark a moment later."""
LOOK_AGAIN_S = 0.05

# Goes into the background, so that it is nobody's child to wait for. The first line it reads is the mark; its stdin
# ends with the process it keeps for. The mark is nobody's argument, or grep would find itself.
SCRIPT = f"""
trap '' INT TERM HUP
exec 3<&0
{{
  read -r mark && cat >/dev/null
  quiet=0
  while [ $quiet -lt {QUIET_ROUNDS} ]; do
    quiet=$((quiet + 1))
    for file in $(printf %s "$mark" | grep -laFsf - /proc/[0-9]*/cmdline); do
      file=${{file#/proc/}}
      kill -9 "${{file%/cmdline}}" && quiet=0
    done
    sleep {LOOK_AGAIN_S}
  done
}} <&3 3<&- >/dev/null 2>&1 &
"""


class Keeper:
    """Kills the sandboxes of this process once it is gone, or once this object is."""

    def __init__(self) -> None:
        self._mark = f"malice-{secrets.token_hex(8)}"
        self._numbers = itertools.count()
        stdin, self._stdin = os.pipe()
        try:
            subprocess.run(
                [SHELL, "-c", SCRIPT],
                stdin=stdin,
                env=ENVIRONMENT,
                cwd="/",
                start_new_session=True,
                check=True,
            )
            os.write(self._stdin, f"{self._mark}\n".encode())
        finally:
            os.close(stdin)
        weakref.finalize(self, os.close, self._stdin)

    def new_mark(self) -> str:
        """Return a mark for one sandbox."""
        return f"{self._mark}-{next(self._numbers)}."


def kill_marked(mark: str) -> None:
    """Kill every process with a mark in its command line, and those about to show it."""
    quiet = 0
    while quiet < QUIET_ROUNDS:
        quiet += 1
        for pid in marked(mark):
            quiet = 0
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        time.sleep(LOOK_AGAIN_S)


def marked(mark: str) -> list[int]:
    """Return the ids of the processes with a mark in their command line."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in file.read_bytes():
                found.append(int(file.parent.name))
        except OSError:
            continue
    return found
