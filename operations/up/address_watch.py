"""Messages of `up` in its terminal about its addresses: when a phone first uses one, and when the network
changes."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import urlsplit

from django.conf import settings

from operations.data_dir import data_folder
from operations.start.lock import note_address
from operations.start.place import this_place
from operations.terminal import say

from .addresses import OwnAddress, Way, local_url
from .reach import phone_addresses, phone_url, show_square

CODES = {way: f"on-{way}" for way in Way}
"""Codes of the lines with an address."""


class AddressWatch:
    """The addresses of a running `up`, compared with those at the last look."""

    def __init__(self, port: int, path: str) -> None:
        self._port, self._path = port, path
        self._known = {one.host for one in phone_addresses()}
        self._reached = set[str]()
        self._main, self._moved_at = main_url(port), ""

    def look_once(self) -> None:
        """Report what has changed since the last look; the desk reads the new address from the note."""
        found = phone_addresses()
        for one in found:
            if one.arrived_at and one.host not in self._reached:
                self._reached.add(one.host)
                say("phone-arrived", url=one.address.url(self._port))
        new = [one for one in found if one.host not in self._known]
        was_on_network, self._known = bool(self._known), {one.host for one in found}
        if was_on_network and not found:
            say("network-lost")
        elif found and urlsplit(self._main).hostname not in self._known:
            if self._main != local_url(settings.LISTENS_AT, self._port):
                say("network-changed")
                self._moved_at = datetime.now(UTC).isoformat()
            self._note_main((new or found)[0].address.url(self._port))
        elif any(one.arrived_at or one.is_chosen for one in found):
            self._note_main(main_url(self._port))
        for one in new:
            say_address(one.address, self._port, self._path)

    def _note_main(self, url: str) -> None:
        if url != self._main:
            self._main = url
            note_address(data_folder(), url, this_place(data_folder()), self._moved_at)


def main_url(port: int) -> str:
    """Return the address of this program for messages and QR codes."""
    host = settings.LISTENS_AT
    return phone_url(host, port, "http") or local_url(host, port)


def say_address(address: OwnAddress, port: int, path: str) -> None:
    """Print an address, with its QR code if phones are likely to reach it; the desk shows those of all."""
    url = address.url(port) + path
    say(CODES[address.way], url=url)
    if address.way is Way.NETWORK:
        show_square(url)
