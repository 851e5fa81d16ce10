"""Checks of the data: key, database, migrations, indexes, jobs, backups."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import timedelta
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from clubs.models import Club
from jobs.labels import load_refusal
from jobs.models import Job, Status
from operations.backup.automatic import find_newest_backup, get_backup_state, is_old
from operations.backup.rotation import get_backup_time
from operations.contact_data import count_encrypted_rows, count_unencrypted_contacts
from operations.data_dir import DATA_VARIABLE, DATABASE_FILE, KEY_VARIABLE, PROJECT
from operations.start.identity import DatabaseIdentity, identify_database
from operations.start.sqlite_file import DamagedDatabaseError, check_sqlite_file
from operations.upgrading.schema import list_own_migrations
from scoring.queries import list_damage
from tournaments.models import Action, Event
from web.sealing import encrypts_contacts

from .findings import Finding, report_advice, report_broken, report_fine, report_warning

STUCK_AFTER = timedelta(hours=1)
"""Waiting time after which a job counts as stuck."""
CLOCK_TOLERANCE = timedelta(minutes=5)
"""Tolerance for dates in the future: rows dated later than that were written by a wrong clock."""
MAX_CLUBS_NAMED, QUOTA_WARNING_SHARE = 5, 0.9
"""How many clubs are named by their disk space, and the share of the quota from which there is a warning."""
MAX_HANDS_NAMED = 10
"""How many damaged hands are named."""
DATED_ROWS, ROWS_CHECKED = (Job.objects, Action.objects), 100
"""Tables whose newest rows are checked, and how many, about one night's worth. A wrong clock is reported as
long as its rows are among them."""


def check_database_file() -> Finding:
    """Check the whole SQLite file, or that PostgreSQL answers."""
    try:
        if connection.vendor == "sqlite":
            check_sqlite_file(Path(settings.DATA_DIR) / DATABASE_FILE, is_full_check=True)
        connection.ensure_connection()
    except DamagedDatabaseError as damaged:
        return report_broken("database_damaged", reason=damaged)
    return report_fine("database")


def check_key() -> Finding:
    identity = identify_database()
    if identity is DatabaseIdentity.OTHER_KEY:
        return report_broken("key_of_another", folder=settings.DATA_DIR)
    return report_fine("nothing_begun" if identity is DatabaseIdentity.EMPTY else "key")


def check_migrations() -> Finding:
    """Check whether the migrations in the database match this version."""
    applied, own_migrations = MigrationRecorder(connection).applied_migrations().keys(), list_own_migrations()
    if applied - own_migrations:
        return report_broken("data_of_newer_program", step=" ".join(max(applied - own_migrations)))
    missing = own_migrations - applied
    return report_warning("not_up_to_date", count=len(missing)) if missing else report_fine("steps")


def check_indexes() -> Finding:
    """Check whether each index of a model is in the database, and valid."""
    missing = []
    with connection.cursor() as cursor:
        for model in apps.get_models():
            table = model._meta.db_table
            constraints = connection.introspection.get_constraints(cursor, table)
            missing += [index.name for index in model._meta.indexes if index.name not in constraints]
        if connection.vendor == "postgresql":
            cursor.execute("SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid")
            missing += [name for (name,) in cursor.fetchall()]
    return report_warning("index_missing", name=missing[0]) if missing else report_fine("indexes")


def check_times() -> Iterator[Finding]:
    """Check whether the latest rows have a date in the past."""
    row_times = (rows.order_by("-pk").values_list("created_at", flat=True)[:ROWS_CHECKED] for rows in DATED_ROWS)
    latest = max(chain.from_iterable(row_times), default=None)
    if latest is not None and latest > timezone.now() + CLOCK_TOLERANCE:
        yield report_broken("clock_behind", last=latest)


def check_contacts() -> Finding:
    """Check whether contact data are encrypted as requested, and this key can decrypt them."""
    (count, locked), is_on = count_encrypted_rows(), encrypts_contacts()
    if locked:
        return report_warning("contacts_locked", count=locked)
    if is_on and (unencrypted := count_unencrypted_contacts()):
        return report_warning("contacts_mixed", count=unencrypted)
    if count and not is_on:
        return report_warning("contacts_mixed", count=count)
    return report_fine("contacts_sealed") if is_on else report_advice("contacts_open")


def check_logs() -> Iterator[Finding]:
    """Check whether the recorded hands are as they were written."""
    damage = list_damage()
    for item in damage[:MAX_HANDS_NAMED]:
        details = {"round": item.round, "table": item.table, "event": _get_event_name(item.match)}
        yield report_broken("hand_damaged" if item.hand else "result_damaged", hand=item.hand, **details)
    if len(damage) > MAX_HANDS_NAMED:
        yield report_broken("more_damaged", count=len(damage) - MAX_HANDS_NAMED)
    if not damage:
        yield report_fine("logs")


def _get_event_name(match: int) -> str:
    return Event.objects.filter(terms__matches=match).values_list("name", flat=True).first() or "?"


def check_jobs() -> Finding:
    now = timezone.now()
    stuck_jobs = Job.objects.filter(status=Status.QUEUED, created_at__lt=now - STUCK_AFTER)
    count = stuck_jobs.exclude(waits_until__gt=now).count()
    return report_warning("jobs_wait", count=count) if count else report_fine("jobs")


def check_clubs(used: Mapping[int, int]) -> Iterator[Finding]:
    """Name the clubs that use most of the disk, and warn if the quota of one is nearly used."""
    largest = Counter(used).most_common(MAX_CLUBS_NAMED)
    names = dict(Club.objects.filter(pk__in=[pk for pk, _ in largest]).values_list("pk", "name"))
    clubs = tuple((names[pk], size) for pk, size in largest if pk in names)
    if not clubs:
        return
    quota, (_, largest_size) = settings.CLUB_QUOTA, clubs[0]
    if largest_size >= QUOTA_WARNING_SHARE * quota:
        yield report_warning("clubs_nearly_full", clubs=clubs, quota=quota)
    else:
        yield report_fine("clubs_on_disk", clubs=clubs, quota=quota)


def check_backups() -> Iterator[Finding]:
    """Check how old the newest backup is, and whether the next ones can be written."""
    if not settings.AUTOMATIC_BACKUPS:
        yield report_advice("copies_off")
        return
    state, newest = get_backup_state(timezone.now()), find_newest_backup()
    if state.failed is not None and state.failed.failed_with is not None:
        yield report_warning("copy_failed", why=load_refusal(state.failed.failed_with))
    elif newest is None:
        yield report_fine("no_copy_yet")
    elif is_old(get_backup_time(newest), timezone.now()):
        yield report_warning("copy_old", at=get_backup_time(newest))
    else:
        yield report_fine("copy", at=get_backup_time(newest))
    second = settings.SECOND_BACKUP_FOLDER
    if not second:
        yield report_advice("no_second_folder")
    elif state.failed is not None:
        return  # the reason was reported above
    elif not os.access(second, os.W_OK | os.X_OK):
        yield report_warning("second_folder_closed", folder=second)
    else:
        yield report_fine("second_folder", folder=second)


def try_restore() -> Iterator[Finding]:
    """Restore the newest backup into a temporary folder, whichever database is in use here."""
    newest = find_newest_backup()
    if newest is None:
        return
    with TemporaryDirectory(prefix="charlemagne-") as folder:
        environment = {
            DATA_VARIABLE: folder,
            "DATABASE_URL": "",
            KEY_VARIABLE: "",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        result = subprocess.run(  # noqa: S603 (this very program)
            [sys.executable, "-m", "operations.bootstrap", "restore", str(newest)],
            cwd=PROJECT,
            env=os.environ | environment,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    if result.returncode:
        error_lines = result.stderr.strip().splitlines() or ["?"]
        yield report_broken("restore_failed", path=newest, reason=error_lines[-1])
    else:
        yield report_fine("restored", path=newest)
