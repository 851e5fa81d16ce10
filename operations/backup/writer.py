"""Writing a backup from one moment of the database, while phones go on marking."""

import hashlib
import json
import os
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from django.apps import apps
from django.apps.registry import Apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model
from django.utils import timezone

from clubs.audit.log import serialize_value
from clubs.models import Account, Club
from errors import Refusal
from jobs.pieces import Progress, ignore_progress
from live.conditional_pages import read_snapshot
from operations.data_dir import DISK_FULL_ERRORS

from .reader import MANIFEST, open_backup
from .rotation import remove_abandoned
from .tables import FORMAT_VERSION, get_table_rows, list_table_labels

BATCH_SIZE = 2_000
REPORT_INTERVAL = 200  # rows


def create_backup(
    path: Path,
    club: Club | None = None,
    *,
    models: Apps = apps,
    progress: Progress = ignore_progress,
) -> dict[str, int]:
    """Write everything, or one club, to a file that appears only once it is complete and verified.

    Returns how many rows each table has. A club's backup has no passwords: its owners get new ones when it is
    restored. ``models`` must fit the tables. ``progress`` receives how many rows of how many are written; an
    exception from it ends the work, and leaves no file. Refuses: file_exists, backup_damaged.
    """
    if path.exists():
        raise Refusal("file_exists", path=str(path))
    remove_abandoned(path.parent, path.name)
    descriptor, temporary_name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            counts = _write_tables(archive, club, models, progress)
        open_backup(Path(temporary_name)).check()
        _publish_file(Path(temporary_name), path)
    finally:
        Path(temporary_name).unlink(missing_ok=True)
    return counts


def _publish_file(temporary_file: Path, path: Path) -> None:
    """Name the finished file by a link, which never replaces a file created meanwhile; USB sticks have no
    links."""
    try:
        os.link(temporary_file, path)
    except FileExistsError:
        raise Refusal("file_exists", path=str(path)) from None
    except OSError as error:
        if error.errno in DISK_FULL_ERRORS:
            raise
        temporary_file.rename(path)


def _write_tables(archive: zipfile.ZipFile, club: Club | None, models: Apps, progress: Progress) -> dict[str, int]:
    tables: dict[str, dict[str, Any]] = {}
    done = 0
    with read_snapshot():
        labels = list_table_labels(models)
        total = sum(get_table_rows(label, club, models).count() for label in labels)
        for label in labels:
            digest, count = hashlib.sha256(), 0
            with archive.open(f"{label}.jsonl", "w", force_zip64=True) as lines:
                for row in get_table_rows(label, club, models).iterator(BATCH_SIZE):
                    line = _build_line(row, club)
                    lines.write(line)
                    digest.update(line)
                    count += 1
                    done += 1
                    if done % REPORT_INTERVAL == 0:
                        progress(done, total)
            tables[label] = {"rows": count, "sha256": digest.hexdigest()}
    manifest_data = {
        "charlemagne_backup": FORMAT_VERSION,
        "made_at": timezone.now(),
        "club": None if club is None else club.slug,
        "tables": tables,
    }
    manifest = zipfile.ZipInfo(MANIFEST)  # no time, as in the other files: zip has none before 1980
    archive.writestr(manifest, json.dumps(manifest_data, cls=DjangoJSONEncoder, indent=1), zipfile.ZIP_DEFLATED)
    return {label: table["rows"] for label, table in tables.items()}


def _build_line(row: Model, club: Club | None) -> bytes:
    values = {field.attname: serialize_value(field, row) for field in row._meta.concrete_fields}
    if club is not None and isinstance(row, Club):
        values |= {"quota": None, "leaves_at": None}  # of this server
    if club is not None and isinstance(row, Account):
        values["password"] = ""
        if not row.memberships.filter(club=club).exists():
            values["email"] = ""
    return json.dumps(values, cls=DjangoJSONEncoder, ensure_ascii=False).encode() + b"\n"
