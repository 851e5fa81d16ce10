"""Identity of key and database: they must belong together, so that no club is created over another one."""

from __future__ import annotations

from enum import Enum, auto
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils.crypto import constant_time_compare, salted_hmac

from clubs.models import Account, Club
from config.models import Installation
from operations.data_dir import (
    DATABASE,
    DATABASE_ELSEWHERE,
    FIRST_START,
    may_be_new_key,
    other_folder,
    what_else_needs_key,
)
from operations.terminal import Stop, terminal_text

from .place import this_place

FOLDER_HEADER = "Charlemagne-Folder"
"""Header of ``/ready`` with the id of the answering program's folder."""


class FoundIdentity(Enum):
    EMPTY = auto()  # nothing was created in it yet
    UNMARKED = auto()  # made by an earlier version, or restored
    OURS = auto()
    OF_ANOTHER_KEY = auto()


def check_database() -> FoundIdentity:
    """Check which key the database belongs to. One or two small queries, also before it is migrated."""
    _reach_server()
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
    if not tables - {"django_migrations"}:
        return FoundIdentity.EMPTY
    if Installation._meta.db_table not in tables:
        return FoundIdentity.UNMARKED
    digests = list(Installation.objects.values_list("key_digest", flat=True))
    if not digests:
        is_used = Account.objects.exists() or Club.objects.exists()
        return FoundIdentity.UNMARKED if is_used else FoundIdentity.EMPTY
    is_ours = any(constant_time_compare(digest, _digest()) for digest in digests)
    return FoundIdentity.OURS if is_ours else FoundIdentity.OF_ANOTHER_KEY


def _reach_server() -> None:
    """Connect to the server directly, to raise its error at once: the pool would retry, and hide the
    reason."""
    wrapper: Any = connection
    if wrapper.vendor == "postgresql":
        with wrapper.wrap_database_errors:
            wrapper.Database.connect(**wrapper.get_connection_params()).close()


def check_identity(found: FoundIdentity, folder: Path, *, is_restoring: bool) -> None:
    """Stop with a sentence if a used key has an empty database, or the database belongs to another key."""
    if found is FoundIdentity.EMPTY and not is_restoring and not (folder / FIRST_START).exists():
        raise Stop(
            terminal_text(
                "database-gone",
                folder=folder,
                database=DATABASE if connection.vendor == "sqlite" else "DATABASE_URL",
                **other_folder(folder),
            )
        )
    if found is FoundIdentity.OF_ANOTHER_KEY and not may_be_new_key():
        raise Stop(terminal_text("key-of-another", folder=folder) + what_else_needs_key(folder))


def note_identity(found: FoundIdentity, folder: Path) -> None:
    """Record that key and database belong together. Call it once the database is prepared. Safe to repeat.

    Nothing is recorded while the database is still empty beside an old key: first it is to be restored.
    """
    _note_where_it_lies(folder / DATABASE_ELSEWHERE)
    is_first_start = (folder / FIRST_START).exists()
    if found in {FoundIdentity.UNMARKED, FoundIdentity.OF_ANOTHER_KEY} or (
        found is FoundIdentity.EMPTY and is_first_start
    ):
        Installation.objects.update_or_create(pk=1, defaults={"key_digest": _digest()})
    if is_first_start:
        (folder / FIRST_START).unlink()


def _note_where_it_lies(note: Path) -> None:
    if connection.vendor == "sqlite":
        return
    named = connection.settings_dict
    where = f"{named['NAME']}, {named['HOST'] or 'localhost'}\n"  # never its user or password
    if not note.exists() or note.read_text(encoding="utf-8") != where:
        note.write_text(where, encoding="utf-8")


def folder_id(folder: Path) -> str:
    """Return an id of the folder at its place: a copy elsewhere has the same key, and another id."""
    return salted_hmac("charlemagne folder", this_place(folder), algorithm="sha256").hexdigest()[:16]


def _digest() -> str:
    return salted_hmac("charlemagne installation", settings.SECRET_KEY, algorithm="sha256").hexdigest()
