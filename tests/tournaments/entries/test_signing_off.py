"""Off the list again without an account: from the page of the sign-up or the own page, until the last day to
sign up; the first who waits comes in, and the organizer reads it."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from clubs.audit.log import Actor
from clubs.calendar import today_in
from tests.builders import code_of
from tests.support.browser import Browser, Page
from tests.support.office import Office
from tests.tournaments.public.test_own_pages import page_of
from tournaments.announcement import Announcement
from tournaments.entries.badge_codes import own_link
from tournaments.entries.services.sign_up import change_sign_up, sign_off, sign_off_entry, sign_up
from tournaments.entries.services.starting_list import place_entries
from tournaments.events.services.announcing import announce_event
from tournaments.events.services.lifecycle import start_event
from tournaments.history.services.undo import undo_action
from tournaments.models import Entry

pytestmark = pytest.mark.django_db


class Listed:
    """An event of two places, taken by a pair of the desk and one that signed up, and a pair that waits."""

    def __init__(self, **settings: Any) -> None:
        self.office = Office(pairs=1, **settings)
        self.event = self.office.event
        change_sign_up(event_id=self.event.pk, is_open=True, most_entries=2)
        self.key = uuid4()
        self.entry = self.signed_up("Lise Côté", "Paul Côté", key=self.key)
        self.waiting = self.signed_up("Anne Roy", "Marc Roy", key=uuid4())

    def signed_up(self, *players: str, key: UUID) -> Entry:
        entry = sign_up(event_id=self.event.pk, players=players, by=Actor(key=key))
        assert entry is not None
        return entry

    def deadline(self, days: int) -> None:
        day = today_in(self.office.club) + timedelta(days=days)
        self.event.held_on = day + timedelta(days=1)
        self.event.save()
        announcement = Announcement(sign_up_until=day, contact="Jeannine, 418 555-0112")
        announce_event(event_id=self.event.pk, announcement=announcement)

    def phone(self, entry: Entry) -> tuple[Browser, Page]:
        """Of the second player of that entry, by the own link."""
        browser = Browser()
        return browser, browser.open(own_link(self.event, entry.players[1].pk))

    def on_list(self) -> list[str]:
        return [str(entry) for entry in self.event.entries.filter(is_waiting=False).order_by("number")][1:]


def offers(page: Page) -> bool:
    return any(button.value == "signs_off" for button in page.every("button", name="word"))


def signs_off(browser: Browser, page: Page) -> Page:
    (form,) = [one for one in page.every("form") if any(one.every("button", value="signs_off"))]
    return browser.send(page, form, ("word", "signs_off"))


def test_who_comes_in_reads_the_number_by_which_the_desk_has_them() -> None:
    listed = Listed()
    waiting = listed.event.actions.filter(kind="sign_up").latest("pk")
    sign_off(event_id=listed.event.pk, key=listed.key)
    page = Browser().open(f"/e/{listed.event.short}/sign-up/{waiting.key}")
    assert page.one("h2").text == f"You are signed up, number {listed.waiting.number}"
    assert listed.waiting.number == 3


@pytest.mark.slow
def test_the_organizer_reads_who_came_in_whatever_their_number_is_since() -> None:
    listed = Listed()
    listed.signed_up("Zoé Dion", "Luc Dion", key=uuid4())
    sign_off(event_id=listed.event.pk, key=listed.key)
    place_entries(event_id=listed.event.pk, places={1: 3})
    page = listed.office.browser.open(listed.office.entries)
    assert "From the waiting list: Anne Roy and Marc Roy" in " ".join(page.text.split())


class TestFromTheOwnPage:
    @pytest.mark.slow
    def test_one_tap_gives_the_place_to_the_first_who_waits_and_says_so(self) -> None:
        listed = Listed()
        browser, page = listed.phone(listed.entry)
        page = signs_off(browser, page)
        assert "You are no longer on the list" in page.text
        assert page.link("Sign up again") == f"/e/{listed.event.short}/sign-up"
        assert listed.on_list() == ["Anne Roy / Marc Roy"]
        assert "Lise Côté" not in browser.open(f"/e/{listed.event.short}/mine").text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_who_waits_reads_so_and_can_leave_too(self) -> None:
        listed = Listed()
        browser, page = listed.phone(listed.waiting)
        assert "You are on the waiting list" in page.text
        assert [one.value for one in page.every("button", name="word")] == ["signs_off"]
        signs_off(browser, page)
        assert listed.on_list() == ["Lise Côté / Paul Côté"]
        assert not listed.event.entries.filter(is_waiting=True).exists()

    def test_whom_the_desk_entered_is_taken_off_by_the_desk(self) -> None:
        listed = Listed()
        entry = listed.event.entries.get(number=1)
        _, page = listed.phone(Entry.objects.select_related("event").get(pk=entry.pk))
        assert not offers(page)
        by = Actor(key=uuid4())
        assert (
            code_of(sign_off_entry, event_id=listed.event.pk, number=1, person_id=0, by=by)
            == "not_in_an_entry"
        )

    def test_the_same_form_sent_twice_is_one_line_and_the_director_can_undo_it(self) -> None:
        listed, by = Listed(), Actor(key=uuid4())
        for _ in range(2):
            sign_off_entry(
                event_id=listed.event.pk,
                number=listed.entry.number,
                person_id=listed.entry.player_1_id,
                by=by,
            )
        line = listed.event.actions.get(kind="sign_off")
        undo_action(event_id=listed.event.pk, action_id=line.pk)
        assert listed.on_list() == ["Lise Côté / Paul Côté"]

    @pytest.mark.slow
    def test_a_name_alone_takes_nobody_off(self) -> None:
        listed = Listed()
        browser = Browser()
        page = page_of(listed.event, listed.entry.players[1], browser)
        assert not offers(page)
        token = browser.client.cookies["csrftoken"].value
        address = f"/e/{listed.event.short}/mine/attendance"
        browser.client.post(address, {"word": "signs_off", "csrfmiddlewaretoken": token})
        assert listed.on_list() == ["Lise Côté / Paul Côté"]


class TestFromThePageOfTheSignUp:
    def test_a_second_tap_takes_off_the_list_after_what_it_does_is_said(self) -> None:
        listed = Listed()
        browser = Browser()
        page = browser.open(f"/e/{listed.event.short}/sign-up/{listed.key}")
        (fold,) = page.every("details")
        assert "open" not in fold.attrs
        assert fold.one("summary").text == "We cannot come"
        assert (
            "Your place goes to the waiting list, and the organizer is notified. "
            "If you sign up again, you go last." in fold.text
        )
        taking_off = [form for form in page.every("form") if "Cancel our sign-up" in form.text]
        assert taking_off == list(fold.every("form"))
        page = browser.send(page, taking_off[0])
        assert "You are no longer on the list" in page.text
        assert listed.on_list() == ["Anne Roy / Marc Roy"]

    def test_who_waits_reads_of_no_place_that_they_give_away(self) -> None:
        listed = Listed()
        waiting = listed.event.actions.filter(kind="sign_up").latest("pk")
        (fold,) = Browser().open(f"/e/{listed.event.short}/sign-up/{waiting.key}").every("details")
        assert "The organizer will be notified. If you sign up again, you go last." in fold.text
        assert "Your place goes" not in fold.text


@pytest.mark.slow
class TestTheLastDay:
    def test_is_the_last_on_which_one_can(self) -> None:
        listed = Listed()
        listed.deadline(0)
        _, page = listed.phone(listed.entry)
        assert offers(page)
        page = Browser().open(f"/e/{listed.event.short}/sign-up/{listed.key}")
        assert "Your place goes to the waiting list, and the organizer is notified" in page.text
        assert [one for one in page.every("button") if "Cancel our sign-up" in one.text]

    @pytest.mark.snapshot
    def test_is_said_to_who_waits_without_a_place_that_they_do_not_have(self) -> None:
        listed = Listed()
        listed.deadline(0)
        waiting = listed.event.actions.filter(kind="sign_up").latest("pk")
        page = Browser().open(f"/e/{listed.event.short}/sign-up/{waiting.key}")
        assert "You can leave the list until" in page.text
        assert "Your place goes to the waiting list, and the organizer is notified" not in page.text

    @pytest.mark.snapshot
    def test_once_past_leads_to_whom_to_ask(self) -> None:
        listed = Listed()
        listed.deadline(-1)
        _, page = listed.phone(listed.entry)
        assert not offers(page)
        page = Browser().open(f"/e/{listed.event.short}/sign-up/{listed.key}")
        assert "Cannot come? Contact: Jeannine, 418 555-0112." in page.text
        assert not [one for one in page.every("button") if "Cancel our sign-up" in one.text]
        by = Actor(key=uuid4())
        number = listed.entry.number
        assert code_of(sign_off, event_id=listed.event.pk, key=listed.key) == "sign_off_closed"
        refused = code_of(sign_off_entry, event_id=listed.event.pk, number=number, person_id=0, by=by)
        assert refused == "sign_off_closed"
        assert listed.on_list() == ["Lise Côté / Paul Côté"]

    def test_is_over_once_it_has_begun(self) -> None:
        listed = Listed()
        start_event(event_id=listed.event.pk)
        _, page = listed.phone(listed.entry)
        assert not offers(page)
        by, number = Actor(key=uuid4()), listed.entry.number
        assert (
            code_of(sign_off_entry, event_id=listed.event.pk, number=number, person_id=0, by=by)
            == "event_started"
        )


@pytest.mark.slow
class TestTheOrganizer:
    @pytest.mark.snapshot
    def test_reads_who_left_and_who_came_in_for_them(self) -> None:
        listed = Listed()
        signs_off(*listed.phone(listed.entry))
        page = listed.office.browser.open(listed.office.entries)
        (told,) = page.every("section", **{"aria-labelledby": "signed-off"})
        assert "Cancelled their sign-up: Lise Côté and Paul Côté" in told.text
        assert "From the waiting list: Anne Roy and Marc Roy" in told.text
        assert "Paul Côté," in told.text, "from whose page"

    def test_reads_no_more_of_what_was_undone(self) -> None:
        listed = Listed()
        sign_off(event_id=listed.event.pk, key=listed.key)
        line = listed.event.actions.get(kind="sign_off")
        undo_action(event_id=listed.event.pk, action_id=line.pk)
        page = listed.office.browser.open(listed.office.entries)
        assert not page.every("section", **{"aria-labelledby": "signed-off"})
