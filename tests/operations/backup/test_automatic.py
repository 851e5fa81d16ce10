"""Copies that the program makes by itself: when, which stay, where else, and what is said if it fails."""

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
from operations.backup.automatic import KIND, backup_folder, due_occasion
from operations.backup.encrypted import BEGINS, is_encrypted
from operations.backup.rotation import (
    DAYS,
    LAST,
    WEEKS,
    Occasion,
    copies_in,
    made_at,
    moments_that_stay,
    name_of_copy,
    remove_abandoned,
    rotate,
)
from tests.builders import a_club, a_running_night, next_round, play_round
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
    """Return what the clock does every minute, and the worker with what it asks for."""
    sweep_copies()
    job = Job.objects.filter(kind=KIND, status=Status.QUEUED).first()
    if job is not None:
        run_job(job.pk)
        job.refresh_from_db()
    return job


def let_pass(time: timedelta) -> None:
    """So long ago is now what was done to copies."""
    for job in Job.objects.filter(kind=KIND):
        for name in ("created_at", "started_at", "ended_at"):
            setattr(job, name, getattr(job, name) - time)
        job.save()


@pytest.mark.slow
class TestWhen:
    pytestmark = in_the_database

    def test_the_first_one_is_made_at_once_and_holds_everything(self) -> None:
        hall = Hall(pairs=4)
        job = sweep()
        assert job is not None
        assert job.status == Status.DONE
        (copy,) = copies_in(backup_folder())
        backup = open_backup(copy)
        backup.check()
        assert [row["name"] for row in backup.rows("clubs.Club")] == [hall.event.club.name]

    def test_it_brings_an_empty_installation_back(self) -> None:
        name = Hall(pairs=4).event.club.name
        sweep()
        (copy,) = copies_in(backup_folder())
        forget_everything()
        call_command("restore", str(copy))
        assert Club.objects.get().name == name

    def test_none_is_made_while_nothing_is_due(self) -> None:
        assert sweep()
        assert sweep() is None
        let_pass(timedelta(hours=23))
        assert sweep() is None

    def test_one_is_made_every_day(self) -> None:
        sweep()
        let_pass(timedelta(hours=25))
        assert due_occasion(timezone.now()) is Occasion.DAILY

    def test_one_is_made_when_a_night_begins_and_one_when_it_has_ended(self) -> None:
        sweep()
        let_pass(timedelta(hours=2))
        event = a_running_night()
        Round.objects.update(published_at=timezone.now())  # not when the builder first made such a night
        job = sweep()
        assert job is not None
        assert job.key == Occasion.BEFORE_NIGHT
        let_pass(timedelta(hours=2))
        play_round(event)
        end_event(event_id=event.pk)
        job = sweep()
        assert job is not None
        assert job.key == Occasion.AFTER_NIGHT

    def test_a_later_round_is_no_beginning(self) -> None:
        event = a_running_night()
        sweep()
        play_round(event)
        next_round(event)
        assert due_occasion(timezone.now() + timedelta(hours=2)) is None

    def test_a_large_installation_is_left_to_its_other_work(self) -> None:
        sweep()
        let_pass(timedelta(hours=2))
        Job.objects.filter(kind=KIND).update(started_at=timezone.now() - timedelta(hours=3))
        a_running_night()
        assert due_occasion(timezone.now()) is None

    def test_a_clock_that_was_set_ahead_while_one_was_made_stops_none_for_years(self) -> None:
        sweep()
        Job.objects.filter(kind=KIND).update(started_at=timezone.now() - timedelta(days=3 * 365))
        a_running_night()
        assert due_occasion(timezone.now() + timedelta(hours=7)) is Occasion.BEFORE_NIGHT

    def test_a_clock_that_was_set_back_stops_no_copy(self) -> None:
        sweep()
        let_pass(timedelta(days=-300))
        assert due_occasion(timezone.now()) is Occasion.DAILY

    def test_none_is_made_where_that_is_switched_off(self, settings: Any) -> None:
        settings.AUTOMATIC_BACKUPS = False
        assert sweep() is None


class TestWhichStay:
    def test_the_last_ones_then_one_a_day_then_one_a_week(self) -> None:
        hourly = [NOON - timedelta(hours=12 * number) for number in range(800)]
        stay = sorted(moments_that_stay(hourly), reverse=True)
        assert stay[:LAST] == hourly[:LAST]
        assert {moment.date() for moment in stay} >= {
            (NOON - timedelta(days=day)).date() for day in range(DAYS)
        }
        weeks = {moment.isocalendar()[:2] for moment in stay}
        assert len(weeks) == WEEKS
        assert len(stay) <= LAST + DAYS + WEEKS

    @given(st.sets(st.datetimes(datetime(2020, 1, 1), datetime(2099, 1, 1)), min_size=1))  # noqa: DTZ001
    def test_the_newest_always_stays_and_rotating_again_changes_nothing(self, moments: set[datetime]) -> None:
        stay = moments_that_stay(moments)
        assert max(moments) in stay
        assert moments_that_stay(stay) == stay

    def test_what_somebody_else_put_there_stays(self, tmp_path: Path) -> None:
        own = ["club.zip", "2026-11-21-190000-before-upgrade.zip", "2026-11-21-190000-daily.zip.part"]
        for name in own:
            (tmp_path / name).touch()
        for number in range(60):
            (tmp_path / name_of_copy(Occasion.DAILY, NOON + timedelta(minutes=number))).touch()
        rotate(tmp_path)
        assert len(copies_in(tmp_path)) == LAST
        assert all((tmp_path / name).exists() for name in own)

    def test_the_one_that_was_just_made_stays_also_on_a_computer_that_believes_in_1970(
        self, tmp_path: Path
    ) -> None:
        for week in range(WEEKS + 1):
            (tmp_path / name_of_copy(Occasion.DAILY, NOON - timedelta(weeks=week))).touch()
        made = tmp_path / name_of_copy(Occasion.DAILY, datetime(1970, 1, 1, tzinfo=UTC))
        made.touch()
        rotate(tmp_path, just_made=made.name)
        assert made.exists()
        rotate(tmp_path)
        assert not made.exists()

    @pytest.mark.parametrize("name", ["", "saved.zip"])
    def test_what_a_killed_worker_began_goes_after_an_hour(self, tmp_path: Path, name: str) -> None:
        begun = tmp_path / f".{name or name_of_copy(Occasion.DAILY, NOON)}.x7"
        other = tmp_path / ".another.zip.x7"
        for path, minutes in ((begun, 50), (other, 70)):
            path.touch()
            os.utime(path, (time.time() - 60 * minutes,) * 2)
        remove_abandoned(tmp_path, name)
        assert begun.exists()
        os.utime(begun, (time.time() - 70 * 60,) * 2)
        remove_abandoned(tmp_path, name)
        assert (begun.exists(), other.exists()) == (False, True)

    def test_names_sort_as_the_moments_in_them(self, tmp_path: Path) -> None:
        for number in range(5):
            (tmp_path / name_of_copy(list(Occasion)[number % 3], NOON + timedelta(hours=number))).touch()
        assert all(made_at(newer) > made_at(older) for newer, older in pairwise(copies_in(tmp_path)))


def no_terminal(prompt: str) -> str:
    raise EOFError


class TestTheSecondFolder:
    pytestmark = in_the_database

    @pytest.mark.slow
    def test_it_has_the_same_copy(self, settings: Any, tmp_path: Path) -> None:
        settings.SECOND_BACKUP_FOLDER = str(tmp_path)
        Hall(pairs=4)
        sweep()
        (first,), (second,) = copies_in(backup_folder()), copies_in(tmp_path)
        assert first.read_bytes() == second.read_bytes()
        assert [path.name for path in tmp_path.iterdir()] == [second.name]

    @pytest.mark.slow
    def test_a_passphrase_alone_opens_it(self, settings: Any, tmp_path: Path) -> None:
        settings.SECOND_BACKUP_FOLDER, settings.BACKUP_PASSPHRASE = str(tmp_path), "neuf de trèfle"
        name = Hall(pairs=4).event.club.name
        sweep()
        (copy,) = copies_in(tmp_path)
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
    def test_a_stick_that_is_put_in_later_or_changed_gets_its_copy_too(
        self, settings: Any, tmp_path: Path
    ) -> None:
        a_club()
        sweep()
        for stick in (tmp_path / "one", tmp_path / "other"):
            stick.mkdir()
            settings.SECOND_BACKUP_FOLDER = str(stick)
            let_pass(timedelta(minutes=11))
            sweep()
            assert copies_in(stick)
            let_pass(timedelta(minutes=11))
            assert sweep() is None

    def test_one_of_which_only_the_beginning_was_copied_is_refused(
        self, settings: Any, tmp_path: Path
    ) -> None:
        settings.BACKUP_PASSPHRASE = "neuf de trèfle"
        begun = tmp_path / "begun.zip.encrypted"
        begun.write_bytes(BEGINS + b"AbCdEfGhI")
        with pytest.raises(CommandError, match="Wrong passphrase for"):
            call_command("restore", str(begun))

    def test_one_that_is_encrypted_asks_for_its_passphrase_where_nobody_can_type_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        copy = tmp_path / "copy.zip.encrypted"
        copy.write_bytes(BEGINS)
        monkeypatch.setattr("config.management.commands.restore.getpass", no_terminal)
        with pytest.raises(CommandError, match="Put its passphrase in CHARLEMAGNE_BACKUP_PASSPHRASE"):
            call_command("restore", str(copy))

    @pytest.mark.slow
    def test_a_part_that_is_missing_is_noticed(self, settings: Any, tmp_path: Path) -> None:
        settings.SECOND_BACKUP_FOLDER, settings.BACKUP_PASSPHRASE = str(tmp_path), "neuf de trèfle"
        Hall(pairs=4)
        sweep()
        (copy,) = copies_in(tmp_path)
        lines = copy.read_bytes().splitlines(keepends=True)
        copy.write_bytes(b"".join(lines[:-1]))
        forget_everything()
        with pytest.raises(CommandError, match="is not a complete Charlemagne backup"):
            call_command("restore", str(copy))

    @pytest.mark.slow
    def test_a_stick_that_is_not_in_is_said_at_the_desk_and_the_first_copy_is_there(
        self, settings: Any, tmp_path: Path
    ) -> None:
        settings.SECOND_BACKUP_FOLDER = str(tmp_path / "stick")
        hall = Hall(pairs=4)
        job = sweep()
        assert job is not None
        assert job.status == Status.FAILED
        assert copies_in(backup_folder())
        desk = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert "The last automatic backup failed." in desk.text
        assert "Last complete backup:" in desk.text
        assert f"{tmp_path}/stick" in desk.text
        assert not (tmp_path / "stick").exists()
        let_pass(timedelta(minutes=11))
        (tmp_path / "stick").mkdir()
        assert sweep()
        assert "automatic backup" not in hall.desk.open(f"/e/{hall.event.short}/desk").text


@pytest.mark.slow
@in_the_database
def test_the_desk_says_how_old_the_last_one_is_once_it_is_old() -> None:
    hall = Hall(pairs=4)
    assert "automatic backup" not in hall.desk.open(f"/e/{hall.event.short}/desk").text  # none was tried yet
    sweep()
    let_pass(timedelta(days=3))
    assert "No automatic backup for two days." in hall.desk.open(f"/e/{hall.event.short}/desk").text
