"""What is wrong below the program, told from an exception: nobody's mistake, and mostly soon over."""

from __future__ import annotations

import errno
import logging
import sqlite3
from collections.abc import Iterator

from django.db import InterfaceError, OperationalError

from rules import Refusal

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
    "40P01": BUSY,  # two waited for each other
    "53100": FULL_DISK,
    "53300": BUSY,  # too many connections
    "55P03": BUSY,  # a lock was not to be had
    "57014": BUSY,  # it took too long
    "58030": FAILING_DISK,
    "XX001": DAMAGED,
    "XX002": DAMAGED,
}


def outage_in(error: BaseException | None) -> Refusal | None:
    """The outage that an exception, or one that led to it, tells of; None where it is something else."""
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
    # Without a code it did not come from the server: there is no way to it.
    return OF_POSTGRESQL.get(getattr(error, "sqlstate", None) or "", AWAY)


class NoOutage(logging.Filter):
    """Lets no traceback through for what is no mistake of the program: `up` says it in a line."""

    def filter(self, record: logging.LogRecord) -> bool:
        return outage_in(record.exc_info[1] if record.exc_info else None) is None


class NoReconnection(logging.Filter):
    """Lets no try of a worker to come back to Redis through: that it is away, `up` says in a line, and the
    worker in another when it is cut off."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not str(record.msg).startswith("consumer: Cannot connect to")


class OutageInALine(logging.Filter):
    """An outage's code instead of its traceback, where a line is worth having: a job that failed by it."""

    def filter(self, record: logging.LogRecord) -> bool:
        outage = outage_in(record.exc_info[1] if record.exc_info else None)
        if outage is not None:
            record.msg, record.args = f"{record.getMessage()}: {outage.code}", ()
            record.exc_info = None
        return True
