"""Database migrations one by one, including those that a squashed migration replaces."""

from __future__ import annotations

from django.db.migrations.loader import MigrationLoader


def expand_squashed(loader: MigrationLoader) -> MigrationLoader:
    """Rebuild the loader's graph without squashed migrations, and return the loader."""
    loader.replace_migrations = False  # type: ignore[attr-defined]  # the stubs are older
    loader.build_graph()
    return loader
