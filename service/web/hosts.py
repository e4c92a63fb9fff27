"""Which names this service answers to, and who counts as somebody on this machine.

Any web page can make a browser call a loopback address, under a name of its own choosing (DNS rebinding) or from
its own origin. So the Host header must be ours, a foreign Origin is refused, and loopback is trusted only where
nothing stands between.
"""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from service.settings import Settings

FORWARDING_HEADERS = frozenset(
    {
        *("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port"),
        *("x-forwarded-server", "x-real-ip", "x-client-ip", "cf-connecting-ip", "true-client-ip"),
    }
)
"""Set by proxies and tunnels: the request did not come from this machine, whatever its address says."""

_LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
_WILDCARDS = frozenset({"0.0.0.0", "::", ""})
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Address:
    """A scheme, a host name in lower case and a port."""

    scheme: str
    name: str
    port: int


@dataclass(frozen=True)
class HostPolicy:
    """The names an installation answers to."""

    host: str
    """The address it binds."""
    port: int
    """The port it binds; 0: whatever the server got."""
    public: Address | None
    loopback: bool

    @classmethod
    def of(cls, settings: Settings) -> "HostPolicy":
        """The policy of an installation's settings. Raises ValueError for a PUBLIC_URL that is none."""
        public = None
        if settings.public_url:
            public = parse_origin(settings.public_url.rstrip("/"))
            if public is None:
                raise ValueError(
                    f"MALICE_PUBLIC_URL={settings.public_url!r}: give scheme and host, https://cards.example"
                )
        return cls(settings.host.lower(), settings.port, public, settings.is_loopback)

    def knows_host(self, header: str, server_port: int) -> bool:
        """Whether a Host header names this service; `server_port` is the port the server listens on."""
        if self.public:
            bare = parse_origin(f"{self.public.scheme}://{header}")
            if bare == self.public:
                return True
        address = parse_origin(f"http://{header}")
        return address is not None and self._is_bound(address, server_port)

    def knows_origin(self, header: str, server_port: int) -> bool:
        """Whether an Origin header names this service's own pages."""
        origin = parse_origin(header)
        if origin is None:
            return False
        return origin == self.public or (origin.scheme == "http" and self._is_bound(origin, server_port))

    def is_local(self, remote: str | None, header_names: Iterable[str]) -> bool:
        """Whether a request was made on this machine, without a proxy or tunnel in between."""
        names = {name.lower() for name in header_names}
        if not self.loopback or self.public or not FORWARDING_HEADERS.isdisjoint(names):
            return False
        try:
            return remote is not None and ipaddress.ip_address(remote).is_loopback
        except ValueError:
            return False

    def _is_bound(self, address: Address, server_port: int) -> bool:
        if self.host in _WILDCARDS:
            # Bound to all addresses: by number any is ours, and no page can rebind a number.
            return address.name == "localhost" or _is_number(address.name)
        if address.port != (self.port or server_port):
            return False
        return address.name in _LOOPBACK_NAMES if self.loopback else address.name == self.host


def parse_origin(text: str) -> Address | None:
    """Return `scheme://host[:port]` in parts; None for anything else, such as `null`."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    if (
        parts.scheme not in _DEFAULT_PORTS
        or not parts.hostname
        or parts.path
        or parts.query
        or parts.fragment
    ):
        return None
    if (
        "@" in parts.netloc
        or parts.netloc.endswith(":")
        or not text.isascii()
        or not text.isprintable()
        or " " in text
    ):
        return None
    return Address(parts.scheme, parts.hostname, port or _DEFAULT_PORTS[parts.scheme])


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
