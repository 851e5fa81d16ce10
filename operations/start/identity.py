"""Identity of key and database: they must belong together, so that no club is created over another one."""

from enum import Enum, auto
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils.crypto import constant_time_compare, salted_hmac

from clubs.models import Account, Club
from config.models import Installation
from operations.data_dir import (
    DATABASE_FILE,
    EXTERNAL_DATABASE_FILE,
    FIRST_START_FILE,
    build_restore_values,
    format_contacts_hint,
    is_new_key_allowed,
    read_note_file,
)
from operations.terminal import Stop, format_terminal_text

from .place import describe_place

FOLDER_HEADER = "Charlemagne-Folder"
"""Header of ``/ready`` with the id of the answering program's folder."""


class DatabaseIdentity(Enum):
    EMPTY = auto()  # nothing was created in it yet
    NO_KEY = auto()  # made by an earlier version, or restored
    OWN_KEY = auto()
    OTHER_KEY = auto()


def identify_database() -> DatabaseIdentity:
    """Check which key the database belongs to. One or two small queries, also before it is migrated."""
    _connect_to_server()
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
    if not tables - {"django_migrations"}:
        return DatabaseIdentity.EMPTY
    if Installation._meta.db_table not in tables:
        return DatabaseIdentity.NO_KEY
    digests = list(Installation.objects.values_list("key_digest", flat=True))
    if not digests:
        is_used = Account.objects.exists() or Club.objects.exists()
        return DatabaseIdentity.NO_KEY if is_used else DatabaseIdentity.EMPTY
    is_own = any(constant_time_compare(digest, _compute_key_digest()) for digest in digests)
    return DatabaseIdentity.OWN_KEY if is_own else DatabaseIdentity.OTHER_KEY


def _connect_to_server() -> None:
    """Connect to the server directly, to raise its error at once: the pool would retry, and hide the
    reason."""
    wrapper: Any = connection
    if wrapper.vendor == "postgresql":
        with wrapper.wrap_database_errors:
            wrapper.Database.connect(**wrapper.get_connection_params()).close()


def check_identity(identity: DatabaseIdentity, folder: Path, *, is_restoring: bool) -> None:
    """Stop with a sentence if a used key has an empty database, or the database belongs to another key."""
    if identity is DatabaseIdentity.EMPTY and not is_restoring and not (folder / FIRST_START_FILE).exists():
        raise Stop(
            format_terminal_text(
                "database-gone",
                folder=folder,
                database=DATABASE_FILE if connection.vendor == "sqlite" else "DATABASE_URL",
                **build_restore_values(folder),
            )
        )
    if identity is DatabaseIdentity.OTHER_KEY and not is_new_key_allowed():
        raise Stop(format_terminal_text("key-of-another", folder=folder) + format_contacts_hint(folder))


def record_identity(identity: DatabaseIdentity, folder: Path) -> None:
    """Record that key and database belong together. Call it once the database is prepared. Safe to repeat.

    Nothing is recorded while the database is still empty beside an old key: first it is to be restored.
    """
    _record_database_place(folder / EXTERNAL_DATABASE_FILE)
    is_first_start = (folder / FIRST_START_FILE).exists()
    if identity in {DatabaseIdentity.NO_KEY, DatabaseIdentity.OTHER_KEY} or (
        identity is DatabaseIdentity.EMPTY and is_first_start
    ):
        Installation.objects.update_or_create(pk=1, defaults={"key_digest": _compute_key_digest()})
    if is_first_start:
        (folder / FIRST_START_FILE).unlink()


def _record_database_place(note: Path) -> None:
    if connection.vendor == "sqlite":
        return
    settings_dict = connection.settings_dict
    place = f"{settings_dict['NAME']}, {settings_dict['HOST'] or 'localhost'}\n"  # never its user or password
    if read_note_file(note) != place:
        note.write_text(place, encoding="utf-8")


def compute_folder_id(folder: Path) -> str:
    """Return an id of the folder at its place: a copy elsewhere has the same key, and another id."""
    return salted_hmac("charlemagne folder", describe_place(folder), algorithm="sha256").hexdigest()[:16]


def _compute_key_digest() -> str:
    return salted_hmac("charlemagne installation", settings.SECRET_KEY, algorithm="sha256").hexdigest()
