"""Requests to addresses that users typed reach only the public internet."""

import socket
import ssl
import time
from collections.abc import Callable, Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import get_refusal_code
from tests.support.receiver import Receiver, run_receiver
from web import outgoing
from web.outgoing import MAX_RESPONSE_BYTES, RequestNotSentError, check_address, is_public, post_url

PRIVATE_ADDRESSES = (
    *("0.0.0.0", "0.1.2.3", "10.1.2.3", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.9.9.9"),
    *("169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1", "192.88.99.1"),
    *("192.168.1.1", "198.18.0.1", "198.51.100.7", "203.0.113.7", "224.0.0.1", "239.255.255.250"),
    *("240.0.0.1", "255.255.255.255", "168.63.129.16"),
    *("::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254"),
    *("64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "100::1", "fc00::1", "fd00:ec2::254"),
    *("fe80::1", "fec0::1", "ff02::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "2002:a9fe:a9fe::1"),
    *("3fff::1", "5f00::1"),
)
PUBLIC_ADDRESSES = ("1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::200e")


@pytest.mark.parametrize("address", PRIVATE_ADDRESSES)
def test_nearby_address_is_not_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", [*PUBLIC_ADDRESSES, "::ffff:1.1.1.1", "64:ff9b::101:101"])
def test_internet_address_is_public(address: str) -> None:
    assert is_public(ip_address(address))


@given(st.ip_addresses(v=4))
def test_private_ipv4_is_never_public_in_any_notation(address: IPv4Address) -> None:
    if not address.is_global or address.is_multicast:
        assert not is_public(address)
    for written in (f"::ffff:{address}", f"64:ff9b::{address}"):
        assert is_public(ip_address(written)) == is_public(address)


@given(st.ip_addresses(v=6))
def test_public_ipv6_is_global_and_unicast(address: IPv6Address) -> None:
    assert not is_public(address) or (address.is_global and not address.is_multicast)


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("", "address_unreadable"),
        ("ftp://example.org/", "address_unreadable"),
        ("https:///hook", "address_unreadable"),
        ("https://somebody:secret@example.org/", "address_unreadable"),
        ("https://example.org\\@127.0.0.1/", "address_unreadable"),
        ("https://example.org/a b", "address_unreadable"),
        ("https://example.org/\r\nX: y", "address_unreadable"),
        ("https://example.org:99999/", "address_unreadable"),
        ("https://[::1", "address_unreadable"),
        ("https://example.org/" + "a" * 500, "address_unreadable"),
        ("http://example.org/", "address_not_https"),
        ("https://localhost/", "address_not_public"),
        ("https://intranet/", "address_not_public"),
        ("https://127.0.0.1/", "address_not_public"),
        ("https://[::ffff:10.0.0.1]:8443/", "address_not_public"),
    ],
)
def test_refused_address_gives_a_reason_code(address: str, code: str) -> None:
    assert get_refusal_code(check_address, address) == code


@pytest.mark.parametrize("address", ["https://example.org", "https://example.org:8443/hook?for=club"])
def test_internet_address_passes_the_check(address: str) -> None:
    assert check_address(address) == address


def build_resolver(*addresses: str) -> Callable[..., list[Any]]:
    """Build a name service that gives these addresses for any name."""
    return lambda _, port, **__: [
        (socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in addresses
    ]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Record the addresses of attempted connections; all attempts fail."""
    found: list[tuple[str, int]] = []

    def connect(address: tuple[str, int], **_: Any) -> None:
        found.append(address)
        raise OSError

    monkeypatch.setattr(socket, "create_connection", connect)
    return found


class TestHostResolution:
    @pytest.mark.parametrize("nearby", ["127.0.0.1", "::1", "169.254.169.254", "::ffff:192.168.1.1"])
    def test_name_with_a_nearby_address_is_not_requested(
        self, nearby: str, asked: list[Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(socket, "getaddrinfo", build_resolver("93.184.216.34", nearby))
        with pytest.raises(RequestNotSentError, match="address_not_public"):
            post_url("https://example.org/", b"", {})
        assert asked == []

    def test_request_connects_to_the_checked_address(self, asked: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(socket, "getaddrinfo", build_resolver("93.184.216.34"))
        with pytest.raises(RequestNotSentError, match="not_reached"):
            post_url("https://example.org/", b"", {})
        assert asked == [("93.184.216.34", 443)]

    @pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1"])
    def test_disguised_numeric_host_is_not_requested(self, host: str, asked: list[Any]) -> None:
        with pytest.raises(RequestNotSentError):
            post_url(f"https://{host}/", b"", {})
        assert asked == []


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.LOCAL_TARGETS = ["127.0.0.0/8"]
    with run_receiver() as found:
        yield found


class TestOutgoingResponse:
    def test_response_has_its_status_and_text(self, receiver: Receiver) -> None:
        answer = post_url(receiver.address, b"{}", {"X-One": "1"})
        assert (answer.status, answer.text) == (200, "thanks")
        assert (receiver.requests[0].path, receiver.requests[0].headers["x-one"]) == ("/hook", "1")

    def test_outgoing_redirect_is_not_followed(self, receiver: Receiver) -> None:
        receiver.status, receiver.location = 307, f"{receiver.origin}/elsewhere"
        assert post_url(receiver.address, b"{}", {}).status == 307
        assert [one.path for one in receiver.requests] == ["/hook"]

    def test_response_body_is_truncated_at_the_limit(self, receiver: Receiver) -> None:
        receiver.text = b"x" * (MAX_RESPONSE_BYTES + 1)
        assert len(post_url(receiver.address, b"{}", {}).text) == MAX_RESPONSE_BYTES

    def test_local_target_requires_explicit_permission(self, receiver: Receiver, settings: Any) -> None:
        settings.LOCAL_TARGETS = []
        with pytest.raises(RequestNotSentError, match="address_not_https"):
            post_url(receiver.address, b"{}", {})
        with pytest.raises(RequestNotSentError, match="address_not_public"):
            post_url(receiver.address.replace("http:", "https:"), b"{}", {})
        assert receiver.requests == []

    def test_proxy_settings_are_ignored(self, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("http_proxy", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, "http://127.0.0.1:9")
        assert post_url(receiver.address, b"{}", {}).status == 200

    def test_failed_request_gives_its_reason(self, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        with pytest.raises(RequestNotSentError, match="not_reached"):
            post_url(f"http://127.0.0.1:{port}/", b"{}", {})
        monkeypatch.setattr(outgoing, "_get_ssl_context", lambda: _Wary(ssl.PROTOCOL_TLS_CLIENT))
        with pytest.raises(RequestNotSentError, match="certificate_refused"):
            post_url(receiver.address.replace("http:", "https:"), b"{}", {})

    def test_trickling_response_times_out(self, settings: Any) -> None:
        settings.LOCAL_TARGETS = ["127.0.0.0/8"]
        with socket.create_server(("127.0.0.1", 0)) as server:
            Thread(target=_serve_slowly, args=(server,), daemon=True).start()
            with pytest.raises(RequestNotSentError, match="no_answer"):
                post_url(f"http://127.0.0.1:{server.getsockname()[1]}/", b"{}", {}, timeout=0.3)


class _Wary(ssl.SSLContext):
    """TLS context that refuses every certificate."""

    def wrap_socket(self, *_: Any, **__: Any) -> ssl.SSLSocket:
        raise ssl.SSLCertVerificationError


def _serve_slowly(server: socket.socket) -> None:
    line, _ = server.accept()
    with line:
        try:
            line.sendall(b"HTTP/1.1 200 OK\r\n")
            for number in range(10_000):
                line.sendall(f"X-{number}: y\r\n".encode())
                time.sleep(0.05)
        except OSError:
            return
