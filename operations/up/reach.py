"""Whether phones reach this computer: its addresses, which of them phones have used, and the chosen one.

All of it belongs to this computer and its networks, and so is in files of the data folder, not in the
database: ``load_arrivals`` reads a file for each address, written when a phone last arrived there.
"""

import shutil
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import segno
from django.conf import settings

from operations.data_dir import read_note_file
from operations.start.lock import ADDRESS_NOTE, MOVED_NOTE, read_note

from .addresses import AddressKind, HostAddress, local_name, own_addresses
from .interfaces import Address

ARRIVALS_FOLDER, CHOSEN_FILE = "arrivals", "phones.address"
RECORD_INTERVAL = 10.0
"""Seconds in which a process notes an address once."""
_recorded_at: dict[str, float] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneAddress:
    """An address for phones, and when one last ``arrived_at`` it since the start."""

    address: HostAddress
    arrived_at: datetime | None
    is_chosen: bool

    @property
    def host(self) -> str:
        return self.address.host


def phone_addresses() -> list[PhoneAddress]:
    """Return every address and name of this computer for phones, the likeliest first."""
    arrivals_by_host, chosen = load_arrivals(), read_note_file(Path(settings.DATA_DIR) / CHOSEN_FILE).strip()
    addresses = own_addresses(settings.LISTEN_ADDRESS)
    if addresses:
        addresses += [HostAddress(host=name, way=AddressKind.NAME) for name in list_own_names()]
        addresses.sort(key=lambda one: list(AddressKind).index(one.way))
    return [
        PhoneAddress(
            address=own_address, arrived_at=arrivals_by_host.get(own_address.host), is_chosen=own_address.host == chosen
        )
        for own_address in addresses
    ]


def list_own_names() -> list[str]:
    """Return the names by which phones may find this computer: those of its operator, and its own."""
    names = [name for name in settings.NAMES.names if name[:1] not in {"*", "."}]
    return [*names, *filter(None, [local_name()])]


def phone_url(host: str, port: int, scheme: str, *, is_chosen: bool = False) -> str | None:
    """Return the address for QR codes: the chosen one, else one that a phone has used, else the likeliest.
    With ``is_chosen``, only one that somebody has chosen."""
    addresses = phone_addresses()
    best = next((phone_address for phone_address in addresses if phone_address.is_chosen), None)
    if best is None and not is_chosen:
        best = next(
            (phone_address for phone_address in addresses if phone_address.arrived_at), next(iter(addresses), None)
        )
    return best.address.build_url(port, scheme) if best else None


def save_chosen_address(host: str) -> None:
    """Let QR codes lead to this address; without one, to the likeliest again."""
    (Path(settings.DATA_DIR) / CHOSEN_FILE).write_text(host, encoding="utf-8")


def record_arrival(*, server_address: str, name: str, client: str) -> None:
    """Note that another device has reached this computer at an address, by a name of its own."""
    own_ip, client_ip = _parse_address(server_address), _parse_address(client)
    if own_ip is None or client_ip is None or client_ip == own_ip or client_ip.is_loopback:
        return
    for host in {str(own_ip), name}:
        is_recorded = time.monotonic() - _recorded_at.get(host, -RECORD_INTERVAL) < RECORD_INTERVAL
        if not is_recorded and (host == str(own_ip) or name in list_own_names()):
            _recorded_at[host] = time.monotonic()
            with suppress(OSError):  # a full disk stops no page
                folder = Path(settings.DATA_DIR) / ARRIVALS_FOLDER
                folder.mkdir(exist_ok=True)
                (folder / quote(host, safe="")).touch()


def load_arrivals() -> dict[str, datetime]:
    """Return when a phone last arrived at each address since the start."""
    folder = Path(settings.DATA_DIR) / ARRIVALS_FOLDER
    try:
        files = list(folder.iterdir())
    except OSError:
        return {}
    return {unquote(file.name): datetime.fromtimestamp(file.stat().st_mtime, UTC) for file in files}


def find_last_reached(addresses: Iterable[PhoneAddress]) -> PhoneAddress | None:
    """Return the address at which a phone arrived last; None before the first phone."""
    arrivals_found = [
        (phone_address.arrived_at, phone_address) for phone_address in addresses if phone_address.arrived_at is not None
    ]
    return max(arrivals_found, key=lambda each: each[0])[1] if arrivals_found else None


def clear_arrivals() -> None:
    shutil.rmtree(Path(settings.DATA_DIR) / ARRIVALS_FOLDER, ignore_errors=True)


def moved_address() -> PhoneAddress | None:
    """Return the address after a change of the network, until a phone has arrived there."""
    folder = Path(settings.DATA_DIR)
    moved_at, host = read_note(folder, MOVED_NOTE), urlsplit(read_note(folder, ADDRESS_NOTE)).hostname
    if not moved_at:
        return None
    addresses, moved_time = phone_addresses(), datetime.fromisoformat(moved_at)
    is_reached = any(phone_address.arrived_at and phone_address.arrived_at > moved_time for phone_address in addresses)
    return (
        None if is_reached else next((phone_address for phone_address in addresses if phone_address.host == host), None)
    )


def print_qr_code(url: str) -> None:
    """Print a QR code in the terminal; nothing if the output goes elsewhere."""
    if sys.stdout.isatty():
        is_unicode = sys.stdout.encoding.lower().startswith("utf")
        segno.make(url, micro=False).terminal(compact=is_unicode)


def _parse_address(host: str) -> Address | None:
    """Read an address; one of IPv4 also as a socket of IPv6 writes it."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
