"""Whether phones reach this computer: its addresses, which of them phones have used, and the chosen one.

All of it belongs to this computer and its networks, and so is in files of the data folder, not in the
database: ``arrivals`` has a file for each address, written when a phone last arrived there.
"""

from __future__ import annotations

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

from operations.start.lock import AT, MOVED, read_note

from .addresses import OwnAddress, Way, local_name, own_addresses
from .interfaces import Address

ARRIVALS, CHOSEN = "arrivals", "phones.address"
NOTED_EVERY = 10.0
"""Seconds in which a process notes an address once."""
_noted: dict[str, float] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneAddress:
    """An address for phones, and when one last ``arrived_at`` it since the start."""

    address: OwnAddress
    arrived_at: datetime | None
    is_chosen: bool

    @property
    def host(self) -> str:
        return self.address.host


def phone_addresses() -> list[PhoneAddress]:
    """Return every address and name of this computer for phones, the likeliest first."""
    arrived, chosen = arrivals(), _read(CHOSEN)
    own = own_addresses(settings.LISTENS_AT)
    if own:
        own += [OwnAddress(host=name, way=Way.NAME) for name in own_names()]
        own.sort(key=lambda one: list(Way).index(one.way))
    return [
        PhoneAddress(address=one, arrived_at=arrived.get(one.host), is_chosen=one.host == chosen)
        for one in own
    ]


def own_names() -> list[str]:
    """Return the names by which phones may find this computer: those of its operator, and its own."""
    names = [name for name in settings.NAMES.names if name[:1] not in {"*", "."}]
    return [*names, *filter(None, [local_name()])]


def phone_url(host: str, port: int, scheme: str, *, is_chosen: bool = False) -> str | None:
    """Return the address for QR codes: the chosen one, else one that a phone has used, else the likeliest.
    With ``is_chosen``, only one that somebody has chosen."""
    found = phone_addresses()
    best = next((one for one in found if one.is_chosen), None)
    if best is None and not is_chosen:
        best = next((one for one in found if one.arrived_at), next(iter(found), None))
    return best.address.url(port, scheme) if best else None


def choose_address(host: str) -> None:
    """Let QR codes lead to this address; without one, to the likeliest again."""
    (Path(settings.DATA_DIR) / CHOSEN).write_text(host, encoding="utf-8")


def note_arrival(*, reached: str, name: str, client: str) -> None:
    """Note that another device has reached this computer at an address, by a name of its own."""
    at, by = _address(reached), _address(client)
    if at is None or by is None or by == at or by.is_loopback:
        return
    for host in {str(at), name}:
        is_noted = time.monotonic() - _noted.get(host, -NOTED_EVERY) < NOTED_EVERY
        if not is_noted and (host == str(at) or name in own_names()):
            _noted[host] = time.monotonic()
            with suppress(OSError):  # a full disk stops no page
                folder = Path(settings.DATA_DIR) / ARRIVALS
                folder.mkdir(exist_ok=True)
                (folder / quote(host, safe="")).touch()


def arrivals() -> dict[str, datetime]:
    """Return when a phone last arrived at each address since the start."""
    folder = Path(settings.DATA_DIR) / ARRIVALS
    try:
        files = list(folder.iterdir())
    except OSError:
        return {}
    return {unquote(file.name): datetime.fromtimestamp(file.stat().st_mtime, UTC) for file in files}


def last_reached(addresses: Iterable[PhoneAddress]) -> PhoneAddress | None:
    """Return the address at which a phone arrived last; None before the first phone."""
    reached = [(one.arrived_at, one) for one in addresses if one.arrived_at is not None]
    return max(reached, key=lambda each: each[0])[1] if reached else None


def forget_arrivals() -> None:
    shutil.rmtree(Path(settings.DATA_DIR) / ARRIVALS, ignore_errors=True)


def moved_address() -> PhoneAddress | None:
    """Return the address after a change of the network, until a phone has arrived there."""
    folder = Path(settings.DATA_DIR)
    moved_at, host = read_note(folder, MOVED), urlsplit(read_note(folder, AT)).hostname
    if not moved_at:
        return None
    found, since = phone_addresses(), datetime.fromisoformat(moved_at)
    is_known = any(one.arrived_at and one.arrived_at > since for one in found)
    return None if is_known else next((one for one in found if one.host == host), None)


def show_square(url: str) -> None:
    """Print a QR code in the terminal; nothing if the output goes elsewhere."""
    if sys.stdout.isatty():
        is_unicode = sys.stdout.encoding.lower().startswith("utf")
        segno.make(url, micro=False).terminal(compact=is_unicode)


def _read(name: str) -> str:
    try:
        return (Path(settings.DATA_DIR) / name).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def _address(host: str) -> Address | None:
    """Read an address; one of IPv4 also as a socket of IPv6 writes it."""
    try:
        found = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found
