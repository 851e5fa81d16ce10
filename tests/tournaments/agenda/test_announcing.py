"""Details of an event: typed once at the desk, shown to everybody, copied to the next one."""

import json
from dataclasses import replace
from datetime import date, time, timedelta
from typing import Any

import icalendar
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.calendar import today_in
from clubs.services import NightDetails, add_recurring_night
from tests.builders import code_of, next_round, play_round
from tests.support.browser import Browser, Page
from tests.support.office import Office
from tests.tournaments.public.test_own_pages import page_of
from tournaments.announcement import LENGTHS, Announcement, announcement_from_json, announcement_to_json
from tournaments.event_files.queries import event_file_of
from tournaments.events.event_settings import event_settings_of
from tournaments.events.services.announcing import announce_event, call_off_event
from tournaments.events.services.event_cloning import make_event
from tournaments.events.services.lifecycle import start_event
from tournaments.history.services.undo import undo_action
from tournaments.models import Event

pytestmark = pytest.mark.django_db

SAID = {
    "starts_at": "18:30",
    "ends_at": "00:30",
    "place": "Salle des Chevaliers",
    "address": "12, rue de l’Église, Matane",
    "about": "Souper à 17 h.\n\nBienvenue aux débutants.",
    "prizes": "1000 $ en bourses",
    "bring": "Votre lunch",
    "contact": "Jeannine, 418 555-0112",
}


def a_poster(**other: Any) -> Office:
    """The office, with an event of tomorrow that says all that a poster says."""
    office = Office(pairs=4)
    tomorrow = today_in(office.club) + timedelta(days=1)
    Event.objects.filter(pk=office.event.pk).update(held_on=tomorrow, signs_up=True, most_entries=10)
    office.event.refresh_from_db()
    page = announce(office, **(SAID | {"sign_up_until": tomorrow.isoformat()} | other))
    assert page.status == 200, page.text
    office.event.refresh_from_db()
    return office


def announce(office: Office, **typed: Any) -> Page:
    page = office.browser.open(f"/e/{office.event.short}/desk/settings")
    return office.browser.send(page, page.form(having="bring"), **typed)


def facts(page: Page) -> dict[str, Any]:
    """Return what the page tells search engines of the event."""
    (script,) = page.every("script", type="application/ld+json")
    told: dict[str, Any] = json.loads(script.text)["@graph"][0]
    return told


class TestTheForm:
    @pytest.mark.slow
    def test_keeps_what_was_said_and_shows_it_again(self) -> None:
        office = a_poster()
        page = office.browser.open(f"/e/{office.event.short}/desk/settings")
        assert {
            name: page.field(name).value for name in SAID if name not in ("about", "prizes", "bring")
        } == {name: said for name, said in SAID.items() if name not in ("about", "prizes", "bring")}
        assert office.event.announcement.about == SAID["about"]

    @pytest.mark.parametrize(
        ("field", "typed", "sentence"),
        [
            ("starts_at", "late", "“late” is not a time. Enter hours and minutes."),
            ("place", "x" * 121, "Too long: 120 characters at most."),
            ("starts_at", "", "Enter the start time too."),
            ("sign_up_until", "2199-01-01", "The sign-up deadline is after the event."),
        ],
    )
    def test_refused_keeps_all_that_was_typed(self, field: str, typed: str, sentence: str) -> None:
        office = Office()
        page = announce(office, **(SAID | {field: typed}))
        assert page.status == 422
        assert page.said_at(field).startswith(sentence)
        assert page.field("contact").value == SAID["contact"]
        assert office.event.announcement == Announcement()

    @pytest.mark.slow
    def test_is_a_line_of_the_history_and_undone_there(self) -> None:
        office = a_poster()
        line = office.event.actions.get(kind="announce_event")
        page = office.browser.open(f"/e/{office.event.short}/desk/history/{line.pk}")
        assert "Salle des Chevaliers" in page.text
        undo_action(event_id=office.event.pk, action_id=line.pk)
        office.event.refresh_from_db()
        assert office.event.announcement == Announcement()


class TestThePublicPage:
    def test_says_all_of_it(self) -> None:
        office = a_poster()
        page = Browser().open(f"/e/{office.event.short}")
        text = page.text
        for said in ("Salle des Chevaliers", "12, rue de l’Église", "1000 $", "Votre lunch", "418 555-0112"):
            assert said in text
        assert "6:30 PM to 12:30 AM" in text.replace("\u00a0", " ").replace("midnight", "12:30 AM")
        assert "6" in [one.text for one in page.every("dd")], "of ten places, four are taken"

    @pytest.mark.slow
    def test_says_between_two_days_when_and_where_it_goes_on_as_ones_own_page_does(self) -> None:
        office = a_poster()
        start_event(event_id=office.event.pk)
        next_round(office.event)
        play_round(office.event)
        office.event.refresh_from_db()
        own = page_of(office.event, office.event.entries.get(number=1).player_1)
        for page in (Browser().open(f"/e/{office.event.short}"), own):
            assert "6:30 PM to 12:30 AM" in page.text.replace("\u00a0", " ")
            assert "Salle des Chevaliers" in page.text

    @pytest.mark.slow
    def test_has_a_title_and_a_description_of_its_own(self) -> None:
        office = a_poster()
        page = Browser().open(f"/e/{office.event.short}")
        assert office.club.name in page.one("title").text
        description = page.one("meta", name="description").attrs["content"]
        assert "Salle des Chevaliers" in description
        assert "6:30" in description

    def test_tells_search_engines_hour_end_place_and_picture(self) -> None:
        told = facts(Browser().open(f"/e/{a_poster().event.short}"))
        assert told["startDate"].endswith("T18:30:00-05:00")
        assert told["endDate"].endswith("T00:30:00-05:00")
        assert told["location"] == {
            "@type": "Place",
            "name": "Salle des Chevaliers",
            "address": "12, rue de l’Église, Matane",
        }
        assert told["image"].endswith("/picture.png")

    @pytest.mark.slow
    def test_is_said_in_agendas_too(self) -> None:
        office = a_poster()
        for address in (f"/e/{office.event.short}.ics", f"/c/{office.club.slug}/calendar.ics"):
            body = Browser().client.get(address).content
            (found,) = icalendar.Calendar.from_ical(body).walk("VEVENT")
            assert found.decoded("dtstart").hour == 18
            assert str(found["location"]) == "Salle des Chevaliers, 12, rue de l’Église, Matane"
            assert "Bienvenue" in str(found["description"])

    @pytest.mark.slow
    def test_says_where_the_club_plays_where_nothing_else_is_said(self) -> None:
        office = a_poster(place="", address="")
        office.club.hall, office.club.hall_address = "Centre Bon-Secours", "1, rue Principale"
        office.club.save()
        text = Browser().open(f"/e/{office.event.short}").text
        assert "Centre Bon-Secours" in text
        assert "1, rue Principale" in text


class TestTheDeadline:
    @pytest.mark.slow
    def test_closes_the_sign_up_after_its_day(self) -> None:
        office = a_poster()
        address = f"/e/{office.event.short}"
        assert Browser().open(address).link("Sign up") == f"{address}/sign-up"
        yesterday = today_in(office.club) - timedelta(days=1)
        said = replace(office.event.announcement, sign_up_until=yesterday)
        announce_event(event_id=office.event.pk, announcement=said)
        assert not [one for one in Browser().open(address).every("a") if "Sign up" in one.text]
        assert "closed" in Browser().open(f"{address}/sign-up").text


class TestTheNextOne:
    def again(self, office: Office, **other: Any) -> Announcement:
        made = make_event(
            club=office.club,
            settings=event_settings_of(office.event),
            like="it",
            name="Again",
            held_on=today_in(office.club) + timedelta(days=8),
            **other,
        )
        return Event.objects.get(pk=made.pk).announcement

    def test_says_the_same_but_for_the_deadline(self) -> None:
        office = a_poster()
        assert self.again(office) == replace(office.event.announcement, sign_up_until=None)

    def test_of_the_calendar_is_at_the_hour_and_place_of_the_calendar(self) -> None:
        office = a_poster()
        day = today_in(office.club) + timedelta(days=8)
        details = NightDetails(name="Cards", pattern="weekly", first_on=day, starts_at=time(19))
        again = self.again(office, night=add_recurring_night(club_id=office.club.pk, details=details))
        assert (again.starts_at, again.place, again.bring) == (None, "", SAID["bring"])

    def test_is_in_the_events_file(self) -> None:
        office = a_poster()
        content = event_file_of(office.event)
        kept = content["event"]["settings"]["announcement"]
        assert announcement_from_json(kept) == office.event.announcement


hours = st.none() | st.times().map(lambda hour: hour.replace(second=0, microsecond=0))
announcements = st.builds(
    Announcement,
    starts_at=hours,
    ends_at=hours,
    last_day=st.none() | st.dates(date(2000, 1, 1)),
    sign_up_until=st.none() | st.dates(date(2000, 1, 1)),
    **{name: st.text(max_size=20) for name in LENGTHS},
)


@pytest.mark.slow
@given(said=announcements)
def test_what_is_said_is_stored_and_read_again(said: Announcement) -> None:
    assert announcement_from_json(json.loads(json.dumps(announcement_to_json(said)))) == said


@pytest.mark.slow
class TestAnEventThatIsCalledOff:
    def call_off(self, office: Office, reason: str = "Tempête") -> Page:
        page = office.browser.open(f"/e/{office.event.short}/desk/settings")
        return office.browser.send(page, page.form(having="reason"), reason=reason)

    def in_agendas(self, office: Office) -> Any:
        feed = Browser().client.get(f"/c/{office.club.slug}/calendar.ics").content
        (event,) = icalendar.Calendar.from_ical(feed).walk("VEVENT")
        return event

    @pytest.mark.snapshot
    @pytest.mark.parametrize("path", ["/e/{short}", "/e/{short}/sign-up", "/e/{short}/embed", "/c/{club}"])
    def test_is_told_so_to_everybody_and_why(self, path: str) -> None:
        office = a_poster()
        self.call_off(office)
        page = Browser().open(path.format(short=office.event.short, club=office.club.slug))
        assert "Event cancelled (Tempête)" in page.text
        assert "Sign up" not in [link.text for link in page.every("a")]

    def test_is_struck_out_in_agendas_that_have_it(self) -> None:
        office = a_poster()
        before = self.in_agendas(office)
        self.call_off(office)
        after = self.in_agendas(office)
        assert (before["status"], after["status"]) == ("CONFIRMED", "CANCELLED")
        assert after["sequence"] > before["sequence"]
        assert str(after["description"]).startswith("Event cancelled (Tempête)")
        assert after["uid"] == before["uid"]
        own = Browser().client.get(f"/e/{office.event.short}.ics").content
        (alone,) = icalendar.Calendar.from_ical(own).walk("VEVENT")
        assert (alone["uid"], alone["sequence"]) == (after["uid"], after["sequence"])

    def test_is_cancelled_for_search_engines_and_for_programs(self) -> None:
        office = a_poster()
        self.call_off(office)
        assert "https://schema.org/EventCancelled" in Browser().open(f"/e/{office.event.short}").html
        told = Browser().client.get(f"/api/v1/events/{office.event.short}").json()["announcement"]
        assert (told["is_called_off"], told["reason_off"]) == (True, "Tempête")

    @pytest.mark.snapshot
    def test_cannot_start_until_it_is_held_after_all(self) -> None:
        office = a_poster()
        page = self.call_off(office)
        assert code_of(start_event, event_id=office.event.pk) == "event_called_off"
        page = office.browser.send(page, page.one("form", id="reinstate"))
        assert "Event cancelled" not in Browser().open(f"/e/{office.event.short}").text
        start_event(event_id=office.event.pk)

    def test_stays_so_when_its_poster_says_something_else(self) -> None:
        office = a_poster()
        self.call_off(office)
        announce(office, bring="Rien")
        assert "Event cancelled (Tempête)" in Browser().open(f"/e/{office.event.short}").text

    def test_is_held_again_by_an_undo_and_once_more_next_week(self) -> None:
        office = a_poster()
        self.call_off(office)
        office.event.refresh_from_db()
        again = make_event(
            club=office.club,
            like="it",
            name="Again",
            held_on=office.event.held_on + timedelta(days=7),
            settings=event_settings_of(office.event),
        )
        assert not again.announcement.is_called_off
        undo_action(event_id=office.event.pk, action_id=office.event.actions.latest("pk").pk)
        office.event.refresh_from_db()
        assert not office.event.announcement.is_called_off

    def test_that_has_begun_is_not(self) -> None:
        office = a_poster()
        start_event(event_id=office.event.pk)
        assert code_of(call_off_event, event_id=office.event.pk) == "event_started"
        assert office.browser.open(f"/e/{office.event.short}/desk/settings").every(id="call_off") == []
