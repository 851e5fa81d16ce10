"""Recognition of outages below the program, from an exception: no bug, and mostly soon over."""

import errno
import logging
import sqlite3
from collections.abc import Iterator

from django.db import InterfaceError, OperationalError

from errors import Refusal

from .data_dir import DISK_FULL_ERRORS

DATABASE_AWAY = Refusal("database_away")
DATABASE_BUSY = Refusal("database_busy")
DATABASE_DAMAGED = Refusal("database_damaged")
FULL_DISK = Refusal("disk_full")
FAILING_DISK = Refusal("disk_failing")

SQLITE_OUTAGES = {
    sqlite3.SQLITE_BUSY: DATABASE_BUSY,
    sqlite3.SQLITE_LOCKED: DATABASE_BUSY,
    sqlite3.SQLITE_CORRUPT: DATABASE_DAMAGED,
    sqlite3.SQLITE_NOTADB: DATABASE_DAMAGED,
    sqlite3.SQLITE_FULL: FULL_DISK,
    sqlite3.SQLITE_IOERR: FAILING_DISK,
    sqlite3.SQLITE_READONLY: FAILING_DISK,
    sqlite3.SQLITE_CANTOPEN: FAILING_DISK,
    sqlite3.SQLITE_PERM: FAILING_DISK,
}
POSTGRESQL_OUTAGES = {
    "40P01": DATABASE_BUSY,  # deadlock
    "53100": FULL_DISK,
    "53300": DATABASE_BUSY,  # too many connections
    "55P03": DATABASE_BUSY,  # lock not available
    "57014": DATABASE_BUSY,  # statement cancelled or timed out
    "58030": FAILING_DISK,
    "XX001": DATABASE_DAMAGED,
    "XX002": DATABASE_DAMAGED,
}


def find_outage(error: BaseException | None) -> Refusal | None:
    """Return the outage reported by an exception or one of its causes; None if it is something else."""
    return next((outage for cause in _iter_causes(error) if (outage := _classify_error(cause))), None)


def _iter_causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _classify_error(error: BaseException) -> Refusal | None:
    match error:
        case sqlite3.Error():
            return SQLITE_OUTAGES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
        case OperationalError() | InterfaceError():
            # Without a cause it is our own: the turn did not come in time (config/sqlite).
            return _classify_postgresql_error(error.__cause__) if error.__cause__ else DATABASE_BUSY
        case OSError() if error.errno in DISK_FULL_ERRORS:
            return FULL_DISK
        case OSError() if error.errno in {errno.EIO, errno.EROFS}:
            return FAILING_DISK
    return None


def _classify_postgresql_error(error: BaseException) -> Refusal | None:
    if not type(error).__module__.startswith("psycopg"):
        return None
    # Without a code it did not come from the server: the server cannot be reached.
    return POSTGRESQL_OUTAGES.get(getattr(error, "sqlstate", None) or "", DATABASE_AWAY)


class NoOutage(logging.Filter):
    """Log filter that drops tracebacks of outages: `up` reports them in a line."""

    def filter(self, record: logging.LogRecord) -> bool:
        return find_outage(record.exc_info[1] if record.exc_info else None) is None


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
        outage = find_outage(record.exc_info[1] if record.exc_info else None)
        if outage is not None:
            record.msg, record.args = f"{record.getMessage()}: {outage.code}", ()
            record.exc_info = None
        return True
