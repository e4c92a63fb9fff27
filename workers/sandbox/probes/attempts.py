"""Tries forbidden things one after the other, and prints a line for each: its name, a tab, and what came of it.

What came of it is the name of an error, or a few words on what was reached. The argument is a JSON object of facts about
the host: `decoy_pid`, a process outside; `other_bot`, a file of another program's outside.
"""

import ctypes
import errno
import fcntl
import json
import mmap
import os
import platform
import resource
import signal
import sys
from collections.abc import Callable
from typing import NamedTuple

LIBC = ctypes.CDLL(None, use_errno=True)
MACHINES = ("x86_64", "aarch64")
NUMBERS = {
    "add_key": (248, 217),
    "bpf": (321, 280),
    "cachestat": (451, 451),
    "clone3": (435, 435),
    "fadvise64": (221, 223),
    "futex": (202, 98),
    "inotify_init1": (294, 26),
    "io_uring_setup": (425, 425),
    "ioctl": (16, 29),
    "ioprio_set": (251, 30),
    "kcmp": (312, 272),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "mincore": (27, 232),
    "mount": (165, 40),
    "mq_open": (240, 180),
    "perf_event_open": (298, 241),
    "pidfd_open": (434, 434),
    "process_vm_readv": (310, 270),
    "ptrace": (101, 117),
    "readahead": (187, 213),
    "sched_setaffinity": (203, 122),
    "setns": (308, 268),
    "setsid": (112, 157),
    "shmget": (29, 194),
    "sysinfo": (99, 179),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "vmsplice": (278, 75),
}
CLONE_NEWUSER = 0x1000_0000
EXPECTED_ENVIRONMENT = {
    *("PATH", "LANG", "HOME", "PWD", "PYTHONHASHSEED", "PYTHONPATH"),
    *("OPENBLAS_NUM_THREADS", "MALLOC_ARENA_MAX", "LC_CTYPE"),
}
FUTEX_WAKE = 1
F_SETLEASE = 1_024
F_SETPIPE_SZ = 1_031
PTRACE_PEEKDATA = 2
TIOCSTI = 0x5412
AF_VSOCK = 40


class Facts(NamedTuple):
    """What the attempts must know of the host."""

    decoy_pid: int
    other_bot: str


def call(name: str, *arguments: int) -> str:
    """Make a system call; return the error's name, or what it returned."""
    result = LIBC.syscall(
        NUMBERS[name][MACHINES.index(platform.machine())],
        *(ctypes.c_long(argument) for argument in arguments),
    )
    return errno.errorcode[ctypes.get_errno()] if result == -1 else f"returned {result}"


def file_reached(path: str, flags: int = os.O_RDONLY) -> str:
    """Open a file and close it."""
    os.close(os.open(path, flags | os.O_CLOEXEC))
    return f"opened {path}"


def written_to(path: str) -> str:
    """Make an empty file and remove it."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    os.unlink(path)
    return f"made {path}"


def folder_reached(path: str) -> str:
    """Look for a folder."""
    os.stat(path)
    return f"found {path}"


def socket_made(family: int) -> str:
    """Make a socket; nothing is sent."""
    import socket

    socket.socket(family, socket.SOCK_STREAM).close()
    return "made a socket"


def socket_pair_made() -> str:
    """Make a pair of connected sockets."""
    import socket

    for end in socket.socketpair():
        end.close()
    return "made a pair of sockets"


def environment() -> str:
    """Look for what of the worker's environment came along."""
    return ",".join(sorted(os.environ.keys() - EXPECTED_ENVIRONMENT)) or "nothing"


def child_started() -> str:
    """Fork a child that ends at once."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return "1 child"


def program_spawned() -> str:
    """Start another program by the quick way around fork."""
    child = os.posix_spawn(sys.executable, [sys.executable, "-S", "-c", ""], {})
    os.waitpid(child, 0)
    return "1 child"


def descriptors_inherited() -> str:
    """Look for open descriptors beyond the three streams."""
    found = []
    for descriptor in range(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0]):
        try:
            os.fstat(descriptor)
        except OSError:
            continue
        found.append(descriptor)
    return ",".join(str(descriptor) for descriptor in found) or "nothing"


def own_file() -> int:
    """Open this very file, as all bots of a bundle could."""
    return os.open(__file__, os.O_RDONLY | os.O_CLOEXEC)


def flock_taken() -> str:
    """Lock a shared file, which another bot could notice."""
    fcntl.flock(own_file(), fcntl.LOCK_SH | fcntl.LOCK_NB)
    return "locked a shared file"


def record_locked() -> str:
    """The same with the other kind of lock."""
    fcntl.lockf(own_file(), fcntl.LOCK_SH | fcntl.LOCK_NB)
    return "locked a shared file"


def lease_taken() -> str:
    """The same with a lease."""
    fcntl.fcntl(own_file(), F_SETLEASE, fcntl.F_RDLCK)
    return "took a lease"


def pipe_enlarged() -> str:
    """Take kernel memory no limit counts."""
    fcntl.fcntl(os.pipe()[1], F_SETPIPE_SZ, 1 << 20)
    return "enlarged a pipe"


def shared_memory_mapped() -> str:
    """Map memory that a child or another bot could share."""
    mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS).close()
    return "mapped shared memory"


def shared_futex_woken() -> str:
    """Wake whoever waits on a page of a shared file: another bot could."""
    address = ctypes.cast(LIBC.getpid, ctypes.c_void_p).value or 0
    return call("futex", address & ~3, FUTEX_WAKE, 1, 0, 0, 0)


def core_limit() -> str:
    """Ask how large a core dump may be."""
    return f"limit {max(resource.getrlimit(resource.RLIMIT_CORE))}"


def process_signalled(pid: int) -> str:
    """Signal a process outside."""
    os.kill(pid, 0)
    return "reached a process outside"


def init_signalled() -> str:
    """Wake the sandbox's own init, which keeps the evidence of how a bot ended."""
    os.kill(1, signal.SIGCONT)
    return "reached process 1"


def group_signalled() -> str:
    """The same by way of the group of processes that init is in, too."""
    os.kill(0, signal.SIGCONT)
    return "reached its group"


def priority_set() -> str:
    """Set one's own priority to what it is."""
    os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0))
    return "set a priority"


def affinity_set() -> str:
    """Choose one's own processors: those one has."""
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    return "chose its processors"


def attempts(facts: Facts) -> dict[str, Callable[[], str]]:
    """Return what is tried, in order."""
    return {
        # First, before others open descriptors of their own.
        "leaky_fd": descriptors_inherited,
        "shadow_read": lambda: file_reached("/etc/shadow"),
        "passwd_read": lambda: file_reached("/etc/passwd"),
        "other_bot_read": lambda: file_reached(facts.other_bot),
        "proc_read": lambda: file_reached("/proc/1/environ"),
        "sys_read": lambda: folder_reached("/sys/kernel"),
        "env_secret": environment,
        "redis_connect": lambda: socket_made(2),
        "ipv6_connect": lambda: socket_made(10),
        "abstract_unix": lambda: socket_made(1),
        "netlink": lambda: socket_made(16),
        "vsock": lambda: socket_made(AF_VSOCK),
        "socketpair": socket_pair_made,
        "kill_host": lambda: process_signalled(facts.decoy_pid),
        "wake_init": init_signalled,
        "wake_group": group_signalled,
        "pidfd_host": lambda: call("pidfd_open", facts.decoy_pid, 0),
        "ptrace_opponent": lambda: call("ptrace", PTRACE_PEEKDATA, facts.decoy_pid, 0, 0),
        "read_memory": lambda: call("process_vm_readv", facts.decoy_pid, 0, 0, 0, 0, 0),
        "compare_processes": lambda: call("kcmp", facts.decoy_pid, facts.decoy_pid, 0, 0, 0),
        "setns": lambda: call("setns", -1, 0),
        "clone3_newuser": lambda: call("clone3", 0, 0),
        "mount_tmpfs": lambda: call(
            "mount", 0, ctypes.cast(ctypes.c_char_p(b"/"), ctypes.c_void_p).value or 0, 0, 0, 0
        ),
        "io_uring": lambda: call("io_uring_setup", 0, 0),
        "bpf": lambda: call("bpf", -1, 0, 0),
        "perf_events": lambda: call("perf_event_open", 0, 0, -1, -1, 0),
        "userfaultfd": lambda: call("userfaultfd", -1),
        "keyring_share": lambda: call("add_key", 0, 0, 0, 0, 0),
        "keyring_read": lambda: call("keyctl", -1, 0, 0, 0, 0),
        "flock_collude": flock_taken,
        "record_lock_collude": record_locked,
        "lease_collude": lease_taken,
        "inotify_collude": lambda: call("inotify_init1", -1),
        "futex_collude": shared_futex_woken,
        "shared_memory": shared_memory_mapped,
        "sysv_memory": lambda: call("shmget", 0, 0, 0),
        "message_queue": lambda: call("mq_open", 0, 0, 0, 0),
        "page_cache_mincore": lambda: call("mincore", 1, 1, 0),
        "page_cache_fadvise": lambda: call("fadvise64", -1, 0, 0, 0),
        "page_cache_readahead": lambda: call("readahead", -1, 0, 0),
        "page_cache_stat": lambda: call("cachestat", -1, 0, 0, 0),
        "host_load": lambda: call("sysinfo", 0),
        "fork_bomb": child_started,
        "spawn_bomb": program_spawned,
        "daemonise": lambda: call("setsid"),
        "memfd_fill": lambda: call("memfd_create", 0, 0),
        "pipe_fill": pipe_enlarged,
        "splice": lambda: call("vmsplice", -1, 0, 0, 0),
        "dev_shm_fill": lambda: folder_reached("/dev/shm"),
        "tmp_fill": lambda: folder_reached("/tmp"),
        "bot_folder_write": lambda: written_to(
            os.path.join(os.path.dirname(os.path.abspath(__file__)), "written")
        ),
        "root_write": lambda: written_to("/written-by-a-bot"),
        "core_pattern_write": lambda: file_reached("/proc/sys/kernel/core_pattern", os.O_WRONLY),
        "core_dump": core_limit,
        "tiocsti": lambda: call("ioctl", 0, TIOCSTI, 0),
        "tiocsti_high_bits": lambda: call("ioctl", 0, (1 << 32) | TIOCSTI, 0),
        "self_nice": priority_set,
        "self_affinity": affinity_set,
        "self_ioprio": lambda: call("ioprio_set", -1, 0, 0),
        # Last: where it succeeds, it changes what the process may do.
        "userns_nested": lambda: call("unshare", CLONE_NEWUSER),
    }


def main() -> None:
    """Try everything."""
    facts = Facts(**json.loads(sys.argv[1]))
    for name, attempt in attempts(facts).items():
        try:
            outcome = attempt()
        except OSError as error:
            outcome = errno.errorcode.get(error.errno or 0, str(error))
        print(name, outcome, sep="\t", flush=True)


if __name__ == "__main__":
    main()
