"""The loop that keeps a set of children running."""

import math
import time
from collections.abc import Callable, Collection, Sequence

from service.cli.supervisor.child import Child, ChildSpec, ending
from service.cli.supervisor.logs import last_line, rotate
from service.cli.supervisor.signals import Signals

LOOK_EVERY_S = 1.0
ROTATE_EVERY_S = 10.0
HOPELESS_STARTS = 3
"""After so many starts in a row without a sign of life the child's last resort is tried."""

Report = Callable[[str], None]


class Supervisor:
    """Starts, watches, restarts and stops children. `report` gets one line for everything worth knowing."""

    def __init__(
        self,
        specs: Sequence[ChildSpec],
        *,
        signals: Signals,
        report: Report,
        log_limit: int,
        held: Collection[str] = (),
    ) -> None:
        """`held` names children that are not started before `release`."""
        self.children = {spec.name: Child(spec) for spec in specs}
        self._held = held
        for name in held:
            self.children[name].start_at = math.inf
        self._signals = signals
        self._report = report
        self._log_limit = log_limit
        self._next_look = 0.0
        self._next_rotation = 0.0

    def run(self, tick: Callable[[], None]) -> None:
        """Keep everything running until a stop signal; `tick` is called after every round."""
        while not self._signals.stops:
            self.step(time.monotonic())
            tick()
            self._signals.wait(min(LOOK_EVERY_S, self._until_next_start()))

    def step(self, now: float) -> None:
        """One round: bury the dead, start what is due, look for signs of life, kill the frozen."""
        looking = now >= self._next_look
        for child in self.children.values():
            self._bury(child, now)
            if child.process is None and now >= child.start_at:
                self._start(child, now)
            elif looking and child.process is not None:
                self._look(child, now)
        if looking:
            self._next_look = now + LOOK_EVERY_S
        if now >= self._next_rotation:
            self._next_rotation = now + ROTATE_EVERY_S
            for child in self.children.values():
                if child.spec.log:
                    rotate(child.spec.log, self._log_limit)

    def release(self) -> None:
        """Let the held children start."""
        for name in self._held:
            self.children[name].start_at = 0.0

    def stop(self) -> None:
        """Stop the stages in order, each child within its time; a second stop signal kills what is left at once."""
        for stage in sorted({child.spec.stage for child in self.children.values()}):
            members = [child for child in self.children.values() if child.spec.stage == stage]
            for child in members:
                child.ask_to_stop()
            self._wait_for(members, time.monotonic())

    def kill(self) -> None:
        """Kill everything: for the way out after an error of our own."""
        for child in self.children.values():
            child.kill()

    def _wait_for(self, members: Sequence[Child], asked: float) -> None:
        while any(child.process for child in members):
            now = time.monotonic()
            for child in members:
                child.reap(now)
                late = now - asked > child.spec.stop_within_s
                if child.process and (late or self._signals.stops > 1):
                    self._report(f"{child.spec.name} did not stop in time; killed")
                    child.kill()
            self._signals.wait(0.1)

    def _bury(self, child: Child, now: float) -> None:
        status = child.reap(now)
        if status is not None:
            log = child.spec.log
            said = f": {last_line(log)}" if log and status > 0 else ""
            self._report(
                f"{child.spec.name} ended ({ending(status)}{said}); starting it again in {child.backoff_s:g} s"
                + (f"; see {log}" if log else "")
            )

    def _start(self, child: Child, now: float) -> None:
        if child.failed_starts >= HOPELESS_STARTS and child.spec.last_resort:
            child.failed_starts = 0
            self._report(f"{child.spec.name} does not start: {child.spec.last_resort()}")
        try:
            child.start(now)
        except OSError as error:
            child.back_off(now)
            self._report(f"cannot start {child.spec.name} ({error}); trying again in {child.backoff_s:g} s")

    def _look(self, child: Child, now: float) -> None:
        child.look(now)
        needed = self.children.get(child.spec.needs or "")
        if needed and not needed.healthy:
            child.excuse(now)
        if child.frozen(now):
            self._report(f"{child.spec.name} gives no sign of life; killing it")
            child.kill()

    def _until_next_start(self) -> float:
        due = [child.start_at for child in self.children.values() if child.process is None]
        return max(0.0, min(due) - time.monotonic()) if due else LOOK_EVERY_S
