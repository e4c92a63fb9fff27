"""The named attacks, run as harmless proofs in the layer that was chosen: a worker that fails one takes no jobs.

Takes about a second. Everything started here is ended here, whatever happens.
"""

import os
import platform
import select
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from workers.programs import MIB, BotProcess, CommandResult, Limits, Program, Sandbox, SandboxError
from workers.sandbox.attacks import ATTEMPTS, FOREIGN_CALLS, PROBES
from workers.sandbox.staging import digest_of_files, stage, staging_folder

TIMEOUT_S = 10.0
HOG_LIMITS = Limits(memory_bytes=128 * MIB, threads=16)
MOST_MIB = 192
MOST_THREADS = 64
STOPPING_S = 0.02
"""How long a stop may take to have its effect: on a busy host the bot's processor hears of it late."""
STOPPED_S = 0.05
STOPPED_US = 2_000
"""Processor time a stopped bot may show after that."""
GONE_WITHIN_S = 1.0
"""How long a bot may outlive its worker: generous, because a busy host is not an unsafe one."""
LOOK_AGAIN_S = 0.002

BARE_REMEDY = "layer S0 isolates nothing: set MALICE_SANDBOX=auto"
REMEDY = "let nobody upload programs here; docs/sandbox.md says what each guard needs of the host"


class Guard(msgspec.Struct, frozen=True):
    """One attack, and whether the sandbox held."""

    name: str
    held: bool
    detail: str
    """What was tried and what came of it."""
    remedy: str
    """What to do; empty when it held."""


def run_selftest(sandbox: Sandbox, slot: int = 0) -> list[Guard]:
    """Attack the sandbox in every named way. Raises SandboxError when it does not start.

    Call it while nothing else runs in that slot.
    """
    return list(Selftest(sandbox, slot).guards())


class Selftest:
    """The attacks on one sandbox."""

    def __init__(self, sandbox: Sandbox, slot: int) -> None:
        self._sandbox = sandbox
        self._slot = slot
        self._probes = stage_probes(staging_folder())
        self._remedy = BARE_REMEDY if sandbox.layer == "S0" else REMEDY

    def guards(self) -> Iterator[Guard]:
        """Attack, and yield what came of each attack."""
        yield from self._attempts()
        for convention in FOREIGN_CALLS.get(platform.machine(), ()):
            yield self._foreign_call(convention)
        yield self._hog("thread_bomb", "threads", MOST_THREADS, "stopped after ")
        yield self._hog("mem_bomb", "memory", MOST_MIB, "MemoryError ")
        yield from self._stubborn()
        yield self._orphan()

    def _attempts(self) -> Iterator[Guard]:
        with _decoy() as decoy:
            # The probes' folder stands for another bot's: same owner, same rights, not bound into this sandbox.
            facts = {"decoy_pid": decoy, "other_bot": str(self._probes / "stubborn.py")}
            result = self._run("attempts.py", msgspec.json.encode(facts).decode())
        outcomes = dict(line.split("\t", 1) for line in result.output.decode().splitlines() if "\t" in line)
        for attack in ATTEMPTS:
            outcome = outcomes.get(attack.name, f"no answer, {result.exit.words()}")
            yield self._guard(attack.name, outcome == attack.expected, f"{attack.words}: {outcome}")

    def _foreign_call(self, convention: str) -> Guard:
        result = self._run("foreign.py", convention)
        held = result.exit.signal == signal.SIGSYS
        return self._guard(convention, held, f"make a foreign system call: {_outcome(result)}")

    def _hog(self, name: str, what: str, most: int, held: str) -> Guard:
        result = self._run("hogs.py", what, str(most), limits=HOG_LIMITS)
        outcome = _outcome(result)
        return self._guard(name, outcome.startswith(held), f"take more {what} than its share: {outcome}")

    def _stubborn(self) -> Iterator[Guard]:
        process = self._start("stubborn.py")
        try:
            process.stop()
            time.sleep(STOPPING_S)
            before = process.cpu_us()
            time.sleep(STOPPED_S)
            used = process.cpu_us() - before
        finally:
            process.end()
        yield self._guard("spin_between_moves", used <= STOPPED_US, f"run while stopped: {used} us used")
        gone = not _is_there(process.pid)
        yield self._guard("ignore_all_signals", gone, f"outlive its end: {'gone' if gone else 'still there'}")

    def _orphan(self) -> Guard:
        """Let the thread that started a bot end: to the kernel that is a worker killed without warning."""
        started: list[BotProcess] = []
        thread = threading.Thread(target=lambda: started.append(self._start("stubborn.py")))
        thread.start()
        thread.join()
        if not started:
            raise SandboxError("the bot of a short-lived worker did not start")
        deadline = time.monotonic() + GONE_WITHIN_S
        while _is_there(started[0].pid) and time.monotonic() < deadline:
            time.sleep(LOOK_AGAIN_S)
        gone = not _is_there(started[0].pid)
        started[0].end()
        return self._guard("worker_sigkill", gone, f"outlive its worker: {'gone' if gone else 'still there'}")

    def _start(self, entry: str) -> BotProcess:
        """Start a probe and wait for its first word."""
        process = self._sandbox.start(Program("python", self._probes, entry), Limits(), self._slot)
        poller = select.poll()
        poller.register(process.stdout, select.POLLIN)
        if poller.poll(TIMEOUT_S * 1_000) and os.read(process.stdout, 64):
            return process
        raise SandboxError(f"the probe {entry} did not start: {process.end().words()}")

    def _run(self, *arguments: str, limits: Limits = Limits()) -> CommandResult:  # noqa: B008 - frozen
        program = Program("python", self._probes, arguments[0])
        return self._sandbox.run(program, arguments, limits, self._slot, TIMEOUT_S)

    def _guard(self, name: str, held: bool, detail: str) -> Guard:
        return Guard(name, held, detail, "" if held else self._remedy)


def stage_probes(folder: Path) -> Path:
    """Stage the probes as a bundle is staged; return their folder."""
    source = Path(__file__).parent / "probes"
    files = [source / name for name in PROBES]

    def fill(fresh: Path) -> None:
        for file in files:
            shutil.copyfile(file, fresh / file.name)
            (fresh / file.name).chmod(0o644)

    return stage(folder, f"probes-{digest_of_files(files)[:16]}", fill)


@contextmanager
def _decoy() -> Iterator[int]:
    """A process outside that nobody minds being hit; yields its id."""
    decoy = subprocess.Popen(["/bin/sleep", "60"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        yield decoy.pid
    finally:
        decoy.kill()
        decoy.wait()


def _is_there(pid: int) -> bool:
    with suppress(PermissionError):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
    return True


def _outcome(result: CommandResult) -> str:
    said = result.output.decode(errors="replace").strip()
    return said.splitlines()[-1] if said else result.exit.words()
