"""The calendar as a feed: read back by another program, whatever people write and the weather does."""

import datetime
from datetime import UTC, time, timedelta

import icalendar
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.calendar import HeldNight
from clubs.ical import appointment_of, calendar_feed
from clubs.models import Club, RecurringNight
from clubs.services import cancel_date, keep_usual_night, move_date
from live.revisions import revision_of
from tests.builders import a_club
from web.names import clean_text

from .test_calendar import SEVEN, TUESDAY, WEEK, a_night, held, undo_last

ADDRESS = "https://cartes.example/c/joyeux/calendar"
TEXTS = st.text(max_size=110).map(clean_text)


def number(event: icalendar.Component) -> int:
    """Return which version of the event it is."""
    return int(str(event["sequence"]))


@pytest.mark.django_db
@pytest.mark.postgresql("revisions are summed up")
class TestTheFeed:
    NOW = datetime.datetime(2027, 1, 4, 12, tzinfo=UTC)

    def of(self, club: Club) -> bytes:
        planned = [appointment_of(each, club, ADDRESS) for each in held(club)]
        return calendar_feed(club, planned, revision=revision_of(club.calendar_topic), now=self.NOW)

    def events(self, club: Club) -> dict[str, icalendar.Component]:
        read = icalendar.Calendar.from_ical(self.of(club))
        assert str(read["prodid"]), "every calendar says who made it"
        return {str(event["uid"]): event for event in read.walk("VEVENT")}

    def test_has_each_evening_with_its_hour_place_and_an_id_of_its_own(self) -> None:
        club = a_club()
        a_night(club, ends_at=time(22))
        found = self.events(club)
        assert len(found) == 4
        first = next(iter(found.values()))
        assert first.decoded("dtstart") == datetime.datetime(2027, 1, 6, 0, tzinfo=UTC)
        assert first.decoded("dtend") == datetime.datetime(2027, 1, 6, 3, tzinfo=UTC)
        assert (str(first["summary"]), str(first["location"])) == ("Cartes du mardi", "Salle paroissiale")
        assert str(first["status"]) == "CONFIRMED"

    def test_keeps_the_id_of_an_evening_that_is_cancelled_or_put_off_and_counts_on(self) -> None:
        club = a_club()
        night = a_night(club)
        before = self.events(club)
        cancel_date(club_id=club.pk, night_id=night.pk, on=TUESDAY, reason="congé")
        move_date(
            club_id=club.pk,
            night_id=night.pk,
            on=TUESDAY + WEEK,
            moved_to=TUESDAY + WEEK + timedelta(days=2),
            reason="tempête",
        )
        after = self.events(club)
        assert set(after) == set(before)
        first, second, *_ = sorted(after)
        assert str(after[first]["status"]) == "CANCELLED"
        assert str(after[first]["description"]) == "Cancelled (congé)"
        assert after[second].decoded("dtstart") == datetime.datetime(2027, 1, 15, 0, tzinfo=UTC)
        assert str(after[second]["description"]) == "Postponed from Tuesday, January 12 (tempête)"
        assert number(after[first]) > number(before[first])

    def test_counts_on_when_a_change_is_undone_and_not_for_what_it_does_not_show(self) -> None:
        club = a_club()
        night = a_night(club)
        cancel_date(club_id=club.pk, night_id=night.pk, on=TUESDAY)
        cancelled = revision_of(club.calendar_topic)
        undo_last(club)
        assert revision_of(club.calendar_topic) > cancelled
        undone = revision_of(club.calendar_topic)
        keep_usual_night(club_id=club.pk, name="Mardi", settings={})
        assert revision_of(club.calendar_topic) == undone

    @pytest.mark.slow
    @given(text=TEXTS, place=TEXTS)
    def test_is_folded_and_escaped_whatever_people_write(self, text: str, place: str) -> None:
        club = Club(pk=1, name=text, slug="joyeux")
        night = RecurringNight(pk=1, club=club, name=text, place=place, first_on=TUESDAY, starts_at=SEVEN)
        held = HeldNight(night=night, planned_on=TUESDAY, held_on=None, reason=place)
        written = calendar_feed(club, [appointment_of(held, club, ADDRESS)], revision=1, now=self.NOW)
        assert all(len(line) <= 75 for line in written.split(b"\r\n"))
        assert written.endswith(b"END:VCALENDAR\r\n")
        (event,) = icalendar.Calendar.from_ical(written).walk("VEVENT")
        assert number(event) == 1


def test_a_night_of_which_no_place_is_known_has_none() -> None:
    club = Club(pk=1, name="Les Atouts", slug="atouts")
    night = RecurringNight(pk=1, club=club, name="Mardi", first_on=TUESDAY, starts_at=SEVEN)
    held = HeldNight(night=night, planned_on=TUESDAY, held_on=TUESDAY)
    written = calendar_feed(club, [appointment_of(held, club, ADDRESS)], revision=1, now=TestTheFeed.NOW)
    (event,) = icalendar.Calendar.from_ical(written).walk("VEVENT")
    assert event.keys() & {"LOCATION", "DESCRIPTION", "URL"} == {"URL"}


def test_a_feed_reads_back_what_people_write() -> None:
    said = "Cartes; “prix”, 50/50 \\ thé: Noël à Sainte-Félicité-de-la-Grande-Vallée, soixante-quinze octets"
    club = Club(pk=1, name=said, slug="joyeux")
    night = RecurringNight(pk=1, club=club, name=said, place=said, first_on=TUESDAY, starts_at=SEVEN)
    held = HeldNight(night=night, planned_on=TUESDAY, held_on=TUESDAY)
    written = calendar_feed(club, [appointment_of(held, club, ADDRESS)], revision=1, now=TestTheFeed.NOW)
    (event,) = icalendar.Calendar.from_ical(written).walk("VEVENT")
    assert (str(event["summary"]), str(event["location"])) == (said, said)
