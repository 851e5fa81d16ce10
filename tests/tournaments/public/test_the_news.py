"""A club's news as a feed, and what agendas read: by public names, of public events, sent once."""

import datetime
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree

import icalendar
import pytest

from clubs.audit.log import Actor
from clubs.calendar import today_in
from clubs.models import Club, Person, RecurringNight
from clubs.services import NightDetails, add_recurring_night, cancel_date, move_date, undo_club_action
from engine.visibility import Release
from tests.builders import a_club, a_played_night, an_account, an_event, standings_after
from tests.support.browser import Browser
from tests.tournaments.interclub.test_interclub import Meeting
from tests.tournaments.publishing.test_publishing import correct
from tournaments.events.services.lifecycle import end_event
from tournaments.interclub.services.invitations import accept_for_club
from tournaments.models import Event
from tournaments.publishing.services.publishing import change_release, publish_final

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("the latest of each is looked for")]

ATOM = {"atom": "http://www.w3.org/2005/Atom"}


def the_feed(club: Club, language: str = "") -> ElementTree.Element:
    answer = Browser().client.get(f"{language}/c/{club.slug}/news.atom")
    assert answer.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(answer.content)


def news(club: Club, language: str = "") -> list[tuple[str, str]]:
    """Title and text of each piece, the last one first."""
    entries = the_feed(club, language).iterfind("atom:entry", ATOM)
    return [(told(entry, "title"), told(entry, "summary")) for entry in entries]


def told(element: ElementTree.Element, name: str) -> str:
    return element.findtext(f"atom:{name}", "", ATOM)


def an_ended_night(club: Club) -> Event:
    night = a_played_night(4, club=club)
    standings_after(night)
    return end_event(event_id=night.pk)


def a_recurring_night(club: Club) -> RecurringNight:
    details = NightDetails(
        name="Tuesday cards", pattern="weekly", first_on=today_in(club), starts_at=datetime.time(19)
    )
    night = add_recurring_night(club_id=club.pk, details=details)
    assert night is not None
    return night


class TestTheNews:
    def test_of_a_club_that_has_none_are_a_feed_nevertheless(self) -> None:
        club = a_club("Cartes & thé <3>")
        feed = the_feed(club)
        assert told(feed, "title") == "Cartes & thé <3>"
        assert news(club) == []

    @pytest.mark.slow
    def test_are_what_atom_asks_for(self) -> None:
        club = a_club()
        an_ended_night(club)
        feed = the_feed(club)
        pieces = [feed, *feed.iterfind("atom:entry", ATOM)]
        ids = [told(piece, "id") for piece in pieces]
        assert len(ids) == len(set(ids)) == 3
        for piece in pieces:
            assert told(piece, "title")
            assert datetime.datetime.fromisoformat(told(piece, "updated")).tzinfo is not None
        assert feed.findtext("atom:author/atom:name", "", ATOM) == club.name
        links = {one.attrib["rel"]: one.attrib["href"] for one in feed.iterfind("atom:link", ATOM)}
        assert links == {
            "alternate": f"http://testserver/c/{club.slug}",
            "self": f"http://testserver/c/{club.slug}/news.atom",
        }

    @pytest.mark.slow
    def test_tell_who_came_first_by_public_names_and_before_that_what_is_played(self) -> None:
        club = a_club()
        night = an_ended_night(club)
        (result, best), (announced, rules) = news(club)
        assert result == f"Results: {night.name}"
        assert announced == f"{night.name}, Tuesday, November 17"
        assert rules == "Canadian rules, games to 32"
        assert best.startswith("1. ")
        assert not [person.name for person in Person.objects.all() if person.name in best]

    @pytest.mark.slow
    def test_tell_results_again_when_they_are_final_and_when_that_is_corrected(self) -> None:
        club = a_club()
        night = an_ended_night(club)
        pieces = [next(the_feed(club).iterfind("atom:entry", ATOM))]
        publish_final(event_id=night.pk)
        pieces.append(next(the_feed(club).iterfind("atom:entry", ATOM)))
        correct(night)
        publish_final(event_id=night.pk)
        pieces.append(next(the_feed(club).iterfind("atom:entry", ATOM)))
        assert len({told(piece, "id") for piece in pieces}) == 1
        assert len({told(piece, "published") for piece in pieces}) == 1
        titles = [told(piece, "title").partition(":")[0] for piece in pieces]
        assert titles == ["Results", "Results", "Corrected results"]
        updated = [told(piece, "updated") for piece in pieces]
        assert updated == sorted(set(updated))

    @pytest.mark.slow
    def test_tell_final_results_though_nobody_has_ended_the_event(self) -> None:
        club = a_club()
        night = a_played_night(4, club=club)
        publish_final(event_id=night.pk)
        assert told(next(the_feed(club).iterfind("atom:entry", ATOM)), "title").startswith("Results")

    @pytest.mark.slow
    @pytest.mark.parametrize("field", [{"shows_standings": "never"}, {"silent_from": 1}])
    def test_name_nobody_where_the_event_keeps_its_standings_back(self, field: dict[str, Any]) -> None:
        club = a_club()
        an_ended_night(club)
        Event.objects.update(**field)
        (_, best), *_ = news(club)
        assert best == club.name

    @pytest.mark.slow
    def test_say_nothing_of_an_event_that_is_not_public(self) -> None:
        club = a_club()
        an_ended_night(club)
        Event.objects.update(is_public=False)
        assert news(club) == []

    @pytest.mark.slow
    def test_of_an_event_that_was_hidden_are_news_when_it_is_shown(self) -> None:
        club = a_club()
        hidden, other = an_ended_night(club), an_event(club=club)
        for is_public in (False, True):
            change_release(event_id=hidden.pk, release=Release(is_public=is_public))
        assert [title.partition(":")[0] for title, _ in news(club)] == [
            "Results",
            *(f"{event.name}, Tuesday, November 17" for event in (hidden, other)),
        ]
        shown = [told(entry, "id") for entry in the_feed(club).iterfind("atom:entry", ATOM)]
        assert [f"/{hidden.short}#" in one for one in shown] == [True, True, False]

    def test_tell_of_a_night_that_is_cancelled_and_held_after_all(self) -> None:
        club = a_club()
        night, by = a_recurring_night(club), Actor(account=an_account())
        day = today_in(club) + timedelta(days=7)
        cancel_date(club_id=club.pk, night_id=night.pk, on=day, reason="storm", by=by)
        assert news(club)[0][0].startswith("Tuesday cards: cancelled on ")
        before = told(next(the_feed(club).iterfind("atom:entry", ATOM)), "id")
        undo_club_action(club_id=club.pk, action_id=club.actions.latest("pk").pk, by=by)
        ((title, _),) = news(club)
        assert title.startswith("Tuesday cards: held on ")
        assert told(next(the_feed(club).iterfind("atom:entry", ATOM)), "id") != before

    def test_tell_where_a_night_was_put_off_to(self) -> None:
        club = a_club()
        night = a_recurring_night(club)
        day = today_in(club)
        move_date(club_id=club.pk, night_id=night.pk, on=day, moved_to=day + timedelta(days=2))
        assert f" to {day + timedelta(days=2):%A}" in news(club)[0][0]

    @pytest.mark.slow
    def test_are_in_the_language_of_the_club_or_of_the_address(self) -> None:
        club = a_club()
        an_ended_night(club)
        assert news(club)[0][0].startswith("Results: ")
        assert news(club, "/fr")[0][0].startswith("Résultats")
        assert the_feed(club, "/fr").attrib["{http://www.w3.org/XML/1998/namespace}lang"] == "fr-CA"

    def test_are_sent_again_only_once_there_are_others(self) -> None:
        club = a_club()
        address = f"/c/{club.slug}/news.atom"
        tag = Browser().client.get(address).headers["ETag"]
        assert Browser().client.get(address, headers={"If-None-Match": tag}).status_code == 304
        an_event(4, club=club)
        assert Browser().client.get(address, headers={"If-None-Match": tag}).status_code == 200

    def test_of_no_club_are_not_there(self) -> None:
        assert Browser().client.get("/c/nowhere/news.atom").status_code == 404


def appointments(address: str) -> dict[str, Any]:
    """Return what an agenda reads there, by its name."""
    answer = Browser().client.get(address)
    assert answer.headers["Content-Type"].startswith("text/calendar")
    return {str(one["summary"]): one for one in icalendar.Calendar.from_ical(answer.content).walk("VEVENT")}


class TestAnEventInAnAgenda:
    def test_is_on_its_day_with_its_club_and_address(self) -> None:
        event = an_event(4)
        page = Browser().open(f"/en/e/{event.short}")
        (found,) = appointments(page.link("Add to my calendar")).values()
        assert found.decoded("dtstart") == event.held_on
        assert (str(found["summary"]), str(found["description"])) == (event.name, event.club.name)
        assert str(found["url"]) == f"http://testserver/en/e/{event.short}"

    def test_begins_at_the_hour_of_its_night_at_its_place(self) -> None:
        event = an_event(4)
        night = a_recurring_night(event.club)
        RecurringNight.objects.update(place="Church hall")
        Event.objects.update(night=night)
        (found,) = appointments(f"/e/{event.short}.ics").values()
        assert found.decoded("dtstart") == datetime.datetime(2026, 11, 18, 0, tzinfo=datetime.UTC)
        assert str(found["location"]) == "Church hall"

    def test_that_is_not_public_is_not_there(self) -> None:
        event = an_event(4)
        Event.objects.update(is_public=False)
        assert Browser().client.get(f"/e/{event.short}.ics").status_code == 404


@pytest.mark.slow
class TestAnEventOfSeveralClubs:
    def accepted(self) -> Meeting:
        meeting = Meeting()
        accept_for_club(club_id=meeting.guest.pk, invited_id=meeting.invited().pk)
        Event.objects.update(held_on=today_in(meeting.guest))
        return meeting

    def test_stands_in_the_calendar_of_each_guest_under_the_id_that_it_has_itself(self) -> None:
        meeting = self.accepted()
        (alone,) = appointments(f"/e/{meeting.event.short}.ics").values()
        (shared,) = appointments(f"/c/{meeting.guest.slug}/calendar.ics").values()
        assert str(shared["uid"]) == str(alone["uid"])

    def test_that_is_not_public_stands_in_none(self) -> None:
        meeting = self.accepted()
        Event.objects.update(is_public=False)
        assert appointments(f"/c/{meeting.guest.slug}/calendar.ics") == {}
        assert meeting.event.name not in Browser().open(f"/c/{meeting.guest.slug}/calendar").text
