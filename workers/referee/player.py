"""One bot in its seat for one leg: asked, stopped, resumed, told, and ended."""

import time
from collections.abc import Sequence
from contextlib import suppress

from engine.errors import IllegalMoveError
from engine.game import Deal
from service.messages import Clock
from workers.programs import BotProcess, Limits, Program
from workers.referee.channel import Channel
from workers.referee.clock import Bank, Heart, Meter, SchedulerWait
from workers.referee.faults import BotFault, HungUpError, classify_end, host_oom_kills
from workers.referee.protocol import Act, DealOver, Hello, Over, encode, parse_answer, parse_ready

END_PATIENCE_S = 0.25
"""How long a bot that closed a pipe may take to end, before it counts as one that only hung up."""

LISTED = 12
"""How many legal moves an `illegal` fault quotes."""


class Player:
    """A running bot. Every method that talks to it raises BotFault or InfraError when that fails."""

    def __init__(
        self,
        process: BotProcess,
        program: Program,
        limits: Limits,
        clock: Clock,
        own_wait: SchedulerWait,
        heart: Heart,
    ) -> None:
        self.bank = Bank(clock)
        self._start_ms = clock.start_ms
        self._process = process
        self._runtime = program.runtime
        self._limits = limits
        self._channel = Channel(process)
        self._meter = Meter(process, own_wait, heart)
        self._oom_kills = host_oom_kills()
        self._news = b""
        self._number = -1
        self._stopped = False
        self._ended = False

    def greet(self, hello: Hello) -> None:
        """Say hello and wait for `ready`; the bot is stopped then."""
        parse_ready(self._exchange(encode(hello), self._start_ms)[0])
        self.pause()

    def ask(self, deal: Deal, seat: int, number: int, scores: Sequence[int]) -> tuple[str, int]:
        """Ask for a move in deal `number`; return it as listed by `deal.legal()`, and its charge in microseconds.

        The bot runs on afterwards: the caller pauses it unless it is asked again at once.
        """
        self._number += 1
        legal = deal.legal()
        bank_ms = self.bank.left_ms
        request = Act(self._number, number, scores, deal.view(seat), legal, deal.take_events(seat), bank_ms)
        line, charge = self._exchange(self._news + encode(request), bank_ms)
        self._news = b""
        move = self._listed(deal, legal, parse_answer(line, self._number))
        self.bank.spend(charge)
        return move, charge

    def tell(self, news: DealOver) -> None:
        """Keep news for the next request."""
        self._news += encode(news)

    def pause(self) -> None:
        """Stop it: nobody thinks on another's time."""
        if not self._stopped and not self._ended:
            self._process.stop()
            self._stopped = True

    def part(self, over: Over) -> None:
        """Tell it that the leg has ended, close its stdin and let it run; nothing it does now is a fault."""
        if self._ended:
            return
        with suppress(HungUpError):
            self._channel.send(self._news + encode(over))
        self._process.close_stdin()
        self._resume()

    def end(self, until: float) -> bytes:
        """Let it go on until `until` (monotonic seconds) at most, end it and return what it left on stderr."""
        if not self._ended:
            self._channel.linger(until)
            self._process.end()
            self._ended = True
        return self._channel.stderr.kept()

    def _exchange(self, data: bytes, limit_ms: int) -> tuple[bytes, int]:
        try:
            self._channel.refuse_unasked()
            self._meter.start(limit_ms)
            self._channel.send(data)
            self._resume()
            return self._channel.receive(self._meter), self._meter.stop()
        except HungUpError as gone:
            raise self._gone(gone.stream) from None

    def _resume(self) -> None:
        if self._stopped:
            self._process.resume()
            self._stopped = False

    def _gone(self, stream: str) -> BotFault:
        """Return what it means that the bot closed one of its ends."""
        self._resume()
        if not self._process.wait(END_PATIENCE_S):
            return BotFault("protocol", f"closed its {stream} before the match was over")
        self._channel.linger(time.monotonic() + END_PATIENCE_S)
        self._ended = True
        return classify_end(
            self._process.end(),
            runtime=self._runtime,
            limits=self._limits,
            stderr_tail=self._channel.stderr.tail(),
            host_out_of_memory=host_oom_kills() > self._oom_kills,
        )

    def _listed(self, deal: Deal, legal: Sequence[str], act: str | int) -> str:
        if isinstance(act, str):
            try:
                return deal.resolve(act)
            except IllegalMoveError as error:
                raise self._illegal(legal, str(error)) from None
        if 0 <= act < len(legal):
            return legal[act]
        raise self._illegal(legal, f"index {act} is not among 0 to {len(legal) - 1}")

    def _illegal(self, legal: Sequence[str], why: str) -> BotFault:
        listed = ", ".join(legal[:LISTED]) + (", …" if len(legal) > LISTED else "")
        return BotFault("illegal", f"request {self._number}: {why}; legal were {listed}")
