"""The calendar: nights that come again, storms, tonight's in one tap, and what everybody reads of it."""

from datetime import date, timedelta
from typing import Any

import icalendar
import pytest

from clubs.calendar import today_in
from clubs.models import ChangedDate, RecurringNight
from clubs.services import keep_usual_night
from tests.builders import an_event
from tests.support.browser import Browser, Page
from tests.support.office import Office
from tests.tournaments.events.test_tonight import a_week_later
from tournaments.events.event_settings import event_settings_of, event_settings_to_json
from tournaments.events.services.announcing import call_off_event
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Event

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def add(office: Office, **typed: Any) -> Page:
    """A night that comes again every week from today, unless it is said otherwise."""
    page = office.browser.open(f"/club/{office.club.slug}/calendar")
    page = office.browser.open(page.link("Add a night"))
    said: dict[str, Any] = {"name": "Tuesday cards", "place": "Church hall"} | typed
    return office.browser.send(page, page.form(having="pattern"), **said)


def the_club(office: Office) -> Page:
    return office.browser.open(f"/club/{office.club.slug}")


def on(office: Office, day: date) -> str:
    night = RecurringNight.objects.get()
    return f"/club/{office.club.slug}/calendar/{night.pk}/on/{day.isoformat()}"


def change(office: Office, day: date, *button: str, **typed: Any) -> Page:
    page = office.browser.open(on(office, day))
    form = page.form(having="moved_to")
    return office.browser.send(page, form, (button[0], "1") if button else None, **typed)


def public(office: Office, rest: str = "") -> Page:
    return Browser().open(f"/c/{office.club.slug}/calendar{rest}")


class TestANightThatComesAgain:
    def test_is_added_and_stands_on_the_page_and_on_the_clubs(self) -> None:
        office = Office()
        page = add(office)
        assert "Added to calendar: Tuesday cards" in page.one(role="status").text
        assert f"Every {today_in(office.club):%A} · 7:00" in page.text
        assert "Church hall" in the_club(office).text

    def test_that_begins_next_year_is_none_of_the_next_weeks(self) -> None:
        office = Office()
        page = add(office, first_on=(today_in(office.club) + timedelta(days=365)).isoformat())
        assert (
            page.one("section", **{"aria-labelledby": "next"}).one("li").text == "None in the coming weeks."
        )

    @pytest.mark.parametrize(
        ("field", "typed", "sentence"),
        [
            ("name", "", "Enter a name."),
            ("first_on", "", "Choose a day."),
            ("first_on", "soon", "“soon” is not a date."),
            ("first_on", "0001-01-01", "Choose a date from 1900 to 2199."),
            ("last_on", "2001-01-01", "The last day is before the first."),
            ("starts_at", "", "Enter the start time."),
            ("ends_at", "late", "“late” is not a time."),
            ("place", "x" * 121, "Too long: 120 characters at most."),
        ],
    )
    def test_refused_keeps_what_was_typed(self, field: str, typed: str, sentence: str) -> None:
        office = Office()
        said: dict[str, Any] = {"pattern": "monthly"} | {field: typed}
        page = add(office, **said)
        assert page.status == 422
        assert page.said_at(field).startswith(sentence)
        assert page.field(field).value == typed
        assert page.chosen("pattern") == ["monthly"]
        assert not RecurringNight.objects.exists()

    def test_is_changed_and_taken_off_and_put_back_from_the_notice(self) -> None:
        office = Office()
        page = add(office)
        page = office.browser.open(page.link("Tuesday cardsEvery"))
        page = office.browser.send(page, page.form(having="pattern"), ends_at="22:30", name="Cards")
        assert "Changed in calendar: Cards" in page.one(role="status").text
        page = office.browser.open(f"/club/{office.club.slug}/calendar/{RecurringNight.objects.get().pk}")
        page = office.browser.send(page, page.form("/remove"))
        assert "Removed from calendar: Cards" in page.one(role="status").text
        assert not RecurringNight.objects.exists()
        page = office.browser.send(page, page.form("/undo"))
        assert RecurringNight.objects.get().name == "Cards"


class TestADay:
    def test_is_put_off_for_a_storm_and_everybody_reads_where_to(self) -> None:
        office = Office()
        add(office)
        today = today_in(office.club)
        page = change(office, today, why="storm", moved_to=(today + timedelta(days=2)).isoformat())
        assert "Tuesday cards: postponed from" in page.one(role="status").text
        for text in (page.text, public(office).text):
            assert f"postponed to {today + timedelta(days=2):%A}" in text
            assert "(storm)" in text
            assert f"instead of {today:%A}" in text

    def test_is_cancelled_and_held_after_all_from_its_page_or_the_notice(self) -> None:
        office = Office()
        add(office)
        next_week = today_in(office.club) + timedelta(days=7)
        page = change(office, next_week, "cancel", why="holiday")
        assert "Cancelled (holiday)" in public(office).text
        page = office.browser.open(on(office, next_week))
        page = office.browser.send(page, page.form(having="restore"), ("restore", "1"))
        assert "reinstated" in page.one(role="status").text
        assert not ChangedDate.objects.exists()
        page = office.browser.send(page, page.form("/undo"))
        assert "Cancelled (holiday)" in page.text

    @pytest.mark.snapshot
    @pytest.mark.parametrize("button", [("cancel",), ()], ids=["cancelled", "postponed"])
    def test_whose_evening_is_made_leads_to_where_its_page_stops_inviting(
        self, button: tuple[str, ...]
    ) -> None:
        office = Office()
        add(office, name=office.event.name)
        today = today_in(office.club)
        Event.objects.update(held_on=today)
        moved_to = "" if button else (today + timedelta(days=2)).isoformat()
        page = change(office, today, *button, why="storm", moved_to=moved_to)
        invites = f"The page of “{office.event.name}” still announces"
        assert invites in page.text
        settings = office.browser.open(page.link("Cancel the event" if button else "Change the date"))
        if button:
            office.browser.send(settings, settings.form(having="reason"), reason="storm")
        else:
            office.browser.send(settings, settings.form(having="held_on"), held_on=moved_to)
        assert invites not in office.browser.open(f"/club/{office.club.slug}/calendar").text

    def test_held_after_all_leads_to_its_evening_that_is_still_called_off(self) -> None:
        office = Office()
        add(office, name=office.event.name)
        Event.objects.update(held_on=today_in(office.club))
        call_off_event(event_id=office.event.pk, reason="storm")
        page = office.browser.open(f"/club/{office.club.slug}/calendar")
        assert "cancelled on its page, but not in the calendar (" in page.text
        settings = office.browser.open(page.link("Reinstate the event"))
        office.browser.send(settings, settings.one("form", id="reinstate"))
        assert "cancelled on its page" not in office.browser.open(f"/club/{office.club.slug}/calendar").text

    def test_without_another_day_is_not_put_off(self) -> None:
        office = Office()
        add(office)
        page = change(office, today_in(office.club), why="storm")
        assert (page.status, page.said_at("moved_to")) == (422, "Choose a day.")
        assert page.field("why").value == "storm"
        assert not ChangedDate.objects.exists()

    @pytest.mark.parametrize("day", ["2026-02-30", "x", "1999-01-01", "99999-01-01"])
    def test_that_is_none_of_the_night_has_no_page(self, day: str) -> None:
        office = Office()
        add(office)
        night = RecurringNight.objects.get()
        assert office.browser.open(f"/club/{office.club.slug}/calendar/{night.pk}/on/{day}").status == 404


class TestTonight:
    def started(self, office: Office) -> Page:
        page = the_club(office)
        return office.browser.send(page, page.form("/start"))

    def test_is_one_tap_from_the_clubs_page_to_the_door(self) -> None:
        office = a_week_later(pairs=3)
        settings = event_settings_to_json(event_settings_of(office.event)) | {"table_count": 9}
        usual = keep_usual_night(club_id=office.club.pk, name="Mardi régulier", settings=settings)
        add(office, usual=str(usual.pk))
        assert "Tuesday cards · 7:00 PM" in the_club(office).text.replace("\u00a0", " ")
        page = self.started(office)
        event = Event.objects.get(name="Tuesday cards")
        assert page.path == f"/e/{event.short}/desk/entries/check-in"
        assert (event.held_on, event.table_count) == (today_in(office.club), 9)
        assert event.entries.count() == 3
        assert event.actions.earliest("pk").details == {"like": "Mardi régulier"}

    def test_is_played_like_the_last_time_where_nothing_else_is_said(self) -> None:
        office = a_week_later(pairs=3)
        add(office)
        self.started(office)
        assert event_settings_of(Event.objects.get(name="Tuesday cards")) == event_settings_of(office.event)

    def test_tapped_twice_is_one_evening(self) -> None:
        office = a_week_later()
        add(office)
        page = the_club(office)
        for _ in range(2):
            office.browser.send(page, page.form("/start"))
        assert Event.objects.count() == 2

    def test_made_under_another_name_is_not_offered_again(self) -> None:
        office = a_week_later()
        add(office)
        self.started(office)
        Event.objects.filter(name="Tuesday cards").update(name="Saint-Valentin")
        assert "Start the night" not in the_club(office).text

    def test_that_was_cancelled_is_not_offered_and_an_older_page_makes_nothing(self) -> None:
        office = a_week_later()
        add(office)
        older = the_club(office)
        change(office, today_in(office.club), "cancel")
        assert "Start the night" not in the_club(office).text
        page = office.browser.send(older, older.form("/start"))
        assert page.status == 404
        assert "The night is not on that day." in page.text
        assert Event.objects.get() == office.event

    def test_is_not_offered_again_after_it_has_ended(self) -> None:
        office = a_week_later()
        add(office)
        self.started(office)
        event = Event.objects.get(name="Tuesday cards")
        start_event(event_id=event.pk)
        end_event(event_id=event.pk)
        assert "Start the night" not in the_club(office).text

    def test_is_not_offered_on_another_day(self) -> None:
        office = a_week_later()
        add(office, first_on=(today_in(office.club) + timedelta(days=1)).isoformat())
        assert "Start the night" not in the_club(office).text

    def test_brings_only_people_who_come_in_such_entries(self) -> None:
        office = a_week_later(pairs=3)
        alone = an_event(4, club=office.club, draw_format="rotation")
        usual = keep_usual_night(
            club_id=office.club.pk, name="Alone", settings=event_settings_to_json(event_settings_of(alone))
        )
        add(office, usual=str(usual.pk))
        page = self.started(office)
        event = Event.objects.get(name="Tuesday cards")
        assert page.path == f"/e/{event.short}/desk/entries"
        assert not event.entries.exists()


class TestWhatEverybodyReads:
    def test_is_a_page_that_is_made_anew_only_when_the_calendar_changed(self) -> None:
        office, reader = Office(), Browser()
        add(office)
        path = f"/c/{office.club.slug}/calendar"
        page = reader.open(path)
        assert "Church hall" in page.text
        assert reader.open(path, **{"If-None-Match": page.revision}).status == 304
        change(office, today_in(office.club), "cancel")
        assert reader.open(path, **{"If-None-Match": page.revision}).status == 200

    def test_is_a_feed_that_agendas_follow(self) -> None:
        office, agenda = Office(), Browser()
        add(office, ends_at="22:00")
        path = f"/c/{office.club.slug}/calendar.ics"
        answer = agenda.client.get(path)
        assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
        assert "Set-Cookie" not in answer.headers
        walked = icalendar.Calendar.from_ical(answer.content).walk("VEVENT")
        events = [event for event in walked if str(event["summary"]) == "Tuesday cards"]
        assert len(events) >= 52
        assert {str(event["location"]) for event in events} == {"Church hall"}
        etag = {"If-None-Match": answer.headers["ETag"]}
        assert agenda.client.get(path, headers=etag).status_code == 304
        change(office, today_in(office.club), "cancel", why="storm")
        answer = agenda.client.get(path, headers=etag)
        assert answer.status_code == 200
        walked = icalendar.Calendar.from_ical(answer.content).walk("VEVENT")
        first = next(event for event in walked if str(event["summary"]) == "Tuesday cards")
        assert str(first["status"]) == "CANCELLED"

    def test_of_no_club_is_no_page(self) -> None:
        assert Browser().open("/c/nowhere/calendar").status == 404
        assert Browser().open("/c/nowhere/calendar.ics").status == 404

    def test_says_that_there_is_nothing_yet(self) -> None:
        assert "No dates announced yet." in public(Office()).text
