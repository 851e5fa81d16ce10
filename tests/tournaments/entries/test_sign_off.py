"""Sign-off without an account, from the sign-up page or the own page, until the sign-up deadline.

The first entry on the waiting list takes the place, and the organizer is notified.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from clubs.audit.log import Actor
from clubs.calendar import get_club_today
from tests.builders import get_refusal_code
from tests.support.browser import Browser, Page
from tests.support.office import Office
from tests.tournaments.public.test_own_pages import open_own_page
from tournaments.announcement import Announcement
from tournaments.entries.badge_codes import build_player_link
from tournaments.entries.services.sign_up import change_sign_up, sign_off, sign_off_entry, sign_up
from tournaments.entries.services.starting_list import place_entries
from tournaments.events.services.announcements import announce_event
from tournaments.events.services.lifecycle import start_event
from tournaments.history.services.undo import undo_action
from tournaments.models import Entry

pytestmark = pytest.mark.django_db


class FullEvent:
    """An event with two places: a desk entry, a pair that signed up, and a pair on the waiting list."""

    def __init__(self, **settings: Any) -> None:
        self.office = Office(pairs=1, **settings)
        self.event = self.office.event
        change_sign_up(event_id=self.event.pk, is_open=True, most_entries=2)
        self.key = uuid4()
        self.entry = self.sign_up("Lise Côté", "Paul Côté", key=self.key)
        self.waiting = self.sign_up("Anne Roy", "Marc Roy", key=uuid4())

    def sign_up(self, *players: str, key: UUID) -> Entry:
        entry = sign_up(event_id=self.event.pk, players=players, by=Actor(key=key))
        assert entry is not None
        return entry

    def set_deadline(self, days: int) -> None:
        day = get_club_today(self.office.club) + timedelta(days=days)
        self.event.held_on = day + timedelta(days=1)
        self.event.save()
        announcement = Announcement(sign_up_until=day, contact="Jeannine, 418 555-0112")
        announce_event(event_id=self.event.pk, announcement=announcement)

    def open_own_phone(self, entry: Entry) -> tuple[Browser, Page]:
        """Open the own link of the entry's second player on a new phone."""
        browser = Browser()
        return browser, browser.open(build_player_link(self.event, entry.players[1].pk))

    def list_confirmed(self) -> list[str]:
        return [str(entry) for entry in self.event.entries.filter(is_waiting=False).order_by("number")][1:]


def can_sign_off(page: Page) -> bool:
    return any(button.value == "signs_off" for button in page.find_all("button", name="word"))


def send_sign_off(browser: Browser, page: Page) -> Page:
    (form,) = [one for one in page.find_all("form") if any(one.find_all("button", value="signs_off"))]
    return browser.send(page, form, ("word", "signs_off"))


@pytest.mark.long
def test_admitted_entry_reads_its_number_on_its_page() -> None:
    listed = FullEvent()
    waiting = listed.event.actions.filter(kind="sign_up").latest("pk")
    sign_off(event_id=listed.event.pk, key=listed.key)
    page = Browser().open(f"/e/{listed.event.short}/sign-up/{waiting.key}")
    assert page.find_one("h2").text == f"You are signed up, number {listed.waiting.number}"
    assert listed.waiting.number == 3


@pytest.mark.slow
def test_organizer_sees_the_admitted_entry_after_renumbering() -> None:
    listed = FullEvent()
    listed.sign_up("Zoé Dion", "Luc Dion", key=uuid4())
    sign_off(event_id=listed.event.pk, key=listed.key)
    place_entries(event_id=listed.event.pk, places={1: 3})
    page = listed.office.browser.open(listed.office.entries)
    assert "From the waiting list: Anne Roy and Marc Roy" in " ".join(page.text.split())


@pytest.mark.slow
class TestSignOffFromOwnPage:
    @pytest.mark.long
    def test_sign_off_gives_the_place_to_the_first_waiting(self) -> None:
        listed = FullEvent()
        browser, page = listed.open_own_phone(listed.entry)
        page = send_sign_off(browser, page)
        assert "You are no longer on the list" in page.text
        assert page.find_link("Sign up again") == f"/e/{listed.event.short}/sign-up"
        assert listed.list_confirmed() == ["Anne Roy / Marc Roy"]
        assert "Lise Côté" not in browser.open(f"/e/{listed.event.short}/mine").text

    @pytest.mark.snapshot
    def test_waiting_entry_can_leave_the_list(self) -> None:
        listed = FullEvent()
        browser, page = listed.open_own_phone(listed.waiting)
        assert "You are on the waiting list" in page.text
        assert [one.value for one in page.find_all("button", name="word")] == ["signs_off"]
        send_sign_off(browser, page)
        assert listed.list_confirmed() == ["Lise Côté / Paul Côté"]
        assert not listed.event.entries.filter(is_waiting=True).exists()

    @pytest.mark.slow
    def test_entry_added_by_the_desk_cannot_sign_itself_off(self) -> None:
        listed = FullEvent()
        entry = listed.event.entries.get(number=1)
        _, page = listed.open_own_phone(Entry.objects.select_related("event").get(pk=entry.pk))
        assert not can_sign_off(page)
        by = Actor(key=uuid4())
        assert (
            get_refusal_code(sign_off_entry, event_id=listed.event.pk, number=1, person_id=0, by=by)
            == "not_in_an_entry"
        )

    @pytest.mark.slow
    def test_resent_sign_off_counts_once_and_can_be_undone(self) -> None:
        listed, by = FullEvent(), Actor(key=uuid4())
        for _ in range(2):
            sign_off_entry(
                event_id=listed.event.pk,
                number=listed.entry.number,
                person_id=listed.entry.player_1_id,
                by=by,
            )
        line = listed.event.actions.get(kind="sign_off")
        undo_action(event_id=listed.event.pk, action_id=line.pk)
        assert listed.list_confirmed() == ["Lise Côté / Paul Côté"]

    @pytest.mark.long
    def test_unverified_person_cannot_sign_off(self) -> None:
        listed = FullEvent()
        browser = Browser()
        page = open_own_page(listed.event, listed.entry.players[1], browser)
        assert not can_sign_off(page)
        token = browser.client.cookies["csrftoken"].value
        address = f"/e/{listed.event.short}/mine/attendance"
        browser.client.post(address, {"word": "signs_off", "csrfmiddlewaretoken": token})
        assert listed.list_confirmed() == ["Lise Côté / Paul Côté"]


@pytest.mark.slow
class TestSignOffFromSignUpPage:
    @pytest.mark.slow
    def test_sign_off_needs_a_second_tap_after_its_effect_is_shown(self) -> None:
        listed = FullEvent()
        browser = Browser()
        page = browser.open(f"/e/{listed.event.short}/sign-up/{listed.key}")
        (fold,) = page.find_all("details")
        assert "open" not in fold.attrs
        assert fold.find_one("summary").text == "We cannot come"
        assert (
            "Your place goes to the waiting list, and the organizer is notified. "
            "If you sign up again, you go last." in fold.text
        )
        taking_off = [form for form in page.find_all("form") if "Cancel our sign-up" in form.text]
        assert taking_off == list(fold.find_all("form"))
        page = browser.send(page, taking_off[0])
        assert "You are no longer on the list" in page.text
        assert listed.list_confirmed() == ["Anne Roy / Marc Roy"]

    @pytest.mark.long
    def test_waiting_entry_is_not_warned_about_losing_a_place(self) -> None:
        listed = FullEvent()
        waiting = listed.event.actions.filter(kind="sign_up").latest("pk")
        (fold,) = Browser().open(f"/e/{listed.event.short}/sign-up/{waiting.key}").find_all("details")
        assert "The organizer will be notified. If you sign up again, you go last." in fold.text
        assert "Your place goes" not in fold.text


@pytest.mark.slow
class TestSignOffDeadline:
    def test_sign_off_is_allowed_on_the_last_day(self) -> None:
        listed = FullEvent()
        listed.set_deadline(0)
        _, page = listed.open_own_phone(listed.entry)
        assert can_sign_off(page)
        page = Browser().open(f"/e/{listed.event.short}/sign-up/{listed.key}")
        assert "Your place goes to the waiting list, and the organizer is notified" in page.text
        assert [one for one in page.find_all("button") if "Cancel our sign-up" in one.text]

    @pytest.mark.snapshot
    def test_deadline_notice_for_a_waiting_entry_mentions_no_place(self) -> None:
        listed = FullEvent()
        listed.set_deadline(0)
        waiting = listed.event.actions.filter(kind="sign_up").latest("pk")
        page = Browser().open(f"/e/{listed.event.short}/sign-up/{waiting.key}")
        assert "You can leave the list until" in page.text
        assert "Your place goes to the waiting list, and the organizer is notified" not in page.text

    @pytest.mark.snapshot
    def test_sign_off_after_the_deadline_is_refused(self) -> None:
        listed = FullEvent()
        listed.set_deadline(-1)
        _, page = listed.open_own_phone(listed.entry)
        assert not can_sign_off(page)
        page = Browser().open(f"/e/{listed.event.short}/sign-up/{listed.key}")
        assert "Cannot come? Contact: Jeannine, 418 555-0112." in page.text
        assert not [one for one in page.find_all("button") if "Cancel our sign-up" in one.text]
        by = Actor(key=uuid4())
        number = listed.entry.number
        assert get_refusal_code(sign_off, event_id=listed.event.pk, key=listed.key) == "sign_off_closed"
        refused = get_refusal_code(sign_off_entry, event_id=listed.event.pk, number=number, person_id=0, by=by)
        assert refused == "sign_off_closed"
        assert listed.list_confirmed() == ["Lise Côté / Paul Côté"]

    @pytest.mark.long
    def test_sign_off_is_closed_once_the_event_starts(self) -> None:
        listed = FullEvent()
        start_event(event_id=listed.event.pk)
        _, page = listed.open_own_phone(listed.entry)
        assert not can_sign_off(page)
        by, number = Actor(key=uuid4()), listed.entry.number
        assert (
            get_refusal_code(sign_off_entry, event_id=listed.event.pk, number=number, person_id=0, by=by)
            == "event_started"
        )


@pytest.mark.long
class TestSignOffNotices:
    @pytest.mark.snapshot
    def test_organizer_sees_who_left_and_who_came_in(self) -> None:
        listed = FullEvent()
        send_sign_off(*listed.open_own_phone(listed.entry))
        page = listed.office.browser.open(listed.office.entries)
        (section,) = page.find_all("section", **{"aria-labelledby": "signed-off"})
        assert "Cancelled their sign-up: Lise Côté and Paul Côté" in section.text
        assert "From the waiting list: Anne Roy and Marc Roy" in section.text
        assert "Paul Côté," in section.text, "from whose page"

    def test_undone_sign_off_disappears_from_the_notices(self) -> None:
        listed = FullEvent()
        sign_off(event_id=listed.event.pk, key=listed.key)
        line = listed.event.actions.get(kind="sign_off")
        undo_action(event_id=listed.event.pk, action_id=line.pk)
        page = listed.office.browser.open(listed.office.entries)
        assert not page.find_all("section", **{"aria-labelledby": "signed-off"})
