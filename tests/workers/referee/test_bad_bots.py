"""What bots do wrong, played in the real sandbox: each has its fault, with evidence, and its log replays."""

import re
from dataclasses import dataclass

import pytest

from service.messages import Clock
from tests.workers.playing import QUICK, Table, bot, house

SHORT_BANK = Clock(start_ms=5_000, bank_ms=150, increment_ms=20, leg_ms=20_000)
SHORT_START = Clock(start_ms=200, bank_ms=2_000, increment_ms=20, leg_ms=20_000)


@dataclass(frozen=True)
class Case:
    """A program, and how the first leg must end for it."""

    program: bytes
    kind: str
    evidence: str
    """A regular expression found in the evidence."""
    clock: Clock = QUICK
    target: int = 1


CASES = {
    # Too slow.
    "never says ready": Case(
        bot(hello="pass"), "timeout", r"charged 20\d\.\d ms .* 200 ms left", SHORT_START
    ),
    "never reads its stdin": Case(bot(before="time.sleep(600)"), "timeout", "charged 2", SHORT_START),
    "never answers": Case(bot(act="pass"), "timeout", r"charged 15\d\.\d ms .* 150 ms left", SHORT_BANK),
    "sleeps past its bank": Case(
        bot(act='time.sleep(0.3); say({"act": 0})'), "timeout", "charged", SHORT_BANK
    ),
    "spins past its bank": Case(bot(act="exec('while True: pass')"), "timeout", "charged", SHORT_BANK),
    "dawdles until its bank is spent": Case(
        bot(act='time.sleep(0.06); say({"act": 0})'), "timeout", "charged", SHORT_BANK
    ),
    "spins in many threads": Case(
        bot(act="[threading.Thread(target=exec, args=('while True: pass',)).start() for _ in range(4)]"),
        "timeout",
        "charged",
        SHORT_BANK,
    ),
    "uses up its time for the leg": Case(
        bot(act='time.sleep(0.03); say({"act": 0})'),
        "timeout",
        "charged",
        Clock(start_ms=5_000, bank_ms=2_000, increment_ms=2_000, leg_ms=200),
    ),
    "writes half a line": Case(bot(act='say({"act": 0}, end="")'), "timeout", "charged", SHORT_BANK),
    "ignores every signal": Case(
        bot(before="[signal.signal(n, signal.SIG_IGN) for n in (1, 2, 13, 15)]", act="pass"),
        "timeout",
        "charged",
        SHORT_BANK,
    ),
    # Says what nobody asked for.
    "answers twice in one write": Case(
        bot(act=r"""sys.stdout.write('{"act":0}\n{"act":0}\n'); sys.stdout.flush()"""),
        "protocol",
        r"more than one line: '\{\"act\":0\}\\n\{\"act\":0\}\\n'",
    ),
    "answers twice in two writes": Case(bot(act='say({"act": 0}); say({"act": 0})'), "protocol", "wrote"),
    "says ready twice": Case(
        bot(hello='say({"type": "ready"}); say({"type": "ready"})'),
        "protocol",
        "wrote|answered request 0 with .*ready",
    ),
    "answers news": Case(
        bot(news='say({"type": "thanks"})'),
        "protocol",
        r"wrote .*thanks.* when nothing was asked|one line|answered request \d+ with .*thanks",
        target=100,
    ),
    "prints garbage": Case(
        bot(act='print("hello world", flush=True)'),
        "protocol",
        r"request 0 with 'hello world', where .* was wanted",
    ),
    "prints an empty line": Case(bot(act="print(flush=True)"), "protocol", "answered request 0 with ''"),
    "prints bytes that are no text": Case(
        bot(act=r"os.write(1, b'\xff\xfe\x00\x1b[2J\n')"), "protocol", r"\\\\xff\\\\xfe\\x00\\x1b\[2J"
    ),
    "prints a million bytes in a line": Case(
        bot(act='print("x" * 1_000_000, flush=True)'),
        "protocol",
        r"a line longer than 4,096 bytes: 'x+' … \(",
    ),
    "prints without end": Case(
        bot(act="exec('while True: os.write(1, bytes(65536))')"), "protocol", "a line longer than 4,096 bytes"
    ),
    "answers with another type": Case(bot(hello='say({"act": 0})'), "protocol", "answered hello with"),
    "adds a field": Case(bot(act='say({"act": 0, "why": "luck"})'), "protocol", "unknown field `why`"),
    "echoes a wrong id": Case(
        bot(act='say({"act": 0, "id": message["id"] + 1})'), "protocol", "answered request 0 with the id 1"
    ),
    "closes its stdout": Case(bot(act="os.close(1); time.sleep(600)"), "protocol", "closed its stdout"),
    "closes its stdin": Case(
        bot(hello='os.close(0); say({"type": "ready"}); time.sleep(600)'), "protocol", "closed its stdin"
    ),
    # Plays what it may not.
    "plays a card it does not hold": Case(
        bot(act='say({"act": "h99>c0"})'), "illegal", r"request 0: .*legal were "
    ),
    "discards from its goal pile": Case(bot(act='say({"act": "g>d0"})'), "illegal", "legal were"),
    "names nothing": Case(bot(act='say({"act": ""})'), "illegal", "legal were"),
    "names control characters": Case(bot(act=r"""say({"act": "\0\x1b[2J" * 99})"""), "illegal", "legal were"),
    "names an index past the end": Case(bot(act='say({"act": 99})'), "illegal", "index 99 is not among 0 to"),
    "names a negative index": Case(bot(act='say({"act": -1})'), "illegal", "index -1 is not among 0 to"),
    # Ends too soon.
    "exits at once": Case(b"", "crash", "exit status 0 before the match was over; nothing on stderr"),
    "exits with a status": Case(bot(act="sys.exit(3)"), "crash", "exit status 3"),
    "exits between requests": Case(bot(act='say({"act": 0}); os._exit(4)'), "crash", "exit status 4"),
    "raises": Case(bot(act="1 / 0"), "crash", "exit status 1 .*'ZeroDivisionError: division by zero'"),
    "does not compile": Case(b"def :\n", "crash", "SyntaxError"),
    "imports what is not there": Case(b"import numpy_but_misspelt\n", "crash", "ModuleNotFoundError"),
    "crashes in the third deal": Case(
        bot(act='say({"act": 0}) if message["deal"] < 2 else exec("raise RuntimeError(message)")'),
        "crash",
        "exit status 1 .*RuntimeError",
        target=100,
    ),
    "segfaults": Case(
        bot(act="os.kill(os.getpid(), 11)"), "crash", r"killed by SIGSEGV \(segmentation fault\)"
    ),
    "aborts": Case(bot(act="os.abort()"), "crash", r"killed by SIGABRT"),
    "kills itself": Case(bot(act="os.kill(os.getpid(), 9)"), "crash", "killed by SIGKILL"),
    "stops itself": Case(bot(act="os.kill(os.getpid(), 19)"), "timeout", "charged", SHORT_BANK),
    # Takes too much.
    "eats memory at a gulp": Case(
        bot(act="bytearray(10**10)"), "memory", "exit status 1; peak .* of 512 MiB"
    ),
    "eats memory in bites": Case(
        bot(before="hoard = []", act="exec('while True: hoard.append(bytearray(1 << 20))')"),
        "memory",
        "exit status 1; peak .* of 512 MiB",
    ),
    # Reaches for what is not its own.
    "forks": Case(bot(act="os.fork()"), "crash", "PermissionError"),
    "starts a program": Case(
        bot(act="os.posix_spawn('/usr/bin/python3', ['python3'], {})"), "crash", "Error"
    ),
    "opens a socket": Case(bot(act="socket.socket()"), "crash", "Address family not supported"),
    "reads /etc/passwd": Case(bot(act='open("/etc/passwd")'), "crash", "FileNotFoundError.*/etc/passwd"),
    "writes beside itself": Case(bot(act='open("notes", "w")'), "crash", "Read-only file system"),
    "signals its parent": Case(
        bot(act="os.kill(1, 9); sys.exit(5)"), "crash", "exit status 5|PermissionError"
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_bad_bot_loses_by_its_fault_with_evidence(table: Table, case: Case) -> None:
    played = table.play(table.ticket([case.program, house("greedy")], clock=case.clock, target=case.target))
    assert [fault.leg for fault in played.report.faults] == [0, 1]
    assert [fault.seat for fault in played.report.faults] == [0, 1]
    for fault in played.report.faults:
        assert (fault.kind, bool(re.search(case.evidence, fault.evidence))) == (case.kind, True), (
            fault.evidence
        )
        assert fault.evidence.isprintable()
        assert len(fault.evidence) < 700
    for leg, seat in ((0, 0), (1, 1)):
        assert played.report.legs[leg].reason == "fault"
        assert played.report.legs[leg].places[seat] == 2
