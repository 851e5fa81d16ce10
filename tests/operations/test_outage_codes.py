"""Outage code of database and file errors, by their error code; none for unknown codes."""

from __future__ import annotations

import errno
import logging
import sqlite3

import psycopg
import pytest
from django.db import OperationalError

from operations.outages import OutageInALine, find_outage


def get_outage_code(error: BaseException) -> str:
    outage = find_outage(error)
    return outage.code if outage else ""


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("SQLITE_BUSY", "database_busy"),
        ("SQLITE_BUSY_SNAPSHOT", "database_busy"),
        ("SQLITE_LOCKED", "database_busy"),
        ("SQLITE_CORRUPT", "database_damaged"),
        ("SQLITE_NOTADB", "database_damaged"),
        ("SQLITE_FULL", "disk_full"),
        ("SQLITE_IOERR", "disk_failing"),
        ("SQLITE_IOERR_WRITE", "disk_failing"),
        ("SQLITE_READONLY", "disk_failing"),
        ("SQLITE_CANTOPEN", "disk_failing"),
        ("SQLITE_PERM", "disk_failing"),
        ("SQLITE_CONSTRAINT", ""),
    ],
)
def test_sqlite_error_maps_to_its_outage_code(name: str, code: str) -> None:
    error = sqlite3.OperationalError(name)
    error.sqlite_errorcode = getattr(sqlite3, name)
    assert get_outage_code(error) == code


@pytest.mark.parametrize(
    ("sqlstate", "code"),
    [
        ("40P01", "database_busy"),
        ("53100", "disk_full"),
        ("53300", "database_busy"),
        ("55P03", "database_busy"),
        ("57014", "database_busy"),
        ("58030", "disk_failing"),
        ("XX001", "database_damaged"),
        ("XX002", "database_damaged"),
        ("57P01", "database_away"),
    ],
)
def test_postgresql_error_maps_to_its_outage_code(sqlstate: str, code: str) -> None:
    error = OperationalError()
    error.__cause__ = psycopg.errors.lookup(sqlstate)()
    assert get_outage_code(error) == code


def test_refused_connection_maps_to_database_away() -> None:
    error = OperationalError()
    error.__cause__ = psycopg.OperationalError("connection refused")
    assert get_outage_code(error) == "database_away"


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOSPC, "disk_full"),
        (errno.EIO, "disk_failing"),
        (errno.EROFS, "disk_failing"),
        (errno.ENOENT, ""),
    ],
)
def test_file_error_maps_to_its_outage_code(number: int, code: str) -> None:
    assert get_outage_code(OSError(number, "")) == code


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (OSError(errno.ENOSPC, ""), "job standings of 12 failed: disk_full"),
        (OSError(errno.ENOENT, ""), "job standings of 12 failed"),
    ],
)
def test_outage_is_logged_as_one_line_without_a_traceback(error: OSError, line: str) -> None:
    about = (type(error), error, None)
    record = logging.LogRecord("jobs", logging.ERROR, "", 1, "job %s failed", ("standings of 12",), about)
    assert OutageInALine().filter(record)
    assert record.getMessage() == line
    assert (record.exc_info is None) == line.endswith("disk_full")
