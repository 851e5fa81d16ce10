"""A club's news feed and calendars: public names, public events, and each item once."""

import datetime
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree

import icalendar
import pytest

from clubs.audit.log import Actor
from clubs.calendar import get_club_today
from clubs.models import Club, Person, RecurringNight
from clubs.services.calendar import NightDetails, add_recurring_night, cancel_date, move_date
from clubs.services.undo import undo_club_action
from engine.visibility import Release
from tests.builders import build_account, build_club, build_event, build_played_night, compute_standings
from tests.support.browser import Browser
from tests.tournaments.interclub.test_interclub import ClubMeeting
from tests.tournaments.publishing.test_publishing import correct
from tournaments.events.services.lifecycle import end_event
from tournaments.interclub.services.invitations import accept_for_club
from tournaments.models import Event
from tournaments.publishing.services.publishing import change_release, publish_final

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("the latest row of each group")]

ATOM = {"atom": "http://www.w3.org/2005/Atom"}


def read_feed(club: Club, language: str = "") -> ElementTree.Element:
    answer = Browser().client.get(f"{language}/c/{club.slug}/news.atom")
    assert answer.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(answer.content)


def list_news(club: Club, language: str = "") -> list[tuple[str, str]]:
    """Return the title and text of each news item, newest first."""
    entries = read_feed(club, language).iterfind("atom:entry", ATOM)
    return [(get_element_text(entry, "title"), get_element_text(entry, "summary")) for entry in entries]


def get_element_text(element: ElementTree.Element, name: str) -> str:
    return element.findtext(f"atom:{name}", "", ATOM)


def build_ended_night(club: Club) -> Event:
    night = build_played_night(4, club=club)
    compute_standings(night)
    return end_event(event_id=night.pk)


def add_night(club: Club) -> RecurringNight:
    details = NightDetails(
        name="Tuesday cards", pattern="weekly", first_on=get_club_today(club), starts_at=datetime.time(19)
    )
    night = add_recurring_night(club_id=club.pk, details=details)
    assert night is not None
    return night


class TestNewsFeed:
    def test_feed_without_news_is_valid(self) -> None:
        club = build_club("Cartes & thé <3>")
        feed = read_feed(club)
        assert get_element_text(feed, "title") == "Cartes & thé <3>"
        assert list_news(club) == []

    @pytest.mark.long
    def test_feed_has_the_elements_required_by_atom(self) -> None:
        club = build_club()
        build_ended_night(club)
        feed = read_feed(club)
        pieces = [feed, *feed.iterfind("atom:entry", ATOM)]
        ids = [get_element_text(piece, "id") for piece in pieces]
        assert len(ids) == len(set(ids)) == 3
        for piece in pieces:
            assert get_element_text(piece, "title")
            assert datetime.datetime.fromisoformat(get_element_text(piece, "updated")).tzinfo is not None
        assert feed.findtext("atom:author/atom:name", "", ATOM) == club.name
        links = {one.attrib["rel"]: one.attrib["href"] for one in feed.iterfind("atom:link", ATOM)}
        assert links == {
            "alternate": f"http://testserver/c/{club.slug}",
            "self": f"http://testserver/c/{club.slug}/news.atom",
        }

    @pytest.mark.long
    def test_feed_announces_events_and_results_by_public_names(self) -> None:
        club = build_club()
        night = build_ended_night(club)
        (result, best), (announced, rules) = list_news(club)
        assert result == f"Results: {night.name}"
        assert announced == f"{night.name}, Tuesday, November 17"
        assert rules == "Canadian rules, games to 32"
        assert best.startswith("1. ")
        assert not [person.name for person in Person.objects.all() if person.name in best]

    @pytest.mark.long
    def test_feed_updates_results_when_final_or_corrected(self) -> None:
        club = build_club()
        night = build_ended_night(club)
        pieces = [next(read_feed(club).iterfind("atom:entry", ATOM))]
        publish_final(event_id=night.pk)
        pieces.append(next(read_feed(club).iterfind("atom:entry", ATOM)))
        correct(night)
        publish_final(event_id=night.pk)
        pieces.append(next(read_feed(club).iterfind("atom:entry", ATOM)))
        assert len({get_element_text(piece, "id") for piece in pieces}) == 1
        assert len({get_element_text(piece, "published") for piece in pieces}) == 1
        titles = [get_element_text(piece, "title").partition(":")[0] for piece in pieces]
        assert titles == ["Results", "Results", "Corrected results"]
        updated = [get_element_text(piece, "updated") for piece in pieces]
        assert updated == sorted(set(updated))

    @pytest.mark.slow
    def test_feed_reports_final_results_before_the_event_ends(self) -> None:
        club = build_club()
        night = build_played_night(4, club=club)
        publish_final(event_id=night.pk)
        assert get_element_text(next(read_feed(club).iterfind("atom:entry", ATOM)), "title").startswith("Results")

    @pytest.mark.long
    @pytest.mark.parametrize("field", [{"shows_standings": "never"}, {"silent_from": 1}])
    def test_feed_names_no_one_when_standings_are_hidden(self, field: dict[str, Any]) -> None:
        club = build_club()
        build_ended_night(club)
        Event.objects.update(**field)
        (_, best), *_ = list_news(club)
        assert best == club.name

    @pytest.mark.long
    def test_feed_omits_private_events(self) -> None:
        club = build_club()
        build_ended_night(club)
        Event.objects.update(is_public=False)
        assert list_news(club) == []

    @pytest.mark.long
    def test_event_becomes_news_once_it_is_shown(self) -> None:
        club = build_club()
        hidden, other = build_ended_night(club), build_event(club=club)
        for is_public in (False, True):
            change_release(event_id=hidden.pk, release=Release(is_public=is_public))
        assert [title.partition(":")[0] for title, _ in list_news(club)] == [
            "Results",
            *(f"{event.name}, Tuesday, November 17" for event in (hidden, other)),
        ]
        shown = [get_element_text(entry, "id") for entry in read_feed(club).iterfind("atom:entry", ATOM)]
        assert [f"/{hidden.short}#" in one for one in shown] == [True, True, False]

    @pytest.mark.slow
    def test_feed_reports_cancelled_and_reinstated_nights(self) -> None:
        club = build_club()
        night, by = add_night(club), Actor(account=build_account())
        day = get_club_today(club) + timedelta(days=7)
        cancel_date(club_id=club.pk, night_id=night.pk, on=day, reason="storm", by=by)
        assert list_news(club)[0][0].startswith("Tuesday cards: cancelled on ")
        before = get_element_text(next(read_feed(club).iterfind("atom:entry", ATOM)), "id")
        undo_club_action(club_id=club.pk, action_id=club.actions.latest("pk").pk, by=by)
        ((title, _),) = list_news(club)
        assert title.startswith("Tuesday cards: held on ")
        assert get_element_text(next(read_feed(club).iterfind("atom:entry", ATOM)), "id") != before

    def test_feed_reports_the_postponed_date(self) -> None:
        club = build_club()
        night = add_night(club)
        day = get_club_today(club)
        move_date(club_id=club.pk, night_id=night.pk, on=day, moved_to=day + timedelta(days=2))
        assert f" to {day + timedelta(days=2):%A}" in list_news(club)[0][0]

    @pytest.mark.long
    def test_feed_uses_club_or_address_language(self) -> None:
        club = build_club()
        build_ended_night(club)
        assert list_news(club)[0][0].startswith("Results: ")
        assert list_news(club, "/fr")[0][0].startswith("Résultats")
        assert read_feed(club, "/fr").attrib["{http://www.w3.org/XML/1998/namespace}lang"] == "fr-CA"

    def test_feed_is_not_modified_until_there_is_news(self) -> None:
        club = build_club()
        address = f"/c/{club.slug}/news.atom"
        tag = Browser().client.get(address).headers["ETag"]
        assert Browser().client.get(address, headers={"If-None-Match": tag}).status_code == 304
        build_event(4, club=club)
        assert Browser().client.get(address, headers={"If-None-Match": tag}).status_code == 200

    def test_unknown_club_has_no_feed(self) -> None:
        assert Browser().client.get("/c/nowhere/news.atom").status_code == 404


def read_appointments(address: str) -> dict[str, Any]:
    """Return the events of a calendar by name."""
    answer = Browser().client.get(address)
    assert answer.headers["Content-Type"].startswith("text/calendar")
    return {str(one["summary"]): one for one in icalendar.Calendar.from_ical(answer.content).walk("VEVENT")}


class TestEventCalendarFile:
    def test_calendar_file_has_date_club_and_address(self) -> None:
        event = build_event(4)
        page = Browser().open(f"/en/e/{event.short}")
        (found,) = read_appointments(page.find_link("Add to my calendar")).values()
        assert found.decoded("dtstart") == event.held_on
        assert (str(found["summary"]), str(found["description"])) == (event.name, event.club.name)
        assert str(found["url"]) == f"http://testserver/en/e/{event.short}"

    def test_calendar_file_uses_hour_and_place_of_its_night(self) -> None:
        event = build_event(4)
        night = add_night(event.club)
        RecurringNight.objects.update(place="Church hall")
        Event.objects.update(night=night)
        (found,) = read_appointments(f"/e/{event.short}.ics").values()
        assert found.decoded("dtstart") == datetime.datetime(2026, 11, 18, 0, tzinfo=datetime.UTC)
        assert str(found["location"]) == "Church hall"

    def test_private_event_has_no_calendar_file(self) -> None:
        event = build_event(4)
        Event.objects.update(is_public=False)
        assert Browser().client.get(f"/e/{event.short}.ics").status_code == 404


@pytest.mark.long
class TestInterclubEvent:
    def build_accepted_meeting(self) -> ClubMeeting:
        meeting = ClubMeeting()
        accept_for_club(club_id=meeting.guest.pk, invited_id=meeting.invite_guest().pk)
        Event.objects.update(held_on=get_club_today(meeting.guest))
        return meeting

    def test_guest_calendar_uses_the_same_event_id(self) -> None:
        meeting = self.build_accepted_meeting()
        (alone,) = read_appointments(f"/e/{meeting.event.short}.ics").values()
        (shared,) = read_appointments(f"/c/{meeting.guest.slug}/calendar.ics").values()
        assert str(shared["uid"]) == str(alone["uid"])

    def test_private_interclub_event_is_in_no_guest_calendar(self) -> None:
        meeting = self.build_accepted_meeting()
        Event.objects.update(is_public=False)
        assert read_appointments(f"/c/{meeting.guest.slug}/calendar.ics") == {}
        assert meeting.event.name not in Browser().open(f"/c/{meeting.guest.slug}/calendar").text
