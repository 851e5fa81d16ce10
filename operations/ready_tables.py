"""The tables of a new installation on SQLite, since creating them by each migration takes seconds.

After a new migration, write them again:

    python3 -m operations.ready_tables > operations/ready_tables.sql
"""

import os
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import django
from django.db import connection

from operations.data_dir import DATA_VARIABLE, DATABASE_FILE, DATABASE_VARIABLE

TABLES_FILE = Path(__file__).with_name("ready_tables.sql")
NOW = "strftime('%Y-%m-%d %H:%M:%f', 'now')"


def create_ready_tables() -> None:
    """Create these tables in an empty SQLite database, with a record of their migrations; leave any other
    database alone."""
    if connection.vendor == "sqlite" and not connection.introspection.table_names():
        with connection.cursor() as cursor:
            cursor.executescript(TABLES_FILE.read_text(encoding="utf-8"))


def _iter_statements(database: Path) -> Iterator[str]:
    """Yield the statements that create the tables of a database, and its record of migrations."""
    with closing(sqlite3.connect(database)) as source:
        condition = "sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
        for (sql,) in source.execute(f"SELECT sql FROM sqlite_master WHERE {condition} ORDER BY type DESC, name"):  # noqa: S608
            yield f"{sql};"
        for app, name in source.execute("SELECT app, name FROM django_migrations ORDER BY id"):
            yield f"INSERT INTO django_migrations (app, name, applied) VALUES ('{app}', '{name}', {NOW});"  # noqa: S608


def main() -> None:
    """Print the statements for the migrations of this program."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.pop(DATABASE_VARIABLE, None)
        os.environ |= {DATA_VARIABLE: folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        django.setup()
        from operations.upgrading.steps import migrate

        migrate()
        connection.close()
        lines = ["BEGIN IMMEDIATE;", *_iter_statements(Path(folder) / DATABASE_FILE), "COMMIT;"]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
