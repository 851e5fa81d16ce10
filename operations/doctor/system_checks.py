"""Checks outside the database: disk, clock, permissions, address, broker."""

import os
import platform
import shutil
import stat
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from config import __version__
from operations.data_dir import AUTHORITY_FILE, DATABASE_FILE, KEY_FILE, LEAF_FILE
from operations.start.data_folder import MIN_FREE_BYTES
from operations.start.identity import FOLDER_HEADER, compute_folder_id
from operations.start.lock import ADDRESS_NOTE, read_note
from operations.start.place import network_file_system, synchronizing_service

from .findings import Finding, report_broken, report_fine, report_warning

LOW_DISK = 500_000_000
"""Free bytes below which somebody should act before the next night."""
RELEASE_DATE = datetime(2026, 1, 1, tzinfo=UTC)
TIMEOUT = 5.0
"""Seconds to wait for an answer."""


def check_versions() -> Finding:
    return report_fine("versions", version=__version__, python=platform.python_version())


def check_disk() -> Finding:
    free = shutil.disk_usage(settings.DATA_DIR).free
    build_finding = report_broken if free < MIN_FREE_BYTES else report_warning if free < LOW_DISK else report_fine
    return build_finding("disk_low" if free < LOW_DISK else "disk", free=free)


def check_clock() -> Finding:
    now = datetime.now(UTC)
    return report_broken("clock_wrong", now=now) if now < RELEASE_DATE else report_fine("clock", now=now)


def check_permissions() -> Finding:
    """Check whether other users of this computer can read private files."""
    if os.name == "nt":  # folders inherit their permissions there
        return report_fine("permissions")
    folder = Path(settings.DATA_DIR)
    paths = [folder, *(folder / name for name in (KEY_FILE, DATABASE_FILE, AUTHORITY_FILE, LEAF_FILE, "backups"))]
    readable_paths = [path for path in paths if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077]
    if readable_paths:
        return report_warning("open_to_others", path=readable_paths[0], folder=folder)
    return report_fine("permissions")


def check_place() -> Iterator[Finding]:
    """Check that the folder is neither synchronized nor on another computer's disk."""
    folder = Path(settings.DATA_DIR).resolve()
    if service := synchronizing_service(folder):
        yield report_warning("folder_synchronized", service=service)
    if kind := network_file_system(folder):
        yield report_warning("folder_on_network", kind=kind)


def check_address() -> Finding:
    """Check whether the running program answers at its own address."""
    address = read_note(Path(settings.DATA_DIR), ADDRESS_NOTE)
    if not address:
        return report_fine("not_running")
    parts = urlsplit(address)
    try:
        with closing(HTTPConnection(parts.hostname or "", parts.port, timeout=TIMEOUT)) as connection:
            connection.request("GET", "/ready")
            answer = connection.getresponse()
    except (OSError, HTTPException) as error:
        return report_broken("address_silent", address=address, reason=error)
    if answer.headers[FOLDER_HEADER] != compute_folder_id(Path(settings.DATA_DIR)):
        return report_broken("address_of_another", address=address)
    if answer.status >= 500:
        return report_broken("address_fails", address=address, status=answer.status)
    return report_fine("address", address=address)


def check_server() -> Iterator[Finding]:
    """Check what only a server has: its host names, and Redis."""
    if settings.NAMES.are_any:
        yield report_warning("any_host")
    if settings.LIVE_REDIS_URL:
        from redis import Redis, RedisError

        try:
            with Redis.from_url(settings.LIVE_REDIS_URL, socket_timeout=TIMEOUT) as broker:
                broker.ping()
        except RedisError as error:
            yield report_broken("broker_away", reason=error)
        else:
            yield report_fine("broker")
