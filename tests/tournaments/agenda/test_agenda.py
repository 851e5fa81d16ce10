"""Everything ahead of a club is on every list of it: nights, tournaments, and what it plays with others."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest

from clubs.calendar import today_in
from clubs.models import Club, RecurringNight
from clubs.services import NightDetails, add_recurring_night, cancel_date, move_date
from live.revisions import public_revision_of
from rules import CANADIAN
from tests.builders import ONE_GAME, a_club, a_running_night, an_event, play_round
from tests.support.browser import Browser
from tests.tournaments.interclub.test_interclub import Meeting
from tournaments.agenda.queries import agenda_ahead, fold_nights
from tournaments.events.services.lifecycle import (
    create_event,
    end_event,
    put_away_event,
    start_event,
)
from tournaments.events.services.settings import rename_event
from tournaments.interclub.services.invitations import accept_for_club
from tournaments.models import Event
from tournaments.publishing.services.publishing import change_release

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
WEEK = timedelta(weeks=1)
LISTS = ["", "/calendar", "/calendar.ics", "/calendar.json", "/calendar.txt", "/calendar.csv", "/embed"]


def a_tournament(club: Club, days: int = 1, name: str = "Tournoi des Rois") -> Event:
    return create_event(
        club=club,
        name=name,
        held_on=today_in(club) + days * DAY,
        ruleset=CANADIAN,
        match_format=ONE_GAME,
        table_count=4,
    )


def a_night(club: Club, days: int = 1, **other: Any) -> RecurringNight:
    values: dict[str, Any] = {
        "name": "Cards",
        "pattern": "weekly",
        "first_on": today_in(club) + days * DAY,
        "starts_at": time(19),
        "place": "Church hall",
    }
    made = add_recurring_night(club_id=club.pk, details=NightDetails(**values | other))
    assert made is not None
    return made


def hide(event: Event) -> None:
    change_release(event_id=event.pk, release=replace(event.release, is_public=False))


def list_of(club: Club, rest: str) -> str:
    return Browser().client.get(f"/c/{club.slug}{rest}").content.decode()


def lines(club: Club) -> list[str]:
    """``+1 Cards (12 more)``: the days of the folded list, counted from today."""
    return [
        f"{(line.day - today_in(club)).days:+} {line.name}"
        + (f" ({line.more} more)" if line.more else "")
        + (" off" if line.is_off else "")
        for line in fold_nights(agenda_ahead(club, today_in(club)))
    ]


class TestATournamentOfTomorrow:
    @pytest.mark.parametrize("rest", LISTS)
    def test_is_on_every_list_of_its_club(self, rest: str) -> None:
        club = a_club()
        a_tournament(club)
        assert "Tournoi des Rois" in list_of(club, rest)

    @pytest.mark.parametrize("rest", LISTS)
    def test_is_on_none_while_its_page_is_kept_back_or_once_it_is_put_away(self, rest: str) -> None:
        club = a_club()
        hidden, away = a_tournament(club), a_tournament(club, name="Tournoi oublié")
        hide(hidden)
        put_away_event(event_id=away.pk)
        assert "Tournoi" not in list_of(club, rest)

    @pytest.mark.parametrize("rest", LISTS)
    @pytest.mark.parametrize(
        "change",
        [
            lambda event: rename_event(event_id=event.pk, name="Tournoi des Reines", held_on=event.held_on),
            lambda event: put_away_event(event_id=event.pk),
            lambda event: a_tournament(event.club, 2, "Tournoi du printemps"),
        ],
        ids=["renamed", "put away", "another one made"],
    )
    def test_makes_each_list_anew_when_it_changes(self, rest: str, change: Callable[[Event], Any]) -> None:
        club, reader = a_club(), Browser().client
        event = a_tournament(club)
        address = f"/c/{club.slug}{rest}"
        etag = reader.get(address).headers["ETag"]
        assert reader.get(address, headers={"If-None-Match": etag}).status_code == 304
        change(event)
        assert reader.get(address, headers={"If-None-Match": etag}).status_code == 200

    def test_leads_from_the_page_to_its_own(self) -> None:
        club = a_club()
        event = a_tournament(club)
        assert Browser().open(f"/c/{club.slug}/calendar").link("Tournoi des Rois") == f"/e/{event.short}"

    def test_that_is_hidden_tells_nobody_of_its_changes(self) -> None:
        club = a_club()
        event = a_tournament(club)
        hide(event)
        before = public_revision_of(club.calendar_topic)
        rename_event(event_id=event.pk, name="Tournoi secret", held_on=event.held_on)
        assert public_revision_of(club.calendar_topic) == before

    def test_is_listed_however_far_ahead_it_is(self) -> None:
        club = a_club()
        a_tournament(club, 300)
        assert lines(club) == ["+300 Tournoi des Rois"]


class TestTheList:
    def test_has_one_line_for_nights_that_are_alike(self) -> None:
        club = a_club()
        a_night(club)
        a_tournament(club, 3)
        assert lines(club) == ["+1 Cards (12 more)", "+3 Tournoi des Rois"]
        assert ": 12 more until" in Browser().open(f"/c/{club.slug}").text

    @pytest.mark.snapshot
    def test_says_which_are_cancelled_or_put_off(self) -> None:
        club = a_club()
        night, first = a_night(club), today_in(club) + DAY
        cancel_date(club_id=club.pk, night_id=night.pk, on=first + WEEK, reason="storm")
        move_date(club_id=club.pk, night_id=night.pk, on=first + 2 * WEEK, moved_to=first + 2 * WEEK + DAY)
        assert lines(club) == ["+1 Cards (10 more)", "+8 Cards off", "+15 Cards off", "+16 Cards"]
        assert "Cancelled (storm)" in Browser().open(f"/c/{club.slug}").text

    def test_has_a_night_and_its_event_once(self) -> None:
        club = a_club()
        night = a_night(club, 0)
        event = a_tournament(club, 0, "Cards")
        Event.objects.filter(pk=event.pk).update(night=night)
        assert lines(club) == ["+0 Cards", "+7 Cards (12 more)"]

    def test_has_them_once_where_the_night_is_cancelled_and_says_so_to_agendas(self) -> None:
        club = a_club()
        night = a_night(club, 0)
        event = a_tournament(club, 0, "Cards")
        cancel_date(club_id=club.pk, night_id=night.pk, on=event.held_on, reason="storm")
        assert lines(club) == ["+0 Cards off", "+7 Cards (12 more)"]
        found = icalendar.Calendar.from_ical(list_of(club, "/calendar.ics")).walk("VEVENT")
        assert [one["status"] for one in found if one.decoded("dtstart") == event.held_on] == ["CANCELLED"]
        own = Browser().client.get(f"/e/{event.short}.ics").content.decode()
        assert icalendar.Calendar.from_ical(own).walk("VEVENT")[0]["status"] == "CANCELLED"

    def test_has_what_is_shared_with_other_clubs_and_says_whose_it_is(self) -> None:
        meeting = Meeting()
        accept_for_club(club_id=meeting.guest.pk, invited_id=meeting.invited().pk)
        Event.objects.update(held_on=today_in(meeting.guest) + DAY)
        assert meeting.event.name in list_of(meeting.guest, "/calendar.json")
        text = Browser().open(f"/c/{meeting.guest.slug}").text
        assert f"hosted by {meeting.event.club.name}" in text

    def test_drops_what_was_before_today(self) -> None:
        club = a_club()
        a_tournament(club, -1)
        assert lines(club) == []

    def test_as_a_file_has_a_row_for_each_day_with_hour_place_club_and_address(self) -> None:
        club = a_club()
        a_night(club)
        event = a_tournament(club, 2)
        rows = json.loads(list_of(club, "/calendar.json"))["rows"]
        assert len(rows) == 14
        assert (rows[0]["starts_at"], rows[0]["place"]) == ("19:00", "Church hall")
        assert (rows[1]["name"], rows[1]["slug"]) == (event.name, event.short)


class TestWhatIsPlayedNow:
    def front(self, club: Club) -> str:
        return Browser().open(f"/c/{club.slug}").text

    def running(self) -> Event:
        event = a_running_night(4)
        Event.objects.filter(pk=event.pk).update(held_on=today_in(event.club))
        return event

    @pytest.mark.slow
    def test_is_said_until_it_is_ended(self) -> None:
        event = self.running()
        assert "Playing now" in self.front(event.club)
        play_round(event)
        end_event(event_id=event.pk)
        assert "Playing now" not in self.front(event.club)
        assert lines(event.club) == []

    def test_is_said_no_more_of_what_nobody_ended_days_ago(self) -> None:
        event = an_event(4)
        start_event(event_id=event.pk)
        Event.objects.filter(pk=event.pk).update(held_on=today_in(event.club) - 2 * DAY)
        assert "Playing now" not in self.front(event.club)
        assert event.name in self.front(event.club)

    def test_goes_on_over_days_as_long_as_rounds_are_played(self) -> None:
        event = self.running()
        Event.objects.filter(pk=event.pk).update(held_on=today_in(event.club) - 3 * DAY)
        assert "Playing now" in self.front(event.club)

    def test_is_not_said_of_what_goes_on_another_day(self) -> None:
        event = self.running()
        Event.objects.filter(pk=event.pk).update(held_on=today_in(event.club) + DAY)
        assert "Playing now" in self.front(event.club), "its day was changed while a round was played"
        play_round(event)
        for address in ("", "/calendar"):
            page = Browser().open(f"/c/{event.club.slug}{address}")
            assert event.name in page.text
            assert "Playing now" not in page.text
            assert "Latest results" not in page.text


class TestAnAgendaOfPhones:
    def events(self, club: Club) -> list[icalendar.Component]:
        return icalendar.Calendar.from_ical(list_of(club, "/calendar.ics")).walk("VEVENT")

    @pytest.mark.slow
    def test_has_hours_by_the_clubs_clock_with_its_zone(self) -> None:
        club = a_club()
        a_night(club, ends_at=time(1))
        text = list_of(club, "/calendar.ics")
        day = today_in(club) + DAY
        assert f"DTSTART;TZID=America/Montreal:{day:%Y%m%d}T190000" in text
        assert f"DTEND;TZID=America/Montreal:{day + DAY:%Y%m%d}T010000" in text
        zones = icalendar.Calendar.from_ical(text).walk("VTIMEZONE")
        assert [str(zone["tzid"]) for zone in zones] == ["America/Montreal"]
        first = min(found.decoded("dtstart") for found in self.events(club))
        assert first == datetime.combine(day, time(19), tzinfo=ZoneInfo(club.time_zone))

    def test_is_asked_for_again_after_a_duration_that_agendas_read(self) -> None:
        text = list_of(a_club(), "/calendar.ics")
        assert "X-PUBLISHED-TTL:PT6H" in text
        assert "REFRESH-INTERVAL;VALUE=DURATION:PT6H" in text

    def test_has_a_tournament_on_its_day(self) -> None:
        club = a_club()
        a_tournament(club, 2)
        (found,) = self.events(club)
        assert found.decoded("dtstart") == today_in(club) + 2 * DAY
