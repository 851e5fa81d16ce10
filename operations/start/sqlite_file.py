"""Integrity check of a folder's database file. Standard library only: nothing has been loaded yet."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class DamagedDatabase(Exception):  # noqa: N818 (what was found)
    """Raised if the file is damaged, with SQLite's own message."""


def check_file(path: Path, *, is_looked_through: bool) -> None:
    """Check the beginning of the file and its tables, or all of it, at some five seconds a gigabyte.

    Raises DamagedDatabase; OSError or sqlite3.Error for other troubles.
    """
    if not path.exists() or not path.stat().st_size:
        return
    with closing(sqlite3.connect(path)) as database:
        try:
            database.execute("SELECT count(*) FROM sqlite_master").fetchone()
            found = "ok"
            if is_looked_through:
                (found,) = database.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF not in DAMAGED:
                raise
            raise DamagedDatabase(str(error)) from None
    if found != "ok":
        raise DamagedDatabase(" ".join(found.removeprefix("*** in database main ***").split()))
