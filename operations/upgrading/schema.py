"""Migrations applied to the database, and those that the program has."""

from datetime import datetime
from pathlib import Path

from django.apps import apps
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import DatabaseError

Step = tuple[str, str]
"""App and name of a migration."""


def load_applied_migrations() -> dict[Step, datetime]:
    """Return the applied migrations, with the time of each.

    Empty for an empty database, and for one that cannot be reached, which migrating will report.
    """
    try:
        rows = MigrationRecorder.Migration.objects.using(connection.alias).order_by("pk")
        return {(row.app, row.name): row.applied for row in rows}
    except DatabaseError:
        return {}
    finally:
        connection.close()


def is_up_to_date() -> bool:
    """Check whether the migrations applied are those of this program."""
    return load_applied_migrations().keys() == list_own_migrations()


def list_own_migrations() -> set[Step]:
    """Return the migrations of this program. No code is loaded."""
    return {
        (config.label, file.stem)
        for config in apps.get_app_configs()
        for file in (Path(config.path) / "migrations").glob("[0-9]*.py")
    }
