"""Repeating the last night: the offer on the club's page, and the night that its button creates."""

import datetime
from typing import Any

import pytest

from clubs.calendar import get_club_today
from clubs.models import Club
from tests.builders import build_account, build_club, build_event, build_running_night
from tests.support.browser import Browser, Page
from tests.support.office import Office
from tournaments.board.boards import Board
from tournaments.board.services import add_board
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Event
from tournaments.money.services.prize_categories import CategoryDetails, add_prize_category

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def build_office_week_later(pairs: int = 4) -> Office:
    """Build a club with one night, which has ended."""
    office = Office(pairs=pairs)
    start_event(event_id=office.event.pk)
    end_event(event_id=office.event.pk)
    return office


def open_offered_page(office: Office) -> Page:
    """Open the page behind the club's first button."""
    club = office.browser.open(f"/club/{office.club.slug}")
    return office.browser.open(club.find_link("Same as last time"))


def get_tonights_event(club: Club) -> Event:
    return club.events.get(held_on=get_club_today(club))


class TestRepeatLastNight:
    @pytest.mark.long
    def test_repeated_night_leads_to_its_check_in(self) -> None:
        office = build_office_week_later()
        page = open_offered_page(office)
        page = office.browser.send(page, page.find_form(control_name="people"))
        event = get_tonights_event(office.club)
        assert page.path == f"/e/{event.short}/desk/entries/check-in"
        assert "0 pairs present" in page.text
        assert event.entries.count() == 4
        assert event.name == office.event.name

    @pytest.mark.long
    def test_repeated_night_copies_prize_categories(self) -> None:
        office = build_office_week_later()
        add_prize_category(event_id=office.event.pk, details=CategoryDetails(name="Best junior"))
        page = open_offered_page(office)
        assert "Prizes by category (Best junior)" in page.text
        office.browser.send(page, page.find_form(control_name="people"))
        assert [category.name for category in get_tonights_event(office.club).prize_categories.all()] == ["Best junior"]

    @pytest.mark.long
    def test_repeated_night_copies_wall_screens(self) -> None:
        office = build_office_week_later()
        add_board(event_id=office.event.pk, details=Board(name="Above the bar", last_table=4))
        page = open_offered_page(office)
        office.browser.send(page, page.find_form(control_name="people"))
        assert [board["name"] for board in get_tonights_event(office.club).boards] == ["Above the bar"]

    @pytest.mark.long
    def test_repeat_page_summarizes_the_new_night(self) -> None:
        text = open_offered_page(build_office_week_later()).text
        assert "Copy its 4 pairs (check-in required)" in text
        assert "A match: 1 game, to 32." in text
        assert "Random opponents" in text
        assert "Tables: 2." in text

    @pytest.mark.long
    def test_repeat_without_people_leads_to_the_entries(self) -> None:
        office = build_office_week_later()
        page = open_offered_page(office)
        page = office.browser.send(page, page.find_form(control_name="people"), people=[])
        assert page.path == f"/e/{get_tonights_event(office.club).short}/desk/entries"
        assert not get_tonights_event(office.club).entries.exists()

    @pytest.mark.long
    def test_repeat_accepts_another_name_and_day(self) -> None:
        office = build_office_week_later()
        page = open_offered_page(office)
        office.browser.send(page, page.find_form(control_name="people"), name="Friday", held_on="2027-01-08")
        event = Event.objects.get(name="Friday")
        assert event.held_on.isoformat() == "2027-01-08"

    @pytest.mark.long
    @pytest.mark.parametrize(
        ("field", "typed", "sentence"),
        [
            ("name", "", "Enter a name."),
            ("held_on", "tonight", "“tonight” is not a date."),
        ],
    )
    def test_refused_repeat_keeps_the_typed_values(self, field: str, typed: str, sentence: str) -> None:
        office = build_office_week_later()
        page = open_offered_page(office)
        form_values: dict[str, Any] = {field: typed, "people": []}
        page = office.browser.send(page, page.find_form(control_name="people"), **form_values)
        assert page.status == 422
        assert page.get_field_error(field).startswith(sentence)
        assert page.find_field(field).value == typed
        assert page.list_checked_values("people") == []
        assert Event.objects.get() == office.event

    @pytest.mark.long
    def test_resent_repeat_form_creates_one_night(self) -> None:
        office = build_office_week_later()
        page = open_offered_page(office)
        for _ in range(2):
            office.browser.send(page, page.find_form(control_name="people"))
        assert Event.objects.count() == 2

    def test_existing_night_tonight_hides_the_repeat_offer(self) -> None:
        office = build_office_week_later()
        page = open_offered_page(office)
        office.browser.send(page, page.find_form(control_name="people"))
        club = office.browser.open(f"/club/{office.club.slug}")
        assert club.find_link("Open tonight’s desk") == f"/e/{get_tonights_event(office.club).short}/desk"
        assert "Same as last time" not in club.text
        again = office.browser.open(f"/club/{office.club.slug}/like/{office.event.short}")
        assert f"“{office.event.name}” already exists for tonight." in again.text

    @pytest.mark.long
    def test_ended_night_tonight_hides_the_repeat_offer(self) -> None:
        office = build_office_week_later()
        page = open_offered_page(office)
        office.browser.send(page, page.find_form(control_name="people"))
        start_event(event_id=get_tonights_event(office.club).pk)
        end_event(event_id=get_tonights_event(office.club).pk)
        assert "Same as last time" not in office.browser.open(f"/club/{office.club.slug}").text

    @pytest.mark.long
    def test_club_without_a_played_night_gets_no_repeat_offer(self) -> None:
        office = Office(pairs=4)
        assert "Same as last time" not in office.browser.open(f"/club/{office.club.slug}").text


@pytest.mark.long
def test_any_earlier_night_can_be_repeated() -> None:
    office = build_office_week_later()
    other = build_event(3, club=office.club)
    Event.objects.filter(pk=other.pk).update(name="Friday no 4", state="ended")
    club = office.browser.open(f"/club/{office.club.slug}")
    page = office.browser.open(club.find_link("Repeat this night Friday no 4"))
    assert page.find_field("name").value == "Friday no 5"
    office.browser.send(page, page.find_form(control_name="people"))
    assert Event.objects.get(name="Friday no 5").entries.count() == 3


@pytest.mark.long
def test_repeated_tournament_is_called_one() -> None:
    office = build_office_week_later()
    stages = [{"format": "random"}, {"format": "knockout", "takes": "top", "count": 4}]
    Event.objects.filter(pk=office.event.pk).update(stages=stages)
    club = office.browser.open(f"/club/{office.club.slug}")
    page = office.browser.open(club.find_link(f"Repeat this tournament {office.event.name}"))
    assert "Create the tournament" in page.text
    assert page.find_one("label", **{"for": "id_name"}).text == "Name"


@pytest.mark.long
def test_night_of_another_club_cannot_be_repeated() -> None:
    office, other = Office(), build_running_night(club=build_club("Other", owner=build_account()))
    assert office.browser.open(f"/club/{office.club.slug}/like/{other.short}").status == 404
    assert Browser(account=office.owner).open(f"/club/{other.club.slug}/like/{other.short}").status == 404


@pytest.mark.long
def test_club_page_shows_recent_nights_and_links_to_all(
    django_assert_max_num_queries: Any,
) -> None:
    office = build_office_week_later()
    Event.objects.bulk_create(
        Event(
            club=office.club,
            short=f"night-{number}",
            name=f"Night {number}",
            held_on=office.event.held_on - datetime.timedelta(days=number),
            terms=office.event.terms,
            table_count=2,
            state="ended",
        )
        for number in range(1, 70)
    )
    page = office.browser.open(f"/club/{office.club.slug}")
    assert "Night 59" in page.text
    assert "Night 60" not in page.text
    with django_assert_max_num_queries(8):
        page = office.browser.open(f"/club/{office.club.slug}{page.find_link('Show everything')}")
    assert "Night 69" in page.text
    assert "Show everything" not in page.text
