"""A corrected copy of an event that is here: what differs is said, and it is taken over with a button."""

import pytest

from jobs.models import Job
from jobs.services import run_job
from rules import Side
from tests.builders import a_club, a_played_night, next_round
from tests.support.browser import Browser, Page
from tests.support.event_files import file_of
from tests.support.office import Office
from tests.tournaments.seasons.test_seasons import a_season
from tournaments.event_files import Content
from tournaments.imports import uploaded_events
from tournaments.imports.services.event_import import bring_in_event
from tournaments.models import Event
from tournaments.rounds.services.tables import forfeit_table

from .test_corrected_copies import again
from .test_event_import_pages import upload
from .test_long_writes import everything

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def corrected(office: Office) -> tuple[Event, Content]:
    """An event of the club, and the file of it that was corrected elsewhere."""
    original = a_played_night(club=a_club("Club de Matane"))
    event = bring_in_event(club=office.club, content=file_of(original))
    forfeit_table(event_id=original.pk, number=1, table=1, winner=Side.B)
    return event, file_of(again(original))


def take_over(office: Office, page: Page) -> Page:
    return office.browser.send(page, page.form(having="instead"), ("instead", "1"))


@pytest.mark.snapshot
def test_what_differs_is_said_and_nothing_is_written() -> None:
    office = Office()
    event, content = corrected(office)
    a_season(office.club)
    before = everything()
    page = upload(office, content)
    assert everything() == before
    for told in (
        "This event is already here, but the file differs.",
        "forfeit, won by side B in the file.",
        "change",
        "“Autumn” is recalculated.",
    ):
        assert told in page.text
    assert page.link("Soirée du mardi") == f"/e/{event.short}/desk"


def test_it_is_taken_over_with_one_button_and_undone_in_the_history() -> None:
    office = Office()
    event, content = corrected(office)
    page = take_over(office, upload(office, content))
    assert page.path == f"/e/{event.short}/desk"
    copy = Event.objects.get(short=event.short)
    assert copy != event
    assert file_of(copy)["sum"] == content["sum"]
    page = office.browser.open(f"/club/{office.club.slug}/history")
    assert "Corrected copy imported: Soirée du mardi" in page.text
    office.browser.send(page, page.form("/undo"))
    assert Event.objects.get(short=event.short) == event
    assert again(copy).is_put_away


@pytest.mark.snapshot
def test_a_copy_beside_it_is_made_if_that_is_asked() -> None:
    office = Office()
    event, content = corrected(office)
    page = upload(office, content)
    office.browser.send(page, page.form(having="copy"), ("copy", "1"))
    assert not again(event).is_put_away
    assert office.club.events.filter(name=event.name, state="running").count() == 2


@pytest.mark.snapshot
def test_while_tables_play_it_is_refused_in_words() -> None:
    office = Office()
    event, content = corrected(office)
    next_round(event)
    page = take_over(office, upload(office, content))
    assert page.status == 409
    assert "Close round 2 first." in page.text


def test_a_large_one_is_compared_and_taken_over_by_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    office = Office()
    event, content = corrected(office)
    monkeypatch.setattr(uploaded_events, "LARGE", 0)
    page = upload(office, content)
    assert "This large file is processed in the background." in page.text
    run_job(Job.objects.get(kind="read_event_file").pk)
    page = office.browser.open(page.path)
    assert "This event is already here, but the file differs." in page.text
    forfeit_table(event_id=event.pk, number=1, table=2, winner=Side.B)
    page = office.browser.open(page.path)
    assert "This large file is processed in the background." in page.text, "the event has changed since"
    run_job(Job.objects.get(kind="read_event_file", status="queued").pk)
    page = office.browser.open(page.path)
    assert page.text.count("forfeit, won by side B") == 2
    take_over(office, page)
    run_job(Job.objects.get(kind="bring_in_event").pk)
    assert Event.objects.get(short=event.short) != event


def test_in_french_it_is_said_in_french() -> None:
    office = Office()
    _, content = corrected(office)
    page = upload(office, content)
    page = Browser(account=office.owner, language="fr").open(page.path)
    assert "Ronde 1, table 1" in page.text
    assert "forfait" in page.text
