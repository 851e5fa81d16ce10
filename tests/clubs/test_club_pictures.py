"""The logo and the photo of a club's page: chosen, shown to everybody, and taken off by a tap."""

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

SAID = "Quatre tables, un mardi soir"


def a_file(colour: str = "red", *, content: bytes | None = None) -> SimpleUploadedFile:
    out = BytesIO()
    Image.new("RGB", (60, 40), colour).save(out, "PNG")
    return SimpleUploadedFile("nous.png", out.getvalue() if content is None else content)


def choose(office: Office, kind: str, file: SimpleUploadedFile, **typed: Any) -> Page:
    page = office.browser.open(f"/club/{office.club.slug}/page")
    fields: dict[str, Any] = {kind: file, **typed}
    answer = office.browser.send(page, page.form(having=kind), ("set_picture", kind), **fields)
    waiting = Job.objects.filter(kind=SET_PICTURE, status=Status.QUEUED)
    assert waiting.exists() == (answer.status == 200)
    for job in waiting:
        run_job(job.pk)
    return office.browser.open(answer.path) if answer.status == 200 else answer


def shown(office: Office) -> list[Any]:
    return Browser().open(f"/c/{office.club.slug}").every("img")


@pytest.mark.snapshot
def test_stand_on_the_club_s_page_with_what_the_club_says_of_the_photo() -> None:
    office = Office()
    page = choose(office, "logo", a_file("blue"))
    assert page.one("img").attrs["class"] == "shown-picture logo"
    choose(office, "photo", a_file(), description=SAID)
    logo, photo = shown(office)
    assert (logo.attrs["alt"], photo.attrs["alt"]) == ("", SAID)
    assert (photo.attrs["width"], photo.attrs["height"]) == ("60", "40")


def test_are_not_there_while_nobody_chose_any() -> None:
    assert shown(Office()) == []


def test_are_given_as_what_they_are_and_never_asked_for_again() -> None:
    office = Office()
    choose(office, "logo", a_file("blue"))
    (logo,) = shown(office)
    response = Browser().open(logo.attrs["src"]).response
    assert Image.open(BytesIO(response.content)).format == "WEBP"
    assert response.headers["Content-Type"] == "image/webp"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "immutable" in response.headers["Cache-Control"]
    choose(office, "logo", a_file("green"))
    assert Browser().open(logo.attrs["src"]).status == 404


def test_are_gone_by_a_tap_and_from_the_history_too() -> None:
    office = Office()
    choose(office, "photo", a_file(), description=SAID)
    page = office.browser.open(f"/club/{office.club.slug}/page")
    (off,) = page.every("button", name="remove_picture")
    office.browser.send(page, page.form(having="remove_picture"), (off.attrs["name"], off.value))
    assert shown(office) == []
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
def test_without_a_description_are_refused(
    kind: str, typed: dict[str, str], field: str, sentence: str
) -> None:
    page = choose(Office(), kind, a_file(), **typed)
    assert page.status == 422
    assert page.said_at(field) == sentence


def test_that_are_none_are_refused_beside_the_file_and_what_was_typed_stays() -> None:
    page = choose(Office(), "photo", a_file(content=b"no picture"), description=SAID)
    assert page.said_at("photo").startswith("This file is not a picture")
    assert page.field("description").value == SAID


def test_that_are_damaged_are_refused_by_the_task_and_the_page_says_so() -> None:
    page = choose(Office(), "logo", a_file(content=b"\x89PNG\r\n\x1a\n and no more"))
    assert "This file is not a picture" in page.one(id="jobs").text


def test_leave_no_file_behind_once_they_are_shown() -> None:
    office = Office()
    FILES.put_away(office.club.pk)  # of an earlier club with this id
    choose(office, "logo", a_file("blue"))
    assert not list(FILES.folder.glob(f"{office.club.pk}-*"))
