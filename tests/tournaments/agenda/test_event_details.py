"""Event details are typed once at the desk, shown on every public page, and copied to the next event."""

import json
from dataclasses import replace
from datetime import date, time, timedelta
from typing import Any

import icalendar
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clubs.calendar import get_club_today
from clubs.services.calendar import NightDetails, add_recurring_night
from tests.builders import get_refusal_code, play_round, start_next_round
from tests.long_runs import choose_count
from tests.support.browser import Browser, Page
from tests.support.office import Office
from tests.tournaments.public.test_own_pages import open_own_page
from tournaments.announcement import TEXT_LENGTHS, Announcement, announcement_from_json, announcement_to_json
from tournaments.event_files.queries import build_event_file
from tournaments.events.event_settings import read_event_settings
from tournaments.events.services.announcements import announce_event, call_off_event
from tournaments.events.services.event_cloning import make_event
from tournaments.events.services.lifecycle import start_event
from tournaments.history.services.undo import undo_action
from tournaments.models import Event

pytestmark = pytest.mark.django_db

DETAILS = {
    "starts_at": "18:30",
    "ends_at": "00:30",
    "place": "Salle des Chevaliers",
    "address": "12, rue de l’Église, Matane",
    "about": "Souper à 17 h.\n\nBienvenue aux débutants.",
    "prizes": "1000 $ en bourses",
    "bring": "Votre lunch",
    "contact": "Jeannine, 418 555-0112",
}


def build_office_with_poster(**other: Any) -> Office:
    """Build an office with an event tomorrow that has every event detail filled in."""
    office = Office(pairs=4)
    tomorrow = get_club_today(office.club) + timedelta(days=1)
    Event.objects.filter(pk=office.event.pk).update(held_on=tomorrow, signs_up=True, most_entries=10)
    office.event.refresh_from_db()
    page = announce(office, **(DETAILS | {"sign_up_until": tomorrow.isoformat()} | other))
    assert page.status == 200, page.text
    office.event.refresh_from_db()
    return office


def announce(office: Office, **typed: Any) -> Page:
    page = office.browser.open(f"/e/{office.event.short}/desk/settings")
    return office.browser.send(page, page.find_form(control_name="bring"), **typed)


def read_structured_data(page: Page) -> dict[str, Any]:
    """Return the structured data that the page gives search engines."""
    (script,) = page.find_all("script", type="application/ld+json")
    structured_data: dict[str, Any] = json.loads(script.text)["@graph"][0]
    return structured_data


@pytest.mark.slow
class TestDetailsForm:
    @pytest.mark.long
    def test_form_shows_the_saved_event_details(self) -> None:
        office = build_office_with_poster()
        page = office.browser.open(f"/e/{office.event.short}/desk/settings")
        assert {name: page.find_field(name).value for name in DETAILS if name not in ("about", "prizes", "bring")} == {
            name: detail for name, detail in DETAILS.items() if name not in ("about", "prizes", "bring")
        }
        assert office.event.announcement.about == DETAILS["about"]

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("field", "typed", "sentence"),
        [
            ("starts_at", "late", "“late” is not a time. Enter hours and minutes."),
            ("place", "x" * 121, "Too long: 120 characters at most."),
            ("starts_at", "", "Enter the start time too."),
            ("sign_up_until", "2199-01-01", "The sign-up deadline is after the event."),
        ],
    )
    def test_refused_form_keeps_the_typed_values(self, field: str, typed: str, sentence: str) -> None:
        office = Office()
        page = announce(office, **(DETAILS | {field: typed}))
        assert page.status == 422
        assert page.get_field_error(field).startswith(sentence)
        assert page.find_field("contact").value == DETAILS["contact"]
        assert office.event.announcement == Announcement()

    @pytest.mark.long
    def test_event_details_change_can_be_undone_in_the_history(self) -> None:
        office = build_office_with_poster()
        line = office.event.actions.get(kind="announce_event")
        page = office.browser.open(f"/e/{office.event.short}/desk/history/{line.pk}")
        assert "Salle des Chevaliers" in page.text
        undo_action(event_id=office.event.pk, action_id=line.pk)
        office.event.refresh_from_db()
        assert office.event.announcement == Announcement()


@pytest.mark.slow
class TestPublicDetails:
    @pytest.mark.slow
    def test_event_page_shows_all_details(self) -> None:
        office = build_office_with_poster()
        page = Browser().open(f"/e/{office.event.short}")
        text = page.text
        for detail in ("Salle des Chevaliers", "12, rue de l’Église", "1000 $", "Votre lunch", "418 555-0112"):
            assert detail in text
        assert "6:30 PM to 12:30 AM" in text.replace("\u00a0", " ").replace("midnight", "12:30 AM")
        assert "6" in [one.text for one in page.find_all("dd")], "of ten places, four are taken"

    def test_details_stay_visible_between_the_days_of_an_event(self) -> None:
        office = build_office_with_poster()
        start_event(event_id=office.event.pk)
        start_next_round(office.event)
        play_round(office.event)
        office.event.refresh_from_db()
        own = open_own_page(office.event, office.event.entries.get(number=1).player_1)
        for page in (Browser().open(f"/e/{office.event.short}"), own):
            assert "6:30 PM to 12:30 AM" in page.text.replace("\u00a0", " ")
            assert "Salle des Chevaliers" in page.text

    @pytest.mark.long
    def test_event_page_has_its_own_title_and_description(self) -> None:
        office = build_office_with_poster()
        page = Browser().open(f"/e/{office.event.short}")
        assert office.club.name in page.find_one("title").text
        description = page.find_one("meta", name="description").attrs["content"]
        assert "Salle des Chevaliers" in description
        assert "6:30" in description

    @pytest.mark.long
    def test_structured_data_has_time_place_and_picture(self) -> None:
        structured_data = read_structured_data(Browser().open(f"/e/{build_office_with_poster().event.short}"))
        assert structured_data["startDate"].endswith("T18:30:00-05:00")
        assert structured_data["endDate"].endswith("T00:30:00-05:00")
        assert structured_data["location"] == {
            "@type": "Place",
            "name": "Salle des Chevaliers",
            "address": "12, rue de l’Église, Matane",
        }
        assert structured_data["image"].endswith("/picture.png")

    @pytest.mark.long
    def test_calendar_entries_include_the_event_details(self) -> None:
        office = build_office_with_poster()
        for address in (f"/e/{office.event.short}.ics", f"/c/{office.club.slug}/calendar.ics"):
            body = Browser().client.get(address).content
            (found,) = icalendar.Calendar.from_ical(body).walk("VEVENT")
            assert found.decoded("dtstart").hour == 18
            assert str(found["location"]) == "Salle des Chevaliers, 12, rue de l’Église, Matane"
            assert "Bienvenue" in str(found["description"])

    @pytest.mark.long
    def test_event_page_falls_back_to_the_club_hall(self) -> None:
        office = build_office_with_poster(place="", address="")
        office.club.hall, office.club.hall_address = "Centre Bon-Secours", "1, rue Principale"
        office.club.save()
        text = Browser().open(f"/e/{office.event.short}").text
        assert "Centre Bon-Secours" in text
        assert "1, rue Principale" in text


class TestSignUpDeadline:
    @pytest.mark.long
    def test_deadline_closes_the_sign_up(self) -> None:
        office = build_office_with_poster()
        address = f"/e/{office.event.short}"
        assert Browser().open(address).find_link("Sign up") == f"{address}/sign-up"
        yesterday = get_club_today(office.club) - timedelta(days=1)
        announcement = replace(office.event.announcement, sign_up_until=yesterday)
        announce_event(event_id=office.event.pk, announcement=announcement)
        assert not [one for one in Browser().open(address).find_all("a") if "Sign up" in one.text]
        assert "closed" in Browser().open(f"{address}/sign-up").text


@pytest.mark.long
class TestRepeatedEventDetails:
    def repeat_event(self, office: Office, **other: Any) -> Announcement:
        made = make_event(
            club=office.club,
            settings=read_event_settings(office.event),
            like="it",
            name="Again",
            held_on=get_club_today(office.club) + timedelta(days=8),
            **other,
        )
        return Event.objects.get(pk=made.pk).announcement

    def test_repeated_event_copies_details_except_the_deadline(self) -> None:
        office = build_office_with_poster()
        assert self.repeat_event(office) == replace(office.event.announcement, sign_up_until=None)

    def test_repeated_event_takes_time_and_place_from_the_calendar(self) -> None:
        office = build_office_with_poster()
        day = get_club_today(office.club) + timedelta(days=8)
        details = NightDetails(name="Cards", pattern="weekly", first_on=day, starts_at=time(19))
        again = self.repeat_event(office, night=add_recurring_night(club_id=office.club.pk, details=details))
        assert (again.starts_at, again.place, again.bring) == (None, "", DETAILS["bring"])

    def test_event_file_includes_the_details(self) -> None:
        office = build_office_with_poster()
        content = build_event_file(office.event)
        announcement_data = content["event"]["settings"]["announcement"]
        assert announcement_from_json(announcement_data) == office.event.announcement


hours = st.none() | st.times().map(lambda hour: hour.replace(second=0, microsecond=0))
announcements = st.builds(
    Announcement,
    starts_at=hours,
    ends_at=hours,
    last_day=st.none() | st.dates(date(2000, 1, 1)),
    sign_up_until=st.none() | st.dates(date(2000, 1, 1)),
    **{name: st.text(max_size=20) for name in TEXT_LENGTHS},
)


@pytest.mark.long
@settings(max_examples=choose_count(10, long=500))
@given(announcement=announcements)
def test_event_details_survive_a_json_round_trip(announcement: Announcement) -> None:
    assert announcement_from_json(json.loads(json.dumps(announcement_to_json(announcement)))) == announcement


@pytest.mark.slow
class TestCancelledEvent:
    def call_off(self, office: Office, reason: str = "Tempête") -> Page:
        page = office.browser.open(f"/e/{office.event.short}/desk/settings")
        return office.browser.send(page, page.find_form(control_name="reason"), reason=reason)

    def get_calendar_entry(self, office: Office) -> Any:
        feed = Browser().client.get(f"/c/{office.club.slug}/calendar.ics").content
        (event,) = icalendar.Calendar.from_ical(feed).walk("VEVENT")
        return event

    @pytest.mark.snapshot
    def test_cancelled_event_page_shows_the_reason(self) -> None:
        office = build_office_with_poster()
        self.call_off(office)
        address = f"/e/{office.event.short}"
        for path in (address, f"{address}/sign-up", f"{address}/embed", f"/c/{office.club.slug}"):
            page = Browser().open(path)
            assert "Event cancelled (Tempête)" in page.text
            assert "Sign up" not in [link.text for link in page.find_all("a")]

    def test_cancelled_event_is_cancelled_in_calendar_feeds(self) -> None:
        office = build_office_with_poster()
        before = self.get_calendar_entry(office)
        self.call_off(office)
        after = self.get_calendar_entry(office)
        assert (before["status"], after["status"]) == ("CONFIRMED", "CANCELLED")
        assert after["sequence"] > before["sequence"]
        assert str(after["description"]).startswith("Event cancelled (Tempête)")
        assert after["uid"] == before["uid"]
        own = Browser().client.get(f"/e/{office.event.short}.ics").content
        (alone,) = icalendar.Calendar.from_ical(own).walk("VEVENT")
        assert (alone["uid"], alone["sequence"]) == (after["uid"], after["sequence"])

    @pytest.mark.long
    def test_structured_data_and_api_mark_a_cancelled_event(self) -> None:
        office = build_office_with_poster()
        self.call_off(office)
        assert "https://schema.org/EventCancelled" in Browser().open(f"/e/{office.event.short}").html
        announcement = Browser().client.get(f"/api/v1/events/{office.event.short}").json()["announcement"]
        assert (announcement["is_called_off"], announcement["reason_off"]) == (True, "Tempête")

    @pytest.mark.snapshot
    def test_cancelled_event_cannot_start_before_it_is_reinstated(self) -> None:
        office = build_office_with_poster()
        page = self.call_off(office)
        assert get_refusal_code(start_event, event_id=office.event.pk) == "event_called_off"
        page = office.browser.send(page, page.find_one("form", id="reinstate"))
        assert "Event cancelled" not in Browser().open(f"/e/{office.event.short}").text
        start_event(event_id=office.event.pk)

    @pytest.mark.long
    def test_changed_details_leave_the_event_cancelled(self) -> None:
        office = build_office_with_poster()
        self.call_off(office)
        announce(office, bring="Rien")
        assert "Event cancelled (Tempête)" in Browser().open(f"/e/{office.event.short}").text

    @pytest.mark.long
    def test_undo_reinstates_a_cancelled_event(self) -> None:
        office = build_office_with_poster()
        self.call_off(office)
        office.event.refresh_from_db()
        again = make_event(
            club=office.club,
            like="it",
            name="Again",
            held_on=office.event.held_on + timedelta(days=7),
            settings=read_event_settings(office.event),
        )
        assert not again.announcement.is_called_off
        undo_action(event_id=office.event.pk, action_id=office.event.actions.latest("pk").pk)
        office.event.refresh_from_db()
        assert not office.event.announcement.is_called_off

    @pytest.mark.long
    def test_started_event_cannot_be_cancelled(self) -> None:
        office = build_office_with_poster()
        start_event(event_id=office.event.pk)
        assert get_refusal_code(call_off_event, event_id=office.event.pk) == "event_started"
        assert office.browser.open(f"/e/{office.event.short}/desk/settings").find_all(id="call_off") == []
