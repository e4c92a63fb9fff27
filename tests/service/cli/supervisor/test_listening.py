"""The web server's socket is bound first, and an address that cannot be is said in one line."""

import pytest

from service.cli.supervisor.listening import ListenError, address_of, listen


def test_port_0_takes_a_free_one() -> None:
    with listen("127.0.0.1", 0) as first, listen("127.0.0.1", 0) as second:
        assert first.getsockname()[1] != second.getsockname()[1] != 0


def test_a_taken_port_is_named_with_what_to_do() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ListenError, match=f"port {port} on 127.0.0.1 is taken .* --port"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize("host", ["203.0.113.1", "no-such-host.invalid"])
def test_an_address_that_is_not_ours_is_named_with_what_to_do(host: str) -> None:
    with pytest.raises(ListenError, match=f"cannot listen on {host}:0 .* --host"):
        listen(host, 0)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:80"),
        ("0.0.0.0", "http://127.0.0.1:80"),
        ("::", "http://[::1]:80"),
        ("::1", "http://[::1]:80"),
        ("malice.example.org", "http://malice.example.org:80"),
    ],
)
def test_the_address_shown_is_one_a_browser_takes(host: str, address: str) -> None:
    assert address_of(host, 80) == address
