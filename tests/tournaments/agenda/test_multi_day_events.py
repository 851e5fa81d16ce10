"""An event of several days shows its last day, and stays on every list until that day is over."""

from datetime import date, datetime, timedelta
from typing import Any

import icalendar
import pytest
from django.utils.translation import override

from clubs.calendar import get_club_today
from clubs.date_formats import days_and_year_in_words, days_in_words, format_days, name_and_days
from tests.builders import get_refusal_code
from tests.support.browser import Browser
from tests.support.office import Office
from tests.tournaments.agenda.test_agenda import LISTS, list_of
from tests.tournaments.agenda.test_event_details import announce, read_structured_data
from tests.tournaments.interclub.test_interclub import ClubMeeting
from tournaments.agenda.queries import list_upcoming
from tournaments.announcement import Announcement
from tournaments.events.event_settings import read_event_settings
from tournaments.events.queries import tonights
from tournaments.events.services.announcements import announce_event
from tournaments.events.services.event_cloning import make_event
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import rename_event
from tournaments.history.services.undo import undo_action
from tournaments.interclub.services.invitations import accept_for_club
from tournaments.models import Event
from tournaments.sharing.presenters.press import get_press_report
from tournaments.sharing.press_labels import build_paragraph

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
SATURDAY, SUNDAY = date(2026, 12, 5), date(2026, 12, 6)


def build_weekend(first: date | None = None, **details: Any) -> Office:
    """Build an office with a two-day event that begins on the given day, by default today."""
    office = Office(pairs=4)
    first = first or get_club_today(office.club)
    rename_event(event_id=office.event.pk, name=office.event.name, held_on=first)
    announce_event(event_id=office.event.pk, announcement=Announcement(last_day=first + DAY, **details))
    office.event.refresh_from_db()
    return office


def get_calendar_entry(address: str) -> Any:
    (found,) = icalendar.Calendar.from_ical(Browser().client.get(address).content).walk("VEVENT")
    return found


@pytest.mark.slow
class TestLastDayField:
    @pytest.mark.long
    def test_form_saves_and_shows_the_last_day(self) -> None:
        office = build_weekend()
        last = office.event.held_on + 2 * DAY
        announce(office, last_day=last.isoformat())
        office.event.refresh_from_db()
        assert office.event.days == (office.event.held_on, last)
        page = office.browser.open(f"/e/{office.event.short}/desk/settings")
        assert page.find_field("last_day").value == last.isoformat()

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("days", "sentence"),
        [(-1, "The last day is before the first."), (32, "An event lasts 32 days at most.")],
    )
    def test_form_refuses_an_impossible_last_day(self, days: int, sentence: str) -> None:
        office = build_weekend()
        page = announce(office, last_day=(office.event.held_on + days * DAY).isoformat(), bring="Lunch")
        assert page.get_field_error("last_day").startswith(sentence)
        assert page.find_field("bring").value == "Lunch"

    @pytest.mark.long
    def test_last_day_equal_to_the_first_is_dropped(self) -> None:
        office = build_weekend()
        announce(office, last_day=office.event.held_on.isoformat())
        office.event.refresh_from_db()
        assert office.event.announcement.last_day is None


class TestEventDays:
    @pytest.mark.slow
    def test_public_pages_show_both_days(self) -> None:
        office = build_weekend(SATURDAY)
        Event.objects.update(signs_up=True)
        short = office.event.short
        assert "Saturday, December 5 to Sunday, December 6, 2026" in Browser().open(f"/e/{short}").text
        for rest in ("", "/sign-up", "/embed"):
            assert "December 5 to 6, 2026" in Browser().open(f"/e/{short}{rest}").text

    @pytest.mark.long
    def test_structured_data_and_api_give_both_days(self) -> None:
        office = build_weekend(SATURDAY)
        structured_data = read_structured_data(Browser().open(f"/e/{office.event.short}"))
        assert (structured_data["startDate"], structured_data["endDate"]) == ("2026-12-05", "2026-12-06")
        announcement = Browser().client.get(f"/api/v1/events/{office.event.short}").json()["announcement"]
        assert announcement["last_day"] == "2026-12-06"

    def test_press_report_gives_both_days(self) -> None:
        office = build_weekend(SATURDAY)
        paragraph = build_paragraph(get_press_report(Event.objects.get(pk=office.event.pk)))
        assert "was held Saturday, December 5 to Sunday, December 6, 2026" in paragraph

    def test_last_day_moves_with_the_first_day(self) -> None:
        office = build_weekend(SATURDAY)
        rename_event(event_id=office.event.pk, name=office.event.name, held_on=SATURDAY + 7 * DAY)
        office.event.refresh_from_db()
        assert office.event.days == (SATURDAY + 7 * DAY, SUNDAY + 7 * DAY)
        undo_action(event_id=office.event.pk, action_id=office.event.actions.latest("pk").pk)
        office.event.refresh_from_db()
        assert office.event.days == (SATURDAY, SUNDAY)

    def test_repeated_event_lasts_one_day(self) -> None:
        office = build_weekend()
        day = get_club_today(office.club) + 300 * DAY
        settings = read_event_settings(office.event)
        again = make_event(club=office.club, settings=settings, like="it", name="Again", held_on=day)
        assert Event.objects.get(pk=again.pk).days == (day, day)


class TestMultiDayCalendarEntry:
    @pytest.mark.long
    def test_calendar_entry_spans_the_first_to_the_last_hour(self) -> None:
        office = build_weekend(get_club_today(Office().club) + DAY)
        announced = {"last_day": office.event.last_day.isoformat(), "starts_at": "09:00", "ends_at": "17:00"}
        announce(office, **announced)
        found = get_calendar_entry(f"/e/{office.event.short}.ics")
        starts, ends = found.decoded("dtstart"), found.decoded("dtend")
        assert (starts.hour, ends.hour, ends.date() - starts.date()) == (9, 17, DAY)

    def test_calendar_entry_without_hours_covers_whole_days(self) -> None:
        found = get_calendar_entry(f"/e/{build_weekend(SATURDAY).event.short}.ics")
        assert (found.decoded("dtstart"), found.decoded("dtend")) == (SATURDAY, SUNDAY + DAY)

    @pytest.mark.long
    def test_calendar_entry_without_an_end_lasts_until_midnight(self) -> None:
        office = build_weekend(SATURDAY)
        announce(office, last_day=SUNDAY.isoformat(), starts_at="09:00")
        ends = get_calendar_entry(f"/e/{office.event.short}.ics").decoded("dtend")
        assert isinstance(ends, datetime)
        assert f"{ends:%F %T}" == "2026-12-07 00:00:00"


@pytest.mark.slow
class TestLastDay:
    def build_office_on_sunday(self) -> Office:
        office = build_weekend()
        rename_event(event_id=office.event.pk, name="Tournoi", held_on=office.event.held_on - DAY)
        start_event(event_id=office.event.pk)
        office.event.refresh_from_db()
        return office

    @pytest.mark.slow
    def test_event_on_its_last_day_is_on_every_list(self) -> None:
        club = self.build_office_on_sunday().club
        assert [rest for rest in LISTS if "Tournoi" not in list_of(club, rest)] == []

    @pytest.mark.long
    def test_guest_club_lists_a_shared_event_until_its_last_day(self) -> None:
        meeting = ClubMeeting()
        accept_for_club(club_id=meeting.guest.pk, invited_id=meeting.invite_guest().pk)
        yesterday = get_club_today(meeting.guest) - DAY
        for day, is_listed in ((yesterday, True), (yesterday - DAY, False)):
            rename_event(event_id=meeting.event.pk, name="Rencontre", held_on=day)
            last = Announcement(last_day=day + DAY)
            announce_event(event_id=meeting.event.pk, announcement=last)
            assert ("Rencontre" in list_of(meeting.guest, "/calendar.json")) is is_listed

    @pytest.mark.long
    def test_event_on_its_last_day_counts_as_tonight(self) -> None:
        office, today = self.build_office_on_sunday(), get_club_today(self.build_office_on_sunday().club)
        assert tonights([office.event], today) == [office.event]
        assert "Playing now" in Browser().open(f"/c/{office.club.slug}/calendar").text

    @pytest.mark.long
    def test_event_leaves_the_agenda_after_its_last_day(self) -> None:
        office = self.build_office_on_sunday()
        assert list_upcoming(office.club, get_club_today(office.club) + DAY) == []


def test_date_range_repeats_the_year_only_when_it_differs() -> None:
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
        assert (days_and_year_in_words(days), days_in_words(days), format_days(days)) == (
            with_year,
            without,
            short,
        )


@pytest.mark.parametrize(
    ("name", "expected_text"),
    [
        ("Tuesday cards", "Tuesday cards, December 5, 2026"),
        ("Card night of December 5, 2026", "Card night of December 5, 2026"),
    ],
)
def test_date_follows_a_name_that_lacks_it(name: str, expected_text: str) -> None:
    with override("en"):
        assert name_and_days(name, (SATURDAY, SATURDAY)) == expected_text


@pytest.mark.parametrize(
    ("last", "expected_text"),
    [
        (date(2026, 12, 2), "du 1er au 2 décembre 2026"),
        (date(2026, 12, 1), "1er décembre 2026"),
        (date(2027, 1, 1), "du 1er décembre 2026 au 1er janvier 2027"),
        (date(2026, 12, 31), "du 1er au 31 décembre 2026"),
    ],
)
def test_french_date_range_names_a_shared_month_once(last: date, expected_text: str) -> None:
    with override("fr"):
        assert format_days((date(2026, 12, 1), last)) == expected_text
        assert format_days((date(2026, 2, 28), date(2026, 3, 31))) == "du 28 février au 31 mars 2026"


def test_deadline_must_precede_the_first_day() -> None:
    office = build_weekend(SATURDAY)
    announcement = Announcement(last_day=SUNDAY, sign_up_until=SUNDAY)
    assert (
        get_refusal_code(announce_event, event_id=office.event.pk, announcement=announcement) == "deadline_after_event"
    )
