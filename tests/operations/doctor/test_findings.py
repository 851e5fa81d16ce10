"""Findings of `doctor` in an installation, and the people who may see them on a page."""

from __future__ import annotations

import shutil
from collections import namedtuple
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from clubs.calendar import get_club_today
from clubs.club_files import FILES
from clubs.models import Role
from jobs.models import Job, Status
from operations.backup.automatic import KIND, TOPIC, backup_folder, find_newest_backup, make_automatic_backup
from operations.backup.rotation import Occasion, build_backup_name
from operations.doctor import Finding, Severity, night_checks, run_checks, run_night_checks, system_checks
from operations.doctor.data_checks import try_restore
from operations.doctor.labels import FINDINGS, describe_finding
from operations.up.addresses import AddressKind, HostAddress
from operations.up.reach import PhoneAddress
from tests.builders import build_club, build_event
from tests.support.hall import Hall
from tournaments.models import Event
from web.temp_files import measure_file_sizes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture(autouse=True)
def _as_up_makes_a_folder() -> None:
    """Delete backups and make the data folder private, as the umask of `up` does: tests set no umask."""
    shutil.rmtree(backup_folder(), ignore_errors=True)
    for path in Path(settings.DATA_DIR), *Path(settings.DATA_DIR).glob("*"):
        path.chmod(0o700)


def find_findings() -> dict[str, Finding]:
    return {finding.code: finding for finding in run_checks()}


def create_job(**values: Any) -> Job:
    return Job.objects.create(**{"kind": KIND, "key": Occasion.DAILY, "topic": TOPIC} | values)


@pytest.mark.long
def test_healthy_installation_has_no_findings() -> None:
    Hall(pairs=4)
    assert {finding.level for finding in run_checks()} <= {Severity.FINE, Severity.ADVICE}


def test_status_page_shows_advice_apart_from_passed_checks(settings: Any) -> None:
    settings.AUTOMATIC_BACKUPS = True
    hall = Hall(pairs=4)
    page = hall.desk.open(f"/club/{hall.event.club.slug}/installation")
    advice, passed = (page.find_one("section", **{"aria-labelledby": name}) for name in ("advice", "looked-at"))
    for sentence in ("Contact details are not encrypted.", "All backups are on this disk."):
        assert sentence in advice.text
        assert sentence not in passed.text


def test_largest_clubs_are_listed_and_a_full_one_is_a_warning(settings: Any) -> None:
    club = Hall(pairs=4).event.club
    FILES.build_path(club.pk, "zip").write_bytes(b"x" * 90_000)
    settings.CLUB_QUOTA = 1_000_000_000
    finding = find_findings()["clubs_on_disk"]
    assert f"{club.name} (" in describe_finding(finding.code, finding.details)
    settings.CLUB_QUOTA = 100_000
    finding = find_findings()["clubs_nearly_full"]
    assert finding.level is Severity.WARNING
    assert "100\xa0kB per club" in describe_finding(finding.code, finding.details)
    FILES.delete_club_files(club.pk)


@pytest.mark.long
def test_every_finding_has_a_sentence() -> None:
    for finding in run_checks():
        assert describe_finding(finding.code, finding.details)
    assert all("%" not in str(text) or "%(" in str(text) for text in FINDINGS.values())


@pytest.mark.long
def test_synchronized_folder_or_network_disk_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_checks, "synchronizing_service", lambda _: "OneDrive")
    monkeypatch.setattr(system_checks, "network_file_system", lambda _: "nfs4")
    assert find_findings()["folder_synchronized"].level is Severity.WARNING
    assert find_findings()["folder_on_network"].level is Severity.WARNING


@pytest.mark.long
def test_nearly_full_disk_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "free")  # noqa: PYI024 (as shutil's own)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(system_checks.LOW_DISK - 1))
    assert find_findings()["disk_low"].level is Severity.WARNING


@pytest.mark.long
def test_folder_readable_by_others_is_a_warning() -> None:
    Path(settings.DATA_DIR).chmod(0o755)
    try:
        assert find_findings()["open_to_others"].level is Severity.WARNING
    finally:
        Path(settings.DATA_DIR).chmod(0o700)


@pytest.mark.long
def test_clock_behind_the_records_is_reported() -> None:
    create_job(status=Status.DONE, created_at=timezone.now() + timedelta(days=30))
    assert find_findings()["clock_behind"].level is Severity.BROKEN


@pytest.mark.long
def test_clock_behind_earlier_records_is_still_reported() -> None:
    hall = Hall(pairs=4)
    hall.event.actions.update(created_at=timezone.now() + timedelta(hours=1))
    create_job(status=Status.DONE)
    assert find_findings()["clock_behind"].level is Severity.BROKEN


def test_future_dated_backup_is_not_the_latest_one(settings: Any) -> None:
    settings.AUTOMATIC_BACKUPS = True
    today = make_automatic_backup(Occasion.DAILY, timezone.now())
    shutil.copy(today, today.with_name(build_backup_name(Occasion.DAILY, timezone.now() + timedelta(days=3 * 365))))
    assert find_newest_backup() == today
    assert find_findings()["copy"].level is Severity.FINE


@pytest.mark.long
def test_waiting_jobs_are_reported() -> None:
    create_job(created_at=timezone.now() - timedelta(hours=2))
    assert find_findings()["jobs_wait"].details["count"] == 1


@pytest.mark.long
def test_missing_index_is_reported() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX jobs_by_topic")
    try:
        assert find_findings()["index_missing"].details["name"] == "jobs_by_topic"
    finally:
        index = next(each for each in Job._meta.indexes if each.name == "jobs_by_topic")
        with connection.schema_editor() as editor:
            editor.add_index(Job, index)


def test_unknown_migrations_are_reported() -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE django_migrations SET name = 'x' || name WHERE app = 'live'")
    try:
        assert find_findings()["data_of_newer_program"].level is Severity.BROKEN
    finally:
        with connection.cursor() as cursor:
            cursor.execute("UPDATE django_migrations SET name = substr(name, 2) WHERE app = 'live'")


def test_missing_second_backup_folder_is_reported_before_a_backup_fails(settings: Any, tmp_path: Path) -> None:
    settings.AUTOMATIC_BACKUPS, settings.SECOND_BACKUP_FOLDER = True, str(tmp_path / "stick")
    assert find_findings()["second_folder_closed"].level is Severity.WARNING
    assert "copy_failed" not in find_findings()
    (tmp_path / "stick").mkdir()
    assert find_findings()["second_folder"].level is Severity.FINE


@pytest.mark.long("restores a backup, like test_backup.py")
def test_doctor_restores_the_last_backup_as_a_test() -> None:
    Hall(pairs=4)
    copy = make_automatic_backup(Occasion.DAILY, timezone.now())
    assert [finding.code for finding in try_restore()] == ["restored"]
    copy.write_bytes(copy.read_bytes()[:-40_000])
    (failed,) = try_restore()
    assert (failed.code, failed.level) == ("restore_failed", Severity.BROKEN)
    assert "is not a complete Charlemagne backup" in failed.details["reason"] or "n’est pas" in failed.details["reason"]


@pytest.mark.long
def test_owner_of_the_first_club_sees_the_status_page() -> None:
    hall = Hall(pairs=4)
    page = hall.desk.open(f"/club/{hall.event.club.slug}/file")
    page = hall.desk.open(page.find_link("Backups and status of the program"))
    assert page.status == 200
    assert "All is well." in page.text
    assert "The database is not damaged." in page.text


@pytest.mark.long
def test_status_page_lists_each_club_with_last_night_and_size(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = Mock(wraps=measure_file_sizes)
    monkeypatch.setattr("clubs.disk_quota.measure_file_sizes", walk)
    hall = Hall(pairs=4)
    planned = build_event(4, club=build_club("Les Atouts de l’Est", owner=hall.owner))
    Event.objects.filter(pk=planned.pk).update(held_on=timezone.localdate() + timedelta(days=30))
    page = hall.desk.open(f"/club/{hall.event.club.slug}/installation")
    walk.assert_called_once()
    first, other = page.find_one("ul", id="all-clubs").find_all("li")
    assert hall.event.club.name in first.text
    assert "Latest night: " in first.text
    assert "8 people" in first.text
    assert "Les Atouts de l’Est" in other.text
    assert "No night yet" in other.text


def test_owner_of_another_club_cannot_see_the_status_page(settings: Any) -> None:
    hall = Hall(pairs=4)
    other = build_club("Les Atouts de l’Est", owner=hall.owner)
    assert hall.desk.open(f"/club/{other.slug}/installation").status == 404
    assert "Backups and status of the program" not in hall.desk.open(f"/club/{other.slug}/file").text


@pytest.mark.long
def test_director_cannot_see_the_status_page() -> None:
    hall = Hall(pairs=4)
    hall.event.club.memberships.update(role=Role.DIRECTOR)
    assert hall.desk.open(f"/club/{hall.event.club.slug}/installation").status == 403


def find_before_night() -> dict[str, Finding]:
    return {finding.code: finding for finding in run_night_checks()}


@pytest.mark.long
def test_night_checks_name_letters_missing_from_the_fonts() -> None:
    event = Hall(pairs=4).event
    event.held_on = get_club_today(event.club)
    event.save()
    one, other, *_ = (entry.player_1 for entry in event.entries.select_related("player_1"))
    one.name, other.name = "ᐃᓄᒃ ᓀᐦᐃᔭᐍᐏᐣ", "Mei 中"
    one.save()
    found = find_before_night()
    assert found["papers"].details == {"count": 8}
    other.save()
    found = find_before_night()
    assert "papers" not in found
    assert found["letter_missing"].details == {"letter": "中", "name": "Mei 中"}
    event.entries.update(team="W" * 80)
    other.name = "W" * 80
    other.save()
    cut = [each for each in run_night_checks() if each.code == "badge_cut"]
    assert [each.details["name"] for each in cut] == ["W" * 80]


@pytest.mark.parametrize(
    ("ways", "code"),
    [
        ([], "no_network"),
        ([AddressKind.VPN, AddressKind.VIRTUAL], "no_hall_network"),
        ([AddressKind.NETWORK, AddressKind.VPN], "addresses"),
    ],
)
def test_night_checks_look_for_an_address_for_phones(
    monkeypatch: pytest.MonkeyPatch, ways: list[AddressKind], code: str
) -> None:
    found = [
        PhoneAddress(address=HostAddress(host=f"10.0.0.{way}", way=way), arrived_at=None, is_chosen=False)
        for way in ways
    ]
    monkeypatch.setattr(night_checks, "phone_addresses", lambda: found)
    assert [each.code for each in night_checks.check_addresses()] == [code]
    assert [each.code for each in night_checks.check_phone()] == ["no_phone_yet"]


@pytest.mark.long
def test_packages_of_another_version_are_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    assert night_checks.check_environment().level is Severity.FINE
    monkeypatch.setattr(night_checks, "is_environment_right", lambda: False)
    assert night_checks.check_environment().level is Severity.WARNING


def test_director_sees_the_night_checks() -> None:
    hall = Hall(pairs=4)
    hall.event.club.memberships.update(role=Role.DIRECTOR)
    page = hall.desk.open(f"/club/{hall.event.club.slug}/before-the-night")
    assert "No phone has reached this computer since the start." in page.text


def test_other_clubs_names_are_reported_only_on_their_own_page() -> None:
    hall = Hall(pairs=4)
    other = build_event(pairs=2, club=build_club("Les Atouts de l’Est", owner=hall.owner))
    Event.objects.update(held_on=get_club_today(other.club))
    other.entries.update(team="Mei 中")
    assert find_before_night()["letter_missing"].details["name"] == "Mei 中"
    pages = {event: hall.desk.open(f"/club/{event.club.slug}/before-the-night").text for event in (hall.event, other)}
    assert ["Mei 中" in page for page in pages.values()] == [False, True]
