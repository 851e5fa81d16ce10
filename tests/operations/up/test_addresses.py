"""URLs of this computer, for itself and for the network."""

from __future__ import annotations

import ipaddress
import socket

import pytest

from operations.up import addresses
from operations.up.addresses import build_local_url, build_network_url, own_addresses


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("0.0.0.0", "http://localhost:8000/"),
        ("::", "http://localhost:8000/"),
        ("127.0.0.1", "http://127.0.0.1:8000/"),
        ("192.168.1.7", "http://192.168.1.7:8000/"),
        ("::1", "http://[::1]:8000/"),
    ],
)
def test_local_url_reaches_the_listening_host(host: str, here: str) -> None:
    assert build_local_url(host, 8000) == here


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "localhost", "::1"])
def test_loopback_host_has_no_network_url(host: str) -> None:
    assert build_network_url(host, 8000) is None


def test_addresses_are_listed_the_likeliest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [("tun0", "10.8.0.2"), ("docker0", "172.17.0.1"), ("wlan0", "fd00::7"), ("wlan0", "fe80::7")]
    found += [("eth0", "192.168.9.3"), ("wlan0", "192.168.1.7"), ("lo", "127.0.0.1")]
    read = [(name, ipaddress.ip_address(address)) for name, address in found]
    monkeypatch.setattr(addresses, "interface_addresses", lambda: read)
    monkeypatch.setattr(addresses, "_outgoing_address", lambda: "192.168.1.7")
    of_ipv4 = ["192.168.1.7", "192.168.9.3", "172.17.0.1", "10.8.0.2"]
    assert [each.host for each in own_addresses("0.0.0.0")] == of_ipv4
    assert [each.host for each in own_addresses("::")] == [*of_ipv4[:2], "fd00::7", *of_ipv4[2:]]


@pytest.mark.parametrize(
    ("computer", "name"),
    [("LAPTOP", "laptop.local"), ("PC-André", "xn--pc-andr-hya.local"), ("pc_jean", ""), ("localhost", "")],
)
def test_local_name_is_written_as_browsers_send_it(monkeypatch: pytest.MonkeyPatch, computer: str, name: str) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: computer)
    assert addresses.local_name() == name


def test_named_address_is_the_network_url() -> None:
    assert build_network_url("192.168.1.7", 8000) == "http://192.168.1.7:8000/"


def test_wildcard_host_is_announced_under_a_usable_address() -> None:
    url = build_network_url("0.0.0.0", 8000)
    if url is None:
        pytest.skip("this machine has no network")
    address = ipaddress.ip_address(url.removeprefix("http://").removesuffix(":8000/"))
    assert not address.is_loopback
    assert not address.is_unspecified
