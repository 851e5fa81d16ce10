"""Import of an event played elsewhere: a preview first, then one button."""

import json
from contextlib import suppress
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from clubs.audit.log import Actor
from clubs.models import Membership, Person, Role
from jobs.models import Job
from jobs.services import run_job
from tests.builders import build_account, build_event, build_played_night
from tests.long_runs import choose_count
from tests.support.browser import Browser, Page
from tests.support.directors import Director
from tests.support.event_files import (
    add_sums,
    build_tournament,
    choose_other_value,
    export_event,
    get_value,
    iter_leaf_paths,
    replace_value,
)
from tests.support.office import Office
from tournaments.entries.services.sign_up import change_sign_up, sign_up
from tournaments.event_files.schema import Content
from tournaments.event_files.writer import serialize_event_file
from tournaments.imports import uploaded_events
from tournaments.models import Event
from web.names import fold_name

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def build_file(**more: object) -> Content:
    event = build_played_night()
    return export_event(event)


def upload(office: Office, content: Content | bytes) -> Page:
    file = content if isinstance(content, bytes) else serialize_event_file(content)
    page = office.browser.open(f"/club/{office.club.slug}/import")
    sent = SimpleUploadedFile("night.charlemagne.json", file)
    return office.browser.send(page, page.find_form(control_name="file"), file=sent)


def may_be_brought_in(page: Page) -> bool:
    return any(button.text.strip() == "Import event" for button in page.find_all("button"))


def create_namesake(office: Office, name: str) -> Person:
    return Person.objects.create(club=office.club, name=name, folded_name=fold_name(name))


def bring_in(office: Office, page: Page, **typed: Any) -> Page:
    return office.browser.send(page, page.find_form(control_name="members"), **typed)


class TestEventFileUpload:
    @pytest.mark.long
    def test_uploaded_file_is_previewed_without_writing(self) -> None:
        office = Office()
        page = upload(office, build_file())
        assert page.status == 200
        for expected_text in (
            "Soirée du mardi",
            "Les Joyeux Atouts",
            "Everything was recalculated and matches.",
            "8 new people",
        ):
            assert expected_text in page.text
        assert office.club.events.count() == 1

    def test_preview_counts_partner_seekers_separately(self) -> None:
        office = Office()
        event = build_event(pairs=3)
        change_sign_up(event_id=event.pk, is_open=True, most_entries=None)
        sign_up(event_id=event.pk, players=["Zoé Zed"], needs_partner=True, by=Actor(key=uuid4()))
        page = upload(office, export_event(event))
        names, values = ([one.text for one in page.find_all(part)] for part in ("dt", "dd"))
        facts = dict(zip(names, values, strict=True))
        assert (facts["Entries"], facts["Looking for a partner"]) == ("3", "1")

    @pytest.mark.long
    def test_preview_omits_partner_seekers_if_there_are_none(self) -> None:
        assert "Looking for a partner" not in upload(Office(), build_file()).text

    @pytest.mark.long
    def test_confirmed_file_becomes_an_event(self) -> None:
        office = Office()
        content = build_file()
        page = bring_in(office, upload(office, content))
        assert page.status == 200
        event = office.club.events.latest("pk")
        assert page.path == f"/e/{event.short}/desk"
        assert export_event(event)["sum"] == content["sum"]
        assert set(office.club.people.values_list("is_guest", flat=True)) == {True}

    @pytest.mark.snapshot
    def test_known_event_is_linked_and_can_be_copied(self) -> None:
        office = Office()
        content = build_file()
        bring_in(office, upload(office, content))
        page = upload(office, content)
        assert "This event is already here." in page.text
        there = office.club.events.latest("pk")
        assert page.find_link("Soirée du mardi") == f"/e/{there.short}/desk"
        office.browser.send(page, page.find_form(control_name="copy"), copy="1")
        assert office.club.events.filter(name="Soirée du mardi", state="running").count() == 2

    @pytest.mark.snapshot
    def test_altered_file_lists_differences_and_cannot_be_imported(self) -> None:
        office = Office()
        content = build_file()
        content["rounds"][0]["tables"][0]["match"]["summary"]["points"][0] += 1
        page = upload(office, add_sums(content))
        assert "This file does not match its recalculated results" in page.text
        assert "ound 1, table 1: “summary.points.0” is 33; recomputed, 32." in page.text
        assert not may_be_brought_in(page)
        assert office.club.events.count() == 1

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"", "Choose a file first."),
            (b"PK\x03\x04", "Not a Charlemagne event file"),
            (b"[" * 100_000, "Not a Charlemagne event file"),
            (b'{"charlemagne_event": 99}', "This program reads format 15, not 99."),
            (b'{"charlemagne_event": 2,\n', "File damaged or cut off at line 2."),
        ],
    )
    def test_unrelated_file_is_refused_at_the_field(self, content: bytes, message: str) -> None:
        page = upload(Office(), content)
        assert page.status == 422
        assert message in page.get_field_error("file")

    def test_oversized_file_is_refused_with_the_limit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tournaments.imports.services.uploaded_events.MOST_BYTES", 1024**2)
        page = upload(Office(), b" " * (1024**2 + 1))
        assert page.status == 422
        assert "File too large: at most 1 MB." in page.get_field_error("file")


class TestLargeEventFile:
    @pytest.mark.long
    def test_worker_previews_and_imports_a_large_file(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(uploaded_events, "LARGE_BYTES", 0)
        office = Office()
        content = build_file()
        page = upload(office, content)
        assert "Reading the file" in page.text
        run_import_jobs()
        page = bring_in(office, office.browser.open(page.path))
        assert "Importing the event" in page.text
        assert office.club.events.count() == 1
        run_import_jobs()
        event = office.club.events.latest("pk")
        assert office.browser.open(page.path).find_link("See the result") == f"/e/{event.short}/desk"
        assert export_event(event)["sum"] == content["sum"]

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_worker_reports_an_unsupported_format(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(uploaded_events, "LARGE_BYTES", 0)
        office = Office()
        page = upload(office, b'{"charlemagne_event": 99}')
        run_import_jobs()
        assert "This program reads format 15, not 99." in office.browser.open(page.path).text

    def test_refused_upload_is_deleted_immediately(self, monkeypatch: pytest.MonkeyPatch) -> None:
        office, content = Office(), b'{"charlemagne_event": 99}'
        assert upload(office, content).status == 422
        stored_files = list(uploaded_events.UPLOAD_STORE.folder.glob(f"{office.club.pk}-*"))
        monkeypatch.setattr(uploaded_events, "LARGE_BYTES", 0)
        page = upload(office, content)
        run_import_jobs()
        assert [
            each for each in uploaded_events.UPLOAD_STORE.folder.glob(f"{office.club.pk}-*") if each not in stored_files
        ] == []
        page = office.browser.open(page.path)
        office.browser.send(page, page.find_form("/again"))
        run_import_jobs()
        assert "Choose a file first." in office.browser.open(page.path).text


def run_import_jobs() -> None:
    for job in Job.objects.filter(kind__in=["read_event_file", "bring_in_event"], status="queued"):
        run_job(job.pk)


class TestImportedPeople:
    @pytest.mark.long
    def test_known_name_is_matched_unless_marked_as_other(self) -> None:
        office = Office()
        content = build_file()
        names = content["people"]
        same, other = (create_namesake(office, name) for name in names[:2])
        page = upload(office, content)
        assert "2 people already known" in page.text
        bring_in(office, page, other="2")
        event = office.club.events.latest("pk")
        played = {entry.player_1_id for entry in event.entries.all()} | {
            entry.player_2_id for entry in event.entries.all()
        }
        assert same.pk in played
        assert other.pk not in played

    def test_director_chooses_between_two_namesakes(self) -> None:
        office = Office()
        content = build_file()
        name = content["people"][0]
        one, other = (Person.objects.create(club=office.club, name=name, folded_name=name.lower()) for _ in "12")
        page = upload(office, content)
        refused = bring_in(office, page)
        assert refused.status == 422
        assert "is already in the club" in refused.get_field_error("person.1")
        assert office.club.events.count() == 1
        bring_in(office, page, **{"person.1": str(other.pk)})
        assert office.club.events.latest("pk").entries.get(number=1).player_1 == other
        assert one.pk != other.pk

    @pytest.mark.snapshot
    def test_two_imported_people_cannot_match_one_person(self) -> None:
        office = Office()
        content = build_file()
        content["people"][1] = content["people"][0]
        person = create_namesake(office, content["people"][0])
        page = upload(office, add_sums(content))
        chosen = {"person.1": str(person.pk), "person.2": str(person.pk)}
        refused = bring_in(office, page, **chosen)
        assert refused.status == 422
        assert "Choose someone else, or someone new" in refused.get_field_error("person.2")
        assert office.club.events.count() == 1


@pytest.mark.long
def test_desk_helper_cannot_import_an_event() -> None:
    office = Office()
    page = upload(office, build_file())
    helper = build_account()
    Membership.objects.create(club=office.club, account=helper, role=Role.DESK)
    for path in (page.path, f"/club/{office.club.slug}/import"):
        assert Browser(account=helper).open(path).status == 403


@pytest.mark.long
def test_upload_of_another_club_is_404() -> None:
    page = upload(Office(), build_file())
    stranger = Office()
    token = page.path.rsplit("/", 1)[-1]
    assert stranger.browser.open(f"/club/{stranger.club.slug}/import/{token}").status == 404


@hypothesis_settings(max_examples=choose_count(20, long=500), deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
@pytest.mark.postgresql("values that columns refuse")
def test_mutated_file_never_leaves_half_an_event(seed: int) -> None:
    """Recompute the checksums of most mutated files, so that checks beyond the checksums are reached."""
    chance = Random(seed)
    office = Office()
    content = _mutate(chance)
    before = Event.objects.count(), Person.objects.count()
    page = upload(office, content)
    assert page.status in (200, 422)
    if page.status == 422 or not may_be_brought_in(page):
        assert (Event.objects.count(), Person.objects.count()) == before
        return
    page = bring_in(office, page)
    assert page.status in (200, 422)
    made = office.club.events.exclude(pk=office.event.pk).first()
    if page.status == 422:
        assert made is None
    else:
        assert made is not None
        assert export_event(made)["sum"] == json.loads(content)["sum"]


_files: list[Content] = []


def _mutate(chance: Random) -> bytes:
    content = _copy_good_file()
    odd: tuple[Any, ...] = (None, [], {}, "", -1, 0, 10**5, 2**40, "\x00", "x" * 300, [[]], True)
    for _ in range(chance.randint(1, 3)):
        paths = [path for path in iter_leaf_paths(content) if path[0] not in ("sum", "sums", "charlemagne_event")]
        path = chance.choice(paths)
        short = path[: chance.randint(1, len(path))] if chance.random() < 0.3 else path
        value = get_value(content, short)
        content = replace_value(
            content, short, chance.choice(odd) if chance.random() < 0.6 else choose_other_value(value, chance)
        )
    if chance.random() < 0.8:
        with suppress(TypeError, AttributeError):
            content = add_sums(content)
    file = json.dumps(content).encode()
    if chance.random() < 0.1:
        place = chance.randrange(len(file))
        file = file[:place] + bytes([chance.randrange(256)]) + file[place + chance.randint(0, 3) :]
    return file


def _copy_good_file() -> Content:
    if not _files:
        event = build_tournament(5, stages=[{"format": "swiss"}])
        Director(event, 4).perform(15)
        _files.append(export_event(event))
    return json.loads(json.dumps(_files[0]))  # type: ignore[no-any-return]
