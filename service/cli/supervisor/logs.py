"""Keeps what the processes print within bounds: one file each, and one older one."""

import os
from pathlib import Path

MIB = 1 << 20
LARGEST_LOG = 8 * MIB
TAIL = 4 << 10
"""Bytes of a log's end in which its last line is looked for."""
SHARE_OF_BUDGET = 64
"""A log and its predecessor together may take this fraction of the disk budget."""


def log_limit(disk_budget_mb: int) -> int:
    """Return the bytes one log may grow to under a disk budget."""
    return min(LARGEST_LOG, disk_budget_mb * MIB // SHARE_OF_BUDGET // 2)


def rotate(log: Path, limit: int) -> bool:
    """If the log is over its limit, keep a copy of its end as `<name>.1` and empty it; whether it was.

    Copied and emptied, not renamed: the process keeps its descriptor, opened for appending. What it prints between
    the two steps is lost; that is the price of its output needing no pipe, and so nobody who must drain it.
    """
    try:
        size = log.stat().st_size
        if size <= limit:
            return False
        older = log.with_name(log.name + ".1")
        with log.open("rb") as source, older.open("wb") as copy:
            source.seek(max(0, size - limit))
            copy.write(source.read(limit))
    except OSError:
        pass  # on a full disk emptying it is all the more urgent
    try:
        os.truncate(log, 0)
    except OSError:
        return False
    return True


def last_line(log: Path) -> str:
    """Return the last line a process printed, without click's own `Error: `; empty when it printed nothing."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
            lines = file.read().decode(errors="replace").strip().splitlines()
    except OSError:
        return ""
    return lines[-1].removeprefix("Error: ") if lines else ""
