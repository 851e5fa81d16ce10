"""Import page for operators: it imports the export of a club and shows links for its owners."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clubs.club_files import IMPORTS
from clubs.models import Account, Club
from jobs.models import Job
from jobs.services import run_job
from operations.backup import create_backup
from tests.builders import build_account, build_club, build_running_night
from tests.operations.backup.test_backup import forget_everything
from tests.support.browser import Browser, Page
from tests.support.hall import Hall

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def file(tmp_path: Path) -> bytes:
    owner = build_account("Rita Roy")
    Account.objects.filter(pk=owner.pk).update(email="rita@example.org")
    event = build_running_night(club=build_club("Rimouski", owner=owner))
    path = tmp_path / "club.zip"
    create_backup(path, event.club)
    forget_everything()
    return path.read_bytes()


def sent(hall: Hall, content: bytes) -> Page:
    address = f"/club/{hall.event.club.slug}/installation/imports"
    page = hall.desk.open(address)
    upload = SimpleUploadedFile("club.zip", content)
    return hall.desk.send(page, page.find_form(control_name="file"), file=upload)


@pytest.mark.snapshot
def test_club_import_is_previewed_and_refused_the_second_time(file: bytes) -> None:
    hall = Hall()
    page = sent(hall, file)
    assert "/c/rimouski" in page.text
    assert "8 people · 1 event" in page.text
    page = hall.desk.send(page, page.find_form(control_name="import"), ("import", "1"))
    assert "Waiting." in page.text
    run_job(Job.objects.get(kind="import_club").pk)
    assert IMPORTS.list_club_files(hall.event.club_id) == []
    page = hall.desk.open(page.path)
    assert page.find_link("See the result") == "/c/rimouski"
    page = hall.desk.send(page, page.find_form(control_name="links"), ("links", "1"))
    assert "Rita Roy" in page.text
    secret = page.find_one("textarea").text.partition("/invitation/")[2].strip()
    assert Browser().open(f"/invitation/{secret}").status == 200
    assert "Rimouski is already in this installation. Nothing was imported." in sent(hall, file).text
    assert Club.objects.count() == 2
    assert IMPORTS.list_club_files(hall.event.club_id) == []


def test_foreign_file_is_refused_and_deleted() -> None:
    hall = Hall()
    assert "This file is not a club’s export." in sent(hall, b"PK").text
    assert IMPORTS.list_club_files(hall.event.club_id) == []


@pytest.mark.long
def test_import_page_is_for_owners_of_the_first_club_only() -> None:
    Hall()
    other = Hall()
    assert other.desk.open(f"/club/{other.event.club.slug}/installation/imports").status == 404
