"""Automatic backups: schedule, rotation, second folder, and the warning if one fails."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from clubs.models import Club
from config.tasks import sweep_copies
from jobs.models import Job, Status
from jobs.services import run_job
from operations.backup import open_backup
from operations.backup.automatic import KIND, backup_folder, find_due_occasion
from operations.backup.encryption import FILE_HEADER, is_encrypted
from operations.backup.rotation import (
    KEPT_DAYS,
    KEPT_NEWEST,
    KEPT_WEEKS,
    Occasion,
    build_backup_name,
    get_backup_time,
    list_backups,
    remove_abandoned,
    rotate_backups,
    select_retained,
)
from tests.builders import build_club, build_running_night, play_round, start_next_round
from tests.support.hall import Hall
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Round

from .test_backup import forget_everything

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)

in_the_database = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _copies_are_made(settings: Any) -> Iterator[None]:
    settings.AUTOMATIC_BACKUPS = True
    shutil.rmtree(backup_folder(), ignore_errors=True)
    yield
    shutil.rmtree(backup_folder(), ignore_errors=True)


def sweep() -> Job | None:
    """Run the sweeper, then the worker if a backup is due; return the job of the backup."""
    sweep_copies()
    job = Job.objects.filter(kind=KIND, status=Status.QUEUED).first()
    if job is not None:
        run_job(job.pk)
        job.refresh_from_db()
    return job


def advance_time(time: timedelta) -> None:
    """Move the backup jobs into the past, as if this time had passed."""
    for job in Job.objects.filter(kind=KIND):
        for name in ("created_at", "started_at", "ended_at"):
            setattr(job, name, getattr(job, name) - time)
        job.save()


@pytest.mark.slow
class TestBackupSchedule:
    pytestmark = in_the_database

    @pytest.mark.long
    def test_first_backup_is_made_at_once_and_is_complete(self) -> None:
        hall = Hall(pairs=4)
        job = sweep()
        assert job is not None
        assert job.status == Status.DONE
        (copy,) = list_backups(backup_folder())
        backup = open_backup(copy)
        backup.check()
        assert [row["name"] for row in backup.iter_rows("clubs.Club")] == [hall.event.club.name]

    @pytest.mark.long
    def test_automatic_backup_restores_an_empty_installation(self) -> None:
        name = Hall(pairs=4).event.club.name
        sweep()
        (copy,) = list_backups(backup_folder())
        forget_everything()
        call_command("restore", str(copy))
        assert Club.objects.get().name == name

    def test_no_backup_is_made_before_one_is_due(self) -> None:
        assert sweep()
        assert sweep() is None
        advance_time(timedelta(hours=23))
        assert sweep() is None

    @pytest.mark.long
    def test_backup_is_due_every_day(self) -> None:
        sweep()
        advance_time(timedelta(hours=25))
        assert find_due_occasion(timezone.now()) is Occasion.DAILY

    def test_backup_is_made_before_and_after_a_night(self) -> None:
        sweep()
        advance_time(timedelta(hours=2))
        event = build_running_night()
        Round.objects.update(published_at=timezone.now())  # not the time at which the cached night was built
        job = sweep()
        assert job is not None
        assert job.key == Occasion.BEFORE_NIGHT
        advance_time(timedelta(hours=2))
        play_round(event)
        end_event(event_id=event.pk)
        job = sweep()
        assert job is not None
        assert job.key == Occasion.AFTER_NIGHT

    @pytest.mark.long
    def test_later_round_triggers_no_backup(self) -> None:
        event = build_running_night()
        sweep()
        play_round(event)
        start_next_round(event)
        assert find_due_occasion(timezone.now() + timedelta(hours=2)) is None

    @pytest.mark.long
    def test_slow_backup_is_not_repeated_for_a_night(self) -> None:
        sweep()
        advance_time(timedelta(hours=2))
        Job.objects.filter(kind=KIND).update(started_at=timezone.now() - timedelta(hours=3))
        build_running_night()
        assert find_due_occasion(timezone.now()) is None

    @pytest.mark.long
    def test_backup_resumes_after_a_clock_set_years_ahead(self) -> None:
        sweep()
        Job.objects.filter(kind=KIND).update(started_at=timezone.now() - timedelta(days=3 * 365))
        build_running_night()
        assert find_due_occasion(timezone.now() + timedelta(hours=7)) is Occasion.BEFORE_NIGHT

    @pytest.mark.long
    def test_clock_set_back_does_not_stop_backups(self) -> None:
        sweep()
        advance_time(timedelta(days=-300))
        assert find_due_occasion(timezone.now()) is Occasion.DAILY

    @pytest.mark.long
    def test_disabled_automatic_backups_make_none(self, settings: Any) -> None:
        settings.AUTOMATIC_BACKUPS = False
        assert sweep() is None


class TestBackupRotation:
    def test_rotation_keeps_newest_daily_and_weekly_backups(self) -> None:
        hourly = [NOON - timedelta(hours=12 * number) for number in range(800)]
        stay = sorted(select_retained(hourly), reverse=True)
        assert stay[:KEPT_NEWEST] == hourly[:KEPT_NEWEST]
        assert {moment.date() for moment in stay} >= {(NOON - timedelta(days=day)).date() for day in range(KEPT_DAYS)}
        weeks = {moment.isocalendar()[:2] for moment in stay}
        assert len(weeks) == KEPT_WEEKS
        assert len(stay) <= KEPT_NEWEST + KEPT_DAYS + KEPT_WEEKS

    @pytest.mark.long
    @given(st.sets(st.datetimes(datetime(2020, 1, 1), datetime(2099, 1, 1)), min_size=1))  # noqa: DTZ001
    def test_newest_backup_stays_and_rotation_is_idempotent(self, moments: set[datetime]) -> None:
        stay = select_retained(moments)
        assert max(moments) in stay
        assert select_retained(stay) == stay

    def test_rotation_keeps_foreign_files(self, tmp_path: Path) -> None:
        own = ["club.zip", "2026-11-21-190000-before-upgrade.zip", "2026-11-21-190000-daily.zip.part"]
        for name in own:
            (tmp_path / name).touch()
        for number in range(60):
            (tmp_path / build_backup_name(Occasion.DAILY, NOON + timedelta(minutes=number))).touch()
        rotate_backups(tmp_path)
        assert len(list_backups(tmp_path)) == KEPT_NEWEST
        assert all((tmp_path / name).exists() for name in own)

    def test_new_backup_stays_despite_a_clock_in_1970(self, tmp_path: Path) -> None:
        for week in range(KEPT_WEEKS + 1):
            (tmp_path / build_backup_name(Occasion.DAILY, NOON - timedelta(weeks=week))).touch()
        made = tmp_path / build_backup_name(Occasion.DAILY, datetime(1970, 1, 1, tzinfo=UTC))
        made.touch()
        rotate_backups(tmp_path, newest_name=made.name)
        assert made.exists()
        rotate_backups(tmp_path)
        assert not made.exists()

    @pytest.mark.parametrize("name", ["", "saved.zip"])
    def test_abandoned_temporary_file_is_removed_after_an_hour(self, tmp_path: Path, name: str) -> None:
        begun = tmp_path / f".{name or build_backup_name(Occasion.DAILY, NOON)}.x7"
        other = tmp_path / ".another.zip.x7"
        for path, minutes in ((begun, 50), (other, 70)):
            path.touch()
            os.utime(path, (time.time() - 60 * minutes,) * 2)
        remove_abandoned(tmp_path, name)
        assert begun.exists()
        os.utime(begun, (time.time() - 70 * 60,) * 2)
        remove_abandoned(tmp_path, name)
        assert (begun.exists(), other.exists()) == (False, True)

    def test_backup_names_sort_by_time(self, tmp_path: Path) -> None:
        for number in range(5):
            (tmp_path / build_backup_name(list(Occasion)[number % 3], NOON + timedelta(hours=number))).touch()
        assert all(get_backup_time(newer) > get_backup_time(older) for newer, older in pairwise(list_backups(tmp_path)))


def raise_eof(prompt: str) -> str:
    raise EOFError


class TestSecondBackupFolder:
    pytestmark = in_the_database

    @pytest.mark.slow
    def test_second_folder_receives_the_same_backup(self, settings: Any, tmp_path: Path) -> None:
        settings.SECOND_BACKUP_FOLDER = str(tmp_path)
        Hall(pairs=4)
        sweep()
        (first,), (second,) = list_backups(backup_folder()), list_backups(tmp_path)
        assert first.read_bytes() == second.read_bytes()
        assert [path.name for path in tmp_path.iterdir()] == [second.name]

    @pytest.mark.slow
    def test_encrypted_backup_opens_with_the_passphrase_alone(self, settings: Any, tmp_path: Path) -> None:
        settings.SECOND_BACKUP_FOLDER, settings.BACKUP_PASSPHRASE = str(tmp_path), "neuf de trèfle"
        name = Hall(pairs=4).event.club.name
        sweep()
        (copy,) = list_backups(tmp_path)
        assert is_encrypted(copy)
        assert name.encode() not in copy.read_bytes()
        forget_everything()
        settings.BACKUP_PASSPHRASE = "neuf de pique"
        with pytest.raises(CommandError, match="Wrong passphrase for"):
            call_command("restore", str(copy))
        settings.BACKUP_PASSPHRASE = "neuf de trèfle"
        call_command("restore", str(copy))
        assert Club.objects.get().name == name

    @pytest.mark.slow
    def test_replaced_usb_stick_receives_its_backup(self, settings: Any, tmp_path: Path) -> None:
        build_club()
        sweep()
        for stick in (tmp_path / "one", tmp_path / "other"):
            stick.mkdir()
            settings.SECOND_BACKUP_FOLDER = str(stick)
            advance_time(timedelta(minutes=11))
            sweep()
            assert list_backups(stick)
            advance_time(timedelta(minutes=11))
            assert sweep() is None

    def test_truncated_encrypted_backup_is_refused(self, settings: Any, tmp_path: Path) -> None:
        settings.BACKUP_PASSPHRASE = "neuf de trèfle"
        begun = tmp_path / "begun.zip.encrypted"
        begun.write_bytes(FILE_HEADER + b"AbCdEfGhI")
        with pytest.raises(CommandError, match="Wrong passphrase for"):
            call_command("restore", str(begun))

    def test_encrypted_backup_names_the_passphrase_setting_without_a_terminal(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        copy = tmp_path / "copy.zip.encrypted"
        copy.write_bytes(FILE_HEADER)
        monkeypatch.setattr("config.management.commands.restore.getpass", raise_eof)
        with pytest.raises(CommandError, match="Put its passphrase in CHARLEMAGNE_BACKUP_PASSPHRASE"):
            call_command("restore", str(copy))

    @pytest.mark.slow
    def test_encrypted_backup_with_a_missing_part_is_refused(self, settings: Any, tmp_path: Path) -> None:
        settings.SECOND_BACKUP_FOLDER, settings.BACKUP_PASSPHRASE = str(tmp_path), "neuf de trèfle"
        Hall(pairs=4)
        sweep()
        (copy,) = list_backups(tmp_path)
        lines = copy.read_bytes().splitlines(keepends=True)
        copy.write_bytes(b"".join(lines[:-1]))
        forget_everything()
        with pytest.raises(CommandError, match="is not a complete Charlemagne backup"):
            call_command("restore", str(copy))

    @pytest.mark.slow
    def test_missing_usb_stick_is_reported_at_the_desk(self, settings: Any, tmp_path: Path) -> None:
        settings.SECOND_BACKUP_FOLDER = str(tmp_path / "stick")
        hall = Hall(pairs=4)
        job = sweep()
        assert job is not None
        assert job.status == Status.FAILED
        assert list_backups(backup_folder())
        desk = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert "The last automatic backup failed." in desk.text
        assert "Last complete backup:" in desk.text
        assert f"{tmp_path}/stick" in desk.text
        assert not (tmp_path / "stick").exists()
        advance_time(timedelta(minutes=11))
        (tmp_path / "stick").mkdir()
        assert sweep()
        assert "automatic backup" not in hall.desk.open(f"/e/{hall.event.short}/desk").text


@pytest.mark.slow
@in_the_database
def test_desk_warns_when_the_last_backup_is_old() -> None:
    hall = Hall(pairs=4)
    assert "automatic backup" not in hall.desk.open(f"/e/{hall.event.short}/desk").text  # no backup has been tried yet
    sweep()
    advance_time(timedelta(days=3))
    assert "No automatic backup for two days." in hall.desk.open(f"/e/{hall.event.short}/desk").text
