"""Uploaded workbooks: a worker reads the file while a page shows the task."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clubs import uploads
from clubs.uploads import FILES, READ
from errors import Refusal
from jobs.models import Job
from jobs.services import run_job
from tests.support.browser import Browser, Page
from tests.support.office import Office
from tests.support.workbooks import build_workbook

pytestmark = pytest.mark.django_db


@pytest.fixture
def office() -> Office:
    office = Office()
    FILES.delete_club_files(office.club.pk)  # left by an earlier test whose club had this id
    return office


@pytest.fixture(autouse=True)
def _no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every workbook as too large, without starting a process that parses it."""
    monkeypatch.setattr(uploads, "parse_confined", _refuse)


def _refuse(_: bytes, *, file: str) -> Any:
    raise Refusal("workbook_too_large", field="file", file=file)


def upload(office: Office) -> Page:
    page = office.browser.open(f"/club/{office.club.slug}/people/import")
    file = SimpleUploadedFile("list.xlsx", build_workbook(["Nom"], ["Anne Cyr"]))
    address = office.browser.send(page, page.find_form("/import", control_name="file"), follow=False, file=file)
    return office.browser.open(address.response.headers["Location"])


@pytest.mark.slow
def test_upload_page_shows_the_task_until_read(office: Office) -> None:
    page = upload(office)
    assert "Reading the spreadsheet" in page.find_one(id="jobs").text
    run_job(Job.objects.get(kind=READ).pk)
    page = office.browser.open(page.path)
    assert page.get_field_error("file").startswith("list.xlsx is too large.")


@pytest.mark.long
def test_stopped_upload_can_be_retried(office: Office) -> None:
    page = upload(office)
    page = office.browser.send(page, page.find_form("/stop"))
    assert "Stopped early." in page.find_one(id="jobs").text
    page = office.browser.send(page, page.find_form("/again"))  # the retried task reads the file
    assert page.get_field_error("file").startswith("list.xlsx is too large.")


@pytest.mark.long
def test_upload_belongs_to_its_club_only(office: Office) -> None:
    page, stranger = upload(office), Office()
    token = page.path.rpartition("/")[2]
    assert stranger.browser.open(f"/club/{stranger.club.slug}/uploads/{token}").status == 404
    assert Browser().open(page.path).find_one("h1").text != "Reading the spreadsheet"


@pytest.mark.long
def test_expired_upload_asks_for_the_file_again(office: Office) -> None:
    page = upload(office)
    run_job(Job.objects.get(kind=READ).pk)
    address = f"/club/{office.club.slug}/people/import?upload={page.path.rpartition('/')[2]}"
    assert office.browser.open(address).get_field_error("file").startswith("list.xlsx is too large.")
    FILES.delete_club_files(office.club.pk)
    assert office.browser.open(page.path).status == 404
    assert office.browser.open(address).get_field_error("file") == "Choose a file first."


def test_uploaded_file_is_deleted_after_reading(office: Office) -> None:
    upload(office)
    run_job(Job.objects.get(kind=READ).pk)
    assert [path.name.split(".")[1] for path in FILES.folder.glob(f"{office.club.pk}-*")] == ["read"]


@pytest.mark.parametrize("token", ["..%2F..", "x", "0" * 32])
def test_unknown_upload_token_is_not_found(office: Office, token: str) -> None:
    assert office.browser.open(f"/club/{office.club.slug}/uploads/{token}").status == 404
