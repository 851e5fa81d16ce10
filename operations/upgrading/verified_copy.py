"""A verified copy of all data before they are migrated: written, read back, and compared."""

import hashlib
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.utils import DatabaseError

from errors import Refusal
from operations.terminal import Stop, format_terminal_text

MAX_COPIES = 5
"""Number of copies kept; a new one removes the oldest."""


def get_backup_folder() -> Path:
    return Path(settings.DATA_DIR) / "backups"


def copy_before_upgrade() -> Path:
    """Write a copy and return it. Stops, and leaves no file, if it cannot be written or differs from the
    data."""
    write, suffix = (write_zip, "zip") if connection.vendor == "postgresql" else (write_sqlite, "sqlite3")
    folder = get_backup_folder()
    path = folder / f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}-before-upgrade.{suffix}"
    temporary_file = folder / f"unfinished.{suffix}"
    try:
        folder.mkdir(exist_ok=True)
        temporary_file.unlink(missing_ok=True)
        write(temporary_file)
        temporary_file.replace(path)
    except (OSError, sqlite3.Error, DatabaseError, Refusal) as error:
        temporary_file.unlink(missing_ok=True)
        raise Stop(format_terminal_text("backup-failed", folder=folder, reason=error)) from None
    for old in sorted(folder.glob("*-before-upgrade.*"))[:-MAX_COPIES]:
        old.unlink()
    return path


def write_sqlite(path: Path) -> None:
    """Copy the whole database to one file, as of one moment. Raises OSError if the copy differs."""
    with (
        closing(sqlite3.connect(connection.settings_dict["NAME"])) as source,
        closing(sqlite3.connect(path)) as copy,
    ):
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master")  # fixes the moment that is read
        source.backup(copy)
        (check_result,) = copy.execute("PRAGMA integrity_check").fetchone()
        if check_result != "ok":
            raise OSError(check_result)
        if compute_tables_digest(copy) != compute_tables_digest(source):
            raise OSError("the copy differs")


def compute_tables_digest(database: sqlite3.Connection) -> str:
    """Return a digest of every table and every row."""
    digest = hashlib.sha256()
    for statement in database.iterdump():
        digest.update(statement.encode())
    return digest.hexdigest()


def write_zip(path: Path) -> None:
    """Write a backup of the tables as they are in the database, which may not fit this version's models."""
    from operations.backup import create_backup

    loader = MigrationLoader(connection)
    applied_steps = [step for step in loader.applied_migrations if step in loader.graph.nodes]
    create_backup(path, models=loader.project_state(applied_steps).apps)
