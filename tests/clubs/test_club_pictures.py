"""Logo and photo of a club page: uploaded, shown to everybody, removed by a button."""

from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from clubs.models import ClubAction, ClubPicture
from clubs.services.pictures import SET_PICTURE
from clubs.uploads import FILES
from jobs.models import Job, Status
from jobs.services import run_job
from tests.support.browser import Browser, Page
from tests.support.office import Office

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ALT_TEXT = "Quatre tables, un mardi soir"


def build_file(colour: str = "red", *, content: bytes | None = None) -> SimpleUploadedFile:
    out = BytesIO()
    Image.new("RGB", (60, 40), colour).save(out, "PNG")
    return SimpleUploadedFile("nous.png", out.getvalue() if content is None else content)


def choose(office: Office, kind: str, file: SimpleUploadedFile, **typed: Any) -> Page:
    page = office.browser.open(f"/club/{office.club.slug}/page")
    fields: dict[str, Any] = {kind: file, **typed}
    answer = office.browser.send(page, page.find_form(control_name=kind), ("set_picture", kind), **fields)
    waiting = Job.objects.filter(kind=SET_PICTURE, status=Status.QUEUED)
    assert waiting.exists() == (answer.status == 200)
    for job in waiting:
        run_job(job.pk)
    return office.browser.open(answer.path) if answer.status == 200 else answer


def list_images(office: Office) -> list[Any]:
    return Browser().open(f"/c/{office.club.slug}").find_all("img")


@pytest.mark.snapshot
def test_club_page_shows_logo_and_described_photo() -> None:
    office = Office()
    page = choose(office, "logo", build_file("blue"))
    assert page.find_one("img").attrs["class"] == "picture-preview logo"
    choose(office, "photo", build_file(), description=ALT_TEXT)
    logo, photo = list_images(office)
    assert (logo.attrs["alt"], photo.attrs["alt"]) == ("", ALT_TEXT)
    assert (photo.attrs["width"], photo.attrs["height"]) == ("60", "40")


@pytest.mark.long
def test_club_page_shows_no_picture_by_default() -> None:
    assert list_images(Office()) == []


def test_pictures_are_served_as_immutable_webp() -> None:
    office = Office()
    choose(office, "logo", build_file("blue"))
    (logo,) = list_images(office)
    response = Browser().open(logo.attrs["src"]).response
    assert Image.open(BytesIO(response.content)).format == "WEBP"
    assert response.headers["Content-Type"] == "image/webp"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "immutable" in response.headers["Cache-Control"]
    choose(office, "logo", build_file("green"))
    assert Browser().open(logo.attrs["src"]).status == 404


def test_removed_picture_leaves_no_copy_in_history() -> None:
    office = Office()
    choose(office, "photo", build_file(), description=ALT_TEXT)
    page = office.browser.open(f"/club/{office.club.slug}/page")
    (off,) = page.find_all("button", name="remove_picture")
    office.browser.send(page, page.find_form(control_name="remove_picture"), (off.attrs["name"], off.value))
    assert list_images(office) == []
    assert not ClubPicture.objects.exists()
    assert {action.kind for action in ClubAction.objects.filter(rows=[])} >= {
        "set_club_picture",
        "remove_club_picture",
    }


@pytest.mark.parametrize(
    ("kind", "typed", "field", "sentence"),
    [
        ("photo", {}, "description", "Describe the photo for people who cannot see it."),
        ("photo", {"description": "x" * 201}, "description", "Too long: 200 characters at most."),
    ],
)
def test_picture_without_a_description_is_refused(kind: str, typed: dict[str, str], field: str, sentence: str) -> None:
    page = choose(Office(), kind, build_file(), **typed)
    assert page.status == 422
    assert page.get_field_error(field) == sentence


def test_invalid_picture_is_refused_at_its_field() -> None:
    page = choose(Office(), "photo", build_file(content=b"no picture"), description=ALT_TEXT)
    assert page.get_field_error("photo").startswith("This file is not a picture")
    assert page.find_field("description").value == ALT_TEXT


@pytest.mark.long
def test_damaged_picture_is_refused_by_the_task() -> None:
    page = choose(Office(), "logo", build_file(content=b"\x89PNG\r\n\x1a\n and no more"))
    assert "This file is not a picture" in page.find_one(id="jobs").text


def test_uploaded_picture_file_is_deleted_after_processing() -> None:
    office = Office()
    FILES.delete_club_files(office.club.pk)  # left by an earlier test whose club had this id
    choose(office, "logo", build_file("blue"))
    assert not list(FILES.folder.glob(f"{office.club.pk}-*"))
