"""A disk that changes a stored hand: the program names it at its start, at its checks, and repairs it."""

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

from operations.backup.automatic import backup_folder, make_copy
from operations.backup.rotation import Occasion, copies_in
from operations.doctor.data_checks import check_logs
from operations.start.lock import is_as_it_was_left, is_changed_by_disk, note_good_end
from operations.start.sqlite_file import DamagedDatabase, check_file, damaged_logs
from scoring.models import Mark, Match
from tests.builders import a_running_night, fresh, matches_of, play

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ANOTHER = """{"version": 1, "kind": "hand", "side": "A", "contract": "7", "tricks": 7}"""


@pytest.fixture(autouse=True)
def _without_older_copies() -> None:
    for copy in copies_in(backup_folder()):
        copy.unlink()


@pytest.fixture
def match() -> Match:
    match = matches_of(a_running_night())[1]
    play(match, "A 6 made", "B 7 made")
    return match


def change_on_disk(match: Match) -> Mark:
    """The first hand, as a disk does it: no program knows."""
    first = match.marks.order_by("pk")[0]
    with connection.cursor() as cursor:
        cursor.execute("UPDATE scoring_mark SET record_data = %s WHERE id = %s", [ANOTHER, first.pk])
    return first


def copied(tmp_path: Path) -> Path:
    """The database file of a folder that is not in use."""
    path = tmp_path / "charlemagne.sqlite3"
    with (
        closing(sqlite3.connect(connection.settings_dict["NAME"])) as own,
        closing(sqlite3.connect(path)) as to,
    ):
        own.backup(to)
    return path


def test_the_health_check_names_a_damaged_hand(match: Match) -> None:
    assert [found.code for found in check_logs()] == ["logs"]
    change_on_disk(match)
    (found,) = check_logs()
    assert found.code == "hand_damaged"
    assert (found.details["table"], found.details["hand"]) == (2, 1)


def test_a_backup_notes_damage_and_deletes_no_older_one(match: Match) -> None:
    now = timezone.now()
    for hours in range(30, 12, -1):
        make_copy(Occasion.DAILY, now - timedelta(hours=hours))
    known = len(copies_in(backup_folder()))
    change_on_disk(match)
    make_copy(Occasion.DAILY, now)
    assert fresh(match).is_damaged
    assert len(copies_in(backup_folder())) == known + 1


def test_one_command_repairs_a_hand_from_the_last_backup_that_has_it(match: Match) -> None:
    make_copy(Occasion.DAILY, timezone.now() - timedelta(minutes=2))
    first = match.marks.order_by("pk")[0]
    change_on_disk(match)
    make_copy(Occasion.DAILY, timezone.now())
    said = StringIO()
    call_command("repair_logs", stdout=said)
    assert "Round 1, table 2, hand 1: repaired." in said.getvalue()
    assert match.marks.order_by("pk")[0].record_data == first.record_data


def test_what_no_copy_proves_is_named_until_it_is_accepted(match: Match) -> None:
    change_on_disk(match)
    with pytest.raises(CommandError):
        call_command("repair_logs", stdout=StringIO())
    call_command("repair_logs", "--accept", stdout=StringIO())
    call_command("repair_logs", stdout=StringIO())


def test_a_start_finds_a_damaged_hand_in_the_file_alone(match: Match, tmp_path: Path) -> None:
    assert damaged_logs(copied(tmp_path)) == []
    change_on_disk(match)
    (found,) = damaged_logs(copied(tmp_path))
    assert (found.round, found.table, found.hand) == (1, 2, 1)


@pytest.mark.parametrize("value", ["x'c328'", "'2026-13-40'", "7.5", "CAST(x'c328' AS TEXT)"])
def test_a_start_finds_a_value_that_no_program_can_read(match: Match, tmp_path: Path, value: str) -> None:
    path = copied(tmp_path)
    check_file(path, is_looked_through=True)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"UPDATE scoring_match SET opened_at = {value}")
    with pytest.raises(DamagedDatabase, match=r"scoring_match\.opened_at"):
        check_file(path, is_looked_through=True)


def test_a_file_that_the_disk_changed_is_not_as_it_was_left(match: Match, tmp_path: Path) -> None:
    path = copied(tmp_path)
    note_good_end(tmp_path, path)
    assert is_as_it_was_left(tmp_path, path)
    content, status = bytearray(path.read_bytes()), path.stat()
    content[-1] ^= 1
    path.write_bytes(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert not is_as_it_was_left(tmp_path, path)
    assert is_changed_by_disk(tmp_path, path)
