"""Erased people appear in no file that remains in the data folder."""

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings
from pypdf import PdfReader

from clubs.club_files import IMPORTS
from clubs.disk_quota import STORES
from clubs.models import Person
from clubs.services.leaving import start_club_file
from clubs.uploads import store_files
from jobs.models import Job, Status
from jobs.services import run_job
from tests.builders import compute_standings, play_round
from tests.support.browser import Browser
from tests.support.hall import Hall
from tournaments.event_files.queries import build_event_file
from tournaments.event_files.writer import serialize_event_file
from tournaments.events.services.lifecycle import end_event
from tournaments.imports.services.uploaded_events import receive_event_file
from tournaments.papers import paper_files
from tournaments.papers.orders import Order, Paper
from tournaments.papers.services import order_paper
from tournaments.privacy.services.erasure import anonymize_people

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

NAME = "Zoe Quirion"


@pytest.fixture(autouse=True)
def _a_folder_of_its_own(tmp_path: Path) -> Iterator[None]:
    with override_settings(DATA_DIR=tmp_path):
        yield


def iter_texts(path: Path) -> Iterator[str]:
    """Yield the readable text of a file in the folder; pictures have none."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            yield from (archive.read(name).decode() for name in archive.namelist())
    elif path.suffix == ".pdf":
        yield from (page.extract_text() for page in PdfReader(path).pages)
    elif path.suffix in {".json", ".txt"}:
        yield path.read_text(encoding="utf-8")


def list_folders_with(name: str) -> set[str]:
    """Return the folders of the data folder with a file that contains the name."""
    files = (path for path in Path(settings.DATA_DIR).rglob("*") if path.is_file())
    return {path.parent.name for path in files if any(name in text for text in iter_texts(path))}


def build_hall() -> tuple[Hall, Person]:
    """Build a night that has ended, and one of its players, whose full name is public."""
    hall = Hall()
    person = hall.event.entries.all()[0].player_1
    Person.objects.filter(pk=person.pk).update(name=NAME, shows_full_name=True)
    play_round(hall.event)
    compute_standings(hall.event)
    end_event(event_id=hall.event.pk)
    return hall, person


def request_files(hall: Hall) -> list[Job]:
    """Create a file of each kind, and return the jobs for those that the worker makes."""
    club = hall.event.club
    with zipfile.ZipFile(IMPORTS.build_path(club.pk, "zip"), "w") as archive:
        archive.writestr("clubs.Person.jsonl", str(hall.event.entries.all()[0]))
    receive_event_file(club=club, content=serialize_event_file(build_event_file(hall.event)))
    Browser().open(f"/e/{hall.event.short}/picture.png")
    store_files(club, page="", fields={"text": str(hall.event.entries.all()[0])}, files={"list.xlsx": b""})
    members = Order(paper=Paper.MEMBERS, of=club.pk)
    badges = Order(paper=Paper.BADGES, of=hall.event.pk)
    return [
        start_club_file(club_id=club.pk),
        order_paper(order=members, topic=paper_files.get_topic(club), club_id=club.pk),
        order_paper(order=badges, topic=paper_files.get_topic(hall.event), club_id=club.pk),
    ]


def list_files(hall: Hall) -> list[Path]:
    beginning = f"{hall.event.club_id}-"
    return [path for files in STORES for path in files.folder.glob(f"{beginning}*")]


@pytest.mark.long
def test_erased_person_is_in_no_stored_file() -> None:
    (hall, person), other = build_hall(), Hall()
    for each in (hall, other):
        for job in request_files(each):
            run_job(job.pk)
    assert list_folders_with(NAME) == {"brought-files", "club-files", "club-imports", "papers", "uploads"}
    assert {path.parent for path in list_files(hall)} == {files.folder for files in STORES}
    theirs = list_files(other)
    anonymize_people(club_id=hall.event.club_id, person_ids=[person.pk])
    assert list_folders_with(NAME) == set()
    assert list_files(hall) == []
    assert list_files(other) == theirs
    assert paper_files.list_papers(hall.event, drafts=True) == []


def test_erasure_stops_file_jobs_in_progress() -> None:
    hall, person = build_hall()
    waiting, *running = request_files(hall)
    Job.objects.filter(pk__in=[job.pk for job in running]).update(status=Status.RUNNING)
    half = [files.build_path(hall.event.club_id, "part") for files in STORES]
    for path in half:
        path.write_text(NAME)
    begun = paper_files.PAPER_STORE.build_path(hall.event.club_id, "making")
    begun.mkdir()
    (begun / "parts").write_text(NAME)
    anonymize_people(club_id=hall.event.club_id, person_ids=[person.pk])
    waiting.refresh_from_db()
    assert waiting.status == Status.CANCELLED
    assert all(Job.objects.get(pk=job.pk).is_stop_asked for job in running)
    assert list_files(hall) == []
