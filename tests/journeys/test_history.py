"""The history on a phone: a change is found, compared before and after, and undone.

An owner also downloads the club's file.
"""

from zipfile import ZipFile

import pytest
from playwright.sync_api import expect

from clubs.models import Person
from clubs.services.people import PersonDetails, add_person, change_person
from jobs.models import Job
from jobs.services import run_job
from operations.backup import open_backup
from tests.builders import build_club
from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones
from tests.journeys.test_layout import is_nothing_cut_off_sideways


def test_wrong_phone_number_is_found_in_the_history_and_undone(hall: Hall, phones: Phones) -> None:
    club = build_club(owner=hall.owner)
    person = add_person(club_id=club.pk, details=PersonDetails(name="Édith Roy", contact="418 555-0123"))
    other = add_person(club_id=club.pk, details=PersonDetails(name="Marcel Dubé"))
    change_person(club_id=club.pk, person_id=other.pk, details=PersonDetails(name="Marcel Dubé", contact="x"))
    phone = phones()
    phone.sign_in(hall.owner)
    phone.open(f"/club/{club.slug}/people/{person.pk}")
    phone.page.get_by_label("Phone or e-mail").fill("418 555-9999")
    phone.tap(phone.find_button("Save"))
    phone.open(f"/club/{club.slug}/history")
    phone.take_picture("history")
    phone.tap(phone.page.get_by_text("Search the history"))
    phone.take_picture("filters")
    assert find_violations(phone) == []
    phone.page.get_by_label("Name", exact=True).fill("edith")
    phone.tap(phone.find_button("^Show$"))
    found = phone.page.locator(".history > li")
    expect(found).to_have_count(2)
    phone.tap(found.first.get_by_text("Before and after"))
    expect(found.first.locator(".field-changes")).to_contain_text("418 555-9999")
    phone.take_picture("before-and-after")
    is_nothing_cut_off_sideways(phone)
    assert find_violations(phone) == []
    phone.tap(found.first.get_by_role("button", name="Undo"))
    assert Person.objects.get(pk=person.pk).contact == "418 555-0123"


@pytest.mark.long("sends forms that need no browser: tests/operations/backup/test_club_file.py")
def test_owner_downloads_the_club_file(hall: Hall, phones: Phones) -> None:
    club = build_club(owner=hall.owner)
    add_person(club_id=club.pk, details=PersonDetails(name="Édith Roy"))
    phone = phones()
    phone.sign_in(hall.owner)
    phone.open(f"/club/{club.slug}")
    phone.open_more_menu()
    phone.tap(phone.link("Export the club"))
    phone.take_picture("before")
    phone.tap(phone.find_button("Export the club"))
    expect(phone.page.get_by_text("Waiting.")).to_be_visible()
    phone.take_picture("waits")
    run_job(Job.objects.get(kind="club_file").pk)
    expect(phone.page.get_by_text("The file is ready")).to_be_visible()
    phone.take_picture("ready")
    assert find_violations(phone) == []
    is_nothing_cut_off_sideways(phone)
    with phone.page.expect_download() as download:
        phone.tap(phone.link("Download file"))
    path = download.value.path()
    backup = open_backup(path)
    backup.check()
    assert backup.club == club.slug
    assert [row["name"] for row in backup.iter_rows("clubs.Person")] == ["Édith Roy"]
    assert "passw" not in ZipFile(path).read("clubs.Person.jsonl").decode()
