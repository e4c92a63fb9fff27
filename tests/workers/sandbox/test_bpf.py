"""The assembler makes what the kernel takes, and refuses what the kernel would refuse."""

import struct

import pytest

from workers.sandbox import bpf


def decoded(program: bytes) -> list[tuple[int, ...]]:
    return list(struct.iter_unpack("=HBBI", program))


def test_an_instruction_is_eight_bytes_in_the_kernels_order() -> None:
    program = bpf.assemble([bpf.load_number(), bpf.when_equal(231, bpf.answer(bpf.ALLOW)), bpf.answer(0)])
    assert decoded(program) == [
        (0x20, 0, 0, 0),
        (0x15, 0, 1, 231),
        (0x06, 0, 0, 0x7FFF0000),
        (0x06, 0, 0, 0),
    ]


def test_arguments_are_loaded_from_their_low_halves() -> None:
    offsets = [instruction[3] for index in range(6) for instruction in bpf.load_argument(index)]
    assert offsets == [16, 24, 32, 40, 48, 56]


@pytest.mark.parametrize(
    ("block", "code", "jumps"),
    [
        (bpf.when_equal(7, bpf.answer(1) * 3), 0x15, (0, 3)),
        (bpf.unless_equal(7, bpf.answer(1) * 3), 0x15, (3, 0)),
        (bpf.when_at_least(7, bpf.answer(1) * 3), 0x35, (0, 3)),
        (bpf.when_any_bits(7, bpf.answer(1) * 3), 0x45, (0, 3)),
        (bpf.unless_any_bits(7, bpf.answer(1) * 3), 0x45, (3, 0)),
    ],
)
def test_a_test_jumps_over_its_block_when_the_block_is_not_to_run(
    block: bpf.Block, code: int, jumps: tuple[int, int]
) -> None:
    assert block[0] == (code, *jumps, 7)


def test_an_error_verdict_carries_its_number() -> None:
    assert bpf.fail_with(97) == 0x00050061


def test_a_jump_the_kernel_cannot_make_is_refused() -> None:
    bpf.when_equal(1, bpf.answer(0) * 255)
    with pytest.raises(bpf.AssemblyError, match="a jump over 256 instructions; 255 is the farthest"):
        bpf.when_equal(1, bpf.answer(0) * 256)


def test_a_program_the_kernel_would_not_load_is_refused() -> None:
    with pytest.raises(bpf.AssemblyError, match="4097 instructions; the kernel takes 4096"):
        bpf.assemble([bpf.answer(0)] * 4097)
