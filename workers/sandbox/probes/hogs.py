"""Takes more than its share, within bounds: `threads N` at most, or `memory N` MiB at most; says where it stopped."""

import sys
import threading

CHUNK_MIB = 8
STACK_BYTES = 64 * 1_024


def threads(most: int) -> str:
    """Start threads that wait."""
    threading.stack_size(STACK_BYTES)
    gate = threading.Event()
    started = 0
    try:
        for _ in range(most):
            threading.Thread(target=gate.wait).start()
            started += 1
    except RuntimeError:
        return f"stopped after {started + 1} threads"
    finally:
        gate.set()
    return f"had {started + 1} threads"


def memory(most: int) -> str:
    """Take memory and touch it."""
    taken: list[bytearray] = []
    try:
        while len(taken) * CHUNK_MIB < most:
            taken.append(bytearray(b"\1") * (CHUNK_MIB << 20))
    except MemoryError:
        reached = len(taken) * CHUNK_MIB
        taken.clear()
        return f"MemoryError at {reached} MiB"
    return f"had {len(taken) * CHUNK_MIB} MiB"


if __name__ == "__main__":
    print({"threads": threads, "memory": memory}[sys.argv[1]](int(sys.argv[2])))
