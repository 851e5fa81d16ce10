"""An event of several days: said once with its last day, and on every list until that is over."""

from datetime import date, datetime, timedelta
from typing import Any

import icalendar
import pytest
from django.utils.translation import override

from clubs.calendar import today_in
from clubs.day_words import days_and_year_in_words, days_in_words, days_written
from tests.builders import code_of
from tests.support.browser import Browser
from tests.support.office import Office
from tests.tournaments.agenda.test_agenda import LISTS, list_of
from tests.tournaments.agenda.test_announcing import announce, facts
from tests.tournaments.interclub.test_interclub import Meeting
from tournaments.agenda.queries import agenda_ahead
from tournaments.announcement import Announcement
from tournaments.events.event_settings import event_settings_of
from tournaments.events.queries import tonights
from tournaments.events.services.announcing import announce_event
from tournaments.events.services.event_cloning import make_event
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import rename_event
from tournaments.history.services.undo import undo_action
from tournaments.interclub.services.invitations import accept_for_club
from tournaments.models import Event
from tournaments.sharing.presenters.press import press_report
from wording.labels.press import paragraph

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
SATURDAY, SUNDAY = date(2026, 12, 5), date(2026, 12, 6)


def a_weekend(first: date | None = None, **said: Any) -> Office:
    """The office, with an event that begins on that day, else today, and ends the next."""
    office = Office(pairs=4)
    first = first or today_in(office.club)
    rename_event(event_id=office.event.pk, name=office.event.name, held_on=first)
    announce_event(event_id=office.event.pk, announcement=Announcement(last_day=first + DAY, **said))
    office.event.refresh_from_db()
    return office


def agenda_entry(address: str) -> Any:
    (found,) = icalendar.Calendar.from_ical(Browser().client.get(address).content).walk("VEVENT")
    return found


class TestTheForm:
    @pytest.mark.slow
    def test_takes_the_last_day_and_shows_it_again(self) -> None:
        office = a_weekend()
        last = office.event.held_on + 2 * DAY
        announce(office, last_day=last.isoformat())
        office.event.refresh_from_db()
        assert office.event.days == (office.event.held_on, last)
        page = office.browser.open(f"/e/{office.event.short}/desk/settings")
        assert page.field("last_day").value == last.isoformat()

    @pytest.mark.parametrize(
        ("days", "sentence"),
        [(-1, "The last day is before the first."), (32, "An event lasts 32 days at most.")],
    )
    def test_refuses_a_last_day_before_the_first_or_far_from_it(self, days: int, sentence: str) -> None:
        office = a_weekend()
        page = announce(office, last_day=(office.event.held_on + days * DAY).isoformat(), bring="Lunch")
        assert page.said_at("last_day").startswith(sentence)
        assert page.field("bring").value == "Lunch"

    def test_of_the_same_day_makes_it_an_event_of_one_day(self) -> None:
        office = a_weekend()
        announce(office, last_day=office.event.held_on.isoformat())
        office.event.refresh_from_db()
        assert office.event.announcement.last_day is None


class TestItsDays:
    def test_are_said_on_its_page_its_poster_and_where_one_signs_up(self) -> None:
        office = a_weekend(SATURDAY)
        Event.objects.update(signs_up=True)
        short = office.event.short
        assert "Saturday, December 5 to Sunday, December 6, 2026" in Browser().open(f"/e/{short}").text
        for rest in ("", "/sign-up", "/embed"):
            assert "December 5 to 6, 2026" in Browser().open(f"/e/{short}{rest}").text

    def test_are_told_to_search_engines_and_programs(self) -> None:
        office = a_weekend(SATURDAY)
        told = facts(Browser().open(f"/e/{office.event.short}"))
        assert (told["startDate"], told["endDate"]) == ("2026-12-05", "2026-12-06")
        said = Browser().client.get(f"/api/v1/events/{office.event.short}").json()["announcement"]
        assert said["last_day"] == "2026-12-06"

    def test_are_what_the_paper_tells(self) -> None:
        office = a_weekend(SATURDAY)
        told = paragraph(press_report(Event.objects.get(pk=office.event.pk)))
        assert "was held Saturday, December 5 to Sunday, December 6, 2026" in told

    def test_move_with_the_first_and_back_by_an_undo(self) -> None:
        office = a_weekend(SATURDAY)
        rename_event(event_id=office.event.pk, name=office.event.name, held_on=SATURDAY + 7 * DAY)
        office.event.refresh_from_db()
        assert office.event.days == (SATURDAY + 7 * DAY, SUNDAY + 7 * DAY)
        undo_action(event_id=office.event.pk, action_id=office.event.actions.latest("pk").pk)
        office.event.refresh_from_db()
        assert office.event.days == (SATURDAY, SUNDAY)

    def test_are_not_those_of_the_next_one_like_it(self) -> None:
        office = a_weekend()
        day = today_in(office.club) + 300 * DAY
        settings = event_settings_of(office.event)
        again = make_event(club=office.club, settings=settings, like="it", name="Again", held_on=day)
        assert Event.objects.get(pk=again.pk).days == (day, day)


class TestAnAgenda:
    @pytest.mark.slow
    def test_has_it_from_the_first_hour_to_the_last(self) -> None:
        office = a_weekend(today_in(Office().club) + DAY)
        announced = {"last_day": office.event.last_day.isoformat(), "starts_at": "09:00", "ends_at": "17:00"}
        announce(office, **announced)
        found = agenda_entry(f"/e/{office.event.short}.ics")
        starts, ends = found.decoded("dtstart"), found.decoded("dtend")
        assert (starts.hour, ends.hour, ends.date() - starts.date()) == (9, 17, DAY)

    def test_has_whole_days_until_the_morning_after_where_no_hour_is_known(self) -> None:
        found = agenda_entry(f"/e/{a_weekend(SATURDAY).event.short}.ics")
        assert (found.decoded("dtstart"), found.decoded("dtend")) == (SATURDAY, SUNDAY + DAY)

    @pytest.mark.slow
    def test_has_it_until_midnight_of_the_last_day_where_only_the_beginning_is_known(self) -> None:
        office = a_weekend(SATURDAY)
        announce(office, last_day=SUNDAY.isoformat(), starts_at="09:00")
        ends = agenda_entry(f"/e/{office.event.short}.ics").decoded("dtend")
        assert isinstance(ends, datetime)
        assert f"{ends:%F %T}" == "2026-12-07 00:00:00"


class TestOnItsLastDay:
    def on_sunday(self) -> Office:
        office = a_weekend()
        rename_event(event_id=office.event.pk, name="Tournoi", held_on=office.event.held_on - DAY)
        start_event(event_id=office.event.pk)
        office.event.refresh_from_db()
        return office

    @pytest.mark.parametrize("rest", LISTS)
    def test_it_is_on_every_list_of_its_club(self, rest: str) -> None:
        assert "Tournoi" in list_of(self.on_sunday().club, rest)

    def test_it_is_on_those_of_a_club_that_plays_along(self) -> None:
        meeting = Meeting()
        accept_for_club(club_id=meeting.guest.pk, invited_id=meeting.invited().pk)
        yesterday = today_in(meeting.guest) - DAY
        for day, is_listed in ((yesterday, True), (yesterday - DAY, False)):
            rename_event(event_id=meeting.event.pk, name="Rencontre", held_on=day)
            last = Announcement(last_day=day + DAY)
            announce_event(event_id=meeting.event.pk, announcement=last)
            assert ("Rencontre" in list_of(meeting.guest, "/calendar.json")) is is_listed

    @pytest.mark.slow
    def test_it_is_what_the_club_plays_tonight(self) -> None:
        office, today = self.on_sunday(), today_in(self.on_sunday().club)
        assert tonights([office.event], today) == [office.event]
        assert "Playing now" in Browser().open(f"/c/{office.club.slug}/calendar").text

    def test_it_goes_the_day_after(self) -> None:
        office = self.on_sunday()
        assert agenda_ahead(office.club, today_in(office.club) + DAY) == []


def test_days_are_said_with_one_year_where_it_is_the_same() -> None:
    for days, with_year, without, short in (
        (
            (SATURDAY, SUNDAY),
            "Saturday, December 5 to Sunday, December 6, 2026",
            "Saturday, December 5 to Sunday, December 6",
            "December 5 to 6, 2026",
        ),
        (
            (date(2026, 12, 31), date(2027, 1, 1)),
            "Thursday, December 31, 2026 to Friday, January 1, 2027",
            "Thursday, December 31 to Friday, January 1",
            "December 31, 2026 to January 1, 2027",
        ),
        (
            (SATURDAY, SATURDAY),
            "Saturday, December 5, 2026",
            "Saturday, December 5",
            "December 5, 2026",
        ),
    ):
        assert (days_and_year_in_words(days), days_in_words(days), days_written(days)) == (
            with_year,
            without,
            short,
        )


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (date(2026, 12, 2), "du 1er au 2 décembre 2026"),
        (date(2026, 12, 1), "1er décembre 2026"),
        (date(2027, 1, 1), "du 1er décembre 2026 au 1er janvier 2027"),
        (date(2026, 12, 31), "du 1er au 31 décembre 2026"),
    ],
)
def test_days_of_one_month_are_said_with_it_once_in_french(last: date, said: str) -> None:
    with override("fr"):
        assert days_written((date(2026, 12, 1), last)) == said
        assert days_written((date(2026, 2, 28), date(2026, 3, 31))) == "du 28 février au 31 mars 2026"


def test_a_deadline_comes_before_the_first_day() -> None:
    office = a_weekend(SATURDAY)
    said = Announcement(last_day=SUNDAY, sign_up_until=SUNDAY)
    assert code_of(announce_event, event_id=office.event.pk, announcement=said) == "deadline_after_event"
