"""Data of older versions of the program, upgraded to the current one, each in a database of its own."""

import json
import lzma
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import DateTimeField, JSONField, Model
from pytest_django import DjangoDbBlocker

from operations.upgrading import upgrade_database
from tests.support.migration_steps import expand_squashed
from tests.workspaces import create_database
from versioning import Form

FOLDER = Path(__file__).resolve().parent
VERSIONS = sorted(path.name.partition(".")[0] for path in FOLDER.glob("*.xz"))
POSTGRESQL_VERSIONS = ("01-first-night", "07-club-life", "14-federations")
"""The first version, the first with backups, and the last; for PostgreSQL, the others hold nothing new."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OlderInstallation:
    """A data folder after the upgrade; ``file`` is the database that the older version left."""

    name: str
    file: Path
    folder: Path

    def query_old_database(self, query: str) -> list[tuple[Any, ...]]:
        """Query the database of the older version."""
        with closing(sqlite3.connect(self.file)) as database:
            return database.execute(query).fetchall()

    def read_old_json(self, query: str) -> dict[int, Any]:
        """Return the JSON values of a query for keys and values, stored with or without the version of their form."""
        return {key: Form().from_stored(json.loads(value)) for key, value in self.query_old_database(query)}


Tables = dict[str, tuple[dict[str, Any], set[Any]]]
"""By table: columns with type, length, default and nullability; indexes and constraints."""


def read_tables() -> Tables:
    with connection.cursor() as cursor:
        look = connection.introspection
        return {
            name: (
                {column.name: column[1:] for column in look.get_table_description(cursor, name)},
                {shape_of(dict(found)) for found in look.get_constraints(cursor, name).values()},
            )
            for name in look.table_names(cursor)
        }


def shape_of(constraint: dict[str, Any]) -> tuple[Any, ...]:
    """Return a constraint without its name, which Django derives from the columns."""
    return tuple(tuple(value) if isinstance(value, list) else value for value in constraint.values())


@pytest.fixture(scope="session")
def new_tables(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Tables:
    """Return the tables of a new installation of the current version."""
    with django_db_blocker.unblock(), use_data_folder(tmp_path_factory.mktemp("new")):
        upgrade_database()
        return read_tables()


def _parametrize_versions() -> list[Any]:
    """Return all versions on SQLite, a few on PostgreSQL. All but the first, which takes every migration, and the last
    are marked ``long``."""
    nightly = pytest.mark.long("other versions have almost no other form")
    versions = VERSIONS if connection.vendor == "sqlite" else POSTGRESQL_VERSIONS
    frequent = {VERSIONS[-1]} if connection.vendor == "postgresql" else {VERSIONS[0], VERSIONS[-1]}
    return [pytest.param(name, marks=() if name in frequent else nightly) for name in versions]


@pytest.fixture(scope="module", params=_parametrize_versions())
def older(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_blocker: DjangoDbBlocker,
    new_tables: Tables,
) -> Iterator[OlderInstallation]:
    folder = tmp_path_factory.mktemp(request.param)
    file = unpack_version(request.param, folder / "as-it-was.sqlite3")
    with django_db_blocker.unblock(), use_data_folder(folder):
        fill(file)
        upgrade_database()
        yield OlderInstallation(name=request.param, file=file, folder=folder)


def unpack_version(version: str, path: Path) -> Path:
    path.write_bytes(lzma.decompress((FOLDER / f"{version}.sqlite3.xz").read_bytes()))
    return path


@contextmanager
def use_data_folder(folder: Path) -> Iterator[None]:
    """Run the block with this data folder and an empty database."""
    before, home = connection.settings_dict["NAME"], settings.DATA_DIR
    leave(connection)
    settings.DATA_DIR = folder
    with ExitStack() as afterwards:
        if connection.vendor == "postgresql":
            url = afterwards.enter_context(create_database(os.environ["DATABASE_URL"], "older"))
            afterwards.callback(return_to, before, home)
            connection.settings_dict["NAME"] = urlsplit(url).path.lstrip("/")
        else:
            afterwards.callback(return_to, before, home)
            connection.settings_dict["NAME"] = folder / "charlemagne.sqlite3"
        yield


def return_to(name: str, home: Path) -> None:
    """Return to the database and data folder of the tests."""
    leave(connection)
    connection.settings_dict["NAME"], settings.DATA_DIR = name, home


def leave(database: Any) -> None:
    database.close()
    if database.vendor == "postgresql":
        database.close_pool()


def fill(file: Path) -> None:
    """Fill the empty database with the older data."""
    if connection.vendor == "postgresql":
        load(file)
    else:
        connection.settings_dict["NAME"].write_bytes(file.read_bytes())


def load(file: Path) -> None:
    """Fill the empty PostgreSQL database with the rows of the older version, in its own tables."""
    with closing(sqlite3.connect(file)) as older:
        steps = set(older.execute("SELECT app, name FROM django_migrations"))
        last = {app: (app, name) for app, name in sorted(steps)}
        executor = MigrationExecutor(connection)
        expand_squashed(executor.loader)  # apply the unsquashed migrations, as the older version did
        executor.migrate(list(last.values()))
        models = executor.loader.project_state(list(last.values())).apps.get_models()
        with transaction.atomic():  # a row may refer to one that is inserted later
            for model in models:
                model._default_manager.bulk_create(read_model_rows(older, model))
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


def read_model_rows(older: sqlite3.Connection, model: type[Model]) -> list[Model]:
    fields = model._meta.concrete_fields
    columns = ", ".join(f'"{field.column}"' for field in fields)
    found = older.execute(f'SELECT {columns} FROM "{model._meta.db_table}"')
    return [
        model(**{field.attname: read(field, value) for field, value in zip(fields, row, strict=True)}) for row in found
    ]


def read(field: Any, value: Any) -> Any:
    """Return the Python value of a column that SQLite stores as text."""
    if value is None:
        return None
    if isinstance(field, JSONField):
        return json.loads(value)
    if isinstance(field, DateTimeField):
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    return field.to_python(value)
