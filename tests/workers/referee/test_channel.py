"""The channel: pipes that fill up, lines in pieces, caps; against real pipes, with a deadline that says when."""

import os
import time
from collections.abc import Callable, Iterator

import pytest

from tests.workers.referee.test_clock import World
from workers.referee.channel import STDERR_HEAD, STDERR_TAIL, Channel, Stderr
from workers.referee.faults import BotFault, HungUpError
from workers.referee.protocol import LINE_CAP


class TimeIsUpError(Exception):
    """The deadline's."""


class Script:
    """A deadline that takes one step of a story each time the loop asks, and is up when the story ends."""

    def __init__(self, *steps: Callable[[], object]) -> None:
        self._steps = list(steps)

    def timeout_ms(self) -> int:
        """Take a step; never sleep."""
        if not self._steps:
            raise TimeIsUpError
        self._steps.pop(0)()
        return 0


class Pipes(World):
    """Both ends of a bot's three pipes."""

    def __init__(self) -> None:
        super().__init__()
        self.bot_stdin, self.stdin = os.pipe()
        self.stdout, self.bot_stdout = os.pipe()
        self.stderr, self.bot_stderr = os.pipe()
        self.ends = {self.bot_stdin, self.stdin, self.stdout, self.bot_stdout, self.stderr, self.bot_stderr}
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)

    def says(self, data: bytes) -> Callable[[], object]:
        """A step in which the bot writes to stdout."""
        return lambda: os.write(self.bot_stdout, data)

    def close_end(self, descriptor: int) -> None:
        """Close one end."""
        self.ends.discard(descriptor)
        os.close(descriptor)


@pytest.fixture
def pipes() -> Iterator[Pipes]:
    pipes = Pipes()
    yield pipes
    for descriptor in pipes.ends:
        os.close(descriptor)


def test_an_answer_may_come_in_pieces(pipes: Pipes) -> None:
    channel = Channel(pipes)
    channel.send(b"question\n")
    assert (
        channel.receive(Script(pipes.says(b'{"a'), pipes.says(b'ct":0}'), pipes.says(b"\n"))) == b'{"act":0}'
    )
    assert os.read(pipes.bot_stdin, 100) == b"question\n"


def test_a_request_larger_than_the_pipe_is_written_as_the_bot_reads(pipes: Pipes) -> None:
    channel = Channel(pipes)
    request = bytes(range(256)) * 4_096
    read = bytearray()

    def reads() -> None:
        read.extend(os.read(pipes.bot_stdin, 1 << 16))

    channel.send(request)
    answer = channel.receive(Script(*[reads] * 16, pipes.says(b"ok\n"), reads))
    assert answer == b"ok"
    assert bytes(read) == request


def test_a_bot_that_never_reads_does_not_hold_the_loop(pipes: Pipes) -> None:
    channel = Channel(pipes)
    channel.send(b"x" * (1 << 20))
    with pytest.raises(TimeIsUpError):
        channel.receive(Script(lambda: None, lambda: None))


def test_an_answer_before_the_request_was_read_is_a_fault(pipes: Pipes) -> None:
    channel = Channel(pipes)
    channel.send(b"x" * (1 << 20))
    with pytest.raises(BotFault, match="protocol: answered before it had read all of the request: '0"):
        channel.receive(Script(pipes.says(b"0\n")))


def test_the_longest_line_is_taken_and_one_byte_more_is_not(pipes: Pipes) -> None:
    channel = Channel(pipes)
    assert channel.receive(Script(pipes.says(b"x" * LINE_CAP + b"\n"))) == b"x" * LINE_CAP
    with pytest.raises(BotFault, match="protocol: wrote a line longer than 4,096 bytes"):
        channel.receive(Script(pipes.says(b"x" * (LINE_CAP + 1) + b"\n")))


def test_a_line_without_end_is_refused_before_it_ends(pipes: Pipes) -> None:
    with pytest.raises(BotFault, match="protocol: wrote a line longer than 4,096 bytes"):
        Channel(pipes).receive(Script(pipes.says(b"x" * LINE_CAP), pipes.says(b"x")))


@pytest.mark.parametrize("data", [b"0\n1\n", b"0\n1", b"\n\n", b"0\n" + b"x" * 10_000])
def test_more_than_one_line_is_refused(pipes: Pipes, data: bytes) -> None:
    with pytest.raises(BotFault, match="protocol: wrote more than one line"):
        Channel(pipes).receive(Script(pipes.says(data)))


def test_what_was_not_asked_for_is_refused(pipes: Pipes) -> None:
    channel = Channel(pipes)
    channel.refuse_unasked()
    os.write(pipes.bot_stderr, b"a word to my owner")
    channel.refuse_unasked()
    assert channel.stderr.kept() == b"a word to my owner"
    os.write(pipes.bot_stdout, b"ping\n")
    with pytest.raises(BotFault, match=r"protocol: wrote 'ping\\n' when nothing was asked"):
        channel.refuse_unasked()


def test_a_closed_stdin_or_stdout_is_told_apart(pipes: Pipes) -> None:
    channel = Channel(pipes)
    pipes.close_end(pipes.bot_stdin)
    with pytest.raises(HungUpError, match="stdin"):
        channel.send(b"question\n")
    pipes.close_end(pipes.bot_stdout)
    with pytest.raises(HungUpError, match="stdout"):
        channel.receive(Script(lambda: None))
    with pytest.raises(HungUpError, match="stdout"):
        channel.refuse_unasked()


def test_a_closed_stderr_does_not_make_the_loop_spin(pipes: Pipes) -> None:
    channel = Channel(pipes)
    pipes.close_end(pipes.bot_stderr)
    assert channel.receive(Script(lambda: None, lambda: None, pipes.says(b"0\n"))) == b"0"
    turns = Script(lambda: None, lambda: None)
    with pytest.raises(TimeIsUpError):
        channel.receive(turns)


def test_lingering_keeps_stderr_drops_stdout_and_ends_with_the_bot(pipes: Pipes) -> None:
    channel = Channel(pipes)
    os.write(pipes.bot_stdout, b"too late\n")
    os.write(pipes.bot_stderr, b"farewell")
    channel.linger(0)
    pipes.close_end(pipes.bot_stdout)
    channel.linger(time.monotonic() + 60)
    assert channel.stderr.kept() == b"farewell"


@pytest.mark.parametrize("piece", [1, 1_000, 65_536, 10**7])
def test_of_stderr_the_beginning_and_the_end_are_kept(piece: int) -> None:
    size = 200_000 if piece == 1 else 10**7
    data = (b"%07d\n" * (size // 8)) % tuple(range(size // 8))
    stderr = Stderr()
    for start in range(0, size, piece):
        stderr.add(data[start : start + piece])
    dropped = size - STDERR_HEAD - STDERR_TAIL
    assert stderr.kept() == data[:STDERR_HEAD] + b"\n[%d bytes dropped]\n" % dropped + data[-STDERR_TAIL:]
    assert stderr.tail().endswith(data[-STDERR_TAIL:])


def test_little_on_stderr_is_kept_whole() -> None:
    stderr = Stderr()
    stderr.add(b"x" * (STDERR_HEAD + STDERR_TAIL))
    assert stderr.kept() == b"x" * (STDERR_HEAD + STDERR_TAIL)
    assert Stderr().kept() == Stderr().tail() == b""
