"""The page of a corrected copy: it lists the differences, and one button applies them."""

import pytest

from jobs.models import Job
from jobs.services import run_job
from rules import Side
from tests.builders import build_club, build_played_night, start_next_round
from tests.support.browser import Browser, Page
from tests.support.event_files import export_event
from tests.support.office import Office
from tests.tournaments.seasons.test_seasons import build_season
from tournaments.event_files.queries import build_event_file
from tournaments.event_files.schema import Content
from tournaments.fee_rates import Rates
from tournaments.imports import uploaded_events
from tournaments.imports.services.event_import import bring_in_event
from tournaments.models import Event
from tournaments.money.services.fees import change_rates, pay_fee
from tournaments.rounds.services.tables import forfeit_table

from .test_corrected_copies import reload_event
from .test_event_import_pages import upload
from .test_long_writes import count_all_rows

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def build_corrected_copy(office: Office) -> tuple[Event, Content]:
    """Build an event of the club, and the file of its copy that another club corrected."""
    original = build_played_night(club=build_club("Club de Matane"))
    event = bring_in_event(club=office.club, content=export_event(original))
    forfeit_table(event_id=original.pk, number=1, table=1, winner=Side.B)
    return event, export_event(reload_event(original))


def take_over(office: Office, page: Page) -> Page:
    return office.browser.send(page, page.find_form(control_name="instead"), ("instead", "1"))


@pytest.mark.snapshot
def test_preview_describes_differences_without_writing() -> None:
    office = Office()
    event, content = build_corrected_copy(office)
    build_season(office.club)
    before = count_all_rows()
    page = upload(office, content)
    assert count_all_rows() == before
    for expected_text in (
        "This event is already here, but the file differs.",
        "forfeit, won by side B in the file.",
        "change",
        "“Autumn” is recalculated.",
    ):
        assert expected_text in page.text
    assert page.find_link("Soirée du mardi") == f"/e/{event.short}/desk"


def test_preview_says_that_payments_come_from_a_file_with_its_own() -> None:
    office = Office()
    _, content = build_corrected_copy(office)
    original = Event.objects.get(club__name="Club de Matane")
    change_rates(event_id=original.pk, rates=Rates(member=500, guest=500))
    pay_fee(event_id=original.pk, person_id=original.entries.get(number=1).player_1_id)
    assert "Address, calendar night, fees and prizes stay." in upload(office, content).text
    page = upload(office, build_event_file(reload_event(original), with_phone_keys=True, with_desk=True))
    assert "Address, calendar night and prizes stay. Payments come from the file;" in page.text
    copy = Event.objects.get(short=take_over(office, page).path.split("/")[2])
    assert [fee.paid for fee in copy.fees.all()] == [500]


@pytest.mark.long
def test_director_replaces_the_event_and_undoes_it() -> None:
    office = Office()
    event, content = build_corrected_copy(office)
    page = take_over(office, upload(office, content))
    assert page.path == f"/e/{event.short}/desk"
    copy = Event.objects.get(short=event.short)
    assert copy != event
    assert export_event(copy)["sum"] == content["sum"]
    page = office.browser.open(f"/club/{office.club.slug}/history")
    assert "Corrected copy imported: Soirée du mardi" in page.text
    office.browser.send(page, page.find_form("/undo"))
    assert Event.objects.get(short=event.short) == event
    assert reload_event(copy).is_put_away


@pytest.mark.long
@pytest.mark.snapshot
def test_director_imports_the_copy_beside_the_event() -> None:
    office = Office()
    event, content = build_corrected_copy(office)
    page = upload(office, content)
    office.browser.send(page, page.find_form(control_name="copy"), ("copy", "1"))
    assert not reload_event(event).is_put_away
    assert office.club.events.filter(name=event.name, state="running").count() == 2


@pytest.mark.snapshot
def test_replacement_during_a_round_is_refused_on_the_page() -> None:
    office = Office()
    event, content = build_corrected_copy(office)
    start_next_round(event)
    page = take_over(office, upload(office, content))
    assert page.status == 409
    assert "Close round 2 first." in page.text


def test_worker_compares_and_imports_a_large_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    office = Office()
    event, content = build_corrected_copy(office)
    monkeypatch.setattr(uploaded_events, "LARGE_BYTES", 0)
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


@pytest.mark.long
def test_differences_are_described_in_french() -> None:
    office = Office()
    _, content = build_corrected_copy(office)
    page = upload(office, content)
    page = Browser(account=office.owner, language="fr").open(page.path)
    assert "Ronde 1, table 1" in page.text
    assert "forfait" in page.text
