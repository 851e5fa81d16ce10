"""Backups being read: verified first, then restored into an empty installation."""

import hashlib
import json
import zipfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from django.contrib.auth.hashers import make_password
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.utils import DatabaseError

from clubs.audit.log import deserialize_value
from clubs.models import Account, Club
from clubs.models.folded_names import FoldedNameField
from clubs.services.webhooks import switch_off_restored_webhooks
from errors import Refusal
from federations.services.publishing import renew_restored_feeds
from operations.upgrading.backfill import complete_derived_values
from scoring.models import Mark
from tournaments.imports.services.arrival import delete_unfinished_imports
from tournaments.standings.services import request_all_counts

from .tables import FORMAT_VERSION, TABLE_OWNERSHIP, get_model

_Row = TypeVar("_Row", bound=models.Model)

MANIFEST = "backup.json"
BATCH_SIZE = 500
MAX_LINE_SIZE = 64 * 1024 * 1024
MAX_MANIFEST_SIZE = 1024 * 1024

_READ_ERRORS = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError),
    *(AttributeError, KeyError, TypeError, ValueError),
)
"""Exceptions for a damaged, encrypted or invalid zip, and for JSON that is invalid or nested too deep."""

_INVALID = (
    *(DatabaseError, FieldDoesNotExist, ValidationError, RecursionError),
    *(AttributeError, KeyError, TypeError, ValueError),
)
"""Exceptions for rows that do not fit their tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """A file whose manifest says that it is a backup, with its tables."""

    path: Path
    club: str | None
    tables: dict[str, dict[str, Any]]

    def check(self) -> None:
        """Check that every table is there as it was written. Refuses: backup_damaged."""
        for label, table in self.tables.items():
            digest, count = hashlib.sha256(), 0
            for line in self._iter_lines(label):
                digest.update(line)
                count += 1
            if (count, digest.hexdigest()) != (table["rows"], table["sha256"]):
                raise Refusal("backup_damaged", part=label)

    def iter_rows(self, label: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of a table. Refuses: backup_damaged."""
        for line in self._iter_lines(label):
            yield json.loads(line)

    def load_marks(self, matches: Collection[int]) -> list[Mark]:
        """Return the marks of these matches, not saved. Refuses: backup_damaged."""
        rows = (row for row in self.iter_rows(Mark._meta.label) if row["match_id"] in matches)
        return [row_from_backup(Mark, row) for row in rows]

    def _iter_lines(self, label: str) -> Iterator[bytes]:
        try:
            with zipfile.ZipFile(self.path) as archive, archive.open(f"{label}.jsonl") as lines:
                while line := lines.readline(MAX_LINE_SIZE):
                    yield line
        except _READ_ERRORS as error:
            raise Refusal("backup_damaged", part=label) from error


def open_backup(path: Path) -> Backup:
    """Open the backup in a file. Refuses: no_such_file, not_a_backup, backup_too_new."""
    try:
        with zipfile.ZipFile(path) as archive:
            with archive.open(MANIFEST) as manifest:
                content = json.loads(manifest.read(MAX_MANIFEST_SIZE))
            version, club, tables = int(content["charlemagne_backup"]), content["club"], content["tables"]
            is_known = version <= FORMAT_VERSION and set(tables) <= set(TABLE_OWNERSHIP)
            tables = {label: {"rows": table["rows"], "sha256": table["sha256"]} for label, table in tables.items()}
    except FileNotFoundError:
        raise Refusal("no_such_file", path=str(path)) from None
    except _READ_ERRORS:
        raise Refusal("not_a_backup", path=str(path)) from None
    if not is_known:
        raise Refusal("backup_too_new")
    return Backup(path=path, club=club, tables=tables)


def restore(path: Path) -> dict[str, int]:
    """Restore a whole backup into an installation without a club, or nothing of it.

    Returns how many rows each table has. Fields that the backup's version did not have get their defaults,
    and counts that it lacked are added. The worker computes all derived values again: waiting jobs are not
    part of a backup.

    Refuses: not_empty, no_such_file, not_a_backup, backup_too_new, backup_damaged.
    """
    if Club.objects.exists() or Account.objects.exists():
        raise Refusal("not_empty")
    backup = open_backup(path)
    backup.check()
    with refuse_damage(), transaction.atomic():
        for label in TABLE_OWNERSHIP:
            if label in backup.tables:
                model = get_model(label)
                add_rows(model, (row_from_backup(model, row) for row in backup.iter_rows(label)))
        delete_unfinished_imports()
        connection.check_constraints()
        complete_derived_values()
        request_all_counts()
        switch_off_restored_webhooks()
        renew_restored_feeds()
    _reset_sequences()
    return {label: table["rows"] for label, table in backup.tables.items()}


@contextmanager
def refuse_damage() -> Iterator[None]:
    """Refuse what an invalid row raises in the block. Refuses: backup_damaged."""
    try:
        yield
    except _INVALID as error:
        raise Refusal("backup_damaged", part=str(error)[:200]) from error


def add_rows(model: type[models.Model], rows: Iterator[models.Model]) -> None:
    """Insert rows with their ids and the dates of their creation."""
    with _keep_creation_dates(model):
        while batch := list(islice(rows, BATCH_SIZE)):
            model._default_manager.bulk_create(batch)


def row_from_backup(model: type[_Row], data: dict[str, Any]) -> _Row:
    """Return the row that a line of a backup describes, not saved. Raises what an invalid one does."""
    fields = {field.attname: field for field in model._meta.concrete_fields}
    if unknown := data.keys() - fields.keys():
        raise FieldDoesNotExist(", ".join(sorted(unknown)))
    values = {name: _build_column_value(fields[name], value) for name, value in data.items()}
    if values.get("password") == "":
        values["password"] = make_password(None)  # not in the backup: nothing opens this account
    return model(**values)


def _build_column_value(field: Any, value: Any) -> Any:
    """Return the value for the column.

    Two names that an older version distinguished may be equal by now. Both are written as that version folded
    them, and made distinct again when older data are completed.
    """
    if isinstance(field, FoldedNameField) and isinstance(value, str):
        return models.Value(value, output_field=models.TextField())
    return deserialize_value(field, value)


@contextmanager
def _keep_creation_dates(model: type[models.Model]) -> Iterator[None]:
    """Keep the creation dates of the rows."""
    date_fields: list[Any] = [field for field in model._meta.fields if getattr(field, "auto_now_add", False)]
    for field in date_fields:
        field.auto_now_add = False
    try:
        yield
    finally:
        for field in date_fields:
            field.auto_now_add = True


def _reset_sequences() -> None:
    """Set the sequences so that new rows are numbered after the restored ones."""
    models_restored = [get_model(label) for label in TABLE_OWNERSHIP]
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models_restored):
            cursor.execute(statement)
