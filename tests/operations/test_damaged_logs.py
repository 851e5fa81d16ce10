"""Hand changed by a failing disk: reported at the start and by checks, and repaired."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from operations.backup.automatic import backup_folder, make_automatic_backup
from operations.backup.rotation import Occasion, list_backups
from operations.doctor.data_checks import check_logs
from operations.start.lock import is_changed_by_disk, is_unchanged_since_end, record_clean_end
from operations.start.sqlite_file import DamagedDatabaseError, check_sqlite_file, find_damaged_logs
from scoring.models import Mark, Match
from tests.builders import build_running_night, matches_of, play, reload_match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

OTHER_RECORD = """{"version": 1, "kind": "hand", "side": "A", "contract": "7", "tricks": 7}"""


@pytest.fixture(autouse=True)
def _without_older_copies() -> None:
    for copy in list_backups(backup_folder()):
        copy.unlink()


@pytest.fixture
def match() -> Match:
    match = matches_of(build_running_night())[1]
    play(match, "A 6 made", "B 7 made")
    return match


def change_on_disk(match: Match) -> Mark:
    """Change the first hand without the program's knowledge, as a failing disk does."""
    first = match.marks.order_by("pk")[0]
    with connection.cursor() as cursor:
        cursor.execute("UPDATE scoring_mark SET record_data = %s WHERE id = %s", [OTHER_RECORD, first.pk])
    return first


def copy_database(tmp_path: Path) -> Path:
    """Copy the database to a file that no process uses."""
    path = tmp_path / "charlemagne.sqlite3"
    with (
        closing(sqlite3.connect(connection.settings_dict["NAME"])) as own,
        closing(sqlite3.connect(path)) as to,
    ):
        own.backup(to)
    return path


def test_doctor_names_a_damaged_hand(match: Match) -> None:
    assert [found.code for found in check_logs()] == ["logs"]
    change_on_disk(match)
    (found,) = check_logs()
    assert found.code == "hand_damaged"
    assert (found.details["table"], found.details["hand"]) == (2, 1)


@pytest.mark.long
def test_backup_flags_damage_and_keeps_older_backups(match: Match) -> None:
    now = timezone.now()
    for hours in range(30, 12, -1):
        make_automatic_backup(Occasion.DAILY, now - timedelta(hours=hours))
    backup_count = len(list_backups(backup_folder()))
    change_on_disk(match)
    make_automatic_backup(Occasion.DAILY, now)
    assert reload_match(match).is_damaged
    assert len(list_backups(backup_folder())) == backup_count + 1


def test_repair_command_restores_a_hand_from_the_last_good_backup(match: Match) -> None:
    make_automatic_backup(Occasion.DAILY, timezone.now() - timedelta(minutes=2))
    first = match.marks.order_by("pk")[0]
    change_on_disk(match)
    make_automatic_backup(Occasion.DAILY, timezone.now())
    output = StringIO()
    call_command("repair_logs", stdout=output)
    assert "Round 1, table 2, hand 1: repaired." in output.getvalue()
    assert match.marks.order_by("pk")[0].record_data == first.record_data


def test_unrepairable_hand_is_reported_until_accepted(match: Match) -> None:
    change_on_disk(match)
    with pytest.raises(CommandError):
        call_command("repair_logs", stdout=StringIO())
    call_command("repair_logs", "--accept", stdout=StringIO())
    call_command("repair_logs", stdout=StringIO())


@pytest.mark.long
def test_start_check_finds_a_damaged_hand_in_the_file(match: Match, tmp_path: Path) -> None:
    assert find_damaged_logs(copy_database(tmp_path)) == []
    change_on_disk(match)
    (found,) = find_damaged_logs(copy_database(tmp_path))
    assert (found.round, found.table, found.hand) == (1, 2, 1)


@pytest.mark.parametrize("value", ["x'c328'", "'2026-13-40'", "7.5", "CAST(x'c328' AS TEXT)"])
def test_start_check_finds_an_unreadable_value(match: Match, tmp_path: Path, value: str) -> None:
    path = copy_database(tmp_path)
    check_sqlite_file(path, is_full_check=True)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"UPDATE scoring_match SET opened_at = {value}")
    with pytest.raises(DamagedDatabaseError, match=r"scoring_match\.opened_at"):
        check_sqlite_file(path, is_full_check=True)


@pytest.mark.long
def test_disk_change_after_shutdown_is_detected(match: Match, tmp_path: Path) -> None:
    path = copy_database(tmp_path)
    record_clean_end(tmp_path, path)
    assert is_unchanged_since_end(tmp_path, path)
    content, status = bytearray(path.read_bytes()), path.stat()
    content[-1] ^= 1
    path.write_bytes(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert not is_unchanged_since_end(tmp_path, path)
    assert is_changed_by_disk(tmp_path, path)
