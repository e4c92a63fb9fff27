"""Layer S3: bubblewrap, a system call filter, limits, a clean environment, and a user id that is nobody's.

Every line of the argument list has an attack behind it; docs/sandbox.md and the self-test name them.
"""

import contextlib
import os
import subprocess
import weakref
from collections.abc import Sequence
from pathlib import Path

import msgspec

from workers.programs import BotProcess, CommandResult, Layer, Limits, Program, SandboxError
from workers.sandbox.arrival import Gone, await_bot
from workers.sandbox.command import run_to_end
from workers.sandbox.handles import Pipes
from workers.sandbox.keeper import Keeper, kill_marked
from workers.sandbox.limits import limit_options
from workers.sandbox.proc import says_scheduler_waits
from workers.sandbox.process import EndedProcess, SandboxedProcess
from workers.sandbox.runtimes import BOT_FOLDER, DEVICES, PRLIMIT, PYTHON, SHELL, Runtime
from workers.sandbox.staging import hold

HOST_SHELL = "/bin/sh"
START_TIMEOUT_S = 10.0
INSIDE_ID = "65534"

# Bubblewrap's own processes keep their standard streams as long as they live. So that a bot which closes its stdout
# or dies is noticed at once, they get none of them but stderr: the bot's streams travel past them as 3 and 4.
PUT_ASIDE = 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null'
PUT_BACK = 'exec "$@" <&3 >&4 3<&- 4>&-'

HOST_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
"""Bubblewrap's own, and its init's: nothing of the worker's may be in the memory of anything inside."""

BOT_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "HOME": BOT_FOLDER,
    # Else the C library reserves 64 MiB of address space for each thread, and seven of them use up the memory limit.
    "MALLOC_ARENA_MAX": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONPATH": BOT_FOLDER,
}


class Bubblewrap(msgspec.Struct, frozen=True):
    """How bubblewrap is started on this host."""

    program: Path
    filter: bytes
    users: range | None
    """As root: the user ids slots take theirs from. None: we are an ordinary user, and stay it."""


class BubblewrapSandbox:
    """`workers.programs.Sandbox` in layer S3."""

    layer: Layer = "S3"

    def __init__(self, bubblewrap: Bubblewrap, runtimes: Sequence[Runtime], staging: Path) -> None:
        """`staging` is the folder the runtimes lie in: it is kept from being tidied away as long as we live."""
        weakref.finalize(self, os.close, hold(staging))
        self._bubblewrap = bubblewrap
        self._runtimes = {runtime.name: runtime for runtime in runtimes}
        self._says_waits = says_scheduler_waits()
        self._keeper = Keeper()

    @property
    def runtimes(self) -> dict[str, str]:
        """Runtimes by name, with their versions."""
        return {runtime.name: runtime.version for runtime in self._runtimes.values()}

    def start(self, program: Program, limits: Limits, slot: int) -> BotProcess:
        """Start a program in a fresh sandbox. Raises SandboxError with what bubblewrap said."""
        return self._start(program, [f"{BOT_FOLDER}/{program.entry}"], limits, slot)

    def run(
        self, program: Program, arguments: Sequence[str], limits: Limits, slot: int, timeout_s: float
    ) -> CommandResult:
        """Run the program's runtime with arguments to its end; raises SandboxError."""
        return run_to_end(self._start(program, arguments, limits, slot), timeout_s)

    def _start(self, program: Program, arguments: Sequence[str], limits: Limits, slot: int) -> BotProcess:
        runtime = self._runtimes.get(program.runtime)
        if runtime is None:
            raise SandboxError(f"no runtime {program.runtime!r} here; there is {', '.join(self._runtimes)}")
        command = [PRLIMIT, *limit_options(limits), "--", PYTHON, "-s", "-S", "-B", *arguments]
        pipes = Pipes()
        try:
            return self._launch(runtime, program.folder, command, slot, pipes)
        except BaseException:
            pipes.close()
            raise

    def _launch(
        self, runtime: Runtime, folder: Path, command: Sequence[str], slot: int, pipes: Pipes
    ) -> BotProcess:
        status_read, status_write = os.pipe()
        filter_read = os.memfd_create("filter")
        try:
            os.write(filter_read, self._bubblewrap.filter)
            os.lseek(filter_read, 0, os.SEEK_SET)
            options = bubblewrap_options(runtime.root, folder, filter_read, status_write)
            # The mark is a name nobody reads: it stands in bubblewrap's command line, and not in the bot's.
            mark = self._keeper.new_mark()
            arguments = [str(self._bubblewrap.program), *options, "--", SHELL, "-c", PUT_BACK, mark, *command]
            monitor = self._spawn(arguments, slot, pipes, (filter_read, status_write))
        except BaseException:
            os.close(status_read)
            raise
        finally:
            os.close(status_write)
            os.close(filter_read)
        pipes.hand_over()
        # Bubblewrap reports the end there, too: were nobody to read it, that would be bubblewrap's own end, by SIGPIPE.
        pipes.keep(status_read)
        try:
            return self._meet(monitor, status_read, pipes)
        except BaseException:
            kill_marked(mark)
            monitor.wait()
            raise

    def _spawn(
        self, arguments: Sequence[str], slot: int, pipes: Pipes, passed: Sequence[int]
    ) -> subprocess.Popen[bytes]:
        """Start bubblewrap. As root under the slot's user id: a bot of real root's would be root on the host."""
        stdin, stdout, stderr = pipes.bot_ends
        users = self._bubblewrap.users
        if users is not None and slot >= len(users):
            raise SandboxError(f"slot {slot} has no user id; there are {len(users)}")
        user = None if users is None else users[slot]
        try:
            return subprocess.Popen(
                [HOST_SHELL, "-c", PUT_ASIDE, "sh", *arguments],
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                env=HOST_ENVIRONMENT,
                close_fds=True,
                pass_fds=passed,
                start_new_session=True,
                cwd="/",
                user=user,
                group=user,
                extra_groups=None if user is None else (),
            )
        except OSError as error:
            raise SandboxError(f"bubblewrap does not start: {error}") from None

    def _meet(self, monitor: subprocess.Popen[bytes], status_read: int, pipes: Pipes) -> BotProcess:
        try:
            met = await_bot(monitor, status_read, START_TIMEOUT_S)
        except SandboxError as error:
            raise SandboxError(f"{error}: {_said(pipes.stderr)}") from None
        if isinstance(met, Gone):
            return EndedProcess(monitor, met.code, pipes)
        return SandboxedProcess(monitor, met, pipes, self._says_waits, self._keeper)


def bubblewrap_options(root: Path, folder: Path, filter_read: int, status_write: int) -> list[str]:
    """Return bubblewrap's options for a runtime tree and a bot's folder.

    `filter_read` and `status_write` are descriptors to pass on: the filter to read, the status to write.
    """
    options = [
        *("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
        *("--unshare-cgroup-try", "--disable-userns", "--new-session", "--die-with-parent"),
        *("--cap-drop", "ALL", "--uid", INSIDE_ID, "--gid", INSIDE_ID, "--hostname", "bot", "--clearenv"),
    ]
    for name, value in BOT_ENVIRONMENT.items():
        options += ["--setenv", name, value]
    options += ["--ro-bind", str(root), "/"]
    for device in DEVICES:
        options += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    # The bot's folder comes last and nothing is mounted below it, so that nothing in it can lead a mount astray.
    options += ["--ro-bind", str(folder), BOT_FOLDER, "--remount-ro", "/", "--chdir", BOT_FOLDER]
    return [*options, "--json-status-fd", str(status_write), "--seccomp", str(filter_read)]


def _said(stderr: int) -> str:
    """Return what bubblewrap complained about, without its name."""
    with contextlib.suppress(BlockingIOError):
        if said := os.read(stderr, 4_096):
            return said.decode(errors="replace").strip().removeprefix("bwrap: ")
    return "it says nothing"
