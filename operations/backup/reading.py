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

from clubs.audit.log import value_from_json
from clubs.models import Account, Club
from clubs.models.folded_names import FoldedNameField
from clubs.services.webhooks import switch_off_restored_webhooks
from errors import Refusal
from federations.services.publishing import renew_restored_feeds
from operations.upgrading.backfill import complete_what_is_derived
from scoring.models import Mark
from tournaments.imports.services.arrival import take_back_restored_events
from tournaments.standings.services import request_all_counts

from .tables import TABLE_OWNERSHIP, VERSION, model_of

_Row = TypeVar("_Row", bound=models.Model)

MANIFEST = "backup.json"
BATCH = 500
LONGEST_LINE = 64 * 1024 * 1024
LONGEST_MANIFEST = 1024 * 1024

_UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError),
    *(AttributeError, KeyError, TypeError, ValueError),
)
"""Exceptions for a damaged, encrypted or invalid zip, and for JSON that is invalid or nested too deep."""


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
            for line in self._lines(label):
                digest.update(line)
                count += 1
            if (count, digest.hexdigest()) != (table["rows"], table["sha256"]):
                raise Refusal("backup_damaged", part=label)

    def rows(self, label: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of a table. Refuses: backup_damaged."""
        for line in self._lines(label):
            yield json.loads(line)

    def marks_of(self, matches: Collection[int]) -> list[Mark]:
        """Return the marks of these matches, not saved. Refuses: backup_damaged."""
        rows = (row for row in self.rows(Mark._meta.label) if row["match_id"] in matches)
        return [_row(Mark, row) for row in rows]

    def _lines(self, label: str) -> Iterator[bytes]:
        try:
            with zipfile.ZipFile(self.path) as archive, archive.open(f"{label}.jsonl") as lines:
                while line := lines.readline(LONGEST_LINE):
                    yield line
        except _UNREADABLE as error:
            raise Refusal("backup_damaged", part=label) from error


def open_backup(path: Path) -> Backup:
    """Open the backup in a file. Refuses: no_such_file, not_a_backup, backup_too_new."""
    try:
        with zipfile.ZipFile(path) as archive:
            with archive.open(MANIFEST) as manifest:
                about = json.loads(manifest.read(LONGEST_MANIFEST))
            version, club, tables = int(about["charlemagne_backup"]), about["club"], about["tables"]
            is_known = version <= VERSION and set(tables) <= set(TABLE_OWNERSHIP)
            tables = {
                label: {"rows": each["rows"], "sha256": each["sha256"]} for label, each in tables.items()
            }
    except FileNotFoundError:
        raise Refusal("no_such_file", path=str(path)) from None
    except _UNREADABLE:
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
    try:
        with transaction.atomic():
            for label in TABLE_OWNERSHIP:
                if label in backup.tables:
                    _restore_table(backup, label)
            take_back_restored_events()
            connection.check_constraints()
            complete_what_is_derived()
            request_all_counts()
            switch_off_restored_webhooks()
            renew_restored_feeds()
    except (
        DatabaseError,
        FieldDoesNotExist,
        ValidationError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        raise Refusal("backup_damaged", part=str(error)[:200]) from error
    _count_on()
    return {label: table["rows"] for label, table in backup.tables.items()}


def _restore_table(backup: Backup, label: str) -> None:
    model = model_of(label)
    with _moments_as_they_were(model):
        rows = (_row(model, plain) for plain in backup.rows(label))
        while some := list(islice(rows, BATCH)):
            model._default_manager.bulk_create(some)


def _row(model: type[_Row], plain: dict[str, Any]) -> _Row:
    fields = {field.attname: field for field in model._meta.concrete_fields}
    if unknown := plain.keys() - fields.keys():
        raise FieldDoesNotExist(", ".join(sorted(unknown)))
    values = {name: _column_value(fields[name], value) for name, value in plain.items()}
    if values.get("password") == "":
        values["password"] = make_password(None)  # not in the backup: nothing opens this account
    return model(**values)


def _column_value(field: Any, plain: Any) -> Any:
    """Return the value for the column.

    Two names that an older version distinguished may be equal by now. Both are written as that version folded
    them, and made distinct again when older data are completed.
    """
    if isinstance(field, FoldedNameField) and isinstance(plain, str):
        return models.Value(plain, output_field=models.TextField())
    return value_from_json(field, plain)


@contextmanager
def _moments_as_they_were(model: type[models.Model]) -> Iterator[None]:
    """Keep the creation dates of the rows."""
    dated: list[Any] = [field for field in model._meta.fields if getattr(field, "auto_now_add", False)]
    for field in dated:
        field.auto_now_add = False
    try:
        yield
    finally:
        for field in dated:
            field.auto_now_add = True


def _count_on() -> None:
    """Set the sequences so that new rows are numbered after the restored ones."""
    restored = [model_of(label) for label in TABLE_OWNERSHIP]
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), restored):
            cursor.execute(statement)
