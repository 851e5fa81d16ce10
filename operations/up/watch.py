"""Messages of `up` in its terminal: its addresses, and parts that fall silent or recover."""

import shutil
import time
from collections.abc import Callable
from datetime import UTC, datetime
from threading import Thread
from urllib.parse import urlsplit

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from jobs.delays import LateReason, find_late_reason, is_distant
from jobs.models import Job
from jobs.queues import Queue
from jobs.registry import find_kind
from operations.data_dir import data_folder
from operations.outages import find_outage
from operations.postgresql import waits_at_most
from operations.start.data_folder import MIN_FREE_BYTES
from operations.start.lock import record_address
from operations.start.place import describe_place
from operations.terminal import print_line
from server.health import is_broker_available

from .addresses import AddressKind, HostAddress, build_local_url
from .computer_clock import follow_computer_clock, measure_clock_offset
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


CHECK_INTERVAL = 10.0
"""Seconds between two checks, each one query."""


SILENT_CODES = {
    Queue.SHORT: "worker-silent",
    Queue.LONG: "long-worker-silent",
    Queue.OUTGOING: "outgoing-worker-silent",
}
"""Code of a silent worker, by its queue."""
WORKER_CODES = frozenset(SILENT_CODES.values())


def start_watch(addresses: AddressWatch) -> None:
    """Check as long as this process runs."""

    def watch() -> None:
        started_at, silent, clock_offset = timezone.now(), frozenset[str](), measure_clock_offset()
        while True:
            if clock_change := follow_computer_clock(measure_clock_offset() - clock_offset):
                print_line("clock-set", now=f"{datetime.now():%Y-%m-%d %H:%M}")  # noqa: DTZ005 (as this computer shows it)
                started_at, clock_offset = started_at + clock_change, clock_offset + clock_change
            silent = check_parts(silent, started_at)
            addresses.check_addresses()
            time.sleep(CHECK_INTERVAL)

    Thread(target=watch, daemon=True).start()


def check_parts(
    known_silent: frozenset[str], started_at: datetime, report: Callable[..., None] = print_line
) -> frozenset[str]:
    """Report each part that fell silent or recovered since the last check; return the silent ones."""
    silent = find_silent_parts(known_silent, started_at)
    for code in sorted(silent - known_silent):
        report(code)
    for code in sorted(known_silent - silent):
        report(f"{code}-no-more")
    return silent


def find_silent_parts(known_silent: frozenset[str], started_at: datetime) -> frozenset[str]:
    """Return the codes of what is silent: a worker with unfinished jobs, Redis, or the database.

    A worker's jobs count from ``started_at``. While Redis or the database is away, workers keep their state
    in ``known_silent``.
    """
    if shutil.disk_usage(settings.DATA_DIR).free < MIN_FREE_BYTES:
        return known_silent & WORKER_CODES | {"disk-full-now"}
    try:
        with waits_at_most(CHECK_INTERVAL):
            jobs = list(Job.objects.filter(ended_at=None))
    except DatabaseError as error:
        outage = find_outage(error)
        return known_silent & WORKER_CODES | ({f"{outage.code.replace('_', '-')}-now"} if outage else set())
    finally:
        connection.close()
    if not is_broker_available():
        return known_silent & WORKER_CODES | {"broker-away-now"}
    now = timezone.now()
    late_jobs = [job for job in jobs if is_distant(max(job.created_at, started_at), now)]
    return frozenset(
        SILENT_CODES[find_kind(job.kind).queue]
        for job in late_jobs
        if find_late_reason(job, jobs, now) is LateReason.NO_WORKER
    )
