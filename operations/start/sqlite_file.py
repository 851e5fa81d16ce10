"""Integrity check of a folder's database file. Standard library only: nothing has been loaded yet."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from scoring.log_chain import Damage, find_damage

DAMAGE_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class DamagedDatabaseError(Exception):
    """Raised if the file is damaged, with SQLite's own message."""


INVALID_CONDITIONS = {
    "bool": "{0} NOT IN (0, 1)",
    "integer": "typeof({0}) <> 'integer'",
    "bigint": "typeof({0}) <> 'integer'",
    "smallint": "typeof({0}) <> 'integer'",
    "real": "typeof({0}) NOT IN ('real', 'integer')",
    "varchar": "typeof({0}) <> 'text'",
    "text": "typeof({0}) <> 'text'",
    "char": "typeof({0}) <> 'text' OR length({0}) <> 32 OR {0} GLOB '*[^0-9a-f]*'",
    "datetime": "typeof({0}) <> 'text' OR datetime({0}) IS NULL",
    "date": "typeof({0}) <> 'text' OR date({0}) IS NULL",
    "time": "typeof({0}) <> 'text' OR time({0}) IS NULL",
}
"""Condition that a value cannot be read, by the first word of the declared type of its column."""


def check_sqlite_file(path: Path, *, is_full_check: bool) -> None:
    """Check the beginning of the file and its tables, or all of it, at some ten seconds a gigabyte.

    Raises DamagedDatabaseError; OSError or sqlite3.Error for other troubles.
    """
    if not path.exists() or not path.stat().st_size:
        return
    with closing(sqlite3.connect(path)) as database:
        try:
            database.execute("SELECT count(*) FROM sqlite_master").fetchone()
            fault = next(_iter_faults(database), "") if is_full_check else ""
        except sqlite3.DatabaseError as error:
            code = getattr(error, "sqlite_errorcode", None)  # none where Python cannot decode a text
            if code is not None and code & 0xFF not in DAMAGE_CODES:
                raise
            raise DamagedDatabaseError(str(error)) from None
        except UnicodeDecodeError as error:  # SQLite names what it cannot read
            raise DamagedDatabaseError(str(error)) from None
    if fault:
        raise DamagedDatabaseError(fault)


def find_damaged_logs(path: Path) -> list[Damage]:
    """List the hands and results that are not as they were written. None in a database that an older program
    left."""
    if not path.exists() or not path.stat().st_size:
        return []
    with closing(sqlite3.connect(path)) as database:
        try:
            database.execute("BEGIN")
            return list(find_damage(database.execute))
        except sqlite3.OperationalError:
            return []


def _iter_faults(database: sqlite3.Connection) -> Iterator[str]:
    """Yield what is wrong in the pages, in the references between rows, and in values that no program could
    read."""
    (check_result,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    if check_result != "ok":
        yield " ".join(check_result.removeprefix("*** in database main ***").split())
    for table, *_ in database.execute("PRAGMA foreign_key_check"):
        yield f"reference in {table}"
    tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (table,) in tables:
        for name, condition in _iter_conditions(database, table):
            query = f'SELECT 1 FROM "{table}" WHERE {condition} LIMIT 1'  # noqa: S608 (of our tables)
            if database.execute(query).fetchone():
                yield f"value in {table}.{name}"
        for _ in database.execute(f'SELECT * FROM "{table}"'):  # noqa: S608 - it decodes each text
            pass


def _iter_conditions(database: sqlite3.Connection, table: str) -> Iterator[tuple[str, str]]:
    """Yield each column with the condition that its value cannot be read."""
    for _, name, kind, *_ in database.execute(f'PRAGMA table_info("{table}")').fetchall():
        condition = INVALID_CONDITIONS.get(re.split("[ (]", kind.lower())[0])
        if condition is not None:
            column = f'"{name}"'
            yield name, f"{column} IS NOT NULL AND ({condition.format(column)})"
