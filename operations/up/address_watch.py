"""Messages of `up` in its terminal about its addresses: when a phone first uses one, and when the network
changes."""

from datetime import UTC, datetime
from urllib.parse import urlsplit

from django.conf import settings

from operations.data_dir import data_folder
from operations.start.lock import record_address
from operations.start.place import describe_place
from operations.terminal import print_line

from .addresses import AddressKind, HostAddress, build_local_url
from .reach import phone_addresses, phone_url, print_qr_code

LINE_CODES = {way: f"on-{way}" for way in AddressKind}
"""Codes of the lines with an address."""


class AddressWatch:
    """The addresses of a running `up`, compared with those at the last look."""

    def __init__(self, port: int, path: str) -> None:
        self._port, self._path = port, path
        self._known_hosts = {phone_address.host for phone_address in phone_addresses()}
        self._reached_hosts = set[str]()
        self._main_url, self._moved_at = get_main_url(port), ""

    def check_addresses(self) -> None:
        """Report what has changed since the last look; the desk reads the new address from the note."""
        addresses = phone_addresses()
        for phone_address in addresses:
            if phone_address.arrived_at and phone_address.host not in self._reached_hosts:
                self._reached_hosts.add(phone_address.host)
                print_line("phone-arrived", url=phone_address.address.build_url(self._port))
        new_addresses = [phone_address for phone_address in addresses if phone_address.host not in self._known_hosts]
        was_on_network, self._known_hosts = bool(self._known_hosts), {phone_address.host for phone_address in addresses}
        if was_on_network and not addresses:
            print_line("network-lost")
        elif addresses and urlsplit(self._main_url).hostname not in self._known_hosts:
            if self._main_url != build_local_url(settings.LISTEN_ADDRESS, self._port):
                print_line("network-changed")
                self._moved_at = datetime.now(UTC).isoformat()
            self._record_main_url((new_addresses or addresses)[0].address.build_url(self._port))
        elif any(phone_address.arrived_at or phone_address.is_chosen for phone_address in addresses):
            self._record_main_url(get_main_url(self._port))
        for phone_address in new_addresses:
            print_address(phone_address.address, self._port, self._path)

    def _record_main_url(self, url: str) -> None:
        if url != self._main_url:
            self._main_url = url
            record_address(data_folder(), url, describe_place(data_folder()), self._moved_at)


def get_main_url(port: int) -> str:
    """Return the address of this program for messages and QR codes."""
    host = settings.LISTEN_ADDRESS
    return phone_url(host, port, "http") or build_local_url(host, port)


def print_address(address: HostAddress, port: int, path: str) -> None:
    """Print an address, with its QR code if phones are likely to reach it; the desk shows those of all."""
    url = address.build_url(port) + path
    print_line(LINE_CODES[address.way], url=url)
    if address.way is AddressKind.NETWORK:
        print_qr_code(url)
