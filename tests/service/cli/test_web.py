"""The web server as it is run: a process on a real socket."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from service.cli.supervisor.checks import http_alive
from service.cli.supervisor.listening import listen
from tests.servers import wait_until

PATIENCE_S = 30.0
BROWSERS = 150


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """The port a web server answers on."""
    with listen("127.0.0.1", 0) as listener:
        found: int = listener.getsockname()[1]
        environ = {**os.environ, "MALICE_HOME": str(tmp_path), "MALICE_HOST": "127.0.0.1"}
        arguments = [sys.executable, "-P", "-m", "service.cli", "web", "--fd", str(listener.fileno())]
        with subprocess.Popen(arguments, env=environ, pass_fds=[listener.fileno()]) as process:
            try:
                wait_until(partial(http_alive, "127.0.0.1", found), PATIENCE_S, "the web server answers")
                yield found
            finally:
                process.terminate()


def test_a_class_whose_browsers_keep_their_connections_open_keeps_nobody_out(port: int) -> None:
    request = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    with ExitStack() as browsers:
        for _ in range(BROWSERS):
            browser = browsers.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE_S))
            browser.sendall(request)
            assert browser.recv(4_096).startswith(b"HTTP/1.1 200 ")
        assert http_alive("127.0.0.1", port)
