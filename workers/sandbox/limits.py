"""Limits in the words of what sets them."""

import resource
from collections.abc import Iterator

from workers.programs import Limits

CPU_GRACE_S = 1
"""Between SIGXCPU, which a bot can catch, and the end."""

NO_CORE_DUMP = 1


def limit_options(limits: Limits) -> list[str]:
    """Return the options of `prlimit`, which runs inside so that processes are counted per sandbox.

    Init counts among them, so there is one more than threads. A core limit of 1 is the one the kernel takes as `never`,
    even where dumps go to a program of the host's, which runs as root and which a limit of 0 does not stop.
    """
    return [
        f"--as={limits.memory_bytes}",
        f"--nproc={limits.threads + 1}",
        f"--nofile={limits.descriptors}",
        f"--stack={limits.stack_bytes}",
        f"--fsize={limits.file_bytes}",
        f"--cpu={limits.cpu_s}:{limits.cpu_s + CPU_GRACE_S}",
        *(f"--core={NO_CORE_DUMP}", "--memlock=0", "--msgqueue=0"),
    ]


def limit_pairs(limits: Limits) -> Iterator[tuple[int, int, int]]:
    """Yield the limits a bare process gets: which, soft, hard. Its user's processes are not its own, so not those."""
    yield resource.RLIMIT_AS, limits.memory_bytes, limits.memory_bytes
    yield resource.RLIMIT_NOFILE, limits.descriptors, limits.descriptors
    yield resource.RLIMIT_STACK, limits.stack_bytes, limits.stack_bytes
    yield resource.RLIMIT_FSIZE, limits.file_bytes, limits.file_bytes
    yield resource.RLIMIT_CPU, limits.cpu_s, limits.cpu_s + CPU_GRACE_S
    yield resource.RLIMIT_CORE, NO_CORE_DUMP, NO_CORE_DUMP
