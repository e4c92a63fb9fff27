"""System call numbers of the processors bots run on, only for the calls the filter names.

Sources: the kernel's `arch/x86/entry/syscalls/syscall_64.tbl` and `include/uapi/asm-generic/unistd.h`; a test compares
them with the headers of the machine it runs on.
"""

from dataclasses import dataclass, field

NEWEST_KNOWN = 469
"""The highest number either table of Linux 6.18 has. Newer calls look as if the kernel lacked them."""

AUDIT_ARCH_X86_64 = 0xC000003E
AUDIT_ARCH_I386 = 0x40000003
AUDIT_ARCH_AARCH64 = 0xC00000B7
AUDIT_ARCH_ARM = 0x40000028

_NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "access": (21, None),
    "alarm": (37, None),
    "arch_prctl": (158, None),
    "brk": (12, 214),
    "chdir": (80, 49),
    "clock_getres": (229, 114),
    "clock_gettime": (228, 113),
    "clock_nanosleep": (230, 115),
    "clone": (56, 220),
    "clone3": (435, 435),
    "close": (3, 57),
    "close_range": (436, 436),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "epoll_create": (213, None),
    "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21),
    "epoll_pwait": (281, 22),
    "epoll_pwait2": (441, 441),
    "epoll_wait": (232, None),
    "eventfd2": (290, 19),
    "execve": (59, 221),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "fchdir": (81, 50),
    "fcntl": (72, 25),
    "fstat": (5, 80),
    "futex": (202, 98),
    "getcpu": (309, 168),
    "getcwd": (79, 17),
    "getdents64": (217, 61),
    "getegid": (108, 177),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getgroups": (115, 158),
    "getitimer": (36, 102),
    "getpgid": (121, 155),
    "getpgrp": (111, None),
    "getpid": (39, 172),
    "getppid": (110, 173),
    "getpriority": (140, 141),
    "getrandom": (318, 278),
    "getresgid": (120, 150),
    "getresuid": (118, 148),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "getsid": (124, 156),
    "gettid": (186, 178),
    "gettimeofday": (96, 169),
    "getuid": (102, 174),
    "ioctl": (16, 29),
    "kill": (62, 129),
    "lseek": (8, 62),
    "lstat": (6, None),
    "madvise": (28, 233),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "mremap": (25, 216),
    "munmap": (11, 215),
    "nanosleep": (35, 101),
    "newfstatat": (262, 79),
    "open": (2, None),
    "openat": (257, 56),
    "pause": (34, None),
    "pipe": (22, None),
    "pipe2": (293, 59),
    "poll": (7, None),
    "ppoll": (271, 73),
    "prctl": (157, 167),
    "pread64": (17, 67),
    "preadv": (295, 69),
    "prlimit64": (302, 261),
    "pselect6": (270, 72),
    "pwrite64": (18, 68),
    "read": (0, 63),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "readv": (19, 65),
    "restart_syscall": (219, 128),
    "rseq": (334, 293),
    "rt_sigaction": (13, 134),
    "rt_sigpending": (127, 136),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "rt_sigsuspend": (130, 133),
    "rt_sigtimedwait": (128, 137),
    "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126),
    "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120),
    "sched_yield": (24, 124),
    "select": (23, None),
    "set_robust_list": (273, 99),
    "set_tid_address": (218, 96),
    "setitimer": (38, 103),
    "sigaltstack": (131, 132),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "stat": (4, None),
    "statx": (332, 291),
    "tgkill": (234, 131),
    "time": (201, None),
    "times": (100, 153),
    "tkill": (200, 130),
    "uname": (63, 160),
    "wait4": (61, 260),
    "waitid": (247, 95),
    "write": (1, 64),
    "writev": (20, 66),
}


@dataclass(frozen=True)
class Architecture:
    """A processor the filter can be assembled for."""

    name: str
    """As `os.uname().machine` says it."""
    audit: int
    """What the kernel calls it in `seccomp_data.arch`."""
    extra_abi_from: int | None
    """First number of a second calling convention under the same name (x32), or None."""
    numbers: dict[str, int] = field(repr=False)
    """Call name to number; calls the processor does not have are absent."""


X86_64 = Architecture(
    "x86_64", AUDIT_ARCH_X86_64, 0x4000_0000, {name: n for name, (n, _) in _NUMBERS.items() if n is not None}
)
AARCH64 = Architecture(
    "aarch64", AUDIT_ARCH_AARCH64, None, {name: n for name, (_, n) in _NUMBERS.items() if n is not None}
)
ARCHITECTURES = {architecture.name: architecture for architecture in (X86_64, AARCH64)}
