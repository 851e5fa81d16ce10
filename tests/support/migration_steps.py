"""The steps of the database one by one, also those that one step replaces for a new one."""

from __future__ import annotations

from django.db.migrations.loader import MigrationLoader


def expand_squashed(loader: MigrationLoader) -> MigrationLoader:
    """The loader, which knows of each step by itself."""
    loader.replace_migrations = False  # type: ignore[attr-defined]  # the stubs have an older one
    loader.build_graph()
    return loader
