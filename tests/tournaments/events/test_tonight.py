"""Tonight as last time: what is offered on the club's page, and what one button makes of it."""

import datetime
from typing import Any

import pytest

from clubs.calendar import today_in
from clubs.models import Club
from tests.builders import a_club, a_running_night, an_account, an_event
from tests.support.browser import Browser, Page
from tests.support.office import Office
from tournaments.board.services import BoardDetails, add_board
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Event
from tournaments.money.services.prize_categories import CategoryDetails, add_prize_category

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def a_week_later(pairs: int = 4) -> Office:
    """A club whose one night was played."""
    office = Office(pairs=pairs)
    start_event(event_id=office.event.pk)
    end_event(event_id=office.event.pk)
    return office


def offered(office: Office) -> Page:
    """The page behind the club's first button."""
    club = office.browser.open(f"/club/{office.club.slug}")
    return office.browser.open(club.link("Same as last time"))


def made(club: Club) -> Event:
    return club.events.get(held_on=today_in(club))


class TestTonightAsLastTime:
    def test_is_two_buttons_and_then_the_door(self) -> None:
        office = a_week_later()
        page = offered(office)
        page = office.browser.send(page, page.form(having="people"))
        event = made(office.club)
        assert page.path == f"/e/{event.short}/desk/entries/check-in"
        assert "0 pairs present" in page.text
        assert event.entries.count() == 4
        assert event.name == office.event.name

    def test_has_the_prizes_by_category_of_the_last_time(self) -> None:
        office = a_week_later()
        add_prize_category(event_id=office.event.pk, details=CategoryDetails(name="Best junior"))
        page = offered(office)
        assert "Prizes by category (Best junior)" in page.text
        office.browser.send(page, page.form(having="people"))
        assert [category.name for category in made(office.club).prize_categories.all()] == ["Best junior"]

    def test_has_the_boards_of_the_last_time(self) -> None:
        office = a_week_later()
        add_board(event_id=office.event.pk, details=BoardDetails(name="Above the bar", last_table=4))
        page = offered(office)
        office.browser.send(page, page.form(having="people"))
        assert [board["name"] for board in made(office.club).boards] == ["Above the bar"]

    def test_says_what_it_will_be(self) -> None:
        text = offered(a_week_later()).text
        assert "Copy its 4 pairs (check-in required)" in text
        assert "A match: 1 game won, to 32." in text
        assert "At random" in text
        assert "Tables: 2." in text

    def test_comes_without_people_where_the_box_is_emptied(self) -> None:
        office = a_week_later()
        page = offered(office)
        page = office.browser.send(page, page.form(having="people"), people=[])
        assert page.path == f"/e/{made(office.club).short}/desk/entries"
        assert not made(office.club).entries.exists()

    def test_takes_another_name_and_day(self) -> None:
        office = a_week_later()
        page = offered(office)
        office.browser.send(page, page.form(having="people"), name="Friday", held_on="2027-01-08")
        event = Event.objects.get(name="Friday")
        assert event.held_on.isoformat() == "2027-01-08"

    @pytest.mark.parametrize(
        ("field", "typed", "sentence"),
        [
            ("name", "", "Enter a name."),
            ("held_on", "tonight", "“tonight” is not a date."),
        ],
    )
    def test_refused_keeps_what_was_typed(self, field: str, typed: str, sentence: str) -> None:
        office = a_week_later()
        page = offered(office)
        said: dict[str, Any] = {field: typed, "people": []}
        page = office.browser.send(page, page.form(having="people"), **said)
        assert page.status == 422
        assert page.said_at(field).startswith(sentence)
        assert page.field(field).value == typed
        assert page.chosen("people") == []
        assert Event.objects.get() == office.event

    def test_sent_twice_is_one_evening(self) -> None:
        office = a_week_later()
        page = offered(office)
        for _ in range(2):
            office.browser.send(page, page.form(having="people"))
        assert Event.objects.count() == 2

    def test_is_not_offered_any_more_where_there_is_one_tonight(self) -> None:
        office = a_week_later()
        page = offered(office)
        office.browser.send(page, page.form(having="people"))
        club = office.browser.open(f"/club/{office.club.slug}")
        assert club.link("Open tonight’s desk") == f"/e/{made(office.club).short}/desk"
        assert "Same as last time" not in club.text
        again = office.browser.open(f"/club/{office.club.slug}/like/{office.event.short}")
        assert f"“{office.event.name}” already exists for tonight." in again.text

    def test_is_not_offered_again_after_tonight_has_ended(self) -> None:
        office = a_week_later()
        page = offered(office)
        office.browser.send(page, page.form(having="people"))
        start_event(event_id=made(office.club).pk)
        end_event(event_id=made(office.club).pk)
        assert "Same as last time" not in office.browser.open(f"/club/{office.club.slug}").text

    def test_is_not_offered_where_nothing_was_played(self) -> None:
        office = Office(pairs=4)
        assert "Same as last time" not in office.browser.open(f"/club/{office.club.slug}").text


def test_any_earlier_evening_can_be_made_again() -> None:
    office = a_week_later()
    other = an_event(3, club=office.club)
    Event.objects.filter(pk=other.pk).update(name="Friday no 4", state="ended")
    club = office.browser.open(f"/club/{office.club.slug}")
    page = office.browser.open(club.link("Repeat this night Friday no 4"))
    assert page.field("name").value == "Friday no 5"
    office.browser.send(page, page.form(having="people"))
    assert Event.objects.get(name="Friday no 5").entries.count() == 3


def test_an_evening_of_another_club_lends_nothing() -> None:
    office, other = Office(), a_running_night(club=a_club("Other", owner=an_account()))
    assert office.browser.open(f"/club/{office.club.slug}/like/{other.short}").status == 404
    assert Browser(account=office.owner).open(f"/club/{other.club.slug}/like/{other.short}").status == 404


def test_the_clubs_page_shows_the_last_evenings_and_all_where_it_is_asked(
    django_assert_max_num_queries: Any,
) -> None:
    office = a_week_later()
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
        page = office.browser.open(f"/club/{office.club.slug}{page.link('All nights')}")
    assert "Night 69" in page.text
    assert "All nights" not in page.text
