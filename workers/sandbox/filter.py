"""Which system calls a bot may make: the seccomp filter.

Foreign calling conventions are killed. Calls newer than our tables, and `clone3` (whose flags lie in memory, where a
filter cannot look), fail as if the kernel lacked them, so that libraries fall back. `socket` fails as if there were no
network. Some calls are allowed with certain arguments only. Everything else fails with EPERM.
"""

import errno
from dataclasses import dataclass

from workers.sandbox import bpf
from workers.sandbox.syscalls import NEWEST_KNOWN, Architecture

# sched.h
CLONE_THREAD = 0x0001_0000
CLONE_NEW_ANYTHING = 0x7E02_0000
# mman.h
MAP_SHARED = 0x01
# futex.h
FUTEX_PRIVATE = 128
FUTEX_CLOCK_REALTIME = 256
FUTEX_WAIT = 0
FUTEX_WAIT_BITSET = 9

FREE_CALLS = [
    "read",
    "write",
    "readv",
    "writev",
    "pread64",
    "pwrite64",
    "preadv",
    "close",
    "close_range",
    "lseek",
    "dup",
    "dup2",
    "dup3",
    "pipe",
    "pipe2",
    "poll",
    "ppoll",
    "select",
    "pselect6",
    "epoll_create",
    "epoll_create1",
    "epoll_ctl",
    "epoll_wait",
    "epoll_pwait",
    "epoll_pwait2",
    "eventfd2",
    "open",
    "openat",
    "stat",
    "fstat",
    "lstat",
    "newfstatat",
    "statx",
    "access",
    "faccessat",
    "faccessat2",
    "getdents64",
    "getcwd",
    "chdir",
    "fchdir",
    "readlink",
    "readlinkat",
    "brk",
    "munmap",
    "mprotect",
    "mremap",
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "rt_sigpending",
    "rt_sigsuspend",
    "rt_sigtimedwait",
    "sigaltstack",
    "pause",
    "alarm",
    "getitimer",
    "setitimer",
    "clock_gettime",
    "clock_getres",
    "clock_nanosleep",
    "nanosleep",
    "gettimeofday",
    "time",
    "times",
    "getrusage",
    "getcpu",
    "exit",
    "exit_group",
    "execve",
    "wait4",
    "waitid",
    "restart_syscall",
    "getpid",
    "gettid",
    "getppid",
    "getpgid",
    "getpgrp",
    "getsid",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
    "getresuid",
    "getresgid",
    "getgroups",
    "set_tid_address",
    "set_robust_list",
    "rseq",
    "sched_yield",
    "sched_getaffinity",
    "sched_getparam",
    "sched_getscheduler",
    "sched_get_priority_max",
    "sched_get_priority_min",
    "getpriority",
    "getrlimit",
    "getrandom",
    "uname",
]
"""Allowed whatever the arguments. What is left out on purpose is said in docs/sandbox.md."""


@dataclass(frozen=True)
class OneOf:
    """Allowed when the argument is one of the values; else EPERM."""

    call: str
    argument: int
    values: tuple[int, ...]


ARGUMENT_RULES = (
    # TCGETS FIONREAD TIOCGWINSZ FIONBIO FIONCLEX FIOCLEX FIOQSIZE: never TIOCSTI, which types into a terminal.
    OneOf("ioctl", 1, (0x5401, 0x541B, 0x5413, 0x5421, 0x5450, 0x5451, 0x5460)),
    # Descriptor flags and duplicates, pipe size and seals read: no locks, leases, owners or pipe sizes set.
    OneOf("fcntl", 1, (0, 1, 2, 3, 4, 1030, 1032, 1033, 1034)),
    # Reading one's own attributes, naming threads (15, 16) and naming memory (PR_SET_VMA).
    OneOf("prctl", 0, (2, 3, 15, 16, 21, 39, 0x5356_4D41)),
    # The caller itself.
    OneOf("prlimit64", 0, (0,)),
    # MADV_DONTNEED, FREE, HUGEPAGE, NOHUGEPAGE, DONTDUMP, DODUMP: nothing that moves or merges cached pages.
    OneOf("madvise", 2, (4, 8, 14, 15, 16, 17)),
    # ARCH_SET_FS, ARCH_GET_FS: thread-local storage.
    OneOf("arch_prctl", 0, (0x1002, 0x1003)),
)

SIGNAL_CALLS = ("kill", "tkill", "tgkill")
"""Within the sandbox, but not to its init, which the host keeps stopped as a witness of how the bot ended; nor, by the
number 0, to the group of processes they share: a SIGCONT wakes even an init."""

FAILING_CALLS = {"clone3": errno.ENOSYS, "socket": errno.EAFNOSUPPORT, "socketpair": errno.EAFNOSUPPORT}


def build_filter(architecture: Architecture) -> bytes:
    """Return the filter for a processor as the kernel takes it."""
    numbers = architecture.numbers
    foreign = bpf.answer(bpf.KILL_PROCESS)
    blocks = [bpf.load_architecture(), bpf.unless_equal(architecture.audit, foreign), bpf.load_number()]
    if architecture.extra_abi_from is not None:
        blocks.append(bpf.when_at_least(architecture.extra_abi_from, foreign))
    blocks.extend(
        bpf.when_equal(numbers[call], bpf.answer(bpf.ALLOW)) for call in FREE_CALLS if call in numbers
    )
    for call, block in _looked_into(architecture).items():
        blocks.append(bpf.when_equal(numbers[call], block))
    blocks.append(bpf.when_at_least(NEWEST_KNOWN + 1, bpf.answer(bpf.fail_with(errno.ENOSYS))))
    blocks.append(bpf.answer(bpf.fail_with(errno.EPERM)))
    return bpf.assemble(blocks)


def _looked_into(architecture: Architecture) -> dict[str, bpf.Block]:
    """Per call that is not simply allowed, the block that decides; each ends with a verdict."""
    blocks = {"clone": _clone(), "mmap": _mmap(), "futex": _futex()}
    blocks |= {rule.call: _one_of(rule) for rule in ARGUMENT_RULES}
    blocks |= {call: _not_init() for call in SIGNAL_CALLS}
    blocks |= {call: bpf.answer(bpf.fail_with(number)) for call, number in FAILING_CALLS.items()}
    return {call: block for call, block in blocks.items() if call in architecture.numbers}


def _one_of(rule: OneOf) -> bpf.Block:
    block = bpf.load_argument(rule.argument)
    for value in rule.values:
        block += bpf.when_equal(value, bpf.answer(bpf.ALLOW))
    return block + bpf.answer(bpf.fail_with(errno.EPERM))


def _clone() -> bpf.Block:
    """Threads only: memory limits are per process, so a second process would double them."""
    refuse = bpf.answer(bpf.fail_with(errno.EPERM))
    return (
        bpf.load_argument(0)
        + bpf.unless_any_bits(CLONE_THREAD, refuse)
        + bpf.when_any_bits(CLONE_NEW_ANYTHING, refuse)
        + bpf.answer(bpf.ALLOW)
    )


def _mmap() -> bpf.Block:
    """Private mappings only: shared ones are a way round a limit on data and towards other processes."""
    refuse = bpf.answer(bpf.fail_with(errno.EPERM))
    return bpf.load_argument(3) + bpf.when_any_bits(MAP_SHARED, refuse) + bpf.answer(bpf.ALLOW)


def _futex() -> bpf.Block:
    """Futexes within the process only: on the pages of a shared file they reach other sandboxes.

    The C library joins a thread by a shared wait, though on its own memory. That wait fails with EAGAIN, upon which
    the library looks again whether the thread has ended: the join works, only busily.
    """
    block = bpf.load_argument(1) + bpf.when_any_bits(FUTEX_PRIVATE, bpf.answer(bpf.ALLOW))
    for wait in (FUTEX_WAIT, FUTEX_WAIT_BITSET, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME):
        block += bpf.when_equal(wait, bpf.answer(bpf.fail_with(errno.EAGAIN)))
    return block + bpf.answer(bpf.fail_with(errno.EPERM))


def _not_init() -> bpf.Block:
    refuse = bpf.answer(bpf.fail_with(errno.EPERM))
    only = bpf.when_equal(0, refuse) + bpf.when_equal(1, refuse)
    return bpf.load_argument(0) + only + bpf.answer(bpf.ALLOW)
