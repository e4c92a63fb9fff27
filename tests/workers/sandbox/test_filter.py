"""What the filter says about each kind of call, on both processors, by an interpreter of its own; and to the kernel."""

import errno
import os
import re
import struct
from pathlib import Path

import pytest

from tests.workers.sandbox.conftest import MakeProgram
from workers.programs import Limits, Sandbox
from workers.sandbox import bpf
from workers.sandbox.filter import ARGUMENT_RULES, FAILING_CALLS, FREE_CALLS, SIGNAL_CALLS, build_filter
from workers.sandbox.syscalls import (
    AARCH64,
    ARCHITECTURES,
    AUDIT_ARCH_AARCH64,
    AUDIT_ARCH_ARM,
    AUDIT_ARCH_I386,
    AUDIT_ARCH_X86_64,
    NEWEST_KNOWN,
    X86_64,
    Architecture,
)

BOTH = pytest.mark.parametrize("architecture", [X86_64, AARCH64], ids=lambda architecture: architecture.name)
EPERM = bpf.fail_with(errno.EPERM)
THREAD = 0x003D_0F00
"""The flags the C library starts threads with."""

UPROBE_CALLS = (335, 336)
"""On x86_64 the kernel lets these past every filter, and kills whoever makes them outside a trampoline of its own."""

HEADERS = {
    "x86_64": [Path(f"/usr/include/{folder}asm/unistd_64.h") for folder in ("x86_64-linux-gnu/", "")],
    "aarch64": [Path("/usr/include/asm-generic/unistd.h")],
}


def verdict(architecture: Architecture, number: int, *arguments: int, audit: int | None = None) -> int:
    """Run the filter on a call as the kernel would."""
    words = [argument % (1 << 64) for argument in (*arguments, *[0] * 6)][:6]
    data = struct.pack("<IIQ6Q", number, architecture.audit if audit is None else audit, 0, *words)
    program = list(struct.iter_unpack("=HBBI", build_filter(architecture)))
    position = accumulator = 0
    while True:
        code, if_true, if_false, operand = map(int, program[position])
        position += 1
        if code == bpf.RETURN:
            return operand
        if code == bpf.LOAD_WORD:
            (accumulator,) = struct.unpack_from("<I", data, operand)
            continue
        holds = {
            bpf.JUMP_EQUAL: accumulator == operand,
            bpf.JUMP_AT_LEAST: accumulator >= operand,
            bpf.JUMP_ANY_BITS: bool(accumulator & operand),
        }[code]
        position += if_true if holds else if_false


@BOTH
def test_what_every_program_needs_is_allowed(architecture: Architecture) -> None:
    for call in FREE_CALLS:
        if call in architecture.numbers:
            assert verdict(architecture, architecture.numbers[call]) == bpf.ALLOW, call


@BOTH
def test_every_call_the_filter_names_is_in_the_tables(architecture: Architecture) -> None:
    named = {*FREE_CALLS, *SIGNAL_CALLS, *FAILING_CALLS, *(rule.call for rule in ARGUMENT_RULES)}
    assert named | {"clone", "mmap", "futex"} == X86_64.numbers.keys()
    assert AARCH64.numbers.keys() < X86_64.numbers.keys()


@BOTH
def test_everything_else_is_refused(architecture: Architecture) -> None:
    named = set(architecture.numbers.values())
    for number in set(range(NEWEST_KNOWN + 1)) - named:
        assert verdict(architecture, number) == EPERM, number


@BOTH
@pytest.mark.parametrize("number", [NEWEST_KNOWN + 1, 600, 0x3FFF_FFFF])
def test_calls_newer_than_the_tables_look_as_if_the_kernel_lacked_them(
    architecture: Architecture, number: int
) -> None:
    assert verdict(architecture, number) == bpf.fail_with(errno.ENOSYS)


@pytest.mark.parametrize(
    ("architecture", "audit"),
    [
        (X86_64, AUDIT_ARCH_I386),
        (X86_64, AUDIT_ARCH_AARCH64),
        (AARCH64, AUDIT_ARCH_ARM),
        (AARCH64, AUDIT_ARCH_X86_64),
    ],
)
def test_a_foreign_calling_convention_is_killed(architecture: Architecture, audit: int) -> None:
    assert verdict(architecture, architecture.numbers["getpid"], audit=audit) == bpf.KILL_PROCESS


@pytest.mark.parametrize("number", [0x4000_0000, 0x4000_0000 | 39, 0xFFFF_FFFF])
def test_x32_calls_are_killed(number: int) -> None:
    assert verdict(X86_64, number) == bpf.KILL_PROCESS


@BOTH
@pytest.mark.parametrize(
    ("call", "arguments", "expected"),
    [
        ("clone", (THREAD,), bpf.ALLOW),
        ("clone", (17,), EPERM),  # fork
        ("clone", (0x4111,), EPERM),  # vfork
        ("clone", (THREAD | 0x1000_0000,), EPERM),  # with a new user namespace
        ("clone", (THREAD | 0x0002_0000,), EPERM),  # with a new mount namespace
        ("clone", (THREAD | 0x4000_0000,), EPERM),  # with a new network namespace
        ("clone", ((1 << 32) | 17,), EPERM),
        ("clone3", (), bpf.fail_with(errno.ENOSYS)),
        ("socket", (1, 1, 0), bpf.fail_with(errno.EAFNOSUPPORT)),
        ("socketpair", (1, 1, 0), bpf.fail_with(errno.EAFNOSUPPORT)),
        ("mmap", (0, 4096, 3, 0x22, -1), bpf.ALLOW),  # private, anonymous
        ("mmap", (0, 4096, 3, 0x21, -1), EPERM),  # shared
        ("mmap", (0, 4096, 1, 0x03, 3), EPERM),  # shared, validated
        ("futex", (0, 128), bpf.ALLOW),  # wait, private
        ("futex", (0, 129), bpf.ALLOW),  # wake, private
        ("futex", (0, 0), bpf.fail_with(errno.EAGAIN)),  # wait: the library looks again
        ("futex", (0, 9 | 256), bpf.fail_with(errno.EAGAIN)),
        ("futex", (0, 1), EPERM),  # wake
        ("futex", (0, 5), EPERM),  # wake with an operation
        ("ioctl", (0, 0x5401), bpf.ALLOW),
        ("ioctl", (0, 0x541B), bpf.ALLOW),
        ("ioctl", (0, 0x5412), EPERM),  # TIOCSTI
        ("ioctl", (0, (1 << 32) | 0x5412), EPERM),
        ("ioctl", (0, (1 << 32) | 0x5401), bpf.ALLOW),  # the kernel, too, sees TCGETS
        ("fcntl", (0, 4), bpf.ALLOW),
        ("fcntl", (0, 1030), bpf.ALLOW),
        ("fcntl", (0, 5), EPERM),  # F_GETLK
        ("fcntl", (0, 6), EPERM),  # F_SETLK
        ("fcntl", (0, 8), EPERM),  # F_SETOWN
        ("fcntl", (0, 1024), EPERM),  # F_SETLEASE
        ("fcntl", (0, 1026), EPERM),  # F_NOTIFY
        ("fcntl", (0, 1031), EPERM),  # F_SETPIPE_SZ
        ("fcntl", (0, 37), EPERM),  # F_OFD_SETLK
        ("prctl", (15,), bpf.ALLOW),
        ("prctl", (0x5356_4D41,), bpf.ALLOW),
        ("prctl", (1,), EPERM),  # PR_SET_PDEATHSIG
        ("prctl", (4,), EPERM),  # PR_SET_DUMPABLE
        ("prctl", (22,), EPERM),  # PR_SET_SECCOMP
        ("prlimit64", (0, 7), bpf.ALLOW),
        ("prlimit64", (1, 7), EPERM),
        ("kill", (2, 9), bpf.ALLOW),
        ("kill", (1, 18), EPERM),
        ("kill", (0, 18), EPERM),
        ("kill", ((1 << 32) | 1, 18), EPERM),
        ("tkill", (1, 18), EPERM),
        ("tgkill", (1, 1, 18), EPERM),
        ("tgkill", (2, 2, 6), bpf.ALLOW),
        ("madvise", (0, 0, 4), bpf.ALLOW),
        ("madvise", (0, 0, 12), EPERM),  # MADV_MERGEABLE
        ("madvise", (0, 0, 21), EPERM),  # MADV_PAGEOUT
    ],
)
def test_arguments_decide(
    architecture: Architecture, call: str, arguments: tuple[int, ...], expected: int
) -> None:
    assert verdict(architecture, architecture.numbers[call], *arguments) == expected


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_the_tables_agree_with_the_kernels_headers(machine: str) -> None:
    header = next((path for path in HEADERS[machine] if path.exists()), None)
    if header is None:
        pytest.skip(f"no kernel headers for {machine} here")
    text = header.read_text()
    defined = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)}
    defined["newfstatat"] = defined.get("newfstatat", defined.get("fstatat", -1))
    for call, number in ARCHITECTURES[machine].numbers.items():
        assert defined[call] == number, call


def test_the_kernel_refuses_every_call_off_the_list(sandbox: Sandbox, make_program: MakeProgram) -> None:
    source = """
import ctypes, errno, os, sys
named = {int(number) for number in sys.argv[1].split(",")}
libc = ctypes.CDLL(None, use_errno=True)
got = {}
for number in set(range(int(sys.argv[2]))) - named:
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(0)] * 6)
    got.setdefault("passed" if result != -1 else errno.errorcode[ctypes.get_errno()], []).append(number)
for outcome, numbers in sorted(got.items()):
    print(outcome, numbers[0], numbers[-1])
"""
    skipped = {*ARCHITECTURES[os.uname().machine].numbers.values(), *UPROBE_CALLS}
    arguments = ["main.py", ",".join(str(number) for number in skipped), str(NEWEST_KNOWN + 31)]
    result = sandbox.run(make_program(source), arguments, Limits(), 0, 20)
    lines = result.output.decode().splitlines()
    assert [line.split()[0] for line in lines] == ["ENOSYS", "EPERM"], result
    assert lines[0] == f"ENOSYS {NEWEST_KNOWN + 1} {NEWEST_KNOWN + 30}"
