"""Every list of a club's upcoming events shows its nights, tournaments and events with other clubs."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest

from clubs.calendar import get_club_today
from clubs.models import Club, RecurringNight
from clubs.services.calendar import NightDetails, add_recurring_night, cancel_date, move_date
from live.revisions import get_public_revision
from rules import CANADIAN
from tests.builders import ONE_GAME, build_club, build_event, build_running_night, play_round
from tests.support.browser import Browser
from tests.tournaments.interclub.test_interclub import ClubMeeting
from tournaments.agenda.queries import list_upcoming, merge_repeated_nights
from tournaments.events.services.creation import create_event
from tournaments.events.services.lifecycle import end_event, put_away_event, start_event
from tournaments.events.services.settings import rename_event
from tournaments.interclub.services.invitations import accept_for_club
from tournaments.models import Event
from tournaments.publishing.services.publishing import change_release

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
WEEK = timedelta(weeks=1)
LISTS = ["", "/calendar", "/calendar.ics", "/calendar.json", "/calendar.txt", "/calendar.csv", "/embed"]


def build_tournament(club: Club, days: int = 1, name: str = "Tournoi des Rois") -> Event:
    return create_event(
        club=club,
        name=name,
        held_on=get_club_today(club) + days * DAY,
        ruleset=CANADIAN,
        match_format=ONE_GAME,
        table_count=4,
    )


def add_night(club: Club, days: int = 1, **other: Any) -> RecurringNight:
    values: dict[str, Any] = {
        "name": "Cards",
        "pattern": "weekly",
        "first_on": get_club_today(club) + days * DAY,
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


def list_lines(club: Club) -> list[str]:
    """Return the merged list as lines such as ``+1 Cards (12 more)``, with days counted from today."""
    return [
        f"{(line.day - get_club_today(club)).days:+} {line.name}"
        + (f" ({line.more} more)" if line.more else "")
        + (" off" if line.is_off else "")
        for line in merge_repeated_nights(list_upcoming(club, get_club_today(club)))
    ]


class TestUpcomingTournament:
    @pytest.mark.long
    def test_tournament_is_on_every_list_of_its_club(self) -> None:
        club = build_club()
        build_tournament(club)
        assert [rest for rest in LISTS if "Tournoi des Rois" not in list_of(club, rest)] == []

    @pytest.mark.slow
    def test_hidden_or_archived_tournament_is_on_no_list(self) -> None:
        club = build_club()
        hidden, away = build_tournament(club), build_tournament(club, name="Tournoi oublié")
        hide(hidden)
        put_away_event(event_id=away.pk)
        assert [rest for rest in LISTS if "Tournoi" in list_of(club, rest)] == []

    @pytest.mark.long
    @pytest.mark.parametrize(
        "change",
        [
            lambda event: rename_event(event_id=event.pk, name="Tournoi des Reines", held_on=event.held_on),
            lambda event: put_away_event(event_id=event.pk),
            lambda event: build_tournament(event.club, 2, "Tournoi du printemps"),
        ],
        ids=["renamed", "put away", "another one made"],
    )
    def test_change_to_the_tournament_refreshes_every_list(self, change: Callable[[Event], Any]) -> None:
        club, reader = build_club(), Browser().client
        event = build_tournament(club)
        etags = {f"/c/{club.slug}{rest}": reader.get(f"/c/{club.slug}{rest}").headers["ETag"] for rest in LISTS}

        def list_statuses() -> set[int]:
            return {reader.get(path, headers={"If-None-Match": etag}).status_code for path, etag in etags.items()}

        assert list_statuses() == {304}
        change(event)
        assert list_statuses() == {200}

    def test_calendar_page_links_to_the_tournament(self) -> None:
        club = build_club()
        event = build_tournament(club)
        assert Browser().open(f"/c/{club.slug}/calendar").find_link("Tournoi des Rois") == f"/e/{event.short}"

    def test_hidden_tournament_does_not_change_the_public_calendar(self) -> None:
        club = build_club()
        event = build_tournament(club)
        hide(event)
        before = get_public_revision(club.calendar_topic)
        rename_event(event_id=event.pk, name="Tournoi secret", held_on=event.held_on)
        assert get_public_revision(club.calendar_topic) == before

    def test_distant_tournament_is_still_listed(self) -> None:
        club = build_club()
        build_tournament(club, 300)
        assert list_lines(club) == ["+300 Tournoi des Rois"]


class TestAgendaLines:
    def test_similar_nights_share_one_line(self) -> None:
        club = build_club()
        add_night(club)
        build_tournament(club, 3)
        assert list_lines(club) == ["+1 Cards (12 more)", "+3 Tournoi des Rois"]
        assert ": 12 more until" in Browser().open(f"/c/{club.slug}").text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_agenda_shows_cancelled_and_moved_nights(self) -> None:
        club = build_club()
        night, first = add_night(club), get_club_today(club) + DAY
        cancel_date(club_id=club.pk, night_id=night.pk, on=first + WEEK, reason="storm")
        move_date(club_id=club.pk, night_id=night.pk, on=first + 2 * WEEK, moved_to=first + 2 * WEEK + DAY)
        assert list_lines(club) == ["+1 Cards (10 more)", "+8 Cards off", "+15 Cards off", "+16 Cards"]
        assert "Cancelled (storm)" in Browser().open(f"/c/{club.slug}").text

    def test_night_with_its_event_has_one_line(self) -> None:
        club = build_club()
        night = add_night(club, 0)
        event = build_tournament(club, 0, "Cards")
        Event.objects.filter(pk=event.pk).update(night=night)
        assert list_lines(club) == ["+0 Cards", "+7 Cards (12 more)"]

    @pytest.mark.slow
    def test_cancelled_night_is_cancelled_in_calendar_feeds(self) -> None:
        club = build_club()
        night = add_night(club, 0)
        event = build_tournament(club, 0, "Cards")
        cancel_date(club_id=club.pk, night_id=night.pk, on=event.held_on, reason="storm")
        assert list_lines(club) == ["+0 Cards off", "+7 Cards (12 more)"]
        found = icalendar.Calendar.from_ical(list_of(club, "/calendar.ics")).walk("VEVENT")
        assert [one["status"] for one in found if one.decoded("dtstart") == event.held_on] == ["CANCELLED"]
        own = Browser().client.get(f"/e/{event.short}.ics").content.decode()
        assert icalendar.Calendar.from_ical(own).walk("VEVENT")[0]["status"] == "CANCELLED"

    @pytest.mark.long
    def test_agenda_lists_shared_events_with_their_host(self) -> None:
        meeting = ClubMeeting()
        accept_for_club(club_id=meeting.guest.pk, invited_id=meeting.invite_guest().pk)
        Event.objects.update(held_on=get_club_today(meeting.guest) + DAY)
        assert meeting.event.name in list_of(meeting.guest, "/calendar.json")
        text = Browser().open(f"/c/{meeting.guest.slug}").text
        assert f"hosted by {meeting.event.club.name}" in text

    def test_past_events_leave_the_agenda(self) -> None:
        club = build_club()
        build_tournament(club, -1)
        assert list_lines(club) == []

    def test_json_calendar_has_a_row_per_day(self) -> None:
        club = build_club()
        add_night(club)
        event = build_tournament(club, 2)
        rows = json.loads(list_of(club, "/calendar.json"))["rows"]
        assert len(rows) == 14
        assert (rows[0]["starts_at"], rows[0]["place"]) == ("19:00", "Church hall")
        assert (rows[1]["name"], rows[1]["slug"]) == (event.name, event.short)


@pytest.mark.slow
class TestPlayingNow:
    def get_front_text(self, club: Club) -> str:
        return Browser().open(f"/c/{club.slug}").text

    def build_running_event(self) -> Event:
        event = build_running_night(4)
        Event.objects.filter(pk=event.pk).update(held_on=get_club_today(event.club))
        return event

    @pytest.mark.long
    def test_front_page_shows_playing_now_until_the_event_ends(self) -> None:
        event = self.build_running_event()
        assert "Playing now" in self.get_front_text(event.club)
        play_round(event)
        end_event(event_id=event.pk)
        assert "Playing now" not in self.get_front_text(event.club)
        assert list_lines(event.club) == []

    @pytest.mark.long
    def test_event_left_open_days_ago_is_not_playing_now(self) -> None:
        event = build_event(4)
        start_event(event_id=event.pk)
        Event.objects.filter(pk=event.pk).update(held_on=get_club_today(event.club) - 2 * DAY)
        assert "Playing now" not in self.get_front_text(event.club)
        assert event.name in self.get_front_text(event.club)

    @pytest.mark.long
    def test_event_with_recent_rounds_stays_playing_now(self) -> None:
        event = self.build_running_event()
        Event.objects.filter(pk=event.pk).update(held_on=get_club_today(event.club) - 3 * DAY)
        assert "Playing now" in self.get_front_text(event.club)

    @pytest.mark.slow
    def test_event_of_another_day_is_not_playing_now(self) -> None:
        event = self.build_running_event()
        Event.objects.filter(pk=event.pk).update(held_on=get_club_today(event.club) + DAY)
        assert "Playing now" in self.get_front_text(event.club), "its day was changed while a round was played"
        play_round(event)
        for address in ("", "/calendar"):
            page = Browser().open(f"/c/{event.club.slug}{address}")
            assert event.name in page.text
            assert "Playing now" not in page.text
            assert "Latest results" not in page.text


class TestCalendarFeed:
    def list_events(self, club: Club) -> list[icalendar.Component]:
        return icalendar.Calendar.from_ical(list_of(club, "/calendar.ics")).walk("VEVENT")

    @pytest.mark.long
    def test_calendar_feed_uses_the_club_time_zone(self) -> None:
        club = build_club()
        add_night(club, ends_at=time(1))
        text = list_of(club, "/calendar.ics")
        day = get_club_today(club) + DAY
        assert f"DTSTART;TZID=America/Montreal:{day:%Y%m%d}T190000" in text
        assert f"DTEND;TZID=America/Montreal:{day + DAY:%Y%m%d}T010000" in text
        zones = icalendar.Calendar.from_ical(text).walk("VTIMEZONE")
        assert [str(zone["tzid"]) for zone in zones] == ["America/Montreal"]
        first = min(found.decoded("dtstart") for found in self.list_events(club))
        assert first == datetime.combine(day, time(19), tzinfo=ZoneInfo(club.time_zone))

    def test_calendar_feed_sets_a_refresh_interval(self) -> None:
        text = list_of(build_club(), "/calendar.ics")
        assert "X-PUBLISHED-TTL:PT6H" in text
        assert "REFRESH-INTERVAL;VALUE=DURATION:PT6H" in text

    def test_calendar_feed_has_a_tournament_on_its_day(self) -> None:
        club = build_club()
        build_tournament(club, 2)
        (found,) = self.list_events(club)
        assert found.decoded("dtstart") == get_club_today(club) + 2 * DAY
