"""Addresses for phones: reachability, the desk's page about them, and a change of network."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from clubs.models import Role
from operations.start.lock import LOCK_FILE, record_address
from operations.up import reach
from operations.up.addresses import AddressKind, HostAddress, classify_address
from operations.up.watch import AddressWatch
from tests.support.hall import Hall

pytestmark = pytest.mark.django_db

WIFI, VPN = "192.168.1.7", "10.8.0.2"


@pytest.fixture(autouse=True)
def networks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[HostAddress]]:
    """Yield the networks of this computer: Wi-Fi and a VPN."""
    found = [HostAddress(host=WIFI), HostAddress(host=VPN, way=AddressKind.VPN)]
    monkeypatch.setattr(reach, "own_addresses", lambda _: list(found))
    monkeypatch.setattr(reach, "local_name", lambda: "laptop.local")
    yield found
    reach.clear_arrivals()
    reach._recorded_at.clear()
    for name in (reach.CHOSEN_FILE, LOCK_FILE):
        (Path(settings.DATA_DIR) / name).unlink(missing_ok=True)


def arrive(reached: str = WIFI, client: str = "192.168.1.50", **more: str) -> None:
    Client().get("/", **{"SERVER_NAME": reached, "REMOTE_ADDR": client, **more})  # type: ignore[arg-type]


def get_lights(hall: Hall) -> dict[str, bool]:
    """Return each address of the desk's page, and whether a phone has reached it."""
    page = hall.desk.open(f"/club/{hall.event.club.slug}/phones")
    return {
        each.find_one("h2").text.partition(":")[0]: "Reached at" in each.text
        for each in page.find_one("ul", class_="addresses").find_all("li")
    }


@pytest.mark.long
def test_an_address_turns_green_once_a_phone_arrives_there() -> None:
    hall = Hall(pairs=2)
    assert get_lights(hall) == {WIFI: False, "laptop.local": False, VPN: False}
    for client in ("127.0.0.1", WIFI, "::1"):
        arrive(client=client)
    assert not any(get_lights(hall).values()), "this computer is no phone"
    arrive()
    assert get_lights(hall) == {WIFI: True, "laptop.local": False, VPN: False}
    arrive(reached=f"::ffff:{VPN}", HTTP_HOST="laptop.local:8000")
    assert all(get_lights(hall).values())


def test_visitor_cannot_add_an_address() -> None:
    hall = Hall(pairs=2)
    arrive(HTTP_HOST="forged.local")
    arrive(reached="192.168.99.9")
    assert get_lights(hall) == {WIFI: True, "laptop.local": False, VPN: False}
    assert "forged.local" not in reach.load_arrivals()


def test_a_director_chooses_the_address_of_table_cards() -> None:
    hall = Hall(pairs=2)
    page = hall.desk.open(f"/club/{hall.event.club.slug}/phones")
    hall.desk.send(page, [*page.find_one("ul", class_="addresses").find_all("form")][-1])
    assert "10.8.0.2" in hall.desk.open(f"/e/{hall.event.short}/desk/cards").find_one("section").text
    reach.save_chosen_address("")
    assert "10.8.0.2" not in hall.desk.open(f"/e/{hall.event.short}/desk/cards").find_one("section").text


def test_desk_helper_sees_addresses_but_cannot_choose() -> None:
    hall = Hall(pairs=2)
    hall.event.club.memberships.update(role=Role.DESK)
    page = hall.desk.open(f"/club/{hall.event.club.slug}/phones")
    assert not [*page.find_one("ul", class_="addresses").find_all("form")]


def test_public_server_has_no_phone_address_pages(settings: Any) -> None:
    hall = Hall(pairs=2)
    settings.NAMES = type(settings.NAMES)(names=["testserver"], is_hall=False)
    for page in ("phones", "before-the-night"):
        assert hall.desk.open(f"/club/{hall.event.club.slug}/{page}").status == 404
    assert "Before the night" not in hall.desk.open(f"/club/{hall.event.club.slug}").text


def test_qr_codes_prefer_an_address_that_a_phone_has_used() -> None:
    assert reach.phone_url("", 8000, "http") == f"http://{WIFI}:8000/"
    reach.record_arrival(server_address=VPN, name="", client="10.8.0.9")
    assert reach.phone_url("", 8000, "http") == f"http://{VPN}:8000/"
    assert reach.phone_url("", 8000, "http", is_chosen=True) is None


@pytest.mark.slow
def test_network_change_is_reported_in_the_terminal_and_at_the_desk(
    networks: list[HostAddress], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("operations.up.watch.data_folder", lambda: Path(settings.DATA_DIR))
    hall, watch = Hall(pairs=2), AddressWatch(8000, "")
    desk = f"/e/{hall.event.short}/desk"
    arrive()
    watch.check_addresses()
    assert capsys.readouterr().out == f"A phone has reached this computer at http://{WIFI}:8000/\n"
    del networks[:]
    watch.check_addresses()
    assert "has left the network" in capsys.readouterr().out
    networks.append(HostAddress(host="10.0.0.4"))
    for _ in range(2):
        watch.check_addresses()
    output = capsys.readouterr().out
    assert output.count("The network has changed") == 1
    assert "http://10.0.0.4:8000/" in output
    assert "10.0.0.4" in hall.desk.open(desk).find_one("div", id="moved").text
    arrive(reached="10.0.0.4", client="10.0.0.50")
    later = (datetime.now(UTC) + timedelta(seconds=2)).timestamp()
    os.utime(Path(settings.DATA_DIR) / reach.ARRIVALS_FOLDER / "10.0.0.4", (later, later))
    assert not [*hall.desk.open(desk).find_all("div", id="moved")]


def test_first_network_is_not_reported_as_a_change(
    networks: list[HostAddress], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("operations.up.watch.data_folder", lambda: Path(settings.DATA_DIR))
    del networks[:]
    watch = AddressWatch(8000, "")
    record_address(Path(settings.DATA_DIR), "http://localhost:8000/", "")
    networks.append(HostAddress(host=WIFI))
    watch.check_addresses()
    assert f"On the network:     http://{WIFI}:8000/" in capsys.readouterr().out
    assert reach.moved_address() is None


@pytest.mark.parametrize(
    ("interface", "address", "way"),
    [
        ("wlan0", "192.168.1.7", AddressKind.NETWORK),
        ("en0", "10.0.0.4", AddressKind.NETWORK),
        ("bridge100", "192.168.2.1", AddressKind.NETWORK),
        ("", "172.16.4.9", AddressKind.NETWORK),
        ("docker0", "172.17.0.1", AddressKind.VIRTUAL),
        ("", "172.28.160.1", AddressKind.VIRTUAL),
        ("", "192.168.56.1", AddressKind.VIRTUAL),
        ("eth0", "169.254.8.8", AddressKind.VIRTUAL),
        ("utun3", "10.8.0.2", AddressKind.VPN),
        ("", "100.101.2.3", AddressKind.VPN),
    ],
)
def test_virtual_networks_and_vpns_are_recognized(interface: str, address: str, way: AddressKind) -> None:
    assert classify_address(interface, ip_address(address)) is way
