"""iCalendar feed of a club: any text parses back, and changed dates keep their id."""

import datetime
from datetime import UTC, time, timedelta

import icalendar
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.calendar import NightOccurrence
from clubs.ical import build_calendar_feed, build_feed_entry
from clubs.models import Club, RecurringNight
from clubs.services.calendar import cancel_date, move_date
from clubs.services.night_templates import save_night_template
from live.revisions import get_revision
from tests.builders import build_club
from web.names import clean_text

from .test_calendar import SEVEN, TUESDAY, WEEK, add_night, list_held_nights, undo_last

ADDRESS = "https://cartes.example/c/joyeux/calendar"
TEXTS = st.text(max_size=110).map(clean_text)


def get_sequence(event: icalendar.Component) -> int:
    """Return the event's SEQUENCE: its revision number (RFC 5545)."""
    return int(str(event["sequence"]))


@pytest.mark.django_db
@pytest.mark.postgresql("sums")
class TestCalendarFeed:
    NOW = datetime.datetime(2027, 1, 4, 12, tzinfo=UTC)

    def render_feed(self, club: Club) -> bytes:
        planned = [build_feed_entry(each, club, ADDRESS) for each in list_held_nights(club)]
        return build_calendar_feed(club, planned, revision=get_revision(club.calendar_topic), now=self.NOW)

    def parse_events(self, club: Club) -> dict[str, icalendar.Component]:
        read = icalendar.Calendar.from_ical(self.render_feed(club))
        assert str(read["prodid"]), "every calendar says who made it"
        return {str(event["uid"]): event for event in read.walk("VEVENT")}

    def test_feed_lists_each_night_with_time_and_place(self) -> None:
        club = build_club()
        add_night(club, ends_at=time(22))
        found = self.parse_events(club)
        assert len(found) == 4
        first = next(iter(found.values()))
        assert first.decoded("dtstart") == datetime.datetime(2027, 1, 6, 0, tzinfo=UTC)
        assert first.decoded("dtend") == datetime.datetime(2027, 1, 6, 3, tzinfo=UTC)
        assert (str(first["summary"]), str(first["location"])) == ("Cartes du mardi", "Salle paroissiale")
        assert str(first["status"]) == "CONFIRMED"

    def test_changed_nights_keep_their_id_and_raise_their_sequence(self) -> None:
        club = build_club()
        night = add_night(club)
        before = self.parse_events(club)
        cancel_date(club_id=club.pk, night_id=night.pk, on=TUESDAY, reason="congé")
        move_date(
            club_id=club.pk,
            night_id=night.pk,
            on=TUESDAY + WEEK,
            moved_to=TUESDAY + WEEK + timedelta(days=2),
            reason="tempête",
        )
        after = self.parse_events(club)
        assert set(after) == set(before)
        first, second, *_ = sorted(after)
        assert str(after[first]["status"]) == "CANCELLED"
        assert str(after[first]["description"]) == "Cancelled (congé)"
        assert after[second].decoded("dtstart") == datetime.datetime(2027, 1, 15, 0, tzinfo=UTC)
        assert str(after[second]["description"]) == "Postponed from Tuesday, January 12 (tempête)"
        assert get_sequence(after[first]) > get_sequence(before[first])

    def test_calendar_revision_grows_only_with_shown_changes(self) -> None:
        club = build_club()
        night = add_night(club)
        cancel_date(club_id=club.pk, night_id=night.pk, on=TUESDAY)
        cancelled = get_revision(club.calendar_topic)
        undo_last(club)
        assert get_revision(club.calendar_topic) > cancelled
        undone = get_revision(club.calendar_topic)
        save_night_template(club_id=club.pk, name="Mardi", settings={})
        assert get_revision(club.calendar_topic) == undone

    @pytest.mark.slow
    @given(text=TEXTS, place=TEXTS)
    def test_feed_folds_and_escapes_any_text(self, text: str, place: str) -> None:
        club = Club(pk=1, name=text, slug="joyeux")
        night = RecurringNight(pk=1, club=club, name=text, place=place, first_on=TUESDAY, starts_at=SEVEN)
        held = NightOccurrence(night=night, planned_on=TUESDAY, held_on=None, reason=place)
        written = build_calendar_feed(club, [build_feed_entry(held, club, ADDRESS)], revision=1, now=self.NOW)
        assert all(len(line) <= 75 for line in written.split(b"\r\n"))
        assert written.endswith(b"END:VCALENDAR\r\n")
        (event,) = icalendar.Calendar.from_ical(written).walk("VEVENT")
        assert get_sequence(event) == 1


def test_night_without_a_place_has_no_location() -> None:
    club = Club(pk=1, name="Les Atouts", slug="atouts")
    night = RecurringNight(pk=1, club=club, name="Mardi", first_on=TUESDAY, starts_at=SEVEN)
    held = NightOccurrence(night=night, planned_on=TUESDAY, held_on=TUESDAY)
    written = build_calendar_feed(club, [build_feed_entry(held, club, ADDRESS)], revision=1, now=TestCalendarFeed.NOW)
    (event,) = icalendar.Calendar.from_ical(written).walk("VEVENT")
    assert event.keys() & {"LOCATION", "DESCRIPTION", "URL"} == {"URL"}


def test_feed_parses_back_to_the_original_text() -> None:
    text = "Cartes; “prix”, 50/50 \\ thé: Noël à Sainte-Félicité-de-la-Grande-Vallée, soixante-quinze octets"
    club = Club(pk=1, name=text, slug="joyeux")
    night = RecurringNight(pk=1, club=club, name=text, place=text, first_on=TUESDAY, starts_at=SEVEN)
    held = NightOccurrence(night=night, planned_on=TUESDAY, held_on=TUESDAY)
    written = build_calendar_feed(club, [build_feed_entry(held, club, ADDRESS)], revision=1, now=TestCalendarFeed.NOW)
    (event,) = icalendar.Calendar.from_ical(written).walk("VEVENT")
    assert (str(event["summary"]), str(event["location"])) == (text, text)
