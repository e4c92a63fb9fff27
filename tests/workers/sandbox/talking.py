"""Talking to bots in tests."""

import os
import select

from workers.programs import BotProcess, Exit, Limits, Program, Sandbox

PATIENCE_S = 10.0
SPIN = "print('ready', flush=True)\nwhile True: pass"


def read_line(process: BotProcess) -> bytes:
    """Read up to a newline or the end."""
    poller = select.poll()
    poller.register(process.stdout, select.POLLIN)
    line = b""
    while not line.endswith(b"\n"):
        assert poller.poll(PATIENCE_S * 1_000), f"nothing after {line!r}"
        piece = os.read(process.stdout, 4_096)
        if not piece:
            break
        line += piece
    return line


def output_of(sandbox: Sandbox, program: Program, limits: Limits | None = None) -> bytes:
    """Run a program to its end and return what it printed."""
    return sandbox.run(program, ["main.py"], limits or Limits(), 0, PATIENCE_S).output


def end_of(sandbox: Sandbox, program: Program, limits: Limits | None = None) -> Exit:
    """Start a program, wait until it has ended by itself, and return how."""
    process = sandbox.start(program, limits or Limits(), 0)
    try:
        assert process.wait(PATIENCE_S)
    finally:
        ended = process.end()
    return ended
