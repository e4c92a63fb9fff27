"""What docs/sandbox.md tells authors: what works, and what fails how."""

import pytest

from tests.workers.sandbox.conftest import MakeProgram
from workers.programs import Limits, Sandbox

TIMEOUT_S = 20.0
MAP = "import mmap; data = open('/bot/main.py', 'rb'); mmap.mmap(data.fileno(), 0, {})"


def run(sandbox: Sandbox, make_program: MakeProgram, source: str) -> tuple[int | None, str]:
    result = sandbox.run(make_program(source), ["main.py"], Limits(), 0, TIMEOUT_S)
    return result.exit.code, result.output.decode()


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("import socket; socket.create_connection(('127.0.0.1', 6379))", "Address family not supported"),
        ("import asyncio; asyncio.run(asyncio.sleep(0))", "Address family not supported"),
        ("import subprocess; subprocess.run(['/bin/sh', '-c', ':'])", "PermissionError"),
        ("import multiprocessing; multiprocessing.Process(target=print).start()", "PermissionError"),
        ("import os; os.fork()", "PermissionError"),
        ("open('/bot/notes', 'w')", "Read-only file system"),
        ("open('/notes', 'w')", "Read-only file system"),
        ("open('/tmp/notes', 'w')", "No such file or directory"),
        ("open('/etc/passwd')", "No such file or directory"),
        ("import mmap; mmap.mmap(-1, 4096)", "PermissionError"),
        (MAP.format("access=mmap.ACCESS_READ"), "PermissionError"),
        ("import os; os.nice(1)", "Operation not permitted"),
        ("import os; os.sched_setaffinity(0, {0})", "Operation not permitted"),
        (
            "import threading\ngate = threading.Event()\n"
            "for _ in range(40): threading.Thread(target=gate.wait, daemon=True).start()",
            "can't start new thread",
        ),
        ("import os; os.chmod('/bot/main.py', 0)", "Operation not permitted"),
        ("import os; os.readlink('/proc/self/exe')", "No such file or directory"),
    ],
)
def test_this_fails(sandbox: Sandbox, make_program: MakeProgram, source: str, error: str) -> None:
    code, output = run(sandbox, make_program, source)
    assert code == 1, output
    assert error in output


@pytest.mark.parametrize(
    "source",
    [
        MAP.format("flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ"),
        "import socket, ssl, hashlib; hashlib.sha256(b'').hexdigest()",
        "import threading; thread = threading.Thread(target=print); thread.start(); thread.join()",
        "from concurrent.futures import ThreadPoolExecutor as Pool\nwith Pool(4) as pool: list(pool.map(abs, [1]))",
        "import signal; signal.signal(signal.SIGALRM, lambda *_: None)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01); signal.pause(); signal.setitimer(signal.ITIMER_REAL, 0)",
        "import os, signal; signal.signal(signal.SIGUSR1, lambda *_: None); os.kill(os.getpid(), signal.SIGUSR1)",
        "import random, time, uuid, secrets; random.random(); time.sleep(0.001); uuid.uuid4(); secrets.token_hex()",
        "import select, os; end, other = os.pipe(); select.select([end], [other], [], 0); select.epoll().close()",
        "import logging; logging.basicConfig(); logging.warning('seen')",
        "import dataclasses, decimal, fractions, heapq, itertools, statistics, typing, unittest, zipfile, pickle",
        "import os, sys; assert os.getcwd() == '/bot' and sys.path[0] == '/bot' and os.path.expanduser('~') == '/bot'",
        "import sqlite3; sqlite3.connect(':memory:').execute('SELECT 1')",
    ],
)
def test_this_works(sandbox: Sandbox, make_program: MakeProgram, source: str) -> None:
    code, output = run(sandbox, make_program, source)
    assert code == 0, output
