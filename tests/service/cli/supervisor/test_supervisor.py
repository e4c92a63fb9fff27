"""The supervisor keeps real processes running; only the clock it is told is made up."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from service.cli.supervisor.child import LONGEST_BACKOFF_S, ChildSpec
from service.cli.supervisor.signals import Signals
from service.cli.supervisor.supervisor import HOPELESS_STARTS, Supervisor
from tests.servers import wait_until

FOREVER = "trap 'exit 0' TERM; while :; do sleep 0.05; done"
STUBBORN = "trap '' TERM; echo up; while :; do sleep 0.05; done"


class Stage:
    """A supervisor on a made-up clock, and what it reported."""

    def __init__(self, folder: Path, signals: Signals) -> None:
        self.folder = folder
        self.signals = signals
        self.now = 1_000.0
        self.events: list[str] = []

    def spec(self, name: str, script: str = FOREVER, **changes: object) -> ChildSpec:
        spec = ChildSpec(
            name=name,
            argv=["/bin/sh", "-c", script],
            environ={"PATH": os.defpath},
            log=self.folder / f"{name}.log",
            check=lambda: True,
            stage=0,
        )
        return replace(spec, **changes)  # type: ignore[arg-type]

    def supervise(self, *specs: ChildSpec) -> Supervisor:
        self.supervisor = Supervisor(
            specs, signals=self.signals, report=self.events.append, log_limit=1 << 20
        )
        self.turn()
        return self.supervisor

    def turn(self, seconds: float = 1.0) -> None:
        self.now += seconds
        self.supervisor.step(self.now)

    def turn_until_restarted(self, name: str, old: int) -> int:
        def restarted() -> bool:
            self.turn()
            process = self.supervisor.children[name].process
            return process is not None and process.pid != old

        wait_until(restarted, 10, f"{name} runs again")
        return self.pid(name)

    def wait_for_output(self, name: str) -> None:
        log = self.folder / f"{name}.log"
        wait_until(lambda: log.exists() and log.stat().st_size > 0, 10, f"{name} prints something")

    def pid(self, name: str) -> int:
        process = self.supervisor.children[name].process
        assert process is not None
        return process.pid


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with Signals() as signals:
        stage = Stage(tmp_path, signals)
        yield stage
        stage.supervisor.kill()
        for child in stage.supervisor.children.values():
            if child.process:
                child.process.wait()


def exists(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_child_that_is_killed_is_started_again_and_reported(stage: Stage) -> None:
    stage.supervise(stage.spec("a"))
    first = stage.pid("a")
    os.kill(first, signal.SIGKILL)
    stage.turn_until_restarted("a", first)
    assert any("a ended (killed by SIGKILL); starting it again in 0.5 s" in event for event in stage.events)


def test_a_child_that_ends_by_itself_is_started_again(stage: Stage) -> None:
    stage.supervise(stage.spec("a", "echo 'Error: no such setting' >&2; exit 3"))
    stage.turn_until_restarted("a", stage.pid("a"))
    assert any("a ended (exit status 3: no such setting)" in event for event in stage.events)


def test_what_a_dead_child_left_behind_is_ended_before_it_is_started_again(stage: Stage) -> None:
    note = stage.folder / "grandchild"
    stage.supervise(stage.spec("a", f"sleep 1000 & echo $! > {note}; wait"))
    wait_until(lambda: note.exists() and note.read_text().endswith("\n"), 10, "the grandchild runs")
    grandchild, first = int(note.read_text()), stage.pid("a")
    os.kill(first, signal.SIGKILL)
    stage.turn_until_restarted("a", first)
    wait_until(lambda: not exists(grandchild), 10, "the grandchild is gone")


def test_a_child_without_a_sign_of_life_is_killed_and_started_again(stage: Stage) -> None:
    sign = stage.folder / "sign"
    sign.touch()
    stage.supervise(stage.spec("a", check=sign.exists, frozen_after_s=20))
    stage.turn()
    first = stage.pid("a")
    os.kill(first, signal.SIGSTOP)
    sign.unlink()
    stage.turn(19)
    assert stage.pid("a") == first
    stage.turn(2)
    stage.turn_until_restarted("a", first)
    assert "a gives no sign of life; killing it" in stage.events


def test_a_child_has_time_until_its_first_sign_of_life(stage: Stage) -> None:
    stage.supervise(stage.spec("a", check=lambda: False, start_within_s=60, frozen_after_s=5))
    first = stage.pid("a")
    stage.turn(59)
    assert stage.pid("a") == first
    stage.turn(2)
    stage.turn_until_restarted("a", first)


def test_a_first_sign_of_life_ends_the_time_a_child_has_to_start(stage: Stage) -> None:
    sign = stage.folder / "sign"
    sign.touch()
    stage.supervise(stage.spec("a", check=sign.exists, start_within_s=1e6, frozen_after_s=5))
    first = stage.pid("a")
    stage.turn()
    sign.unlink()
    stage.turn(6)
    stage.turn_until_restarted("a", first)


def test_the_sign_of_a_dead_predecessor_is_not_taken_for_a_childs_own(stage: Stage) -> None:
    sign = stage.folder / "sign"
    stage.supervise(stage.spec("a", sign=sign, check=sign.exists, start_within_s=60, frozen_after_s=5))
    sign.touch()
    stage.turn()
    first = stage.pid("a")
    os.kill(first, signal.SIGKILL)
    second = stage.turn_until_restarted("a", first)
    stage.turn(50)
    assert stage.pid("a") == second


def test_silence_is_excused_while_what_a_child_needs_is_away(stage: Stage) -> None:
    sign = stage.folder / "sign"
    stage.supervise(
        stage.spec("broker", check=sign.exists, start_within_s=1e6),
        stage.spec("worker", check=lambda: False, start_within_s=10, frozen_after_s=10, needs="broker"),
    )
    first = stage.pid("worker")
    for _ in range(10):
        stage.turn(9)
    assert stage.pid("worker") == first
    sign.touch()
    stage.turn(9)
    stage.turn(2)
    stage.turn_until_restarted("worker", first)


def test_short_lives_are_followed_by_ever_longer_waits_and_a_long_one_by_a_short_wait(stage: Stage) -> None:
    stage.supervise(stage.spec("a", "exit 1"))
    child = stage.supervisor.children["a"]
    waits = []
    for _ in range(9):
        process = child.process
        assert process is not None
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        stage.turn(0.01)
        waits.append(child.backoff_s)
        stage.turn(child.backoff_s)
    assert waits == [0.5, 1, 2, 4, 8, 16, 30, 30, LONGEST_BACKOFF_S]
    os.waitid(os.P_PID, stage.pid("a"), os.WEXITED | os.WNOWAIT)
    stage.turn(61)
    assert child.backoff_s == 0.5


def test_a_child_that_never_comes_to_life_gets_its_last_resort(stage: Stage) -> None:
    done: list[str] = []

    def mend() -> str:
        done.append("mended")
        return "its data were moved"

    stage.supervise(stage.spec("a", "exit 1", check=lambda: False, last_resort=mend))
    for _ in range(HOPELESS_STARTS):
        assert done == []
        os.waitid(os.P_PID, stage.pid("a"), os.WEXITED | os.WNOWAIT)
        stage.turn(0.01)
        stage.turn(stage.supervisor.children["a"].backoff_s)
    assert done == ["mended"]
    assert "a does not start: its data were moved" in stage.events


def test_a_child_that_cannot_be_started_is_reported_and_tried_again(stage: Stage) -> None:
    stage.supervise(stage.spec("a", argv=["/nowhere/at/all"]))
    assert any("cannot start a" in event for event in stage.events)
    stage.turn()
    assert len(stage.events) == 2


def test_a_held_child_waits_for_its_release(stage: Stage) -> None:
    stage.supervisor = supervisor = Supervisor(
        [stage.spec("a"), stage.spec("b")],
        signals=stage.signals,
        report=stage.events.append,
        log_limit=1 << 20,
        held=["b"],
    )
    stage.turn()
    stage.turn(1_000)
    assert supervisor.children["a"].process is not None
    assert supervisor.children["b"].process is None
    supervisor.release()
    stage.turn()
    assert stage.pid("b")


def test_stages_are_stopped_in_order(stage: Stage) -> None:
    diary = stage.folder / "diary"
    script = "trap 'sleep 0.1; echo {0} >> {1}; exit 0' TERM; echo up; while :; do sleep 0.02; done"
    names = ["web", "worker", "broker"]
    specs = [stage.spec(name, script.format(name, diary), stage=number) for number, name in enumerate(names)]
    supervisor = stage.supervise(*reversed(specs))
    for name in names:
        stage.wait_for_output(name)
    supervisor.stop()
    assert diary.read_text().split() == names
    assert all(child.process is None for child in supervisor.children.values())


def test_a_stopped_process_hears_the_request_to_stop(stage: Stage) -> None:
    supervisor = stage.supervise(stage.spec("a", "trap 'exit 0' TERM; echo up; while :; do sleep 0.02; done"))
    stage.wait_for_output("a")
    os.kill(stage.pid("a"), signal.SIGSTOP)
    supervisor.stop()
    assert stage.events == []


def test_a_child_that_does_not_stop_in_time_is_killed(stage: Stage) -> None:
    supervisor = stage.supervise(stage.spec("a", STUBBORN, stop_within_s=0.3))
    stage.wait_for_output("a")
    supervisor.stop()
    assert "a did not stop in time; killed" in stage.events


def test_asking_twice_kills_at_once(stage: Stage) -> None:
    supervisor = stage.supervise(stage.spec("a", STUBBORN, stop_within_s=1e6))
    stage.wait_for_output("a")
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGTERM)
    supervisor.stop()
    assert stage.signals.stops == 2
    assert supervisor.children["a"].process is None


def test_a_stop_signal_ends_the_loop_and_leaves_the_children_to_stop(stage: Stage) -> None:
    supervisor = stage.supervise(stage.spec("a"))
    os.kill(os.getpid(), signal.SIGTERM)
    supervisor.run(lambda: None)
    assert exists(stage.pid("a"))


def test_ctrl_c_at_the_terminal_does_not_reach_the_children(stage: Stage) -> None:
    stage.supervise(stage.spec("a"))
    assert os.getpgid(stage.pid("a")) == stage.pid("a") != os.getpgrp()


KILLED_SUPERVISOR = """
import sys, time
from pathlib import Path
from service.cli.supervisor.child import Child, ChildSpec
spec = ChildSpec(name="a", argv=["/bin/sleep", "1000"], environ={}, log=None, check=lambda: True, stage=0)
child = Child(spec)
child.start(time.monotonic())
print(child.process.pid, flush=True)
time.sleep(1000)
"""


def test_a_killed_supervisor_leaves_no_orphans() -> None:
    supervisor = subprocess.Popen(
        [sys.executable, "-c", KILLED_SUPERVISOR], stdout=subprocess.PIPE, text=True
    )
    assert supervisor.stdout is not None
    child = int(supervisor.stdout.readline())
    assert exists(child)
    supervisor.kill()
    supervisor.wait()
    wait_until(lambda: not exists(child), 10, "the child is gone")


def test_what_children_print_is_kept_in_bounds(stage: Stage) -> None:
    log = stage.folder / "a.log"
    script = (
        "trap 'exit 0' TERM; i=0; while :; do i=$((i+1)); echo line $i; [ $i -lt 99999 ] || sleep 0.1; done"
    )
    stage.supervisor = Supervisor(
        [stage.spec("a", script)], signals=stage.signals, report=stage.events.append, log_limit=10_000
    )
    stage.turn()
    wait_until(lambda: log.stat().st_size > 20_000, 10, "it has printed a lot")
    stage.turn(11)
    older = stage.folder / "a.log.1"
    assert 0 < older.stat().st_size <= 10_000
    assert "line" in older.read_text()
    wait_until(lambda: log.stat().st_size > 0 and b"\0" not in log.read_bytes(), 10, "it goes on printing")
