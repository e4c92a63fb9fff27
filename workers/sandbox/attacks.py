"""The named attacks of the self-test: what each tries, and how it must end.

`probes/attempts.py` makes those that end by an error; a test holds that the two lists are alike.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Attack:
    """One thing a hostile bot would try."""

    name: str
    words: str
    """What is tried, for the operator's table."""
    expected: str
    """What must come of it: an error's name, or what the probe says when it reached nothing."""


ATTEMPTS = (
    Attack("shadow_read", "read the host's password hashes", "ENOENT"),
    Attack("passwd_read", "read the host's users", "ENOENT"),
    Attack("other_bot_read", "read another bot's files", "ENOENT"),
    Attack("proc_read", "read another process's environment", "ENOENT"),
    Attack("sys_read", "look at the host's devices and kernel settings", "ENOENT"),
    Attack("env_secret", "find the worker's environment in its own", "nothing"),
    Attack("leaky_fd", "use a descriptor the worker left open", "nothing"),
    Attack("redis_connect", "connect over IPv4", "EAFNOSUPPORT"),
    Attack("ipv6_connect", "connect over IPv6", "EAFNOSUPPORT"),
    Attack("abstract_unix", "connect to a local socket", "EAFNOSUPPORT"),
    Attack("netlink", "talk to the kernel's network", "EAFNOSUPPORT"),
    Attack("vsock", "connect to the hypervisor", "EAFNOSUPPORT"),
    Attack("socketpair", "make connected sockets", "EAFNOSUPPORT"),
    Attack("kill_host", "signal a process outside", "ESRCH"),
    Attack("wake_init", "wake the witness of its end", "EPERM"),
    Attack("wake_group", "wake the witness through its group of processes", "EPERM"),
    Attack("pidfd_host", "take hold of a process outside", "EPERM"),
    Attack("ptrace_opponent", "debug another process", "EPERM"),
    Attack("read_memory", "read another process's memory", "EPERM"),
    Attack("compare_processes", "compare other processes", "EPERM"),
    Attack("userns_nested", "become root in a user namespace", "EPERM"),
    Attack("setns", "enter another namespace", "EPERM"),
    Attack("clone3_newuser", "become root by a newer call", "ENOSYS"),
    Attack("mount_tmpfs", "mount a file system", "EPERM"),
    Attack("io_uring", "reach files and sockets past the filter", "EPERM"),
    Attack("bpf", "load a program into the kernel", "EPERM"),
    Attack("perf_events", "measure other processes", "EPERM"),
    Attack("userfaultfd", "hold up the kernel's memory accesses", "EPERM"),
    Attack("keyring_share", "leave a message in a kernel keyring", "EPERM"),
    Attack("keyring_read", "read a kernel keyring", "EPERM"),
    Attack("flock_collude", "signal by locking a shared file", "EPERM"),
    Attack("record_lock_collude", "signal by locking a part of a shared file", "EPERM"),
    Attack("lease_collude", "signal by a lease on a shared file", "EPERM"),
    Attack("inotify_collude", "watch others read shared files", "EPERM"),
    Attack("futex_collude", "signal over a page of a shared file", "EPERM"),
    Attack("shared_memory", "map shared memory", "EPERM"),
    Attack("sysv_memory", "use System V shared memory", "EPERM"),
    Attack("message_queue", "use a message queue", "EPERM"),
    Attack("page_cache_mincore", "see what others have read (mincore)", "EPERM"),
    Attack("page_cache_fadvise", "see what others have read (fadvise)", "EPERM"),
    Attack("page_cache_readahead", "see what others have read (readahead)", "EPERM"),
    Attack("page_cache_stat", "see what others have read (cachestat)", "EPERM"),
    Attack("host_load", "read the host's load and memory", "EPERM"),
    Attack("fork_bomb", "fork", "EPERM"),
    Attack("spawn_bomb", "start another program", "EPERM"),
    Attack("daemonise", "leave its session", "EPERM"),
    Attack("memfd_fill", "keep files in memory", "EPERM"),
    Attack("pipe_fill", "take kernel memory by large pipes", "EPERM"),
    Attack("splice", "take kernel memory by moving pages", "EPERM"),
    Attack("dev_shm_fill", "fill /dev/shm", "ENOENT"),
    Attack("tmp_fill", "fill /tmp", "ENOENT"),
    Attack("bot_folder_write", "write to its own folder", "EROFS"),
    Attack("root_write", "write to the root folder", "EROFS"),
    Attack("core_pattern_write", "write to the host's kernel settings", "ENOENT"),
    Attack("core_dump", "leave a core dump", "limit 1"),
    Attack("tiocsti", "type into a terminal", "EPERM"),
    Attack("tiocsti_high_bits", "type into a terminal, disguised", "EPERM"),
    Attack("self_nice", "change its own priority", "EPERM"),
    Attack("self_affinity", "choose its own processors", "EPERM"),
    Attack("self_ioprio", "change its own disk priority", "EPERM"),
)

FOREIGN_CALLS = {"x86_64": ("int80", "x32")}
"""Calling conventions a processor has beside its own, by machine; each must end in SIGSYS."""

PROBES = ("attempts.py", "foreign.py", "hogs.py", "stubborn.py")
"""The programs in `probes/`."""
