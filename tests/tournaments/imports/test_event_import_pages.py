"""An event that was played elsewhere, brought into a club: looked at first, then with one button."""

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
from tests.builders import a_played_night, an_account, an_event
from tests.long import often
from tests.support.browser import Browser, Page
from tests.support.directors import Director
from tests.support.event_files import (
    a_tournament,
    another,
    file_of,
    leaves,
    value_at,
    with_right_sums,
    with_value,
)
from tests.support.office import Office
from tournaments.entries.services.sign_up import change_sign_up, sign_up
from tournaments.event_files import Content, serialize_event_file
from tournaments.imports import uploaded_events
from tournaments.models import Event
from web.names import fold_name

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def a_file(**more: object) -> Content:
    event = a_played_night()
    return file_of(event)


def upload(office: Office, content: Content | bytes) -> Page:
    file = content if isinstance(content, bytes) else serialize_event_file(content)
    page = office.browser.open(f"/club/{office.club.slug}/import")
    sent = SimpleUploadedFile("night.charlemagne.json", file)
    return office.browser.send(page, page.form(having="file"), file=sent)


def may_be_brought_in(page: Page) -> bool:
    return any(button.text.strip() == "Import event" for button in page.every("button"))


def a_namesake(office: Office, name: str) -> Person:
    return Person.objects.create(club=office.club, name=name, folded_name=fold_name(name))


def bring_in(office: Office, page: Page, **typed: Any) -> Page:
    return office.browser.send(page, page.form(having="members"), **typed)


class TestTheFile:
    def test_is_looked_at_before_anything_is_made(self) -> None:
        office = Office()
        page = upload(office, a_file())
        assert page.status == 200
        for told in (
            "Soirée du mardi",
            "Les Joyeux Atouts",
            "Everything was recalculated and matches.",
            "8 new people",
        ):
            assert told in page.text
        assert office.club.events.count() == 1

    def test_counts_who_looks_for_a_partner_apart_from_the_entries(self) -> None:
        office = Office()
        event = an_event(pairs=3)
        change_sign_up(event_id=event.pk, is_open=True, most_entries=None)
        sign_up(event_id=event.pk, players=["Zoé Zed"], needs_partner=True, by=Actor(key=uuid4()))
        page = upload(office, file_of(event))
        names, values = ([one.text for one in page.every(part)] for part in ("dt", "dd"))
        facts = dict(zip(names, values, strict=True))
        assert (facts["Entries"], facts["Looking for a partner"]) == ("3", "1")

    def test_that_nobody_looks_for_a_partner_is_not_said(self) -> None:
        assert "Looking for a partner" not in upload(Office(), a_file()).text

    def test_becomes_an_event_with_one_button(self) -> None:
        office = Office()
        content = a_file()
        page = bring_in(office, upload(office, content))
        assert page.status == 200
        event = office.club.events.latest("pk")
        assert page.path == f"/e/{event.short}/desk"
        assert file_of(event)["sum"] == content["sum"]
        assert set(office.club.people.values_list("is_guest", flat=True)) == {True}

    @pytest.mark.snapshot
    def test_that_is_here_already_leads_to_it_and_makes_a_copy_if_asked(self) -> None:
        office = Office()
        content = a_file()
        bring_in(office, upload(office, content))
        page = upload(office, content)
        assert "This event is already here." in page.text
        there = office.club.events.latest("pk")
        assert page.link("Soirée du mardi") == f"/e/{there.short}/desk"
        office.browser.send(page, page.form(having="copy"), copy="1")
        assert office.club.events.filter(name="Soirée du mardi", state="running").count() == 2

    @pytest.mark.snapshot
    def test_that_was_changed_says_each_difference_and_is_not_brought_in(self) -> None:
        office = Office()
        content = a_file()
        content["rounds"][0]["tables"][0]["match"]["summary"]["points"][0] += 1
        page = upload(office, with_right_sums(content))
        assert "This file does not match its recalculated results" in page.text
        assert "ound 1, table 1: “summary.points.0” is 33; recomputed, 32." in page.text
        assert not may_be_brought_in(page)
        assert office.club.events.count() == 1

    @pytest.mark.parametrize(
        ("content", "told"),
        [
            (b"", "Choose a file first."),
            (b"PK\x03\x04", "Not a Charlemagne event file"),
            (b"[" * 100_000, "Not a Charlemagne event file"),
            (b'{"charlemagne_event": 99}', "This program reads format 14, not 99."),
            (b'{"charlemagne_event": 2,\n', "File damaged or cut off at line 2."),
        ],
    )
    def test_that_is_none_is_refused_at_the_field(self, content: bytes, told: str) -> None:
        page = upload(Office(), content)
        assert page.status == 422
        assert told in page.said_at("file")

    def test_that_is_too_large_says_how_large_it_may_be(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tournaments.imports.services.uploaded_events.MOST_BYTES", 1024**2)
        page = upload(Office(), b" " * (1024**2 + 1))
        assert page.status == 422
        assert "File too large: at most 1 MB." in page.said_at("file")


class TestALargeFile:
    def test_is_looked_at_and_brought_in_by_the_worker(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(uploaded_events, "LARGE", 0)
        office = Office()
        content = a_file()
        page = upload(office, content)
        assert "Reading the file" in page.text
        work()
        page = bring_in(office, office.browser.open(page.path))
        assert "Importing the event" in page.text
        assert office.club.events.count() == 1
        work()
        event = office.club.events.latest("pk")
        assert office.browser.open(page.path).link("See the result") == f"/e/{event.short}/desk"
        assert file_of(event)["sum"] == content["sum"]

    @pytest.mark.snapshot
    def test_that_is_none_says_so_when_it_was_looked_at(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(uploaded_events, "LARGE", 0)
        office = Office()
        page = upload(office, b'{"charlemagne_event": 99}')
        work()
        assert "This program reads format 14, not 99." in office.browser.open(page.path).text

    def test_that_is_refused_is_deleted_at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        office, content = Office(), b'{"charlemagne_event": 99}'
        assert upload(office, content).status == 422
        kept = list(uploaded_events.FILES.folder.glob(f"{office.club.pk}-*"))
        monkeypatch.setattr(uploaded_events, "LARGE", 0)
        page = upload(office, content)
        work()
        assert [
            each for each in uploaded_events.FILES.folder.glob(f"{office.club.pk}-*") if each not in kept
        ] == []
        page = office.browser.open(page.path)
        office.browser.send(page, page.form("/again"))
        work()
        assert "Choose a file first." in office.browser.open(page.path).text


def work() -> None:
    for job in Job.objects.filter(kind__in=["read_event_file", "bring_in_event"], status="queued"):
        run_job(job.pk)


class TestWhoIsWho:
    def test_somebody_of_that_name_is_the_same_unless_marked(self) -> None:
        office = Office()
        content = a_file()
        names = content["people"]
        same, other = (a_namesake(office, name) for name in names[:2])
        page = upload(office, content)
        assert "2 people already known" in page.text
        bring_in(office, page, other="2")
        event = office.club.events.latest("pk")
        played = {entry.player_1_id for entry in event.entries.all()} | {
            entry.player_2_id for entry in event.entries.all()
        }
        assert same.pk in played
        assert other.pk not in played

    def test_of_two_of_one_name_the_director_says_which(self) -> None:
        office = Office()
        content = a_file()
        name = content["people"][0]
        one, other = (
            Person.objects.create(club=office.club, name=name, folded_name=name.lower()) for _ in "12"
        )
        page = upload(office, content)
        refused = bring_in(office, page)
        assert refused.status == 422
        assert "is already in the club" in refused.said_at("person.1")
        assert office.club.events.count() == 1
        bring_in(office, page, **{"person.1": str(other.pk)})
        assert office.club.events.latest("pk").entries.get(number=1).player_1 == other
        assert one.pk != other.pk

    @pytest.mark.snapshot
    def test_two_of_the_file_cannot_be_one_person(self) -> None:
        office = Office()
        content = a_file()
        content["people"][1] = content["people"][0]
        person = a_namesake(office, content["people"][0])
        page = upload(office, with_right_sums(content))
        chosen = {"person.1": str(person.pk), "person.2": str(person.pk)}
        refused = bring_in(office, page, **chosen)
        assert refused.status == 422
        assert "Choose someone else, or someone new" in refused.said_at("person.2")
        assert office.club.events.count() == 1


def test_is_not_for_a_helper_at_the_desk() -> None:
    office = Office()
    page = upload(office, a_file())
    helper = an_account()
    Membership.objects.create(club=office.club, account=helper, role=Role.DESK)
    for path in (page.path, f"/club/{office.club.slug}/import"):
        assert Browser(account=helper).open(path).status == 403


def test_is_not_for_another_club() -> None:
    page = upload(Office(), a_file())
    stranger = Office()
    token = page.path.rsplit("/", 1)[-1]
    assert stranger.browser.open(f"/club/{stranger.club.slug}/import/{token}").status == 404


@hypothesis_settings(max_examples=often(20, long=500), deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
@pytest.mark.postgresql("what its columns refuse")
def test_whatever_is_changed_in_a_file_is_an_answer_and_never_half_an_event(seed: int) -> None:
    """With the sums of the file that was changed, so that more than they stand in the way."""
    chance = Random(seed)
    office = Office()
    content = _mutated(chance)
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
        assert file_of(made)["sum"] == json.loads(content)["sum"]


_known: list[Content] = []


def _mutated(chance: Random) -> bytes:
    content = _good_file()
    odd: tuple[Any, ...] = (None, [], {}, "", -1, 0, 10**5, 2**40, "\x00", "x" * 300, [[]], True)
    for _ in range(chance.randint(1, 3)):
        paths = [path for path in leaves(content) if path[0] not in ("sum", "sums", "charlemagne_event")]
        path = chance.choice(paths)
        short = path[: chance.randint(1, len(path))] if chance.random() < 0.3 else path
        value = value_at(content, short)
        content = with_value(
            content, short, chance.choice(odd) if chance.random() < 0.6 else another(value, chance)
        )
    if chance.random() < 0.8:
        with suppress(TypeError, AttributeError):
            content = with_right_sums(content)
    file = json.dumps(content).encode()
    if chance.random() < 0.1:
        place = chance.randrange(len(file))
        file = file[:place] + bytes([chance.randrange(256)]) + file[place + chance.randint(0, 3) :]
    return file


def _good_file() -> Content:
    if not _known:
        event = a_tournament(5, stages=[{"format": "swiss"}])
        Director(event, 4).work(15)
        _known.append(file_of(event))
    return json.loads(json.dumps(_known[0]))  # type: ignore[no-any-return]
