"""Findings of `doctor` in an installation, and who reads them as a page."""

from __future__ import annotations

import shutil
from collections import namedtuple
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from clubs.calendar import today_in
from clubs.club_files import FILES
from clubs.models import Role
from jobs.models import Job, Status
from operations.backup.automatic import KIND, TOPIC, backup_folder, make_copy, newest_copy
from operations.backup.rotation import Occasion, name_of_copy
from operations.doctor import Finding, Severity, examine, examine_before_night, night_checks, system_checks
from operations.doctor.data_checks import try_restore
from operations.up.addresses import OwnAddress, Way
from operations.up.reach import PhoneAddress
from tests.builders import a_club
from tests.support.hall import Hall
from wording.labels.health import FINDINGS, finding_in_words

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture(autouse=True)
def _as_up_makes_a_folder() -> None:
    """Tests have no umask of their own."""
    shutil.rmtree(backup_folder(), ignore_errors=True)
    for path in Path(settings.DATA_DIR), *Path(settings.DATA_DIR).glob("*"):
        path.chmod(0o700)


def found() -> dict[str, Finding]:
    return {finding.code: finding for finding in examine()}


def a_job(**values: Any) -> Job:
    return Job.objects.create(**{"kind": KIND, "key": Occasion.DAILY, "topic": TOPIC} | values)


def test_in_an_installation_that_is_well_nothing_is_to_do() -> None:
    Hall(pairs=4)
    assert [finding.code for finding in examine() if finding.level is not Severity.FINE] == []


def test_the_largest_clubs_are_named_and_a_full_one_is_a_warning(settings: Any) -> None:
    club = Hall(pairs=4).event.club
    FILES.new_path(club.pk, "zip").write_bytes(b"x" * 90_000)
    settings.CLUB_QUOTA = 1_000_000_000
    finding = found()["clubs_on_disk"]
    assert f"{club.name} (" in finding_in_words(finding.code, finding.details)
    settings.CLUB_QUOTA = 100_000
    finding = found()["clubs_nearly_full"]
    assert finding.level is Severity.WARNING
    assert "100\xa0kB per club" in finding_in_words(finding.code, finding.details)
    FILES.put_away(club.pk)


def test_each_finding_has_a_sentence_and_what_is_wrong_says_what_to_do() -> None:
    for finding in examine():
        assert finding_in_words(finding.code, finding.details)
    assert all("%" not in str(text) or "%(" in str(text) for text in FINDINGS.values())


def test_a_synchronized_folder_or_a_network_disk_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_checks, "synchronizing_service", lambda _: "OneDrive")
    monkeypatch.setattr(system_checks, "network_file_system", lambda _: "nfs4")
    assert found()["folder_synchronized"].level is Severity.WARNING
    assert found()["folder_on_network"].level is Severity.WARNING


def test_a_disk_that_is_nearly_full_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "free")  # noqa: PYI024 (as shutil's own)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(system_checks.LITTLE - 1))
    assert found()["disk_low"].level is Severity.WARNING


def test_a_folder_that_others_read_is_found() -> None:
    Path(settings.DATA_DIR).chmod(0o755)
    try:
        assert found()["open_to_others"].level is Severity.WARNING
    finally:
        Path(settings.DATA_DIR).chmod(0o700)


def test_a_clock_that_is_behind_what_was_written_is_found() -> None:
    a_job(status=Status.DONE, created_at=timezone.now() + timedelta(days=30))
    assert found()["clock_behind"].level is Severity.BROKEN


def test_it_is_found_also_after_more_was_written_by_the_clock_that_is_behind() -> None:
    hall = Hall(pairs=4)
    hall.event.actions.update(created_at=timezone.now() + timedelta(hours=1))
    a_job(status=Status.DONE)
    assert found()["clock_behind"].level is Severity.BROKEN


def test_a_copy_of_a_day_that_is_yet_to_come_is_not_the_last_one(settings: Any) -> None:
    settings.AUTOMATIC_BACKUPS = True
    today = make_copy(Occasion.DAILY, timezone.now())
    shutil.copy(
        today, today.with_name(name_of_copy(Occasion.DAILY, timezone.now() + timedelta(days=3 * 365)))
    )
    assert newest_copy() == today
    assert found()["copy"].level is Severity.FINE


def test_work_that_nobody_does_is_found() -> None:
    a_job(created_at=timezone.now() - timedelta(hours=2))
    assert found()["jobs_wait"].details["count"] == 1


def test_an_index_that_is_missing_is_found() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX jobs_by_topic")
    try:
        assert found()["index_missing"].details["name"] == "jobs_by_topic"
    finally:
        index = next(each for each in Job._meta.indexes if each.name == "jobs_by_topic")
        with connection.schema_editor() as editor:
            editor.add_index(Job, index)


def test_steps_that_were_not_taken_are_found() -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE django_migrations SET name = 'x' || name WHERE app = 'live'")
    try:
        assert found()["data_of_newer_program"].level is Severity.BROKEN
    finally:
        with connection.cursor() as cursor:
            cursor.execute("UPDATE django_migrations SET name = substr(name, 2) WHERE app = 'live'")


def test_a_second_folder_that_is_gone_is_found_before_a_copy_fails_there(
    settings: Any, tmp_path: Path
) -> None:
    settings.AUTOMATIC_BACKUPS, settings.SECOND_BACKUP_FOLDER = True, str(tmp_path / "stick")
    assert found()["second_folder_closed"].level is Severity.WARNING
    assert "copy_failed" not in found()
    (tmp_path / "stick").mkdir()
    assert found()["second_folder"].level is Severity.FINE


@pytest.mark.long("a backup is restored: test_backup.py restores one")
def test_the_last_copy_is_restored_to_try() -> None:
    Hall(pairs=4)
    copy = make_copy(Occasion.DAILY, timezone.now())
    assert [finding.code for finding in try_restore()] == ["restored"]
    copy.write_bytes(copy.read_bytes()[:-40_000])
    (failed,) = try_restore()
    assert (failed.code, failed.level) == ("restore_failed", Severity.BROKEN)
    assert (
        "is not a complete Charlemagne backup" in failed.details["reason"]
        or "n’est pas" in failed.details["reason"]
    )


def test_an_owner_of_the_first_club_reads_it_as_a_page() -> None:
    hall = Hall(pairs=4)
    page = hall.desk.open(f"/club/{hall.event.club.slug}/file")
    page = hall.desk.open(page.link("Whole program: backups and status"))
    assert page.status == 200
    assert "All is well." in page.text
    assert "The database is not damaged." in page.text


def test_the_page_lists_each_club_with_its_last_night_and_its_size() -> None:
    hall = Hall(pairs=4)
    a_club("Les Atouts de l’Est", owner=hall.owner)
    page = hall.desk.open(f"/club/{hall.event.club.slug}/installation")
    first, other = page.one("ul", id="all-clubs").every("li")
    assert hall.event.club.name in first.text
    assert "Last night: " in first.text
    assert "8 people" in first.text
    assert "Les Atouts de l’Est" in other.text
    assert "No night yet" in other.text


def test_an_owner_of_another_club_does_not(settings: Any) -> None:
    hall = Hall(pairs=4)
    other = a_club("Les Atouts de l’Est", owner=hall.owner)
    assert hall.desk.open(f"/club/{other.slug}/installation").status == 404
    assert "Whole program:" not in hall.desk.open(f"/club/{other.slug}/file").text


def test_a_director_does_not() -> None:
    hall = Hall(pairs=4)
    hall.event.club.memberships.update(role=Role.DIRECTOR)
    assert hall.desk.open(f"/club/{hall.event.club.slug}/installation").status == 403


def found_before_night() -> dict[str, Finding]:
    return {finding.code: finding for finding in examine_before_night()}


def test_before_a_night_letters_that_no_font_has_are_named_and_syllabics_are_set() -> None:
    event = Hall(pairs=4).event
    event.held_on = today_in(event.club)
    event.save()
    one, other, *_ = (entry.player_1 for entry in event.entries.select_related("player_1"))
    one.name, other.name = "ᐃᓄᒃ ᓀᐦᐃᔭᐍᐏᐣ", "Mei 中"
    one.save()
    found = found_before_night()
    assert found["papers"].details == {"count": 8}
    other.save()
    found = found_before_night()
    assert "papers" not in found
    assert found["letter_missing"].details == {"letter": "中", "name": "Mei 中"}
    event.entries.update(team="W" * 80)
    other.name = "W" * 80
    other.save()
    cut = [each for each in examine_before_night() if each.code == "badge_cut"]
    assert [each.details["name"] for each in cut] == ["W" * 80]


@pytest.mark.parametrize(
    ("ways", "code"),
    [
        ([], "no_network"),
        ([Way.VPN, Way.VIRTUAL], "no_hall_network"),
        ([Way.NETWORK, Way.VPN], "addresses"),
    ],
)
def test_before_a_night_an_address_for_phones_is_looked_for(
    monkeypatch: pytest.MonkeyPatch, ways: list[Way], code: str
) -> None:
    found = [
        PhoneAddress(address=OwnAddress(host=f"10.0.0.{way}", way=way), arrived_at=None, is_chosen=False)
        for way in ways
    ]
    monkeypatch.setattr(night_checks, "phone_addresses", lambda: found)
    assert [each.code for each in night_checks.check_addresses()] == [code]
    assert [each.code for each in night_checks.check_phone()] == ["no_phone_yet"]


def test_packages_of_another_version_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert night_checks.check_environment().level is Severity.FINE
    monkeypatch.setattr(night_checks, "is_environment_right", lambda: False)
    assert night_checks.check_environment().level is Severity.WARNING


def test_a_director_reads_before_the_night_what_the_terminal_says() -> None:
    hall = Hall(pairs=4)
    hall.event.club.memberships.update(role=Role.DIRECTOR)
    page = hall.desk.open(f"/club/{hall.event.club.slug}/before-the-night")
    assert "No phone has reached this computer since the start." in page.text
