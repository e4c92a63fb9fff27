"""Why a bot loses by other means than cards, classed by evidence (docs/protocol.md, "Faults")."""

import re
import signal
from pathlib import Path

from engine.log import ChargedKind
from workers.programs import MIB, Exit, Limits

SHOWN_BYTES = 160
"""How much of what a bot wrote is quoted as evidence."""

EVIDENCE_CHARACTERS = 800
"""How long evidence may be: it stands in logs, lists and notices, and a number a bot chose may have 4,000 digits."""

OUT_OF_MEMORY_MARKERS = {"python": b"MemoryError"}
"""What a runtime writes to stderr when it dies for want of memory."""

FRAME = re.compile(rb'^  File "(?:[^"\n]*/)?([^"/\n]{1,80})", line (\d{1,7}), in ', re.MULTILINE)
"""A line of a Python traceback: the file's name and the line."""

NEAR_LIMIT = 0.9
"""An abnormal end with this share of the memory limit in use is a `memory` fault."""


class BotFault(Exception):  # noqa: N818 - a fault is the domain's word, and this is one
    """A bot loses its leg; `kind` and `evidence`, made printable and shortened, say by what."""

    def __init__(self, kind: ChargedKind, evidence: str) -> None:
        evidence = _printable(evidence)
        super().__init__(f"{kind}: {evidence}")
        self.kind = kind
        self.evidence = evidence


class HungUpError(Exception):
    """The other end of a bot's `stream` is closed; the process may have ended or not."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self.stream = stream


class InfraError(Exception):
    """The leg cannot be played for a reason that is ours: it is never rated and played again."""


def shown(data: bytes) -> str:
    """Return bytes a bot wrote as printable ASCII in quotes, shortened."""
    text = ascii(data[:SHOWN_BYTES].decode("utf-8", "backslashreplace"))
    return f"{text} … ({len(data)} bytes)" if len(data) > SHOWN_BYTES else text


def classify_end(
    end: Exit, *, runtime: str, limits: Limits, stderr_tail: bytes, host_out_of_memory: bool
) -> BotFault:
    """Class the end of a process that should have gone on.

    `stderr_tail` is the last it wrote there; `host_out_of_memory` whether the kernel killed anything for want
    of memory while it ran. Raises InfraError when the host, not the bot, was out of memory.
    """
    near_limit = end.peak_bytes >= NEAR_LIMIT * limits.memory_bytes
    if end.signal == signal.SIGXCPU:
        return BotFault("timeout", f"{end.words()}: used up its {limits.cpu_s} s of processor time")
    if end.signal == signal.SIGKILL and host_out_of_memory and not near_limit:
        raise InfraError("a bot was killed while the host ran out of memory")
    marker = OUT_OF_MEMORY_MARKERS.get(runtime)
    abnormal = end.signal is not None or end.code != 0
    if abnormal and (near_limit or (marker is not None and marker in stderr_tail)):
        return BotFault(
            "memory", f"{end.words()}; peak {_mib(end.peak_bytes)} of {_mib(limits.memory_bytes)}"
        )
    last = stderr_tail.strip().rsplit(b"\n", 1)[-1]
    said = f"; last on stderr: {shown(last)}{_place(stderr_tail)}" if last else "; nothing on stderr"
    return BotFault("crash", f"{end.words()} before the match was over{said}")


def _place(stderr_tail: bytes) -> str:
    """Where the innermost call of a traceback stands, in words; empty where there is none."""
    frames = FRAME.findall(stderr_tail)
    if not frames:
        return ""
    file, line = frames[-1]
    return f" ({file.decode('utf-8', 'backslashreplace')}, line {line.decode()})"


def host_oom_kills(vmstat: Path = Path("/proc/vmstat")) -> int:
    """Return how many processes the kernel has killed for want of memory since the host started.

    0 where it does not say.
    """
    try:
        lines = vmstat.read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)


def _printable(text: str) -> str:
    text = text if len(text) <= EVIDENCE_CHARACTERS else text[:EVIDENCE_CHARACTERS] + " …"
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)


def _mib(size: int) -> str:
    return f"{size / MIB:.0f} MiB"
