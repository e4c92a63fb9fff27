"""Limits in the words of what sets them."""

import resource
from collections.abc import Iterator

from workers.programs import Limits

CPU_GRACE_S = 1
"""Between SIGXCPU, which a bot can catch, and the end."""


def limit_options(limits: Limits) -> list[str]:
    """Return the options of `prlimit`, which runs inside so that processes are counted per sandbox.

    Init counts among them, so there is one more than threads.
    """
    return [
        f"--as={limits.memory_bytes}",
        f"--nproc={limits.threads + 1}",
        f"--nofile={limits.descriptors}",
        f"--stack={limits.stack_bytes}",
        f"--fsize={limits.file_bytes}",
        f"--cpu={limits.cpu_s}:{limits.cpu_s + CPU_GRACE_S}",
        *("--core=0", "--memlock=0", "--msgqueue=0"),
    ]


def limit_pairs(limits: Limits) -> Iterator[tuple[int, int, int]]:
    """Yield the limits a bare process gets: which, soft, hard. Its user's processes are not its own, so not those."""
    yield resource.RLIMIT_AS, limits.memory_bytes, limits.memory_bytes
    yield resource.RLIMIT_NOFILE, limits.descriptors, limits.descriptors
    yield resource.RLIMIT_STACK, limits.stack_bytes, limits.stack_bytes
    yield resource.RLIMIT_FSIZE, limits.file_bytes, limits.file_bytes
    yield resource.RLIMIT_CPU, limits.cpu_s, limits.cpu_s + CPU_GRACE_S
    yield resource.RLIMIT_CORE, 0, 0
