"""A small assembler for classic BPF, as far as seccomp filters need it.

Blocks are lists of instructions; tests take the block to run when they hold and fall through to what follows
otherwise, so there are no labels and every jump is forward. Reference: `linux/filter.h`, seccomp(2).
"""

import struct
from collections.abc import Sequence
from typing import NamedTuple

LOAD_WORD = 0x20
JUMP_EQUAL = 0x15
JUMP_AT_LEAST = 0x35
JUMP_ANY_BITS = 0x45
RETURN = 0x06

MAX_JUMP = 255
MAX_INSTRUCTIONS = 4_096

ALLOW = 0x7FFF_0000
KILL_PROCESS = 0x8000_0000
_ERRNO = 0x0005_0000

NUMBER_OFFSET = 0
ARCHITECTURE_OFFSET = 4
_ARGUMENTS_OFFSET = 16
_ARGUMENT_BYTES = 8


class AssemblyError(ValueError):
    """A filter the kernel would refuse: a jump or a program that is too long."""


class Instruction(NamedTuple):
    """One instruction: `struct sock_filter`."""

    code: int
    if_true: int
    if_false: int
    operand: int


Block = list[Instruction]


def fail_with(errno: int) -> int:
    """Return the verdict that makes a call fail with `errno`."""
    return _ERRNO | errno


def answer(verdict: int) -> Block:
    """End with a verdict: ALLOW, KILL_PROCESS or `fail_with(errno)`."""
    return [Instruction(RETURN, 0, 0, verdict)]


def load_number() -> Block:
    """Load the system call's number."""
    return [Instruction(LOAD_WORD, 0, 0, NUMBER_OFFSET)]


def load_architecture() -> Block:
    """Load what the kernel says the calling convention is."""
    return [Instruction(LOAD_WORD, 0, 0, ARCHITECTURE_OFFSET)]


def load_argument(index: int) -> Block:
    """Load the low 32 bits of an argument (both architectures are little-endian).

    Every argument the filter looks at is an `int` to the kernel, which ignores the high half: so must we.
    """
    return [Instruction(LOAD_WORD, 0, 0, _ARGUMENTS_OFFSET + index * _ARGUMENT_BYTES)]


def when_equal(value: int, block: Block) -> Block:
    """Run the block when the loaded word is `value`."""
    return [Instruction(JUMP_EQUAL, 0, _distance(block), value), *block]


def when_at_least(value: int, block: Block) -> Block:
    """Run the block when the loaded word is `value` or more, unsigned."""
    return [Instruction(JUMP_AT_LEAST, 0, _distance(block), value), *block]


def when_any_bits(mask: int, block: Block) -> Block:
    """Run the block when the loaded word has any bit of `mask`."""
    return [Instruction(JUMP_ANY_BITS, 0, _distance(block), mask), *block]


def unless_equal(value: int, block: Block) -> Block:
    """Run the block when the loaded word is not `value`."""
    return [Instruction(JUMP_EQUAL, _distance(block), 0, value), *block]


def unless_any_bits(mask: int, block: Block) -> Block:
    """Run the block when the loaded word has no bit of `mask`."""
    return [Instruction(JUMP_ANY_BITS, _distance(block), 0, mask), *block]


def assemble(blocks: Sequence[Block]) -> bytes:
    """Return the bytes the kernel takes. Raises AssemblyError when there are too many instructions."""
    program = [instruction for block in blocks for instruction in block]
    if len(program) > MAX_INSTRUCTIONS:
        raise AssemblyError(f"{len(program)} instructions; the kernel takes {MAX_INSTRUCTIONS}")
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _distance(block: Block) -> int:
    if len(block) > MAX_JUMP:
        raise AssemblyError(f"a jump over {len(block)} instructions; {MAX_JUMP} is the farthest")
    return len(block)
