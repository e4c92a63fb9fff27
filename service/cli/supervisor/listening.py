"""The web server's socket, bound before anything else is started."""

import errno
import os
import socket

BACKLOG = 128


class ListenError(RuntimeError):
    """The address cannot be bound; the message says why and what to do."""


def listen(host: str, port: int) -> socket.socket:
    """Bind and listen; port 0 takes a free one. Raises ListenError."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        raise ListenError(_words(host, port, error)) from None
    return listener


def _words(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} on {host} is taken by another program: give another with --port, or --port 0 for a free one"
    if error.errno == errno.EACCES:
        return f"port {port} may be bound by root only: give one above 1023 with --port"
    reason = error.strerror or os.strerror(error.errno or 0)
    return f"cannot listen on {host}:{port} ({reason}): give an address of this machine with --host"


def address_of(host: str, port: int) -> str:
    """Return the address a browser on this machine takes."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"
