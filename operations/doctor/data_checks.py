"""Checks of the data: key, database, migrations, indexes, jobs, backups."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from clubs.disk_quota import used_by_clubs
from clubs.models import Club
from jobs.models import Job, Status
from operations.backup.automatic import copy_state, is_old, newest_copy
from operations.backup.rotation import made_at
from operations.contact_data import count_open_contacts, sealed_rows
from operations.data_dir import DATABASE, KEY_VARIABLE, PROJECT, VARIABLE
from operations.start.identity import FoundIdentity, check_database
from operations.start.sqlite_file import DamagedDatabase, check_file
from operations.upgrading.schema import migrations_on_disk
from scoring.queries import damaged_hands
from tournaments.models import Action, Event
from web.sealing import are_contacts_sealed
from wording.labels.jobs import refusal_in

from .findings import Finding, broken, fine, warning

LATE = timedelta(hours=1)
"""Waiting time after which a job counts as stuck."""
AHEAD = timedelta(minutes=5)
"""Tolerance for dates in the future: rows dated later than that were written by a wrong clock."""
MOST_NAMED, NEARLY = 5, 0.9
"""How many clubs are named by their disk space, and the share of the quota from which there is a warning."""
MOST_DAMAGED = 10
"""How many damaged hands are named."""
WRITTEN, LATELY = (Job.objects, Action.objects), 100
"""Tables whose newest rows are checked, and how many, about one night's worth. A wrong clock is reported as
long as its rows are among them."""


def check_database_file() -> Finding:
    """Check the whole SQLite file, or that PostgreSQL answers."""
    try:
        if connection.vendor == "sqlite":
            check_file(Path(settings.DATA_DIR) / DATABASE, is_looked_through=True)
        connection.ensure_connection()
    except DamagedDatabase as damaged:
        return broken("database_damaged", reason=damaged)
    return fine("database")


def check_key() -> Finding:
    found = check_database()
    if found is FoundIdentity.OF_ANOTHER_KEY:
        return broken("key_of_another", folder=settings.DATA_DIR)
    return fine("nothing_begun" if found is FoundIdentity.EMPTY else "key")


def check_steps() -> Finding:
    """Check whether the migrations in the database match this version."""
    applied, known = MigrationRecorder(connection).applied_migrations().keys(), migrations_on_disk()
    if applied - known:
        return broken("data_of_newer_program", step=" ".join(max(applied - known)))
    missing = known - applied
    return warning("not_up_to_date", count=len(missing)) if missing else fine("steps")


def check_indexes() -> Finding:
    """Check whether each index of a model is in the database, and valid."""
    missing = []
    with connection.cursor() as cursor:
        for model in apps.get_models():
            table = model._meta.db_table
            there = connection.introspection.get_constraints(cursor, table)
            missing += [index.name for index in model._meta.indexes if index.name not in there]
        if connection.vendor == "postgresql":
            cursor.execute("SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid")
            missing += [name for (name,) in cursor.fetchall()]
    return warning("index_missing", name=missing[0]) if missing else fine("indexes")


def check_times() -> Iterator[Finding]:
    """Check whether the latest rows have a date in the past."""
    lately = (rows.order_by("-pk").values_list("created_at", flat=True)[:LATELY] for rows in WRITTEN)
    last = max(chain.from_iterable(lately), default=None)
    if last is not None and last > timezone.now() + AHEAD:
        yield broken("clock_behind", last=last)


def check_contacts() -> Finding:
    """Check whether contact data are encrypted as requested, and this key can decrypt them."""
    (count, locked), is_on = sealed_rows(), are_contacts_sealed()
    if locked:
        return warning("contacts_locked", count=locked)
    if is_on and (left := count_open_contacts()):
        return warning("contacts_mixed", count=left)
    if count and not is_on:
        return warning("contacts_mixed", count=count)
    return fine("contacts_sealed" if is_on else "contacts_open")


def check_logs() -> Iterator[Finding]:
    """Check whether the recorded hands are as they were written."""
    found = damaged_hands()
    for each in found[:MOST_DAMAGED]:
        where = {"round": each.round, "table": each.table, "event": _event_name(each.match)}
        yield broken("hand_damaged" if each.hand else "result_damaged", hand=each.hand, **where)
    if len(found) > MOST_DAMAGED:
        yield broken("more_damaged", count=len(found) - MOST_DAMAGED)
    if not found:
        yield fine("logs")


def _event_name(match: int) -> str:
    return Event.objects.filter(terms__matches=match).values_list("name", flat=True).first() or "?"


def check_jobs() -> Finding:
    now = timezone.now()
    waiting = Job.objects.filter(status=Status.QUEUED, created_at__lt=now - LATE)
    count = waiting.exclude(waits_until__gt=now).count()
    return warning("jobs_wait", count=count) if count else fine("jobs")


def check_clubs() -> Iterator[Finding]:
    """Name the clubs that use most of the disk, and warn if the quota of one is nearly used."""
    largest = Counter(used_by_clubs()).most_common(MOST_NAMED)
    names = dict(Club.objects.filter(pk__in=[pk for pk, _ in largest]).values_list("pk", "name"))
    clubs = tuple((names[pk], size) for pk, size in largest if pk in names)
    if not clubs:
        return
    quota, (_, most) = settings.CLUB_QUOTA, clubs[0]
    if most >= NEARLY * quota:
        yield warning("clubs_nearly_full", clubs=clubs, quota=quota)
    else:
        yield fine("clubs_on_disk", clubs=clubs, quota=quota)


def check_copies() -> Iterator[Finding]:
    """Check how old the newest backup is, and whether the next ones can be written."""
    if not settings.AUTOMATIC_BACKUPS:
        yield fine("copies_off")
        return
    state, newest = copy_state(timezone.now()), newest_copy()
    if state.failed is not None and state.failed.failed_with is not None:
        yield warning("copy_failed", why=refusal_in(state.failed.failed_with))
    elif newest is None:
        yield fine("no_copy_yet")
    elif is_old(made_at(newest), timezone.now()):
        yield warning("copy_old", at=made_at(newest))
    else:
        yield fine("copy", at=made_at(newest))
    second = settings.SECOND_BACKUP_FOLDER
    if not second:
        yield fine("no_second_folder")
    elif state.failed is not None:
        return  # the reason was reported above
    elif not os.access(second, os.W_OK | os.X_OK):
        yield warning("second_folder_closed", folder=second)
    else:
        yield fine("second_folder", folder=second)


def try_restore() -> Iterator[Finding]:
    """Restore the newest backup into a temporary folder, whichever database is in use here."""
    newest = newest_copy()
    if newest is None:
        return
    with TemporaryDirectory(prefix="charlemagne-") as folder:
        its_own = {
            VARIABLE: folder,
            "DATABASE_URL": "",
            KEY_VARIABLE: "",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        ended = subprocess.run(  # noqa: S603 (this very program)
            [sys.executable, "-m", "operations.bootstrap", "restore", str(newest)],
            cwd=PROJECT,
            env=os.environ | its_own,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    if ended.returncode:
        said = ended.stderr.strip().splitlines() or ["?"]
        yield broken("restore_failed", path=newest, reason=said[-1])
    else:
        yield fine("restored", path=newest)
