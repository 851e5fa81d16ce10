"""Outgoing requests to typed addresses go to the internet, and nowhere nearer."""

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

from tests.builders import code_of
from tests.support.receiver import Receiver, a_receiver
from web import outgoing
from web.outgoing import LARGEST_ANSWER, NotSent, check_address, is_public, post

NEAR = (
    *("0.0.0.0", "0.1.2.3", "10.1.2.3", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.9.9.9"),
    *("169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1", "192.88.99.1"),
    *("192.168.1.1", "198.18.0.1", "198.51.100.7", "203.0.113.7", "224.0.0.1", "239.255.255.250"),
    *("240.0.0.1", "255.255.255.255", "168.63.129.16"),
    *("::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254"),
    *("64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "100::1", "fc00::1", "fd00:ec2::254"),
    *("fe80::1", "fec0::1", "ff02::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "2002:a9fe:a9fe::1"),
    *("3fff::1", "5f00::1"),
)
FAR = ("1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::200e")


@pytest.mark.parametrize("address", NEAR)
def test_nothing_goes_to_an_address_nearby(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", [*FAR, "::ffff:1.1.1.1", "64:ff9b::101:101"])
def test_the_internet_is_there(address: str) -> None:
    assert is_public(ip_address(address))


@given(st.ip_addresses(v=4))
def test_what_python_holds_for_private_is_never_public_however_it_is_written(address: IPv4Address) -> None:
    if not address.is_global or address.is_multicast:
        assert not is_public(address)
    for written in (f"::ffff:{address}", f"64:ff9b::{address}"):
        assert is_public(ip_address(written)) == is_public(address)


@given(st.ip_addresses(v=6))
def test_the_same_for_ipv6(address: IPv6Address) -> None:
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
def test_says_why_an_address_cannot_be_told(address: str, code: str) -> None:
    assert code_of(check_address, address) == code


@pytest.mark.parametrize("address", ["https://example.org", "https://example.org:8443/hook?for=club"])
def test_takes_an_address_of_the_internet(address: str) -> None:
    assert check_address(address) == address


def answered_by(*addresses: str) -> Callable[..., list[Any]]:
    """A name service that has these."""
    return lambda _, port, **__: [
        (socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port))
        for one in addresses
    ]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Return where connections were opened to; none ever is."""
    found: list[tuple[str, int]] = []

    def connect(address: tuple[str, int], **_: Any) -> None:
        found.append(address)
        raise OSError

    monkeypatch.setattr(socket, "create_connection", connect)
    return found


class TestANameOfAnother:
    @pytest.mark.parametrize("nearby", ["127.0.0.1", "::1", "169.254.169.254", "::ffff:192.168.1.1"])
    def test_that_stands_for_something_nearby_is_not_asked(
        self, nearby: str, asked: list[Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(socket, "getaddrinfo", answered_by("93.184.216.34", nearby))
        with pytest.raises(NotSent, match="address_not_public"):
            post("https://example.org/", b"", {})
        assert asked == []

    def test_is_asked_by_the_very_number_that_was_looked_at_whatever_the_name_becomes(
        self, asked: list[Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(socket, "getaddrinfo", answered_by("93.184.216.34"))
        with pytest.raises(NotSent, match="not_reached"):
            post("https://example.org/", b"", {})
        assert asked == [("93.184.216.34", 443)]

    @pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1"])
    def test_that_is_a_number_in_disguise_is_seen_through(self, host: str, asked: list[Any]) -> None:
        with pytest.raises(NotSent):
            post(f"https://{host}/", b"", {})
        assert asked == []


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.LOCAL_TARGETS = ["127.0.0.0/8"]
    with a_receiver() as found:
        yield found


class TestAnAnswer:
    def test_comes_with_its_status_and_text(self, receiver: Receiver) -> None:
        answer = post(receiver.address, b"{}", {"X-One": "1"})
        assert (answer.status, answer.text) == (200, "thanks")
        assert (receiver.received[0].path, receiver.received[0].headers["x-one"]) == ("/hook", "1")

    def test_that_leads_elsewhere_is_not_followed(self, receiver: Receiver) -> None:
        receiver.status, receiver.location = 307, f"{receiver.origin}/elsewhere"
        assert post(receiver.address, b"{}", {}).status == 307
        assert [one.path for one in receiver.received] == ["/hook"]

    def test_is_read_no_further_than_needed(self, receiver: Receiver) -> None:
        receiver.text = b"x" * (LARGEST_ANSWER + 1)
        assert len(post(receiver.address, b"{}", {}).text) == LARGEST_ANSWER

    def test_without_leave_is_never_asked_for(self, receiver: Receiver, settings: Any) -> None:
        settings.LOCAL_TARGETS = []
        with pytest.raises(NotSent, match="address_not_https"):
            post(receiver.address, b"{}", {})
        with pytest.raises(NotSent, match="address_not_public"):
            post(receiver.address.replace("http:", "https:"), b"{}", {})
        assert receiver.received == []

    def test_goes_round_any_proxy(self, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("http_proxy", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, "http://127.0.0.1:9")
        assert post(receiver.address, b"{}", {}).status == 200

    def test_of_nobody_says_why_there_is_none(
        self, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        with pytest.raises(NotSent, match="not_reached"):
            post(f"http://127.0.0.1:{port}/", b"{}", {})
        monkeypatch.setattr(outgoing, "_tls", lambda: _Wary(ssl.PROTOCOL_TLS_CLIENT))
        with pytest.raises(NotSent, match="certificate_refused"):
            post(receiver.address.replace("http:", "https:"), b"{}", {})

    def test_that_comes_a_drop_at_a_time_is_cut(self, settings: Any) -> None:
        settings.LOCAL_TARGETS = ["127.0.0.0/8"]
        with socket.create_server(("127.0.0.1", 0)) as server:
            Thread(target=_dripping, args=(server,), daemon=True).start()
            with pytest.raises(NotSent, match="no_answer"):
                post(f"http://127.0.0.1:{server.getsockname()[1]}/", b"{}", {}, patience=0.3)


class _Wary(ssl.SSLContext):
    """Believes no certificate."""

    def wrap_socket(self, *_: Any, **__: Any) -> ssl.SSLSocket:
        raise ssl.SSLCertVerificationError


def _dripping(server: socket.socket) -> None:
    line, _ = server.accept()
    with line:
        try:
            line.sendall(b"HTTP/1.1 200 OK\r\n")
            for number in range(10_000):
                line.sendall(f"X-{number}: y\r\n".encode())
                time.sleep(0.05)
        except OSError:
            return
