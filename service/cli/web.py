"""`malice web`: the web server."""

import logging
import os
import signal
import socket
from types import FrameType
from typing import Any, NoReturn

import click

from service.cli.processes import (
    configure_logging,
    load_no_terminal,
    load_settings,
    require_usable_addresses,
    usable_home,
)
from service.cli.supervisor.listening import ListenError, listen
from service.cli.text import fail
from service.settings import MIB, Settings

THREADS = 8
CONNECTIONS = 900
"""A browser keeps several open: a hundred, the server's own limit, is fewer than a class has. With 1,024 descriptors, the
usual limit, the rest is for everything else."""
IDLE_S = 30
"""After so long without a request a connection is closed; browsers open another without a word."""
BODY_SLACK = 64 * MIB
"""The application refuses what is over the upload limit, in its own words; far above that the server itself does."""
GRACE_S = 10


@click.command()
@click.option("--host", help="Address to bind; default MALICE_HOST, else 127.0.0.1.")
@click.option("--port", type=int, help="Port to bind; default MALICE_PORT, else 8000.")
@click.option(
    "--processes",
    type=click.IntRange(min=1),
    help="Serve from so many processes (gunicorn) instead of one (waitress).",
)
@click.option("--fd", type=int, hidden=True, help="Serve on this inherited listening socket.")
def web(host: str | None, port: int | None, processes: int | None, fd: int | None) -> None:
    """Run the web server: API and pages.

    \b
    Examples:
      malice web
      export MALICE_PUBLIC_URL=https://ladder.example.org
      malice web --host 0.0.0.0 --processes 4
    """
    settings = load_settings(host=host, port=port)
    usable_home(settings.home)
    load_no_terminal()
    configure_logging()
    try:
        listener = socket.socket(fileno=fd) if fd is not None else listen(settings.host, settings.port)
    except ListenError as error:
        fail(str(error))
    settings = load_settings(host=host, port=listener.getsockname()[1])
    signal.signal(signal.SIGTERM, _end)
    require_usable_addresses(settings)
    if processes:
        serve_with_gunicorn(settings, listener, processes)
    else:
        serve_with_waitress(settings, listener)


def serve_with_waitress(settings: Settings, listener: socket.socket) -> None:
    """One process, a few threads: what a club or a class needs."""
    from waitress import serve

    from service.app import create_app
    from service.web.guards import largest_body

    logging.getLogger(__name__).info("serving on %s:%d", *listener.getsockname()[:2])
    serve(
        create_app(settings),
        sockets=[listener],
        threads=THREADS,
        connection_limit=CONNECTIONS,
        channel_timeout=IDLE_S,
        asyncore_use_poll=True,
        ident=None,
        # The application must see forwarding headers: behind a proxy nobody is on loopback.
        clear_untrusted_proxy_headers=False,
        max_request_body_size=largest_body(settings) + BODY_SLACK,
    )


def serve_with_gunicorn(settings: Settings, listener: socket.socket, processes: int) -> None:
    """Several processes of several threads each."""
    from gunicorn.app.base import BaseApplication

    class Server(BaseApplication):  # type: ignore[misc]
        def load_config(self) -> None:
            os.set_inheritable(listener.fileno(), True)
            for name, value in {
                "bind": f"fd://{listener.fileno()}",
                "workers": processes,
                "worker_class": "gthread",
                "threads": THREADS,
                "graceful_timeout": GRACE_S,
                "control_socket_disable": True,
            }.items():
                self.cfg.set(name, value)

        def load(self) -> Any:
            from service.app import create_app

            return create_app(settings)

    Server().run()


def _end(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)
