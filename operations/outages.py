"""Recognition of outages below the program, from an exception: no bug, and mostly soon over."""

from __future__ import annotations

import errno
import logging
import sqlite3
from collections.abc import Iterator

from django.db import InterfaceError, OperationalError

from errors import Refusal

from .data_dir import FULL

AWAY = Refusal("database_away")
BUSY = Refusal("database_busy")
DAMAGED = Refusal("database_damaged")
FULL_DISK = Refusal("disk_full")
FAILING_DISK = Refusal("disk_failing")

OF_SQLITE = {
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: DAMAGED,
    sqlite3.SQLITE_FULL: FULL_DISK,
    sqlite3.SQLITE_IOERR: FAILING_DISK,
    sqlite3.SQLITE_READONLY: FAILING_DISK,
    sqlite3.SQLITE_CANTOPEN: FAILING_DISK,
    sqlite3.SQLITE_PERM: FAILING_DISK,
}
OF_POSTGRESQL = {
    "40P01": BUSY,  # deadlock
    "53100": FULL_DISK,
    "53300": BUSY,  # too many connections
    "55P03": BUSY,  # lock not available
    "57014": BUSY,  # statement cancelled or timed out
    "58030": FAILING_DISK,
    "XX001": DAMAGED,
    "XX002": DAMAGED,
}


def outage_in(error: BaseException | None) -> Refusal | None:
    """Return the outage reported by an exception or one of its causes; None if it is something else."""
    return next((found for each in _with_causes(error) if (found := _told_by(each))), None)


def _with_causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _told_by(error: BaseException) -> Refusal | None:
    match error:
        case sqlite3.Error():
            return OF_SQLITE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
        case OperationalError() | InterfaceError():
            # Without a cause it is our own: the turn did not come in time (config/sqlite).
            return _told_by_postgresql(error.__cause__) if error.__cause__ else BUSY
        case OSError() if error.errno in FULL:
            return FULL_DISK
        case OSError() if error.errno in {errno.EIO, errno.EROFS}:
            return FAILING_DISK
    return None


def _told_by_postgresql(error: BaseException) -> Refusal | None:
    if not type(error).__module__.startswith("psycopg"):
        return None
    # Without a code it did not come from the server: the server cannot be reached.
    return OF_POSTGRESQL.get(getattr(error, "sqlstate", None) or "", AWAY)


class NoOutage(logging.Filter):
    """Log filter that drops tracebacks of outages: `up` reports them in a line."""

    def filter(self, record: logging.LogRecord) -> bool:
        return outage_in(record.exc_info[1] if record.exc_info else None) is None


class NoReconnection(logging.Filter):
    """Log filter that drops a worker's attempts to reconnect to Redis.

    `up` reports in a line that Redis is away, and the worker does so when it loses the connection.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        return not str(record.msg).startswith("consumer: Cannot connect to")


class OutageInALine(logging.Filter):
    """Log filter that replaces an outage's traceback by its code, where a line is useful: for a failed
    job."""

    def filter(self, record: logging.LogRecord) -> bool:
        outage = outage_in(record.exc_info[1] if record.exc_info else None)
        if outage is not None:
            record.msg, record.args = f"{record.getMessage()}: {outage.code}", ()
            record.exc_info = None
        return True
