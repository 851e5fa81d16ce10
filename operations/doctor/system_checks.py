"""Checks outside the database: disk, clock, permissions, address, broker."""

from __future__ import annotations

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
from operations.data_dir import AUTHORITY, DATABASE, KEY, LEAF
from operations.start.identity import FOLDER_HEADER, folder_id
from operations.start.lock import AT, read_note
from operations.start.opening import LEAST_FREE
from operations.start.place import network_file_system, synchronizing_service

from .findings import Finding, broken, fine, warning

LITTLE = 500_000_000
"""Free bytes below which somebody should act before the next night."""
WRITTEN_IN = datetime(2026, 1, 1, tzinfo=UTC)
PATIENCE = 5.0
"""Seconds to wait for an answer."""


def check_versions() -> Finding:
    return fine("versions", version=__version__, python=platform.python_version())


def check_disk() -> Finding:
    free = shutil.disk_usage(settings.DATA_DIR).free
    found = broken if free < LEAST_FREE else warning if free < LITTLE else fine
    return found("disk_low" if free < LITTLE else "disk", free=free)


def check_clock() -> Finding:
    now = datetime.now(UTC)
    return broken("clock_wrong", now=now) if now < WRITTEN_IN else fine("clock", now=now)


def check_permissions() -> Finding:
    """Check whether other users of this computer can read private files."""
    if os.name == "nt":  # folders inherit their permissions there
        return fine("permissions")
    folder = Path(settings.DATA_DIR)
    paths = [folder, *(folder / name for name in (KEY, DATABASE, AUTHORITY, LEAF, "backups"))]
    open_to_others = [path for path in paths if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077]
    if open_to_others:
        return warning("open_to_others", path=open_to_others[0], folder=folder)
    return fine("permissions")


def check_place() -> Iterator[Finding]:
    """Check that the folder is neither synchronized nor on another computer's disk."""
    folder = Path(settings.DATA_DIR).resolve()
    if service := synchronizing_service(folder):
        yield warning("folder_synchronized", service=service)
    if kind := network_file_system(folder):
        yield warning("folder_on_network", kind=kind)


def check_address() -> Finding:
    """Check whether the running program answers at its own address."""
    address = read_note(Path(settings.DATA_DIR), AT)
    if not address:
        return fine("not_running")
    where = urlsplit(address)
    try:
        with closing(HTTPConnection(where.hostname or "", where.port, timeout=PATIENCE)) as connection:
            connection.request("GET", "/ready")
            answer = connection.getresponse()
    except (OSError, HTTPException) as error:
        return broken("address_silent", address=address, reason=error)
    if answer.headers[FOLDER_HEADER] != folder_id(Path(settings.DATA_DIR)):
        return broken("address_of_another", address=address)
    if answer.status >= 500:
        return broken("address_fails", address=address, status=answer.status)
    return fine("address", address=address)


def check_server() -> Iterator[Finding]:
    """Check what only a server has: its host names, and Redis."""
    if settings.NAMES.are_any:
        yield warning("any_host")
    if settings.LIVE_REDIS_URL:
        from redis import Redis, RedisError

        try:
            with Redis.from_url(settings.LIVE_REDIS_URL, socket_timeout=PATIENCE) as broker:
                broker.ping()
        except RedisError as error:
            yield broken("broker_away", reason=error)
        else:
            yield fine("broker")
