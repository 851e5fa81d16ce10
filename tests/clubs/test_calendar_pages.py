"""Calendar pages: recurring nights, postponed and cancelled dates, starting a night, the public calendar."""

from datetime import date, timedelta
from typing import Any

import icalendar
import pytest

from clubs.calendar import get_club_today
from clubs.models import ChangedDate, RecurringNight
from clubs.services.night_templates import save_night_template
from tests.builders import build_event
from tests.support.browser import Browser, Page
from tests.support.office import Office
from tests.tournaments.events.test_repeat_last_night import build_office_week_later
from tournaments.events.event_settings import event_settings_to_json, read_event_settings
from tournaments.events.services.announcements import call_off_event
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Event

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def add(office: Office, **typed: Any) -> Page:
    """Submit the form for a recurring night: by default, every week from today."""
    page = office.browser.open(f"/club/{office.club.slug}/calendar")
    page = office.browser.open(page.find_link("Add a night"))
    form_values: dict[str, Any] = {"name": "Tuesday cards", "place": "Church hall"} | typed
    return office.browser.send(page, page.find_form(control_name="pattern"), **form_values)


def open_club(office: Office) -> Page:
    return office.browser.open(f"/club/{office.club.slug}")


def get_date_path(office: Office, day: date) -> str:
    night = RecurringNight.objects.get()
    return f"/club/{office.club.slug}/calendar/{night.pk}/on/{day.isoformat()}"


def change(office: Office, day: date, *button: str, **typed: Any) -> Page:
    page = office.browser.open(get_date_path(office, day))
    form = page.find_form(control_name="moved_to")
    return office.browser.send(page, form, (button[0], "1") if button else None, **typed)


def open_public_calendar(office: Office, rest: str = "") -> Page:
    return Browser().open(f"/c/{office.club.slug}/calendar{rest}")


class TestRecurringNightForm:
    def test_added_night_appears_on_calendar_and_club_pages(self) -> None:
        office = Office()
        page = add(office)
        assert "Added to calendar: Tuesday cards" in page.find_one(role="status").text
        assert f"Every {get_club_today(office.club):%A} · 7:00" in page.text
        assert "Church hall" in open_club(office).text

    def test_night_starting_next_year_is_not_among_the_next_dates(self) -> None:
        office = Office()
        page = add(office, first_on=(get_club_today(office.club) + timedelta(days=365)).isoformat())
        assert (
            page.find_one("section", **{"aria-labelledby": "next"}).find_one("li").text == "None in the coming weeks."
        )

    @pytest.mark.long
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
    def test_refused_form_keeps_typed_values(self, field: str, typed: str, sentence: str) -> None:
        office = Office()
        form_values: dict[str, Any] = {"pattern": "monthly"} | {field: typed}
        page = add(office, **form_values)
        assert page.status == 422
        assert page.get_field_error(field).startswith(sentence)
        assert page.find_field(field).value == typed
        assert page.list_checked_values("pattern") == ["monthly"]
        assert not RecurringNight.objects.exists()

    def test_removed_night_is_restored_from_the_notice(self) -> None:
        office = Office()
        page = add(office)
        page = office.browser.open(page.find_link("Tuesday cardsEvery"))
        page = office.browser.send(page, page.find_form(control_name="pattern"), ends_at="22:30", name="Cards")
        assert "Changed in calendar: Cards" in page.find_one(role="status").text
        page = office.browser.open(f"/club/{office.club.slug}/calendar/{RecurringNight.objects.get().pk}")
        page = office.browser.send(page, page.find_form("/remove"))
        assert "Removed from calendar: Cards" in page.find_one(role="status").text
        assert not RecurringNight.objects.exists()
        page = office.browser.send(page, page.find_form("/undo"))
        assert RecurringNight.objects.get().name == "Cards"


class TestNightDatePage:
    def test_public_calendar_announces_the_postponed_date(self) -> None:
        office = Office()
        add(office)
        today = get_club_today(office.club)
        page = change(office, today, why="storm", moved_to=(today + timedelta(days=2)).isoformat())
        assert "Tuesday cards: postponed from" in page.find_one(role="status").text
        for text in (page.text, open_public_calendar(office).text):
            assert f"postponed to {today + timedelta(days=2):%A}" in text
            assert "(storm)" in text
            assert f"instead of {today:%A}" in text

    def test_cancelled_date_is_reinstated_from_its_page(self) -> None:
        office = Office()
        add(office)
        next_week = get_club_today(office.club) + timedelta(days=7)
        page = change(office, next_week, "cancel", why="holiday")
        assert "Cancelled (holiday)" in open_public_calendar(office).text
        page = office.browser.open(get_date_path(office, next_week))
        page = office.browser.send(page, page.find_form(control_name="restore"), ("restore", "1"))
        assert "reinstated" in page.find_one(role="status").text
        assert not ChangedDate.objects.exists()
        page = office.browser.send(page, page.find_form("/undo"))
        assert "Cancelled (holiday)" in page.text

    @pytest.mark.snapshot
    @pytest.mark.parametrize("button", [("cancel",), ()], ids=["cancelled", "postponed"])
    def test_changed_date_warns_until_the_event_is_changed_too(self, button: tuple[str, ...]) -> None:
        office = Office()
        add(office, name=office.event.name)
        today = get_club_today(office.club)
        Event.objects.update(held_on=today)
        moved_to = "" if button else (today + timedelta(days=2)).isoformat()
        page = change(office, today, *button, why="storm", moved_to=moved_to)
        invites = f"The page of “{office.event.name}” still announces"
        assert invites in page.text
        settings = office.browser.open(page.find_link("Cancel the event" if button else "Change the date"))
        if button:
            office.browser.send(settings, settings.find_form(control_name="reason"), reason="storm")
        else:
            office.browser.send(settings, settings.find_form(control_name="held_on"), held_on=moved_to)
        assert invites not in office.browser.open(f"/club/{office.club.slug}/calendar").text

    def test_calendar_warns_about_an_event_cancelled_only_on_its_page(self) -> None:
        office = Office()
        add(office, name=office.event.name)
        Event.objects.update(held_on=get_club_today(office.club))
        call_off_event(event_id=office.event.pk, reason="storm")
        page = office.browser.open(f"/club/{office.club.slug}/calendar")
        assert "cancelled on its page, but not in the calendar (" in page.text
        settings = office.browser.open(page.find_link("Reinstate the event"))
        office.browser.send(settings, settings.find_one("form", id="reinstate"))
        assert "cancelled on its page" not in office.browser.open(f"/club/{office.club.slug}/calendar").text

    def test_postponement_requires_a_new_date(self) -> None:
        office = Office()
        add(office)
        page = change(office, get_club_today(office.club), why="storm")
        assert (page.status, page.get_field_error("moved_to")) == (422, "Choose a day.")
        assert page.find_field("why").value == "storm"
        assert not ChangedDate.objects.exists()

    @pytest.mark.parametrize("day", ["2026-02-30", "x", "1999-01-01", "99999-01-01"])
    def test_page_of_an_invalid_date_is_not_found(self, day: str) -> None:
        office = Office()
        add(office)
        night = RecurringNight.objects.get()
        assert office.browser.open(f"/club/{office.club.slug}/calendar/{night.pk}/on/{day}").status == 404


@pytest.mark.long
class TestStartNight:
    def start_night(self, office: Office) -> Page:
        page = open_club(office)
        return office.browser.send(page, page.find_form("/start"))

    def test_start_button_creates_the_night_from_its_template(self) -> None:
        office = build_office_week_later(pairs=3)
        settings = event_settings_to_json(read_event_settings(office.event)) | {"table_count": 9}
        usual = save_night_template(club_id=office.club.pk, name="Mardi régulier", settings=settings)
        add(office, usual=str(usual.pk))
        assert "Tuesday cards · 7:00 PM" in open_club(office).text.replace("\u00a0", " ")
        page = self.start_night(office)
        event = Event.objects.get(name="Tuesday cards")
        assert page.path == f"/e/{event.short}/desk/entries/check-in"
        assert (event.held_on, event.table_count) == (get_club_today(office.club), 9)
        assert event.entries.count() == 3
        assert event.actions.earliest("pk").details == {"like": "Mardi régulier"}

    def test_new_night_copies_the_last_event_without_a_template(self) -> None:
        office = build_office_week_later(pairs=3)
        add(office)
        self.start_night(office)
        assert read_event_settings(Event.objects.get(name="Tuesday cards")) == read_event_settings(office.event)

    def test_double_click_starts_one_night(self) -> None:
        office = build_office_week_later()
        add(office)
        page = open_club(office)
        for _ in range(2):
            office.browser.send(page, page.find_form("/start"))
        assert Event.objects.count() == 2

    def test_renamed_night_is_not_offered_again(self) -> None:
        office = build_office_week_later()
        add(office)
        self.start_night(office)
        Event.objects.filter(name="Tuesday cards").update(name="Saint-Valentin")
        assert "Start the night" not in open_club(office).text

    def test_cancelled_night_cannot_be_started(self) -> None:
        office = build_office_week_later()
        add(office)
        older = open_club(office)
        change(office, get_club_today(office.club), "cancel")
        assert "Start the night" not in open_club(office).text
        page = office.browser.send(older, older.find_form("/start"))
        assert page.status == 404
        assert "The night is not on that day." in page.text
        assert Event.objects.get() == office.event

    def test_ended_night_is_not_offered_again(self) -> None:
        office = build_office_week_later()
        add(office)
        self.start_night(office)
        event = Event.objects.get(name="Tuesday cards")
        start_event(event_id=event.pk)
        end_event(event_id=event.pk)
        assert "Start the night" not in open_club(office).text

    def test_night_is_not_offered_on_another_day(self) -> None:
        office = build_office_week_later()
        add(office, first_on=(get_club_today(office.club) + timedelta(days=1)).isoformat())
        assert "Start the night" not in open_club(office).text

    def test_night_copies_no_entries_of_another_kind(self) -> None:
        office = build_office_week_later(pairs=3)
        alone = build_event(4, club=office.club, draw_format="rotation")
        usual = save_night_template(
            club_id=office.club.pk, name="Alone", settings=event_settings_to_json(read_event_settings(alone))
        )
        add(office, usual=str(usual.pk))
        page = self.start_night(office)
        event = Event.objects.get(name="Tuesday cards")
        assert page.path == f"/e/{event.short}/desk/entries"
        assert not event.entries.exists()


class TestPublicCalendar:
    @pytest.mark.long
    def test_calendar_page_is_not_modified_until_a_date_changes(self) -> None:
        office, reader = Office(), Browser()
        add(office)
        path = f"/c/{office.club.slug}/calendar"
        page = reader.open(path)
        assert "Church hall" in page.text
        assert reader.open(path, **{"If-None-Match": page.revision}).status == 304
        change(office, get_club_today(office.club), "cancel")
        assert reader.open(path, **{"If-None-Match": page.revision}).status == 200

    @pytest.mark.long
    def test_calendar_apps_can_subscribe_to_the_feed(self) -> None:
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
        change(office, get_club_today(office.club), "cancel", why="storm")
        answer = agenda.client.get(path, headers=etag)
        assert answer.status_code == 200
        walked = icalendar.Calendar.from_ical(answer.content).walk("VEVENT")
        first = next(event for event in walked if str(event["summary"]) == "Tuesday cards")
        assert str(first["status"]) == "CANCELLED"

    @pytest.mark.long
    def test_unknown_club_has_no_calendar(self) -> None:
        assert Browser().open("/c/nowhere/calendar").status == 404
        assert Browser().open("/c/nowhere/calendar.ics").status == 404

    def test_empty_calendar_says_no_dates_are_announced(self) -> None:
        assert "No dates announced yet." in open_public_calendar(Office()).text
