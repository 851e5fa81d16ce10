"""Sign-up without a partner: the desk makes a pair of two, and a single person stays on the list."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core import mail

from clubs.audit.log import Actor
from jobs.models import Job
from jobs.services import run_job
from rules import TWO_PLAYER
from tests.builders import code_of
from tests.support.browser import Browser, Page
from tests.support.event_files import assert_the_same, differences, file_of
from tests.support.mailbox import LEADS_TO, SET_UP
from tests.support.office import Office
from tournaments.entries.badge_codes import own_link
from tournaments.entries.services.entries import admit_entry, remove_entry
from tournaments.entries.services.own_attendance import OwnWord, say_attendance
from tournaments.entries.services.partners import pair_entries
from tournaments.entries.services.sign_up import change_sign_up, sign_off, sign_up
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Entry

pytestmark = pytest.mark.django_db


class Looked:
    """An event in preparation with two pairs of the desk, where people sign up for four places."""

    def __init__(self, places: int | None = 4, **settings: Any) -> None:
        self.office = Office(pairs=2, **settings)
        self.event = self.office.event
        change_sign_up(event_id=self.event.pk, is_open=True, most_entries=places)
        self.keys: dict[str, UUID] = {}

    def alone(self, *names: str) -> list[Entry]:
        return [self.signed_up(name, needs_partner=True) for name in names]

    def signed_up(self, *names: str, needs_partner: bool = False) -> Entry:
        key = self.keys[names[0]] = uuid4()
        entry = sign_up(event_id=self.event.pk, players=names, needs_partner=needs_partner, by=Actor(key=key))
        assert entry is not None
        return entry

    def pair(self, *entries: Entry, key: UUID | None = None) -> Entry:
        (made,) = pair_entries(
            event_id=self.event.pk, numbers=[entry.number for entry in entries], by=Actor(key=key)
        )
        return made

    def looking(self) -> list[str]:
        found = self.event.entries.select_related("event__terms", "player_1").order_by("number")
        return [str(entry) for entry in found if entry.looks_for_partner]

    def on_list(self) -> list[str]:
        return [str(entry) for entry in self.event.entries.filter(is_waiting=False).order_by("number")][2:]

    def waiting(self) -> list[str]:
        waiting = self.event.entries.filter(is_waiting=True).exclude(player_2=None)
        return [str(entry) for entry in waiting.order_by("number")]

    def page_of(self, name: str) -> Page:
        """Return what the page of their sign-up says."""
        return Browser().open(f"/e/{self.event.short}/sign-up/{self.keys[name]}")

    @property
    def form(self) -> str:
        return f"/e/{self.event.short}/sign-up"


class TestLooking:
    @pytest.mark.slow
    def test_takes_one_name_and_no_place(self) -> None:
        there = Looked(places=3)
        there.alone("Lise Côté", "Paul Roy", "Anne Cyr")
        assert there.looking() == ["Lise Côté", "Paul Roy", "Anne Cyr"]
        assert not there.signed_up("Jean Dion", "Luc Dion").is_waiting
        assert start_event(event_id=there.event.pk).entries.filter(is_waiting=False).count() == 3

    @pytest.mark.parametrize(
        ("names", "code"),
        [
            (("Lise Côté", "Paul Roy"), "partner_named"),
            (("",), "name_required"),
            (("Anne Un",), "entered_twice"),
        ],
    )
    def test_refuses_what_cannot_be(self, names: tuple[str, ...], code: str) -> None:
        there = Looked()
        there.signed_up("Anne Un", "Paul Un")
        refused = code_of(
            sign_up, event_id=there.event.pk, players=names, needs_partner=True, by=Actor(key=uuid4())
        )
        assert refused == code

    def test_means_nothing_where_everybody_plays_alone(self) -> None:
        there = Looked(ruleset=TWO_PLAYER)
        (entry,) = there.alone("Lise Côté")
        assert (there.looking(), entry.is_waiting) == ([], False)

    def test_is_let_in_by_nobody_without_a_partner(self) -> None:
        there = Looked()
        (entry,) = there.alone("Lise Côté")
        assert code_of(admit_entry, event_id=there.event.pk, number=entry.number) == "has_no_partner"
        remove_entry(event_id=there.event.pk, number=entry.number)
        assert there.looking() == []

    @pytest.mark.slow
    def test_is_brought_elsewhere_with_the_file_of_the_event(self) -> None:
        there = Looked()
        there.alone("Lise Côté")
        content = file_of(there.event)
        assert differences(content) == []
        assert_the_same(content)


class TestAPair:
    def test_is_made_of_two_once_for_each_form_and_stands_where_the_second_signed_up(self) -> None:
        there, key = Looked(), uuid4()
        first, second = there.alone("Lise Côté", "Paul Roy")
        made = there.pair(second, first, key=key)
        assert there.pair(second, first, key=key) == made
        assert (str(made), made.number, made.is_waiting) == ("Lise Côté / Paul Roy", second.number, False)
        assert made.signed_up_at == first.signed_up_at
        assert Action.objects.filter(kind="pair_entries").count() == 1

    def test_waits_behind_who_came_before_where_the_event_is_full(self) -> None:
        there = Looked(places=2)
        first, second = there.alone("Lise Côté", "Paul Roy")
        there.signed_up("Jean Dion", "Luc Dion")
        assert there.pair(first, second).is_waiting
        assert there.waiting() == ["Lise Côté / Paul Roy", "Jean Dion / Luc Dion"]
        remove_entry(event_id=there.event.pk, number=1)
        assert there.waiting() == ["Jean Dion / Luc Dion"]
        entry = there.event.entries.get(player_2__name="Paul Roy")
        assert f"You are signed up, number {entry.number}" in there.page_of("Paul Roy").text

    def test_made_after_the_start_plays_from_the_next_round(self) -> None:
        there = Looked()
        first, second = there.alone("Lise Côté", "Paul Roy")
        start_event(event_id=there.event.pk)
        assert there.pair(first, second).plays_in(1)

    @pytest.mark.slow
    def test_is_made_of_two_who_look_and_nobody_else(self) -> None:
        there = Looked()
        first, second, third = there.alone("Lise Côté", "Paul Roy", "Anne Cyr")
        numbers = [first.number, second.number]

        def refused(*some: int) -> str:
            return code_of(pair_entries, event_id=there.event.pk, numbers=some)

        assert refused(first.number) == refused(first.number, first.number) == "tick_two_who_look"
        assert refused(*numbers, third.number) == "tick_two_who_look"
        assert refused(1, first.number) == "has_a_partner"
        assert refused(first.number, 99) == "no_such_entry_now"
        there.pair(first, second)
        assert refused(second.number, third.number) == "has_a_partner"
        start_event(event_id=there.event.pk)
        end_event(event_id=there.event.pk)
        assert refused(*numbers) == "event_ended"

    @pytest.mark.slow
    def test_is_undone_like_other_changes_and_the_pages_of_both_go_on(self) -> None:
        there = Looked()
        there.pair(*there.alone("Lise Côté", "Paul Roy"))
        action = there.event.actions.get(kind="pair_entries")
        undo_action(event_id=there.event.pk, action_id=action.pk)
        assert there.looking() == ["Lise Côté", "Paul Roy"]
        for name in ("Lise Côté", "Paul Roy"):
            assert "You are looking for a partner" in there.page_of(name).text


class TestOneOfTwoCancels:
    @pytest.mark.slow
    def test_by_the_page_of_their_sign_up_and_the_other_looks_again(self) -> None:
        there = Looked(places=3)
        there.pair(*there.alone("Lise Côté", "Paul Roy"))
        there.signed_up("Jean Dion", "Luc Dion")
        assert there.waiting() == ["Jean Dion / Luc Dion"]
        sign_off(event_id=there.event.pk, key=there.keys["Lise Côté"])
        sign_off(event_id=there.event.pk, key=there.keys["Lise Côté"])
        assert (there.looking(), there.on_list()) == (["Paul Roy"], ["Jean Dion / Luc Dion"])
        assert "You are no longer on the list" in there.page_of("Lise Côté").text
        assert "You are looking for a partner" in there.page_of("Paul Roy").text

    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_and_the_one_who_stays_is_paired_with_a_third(self) -> None:
        there = Looked()
        first, second, third = there.alone("Lise Côté", "Paul Roy", "Anne Cyr")
        there.pair(first, second)
        sign_off(event_id=there.event.pk, key=there.keys["Lise Côté"])
        there.pair(second, third)
        assert there.on_list() == ["Paul Roy / Anne Cyr"]
        assert "You are no longer on the list" in there.page_of("Lise Côté").text
        sign_off(event_id=there.event.pk, key=there.keys["Paul Roy"])
        sign_off(event_id=there.event.pk, key=there.keys["Anne Cyr"])
        assert (there.looking(), there.on_list()) == ([], [])

    @pytest.mark.parametrize("by", [Actor(key=uuid4()), Actor()], ids=["a form", "a form without a key"])
    def test_from_the_own_page(self, by: Actor) -> None:
        there = Looked()
        made = there.pair(*there.alone("Lise Côté", "Paul Roy"))
        assert made.player_2 is not None
        say_attendance(event=there.event, person_id=made.player_2.pk, word=OwnWord.SIGNS_OFF, by=by)
        assert there.looking() == ["Lise Côté"]

    def test_but_a_pair_that_signed_up_together_goes_together(self) -> None:
        there = Looked()
        pair = there.signed_up("Jean Dion", "Luc Dion")
        say_attendance(
            event=there.event, person_id=pair.player_1.pk, word=OwnWord.SIGNS_OFF, by=Actor(key=uuid4())
        )
        assert (there.looking(), there.on_list()) == ([], [])


class TestThePages:
    def sign_up(self, there: Looked, name: str, **typed: Any) -> Page:
        browser = Browser()
        page = browser.open(there.form)
        return browser.send(page, page.form("/sign-up"), player_1=name, needs_partner="1", **typed)

    @pytest.mark.snapshot
    def test_say_that_one_looks_and_how_many_do(self) -> None:
        there = Looked()
        page = self.sign_up(there, "Lise Côté")
        assert page.one("h2").text == "You are looking for a partner"
        there.alone("Paul Roy")
        public = Browser().open(there.form)
        assert "Looking for a partner: 2 people." in public.text
        assert "Lise" not in public.text

    def test_name_whoever_agreed_to_be_read_in_full(self) -> None:
        there = Looked()
        there.alone("Lise Côté", "Paul Roy")
        there.office.club.people.filter(name="Lise Côté").update(shows_full_name=True)
        assert "Among them: Lise Côté." in Browser().open(there.form).text
        there.event.shows_entries = False
        there.event.save()
        assert "Lise" not in Browser().open(there.form).text

    def test_refuse_two_names_beside_the_second_one_and_lose_nothing(self) -> None:
        there = Looked()
        page = self.sign_up(there, "Lise Côté", player_2="Paul Roy")
        assert "Two names make a pair:" in page.said_at("player_2")
        assert page.field("player_2").value == "Paul Roy"
        assert page.chosen("needs_partner") == ["1"]

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_of_the_desk_make_a_pair_of_the_first_two_by_one_tap(self) -> None:
        there = Looked()
        there.alone("Lise Côté", "Paul Roy", "Anne Cyr")
        browser = there.office.browser
        page = browser.open(there.office.entries)
        page = browser.send(page, page.form(having="looking"), ("pair", "1"))
        assert (there.on_list(), there.looking()) == (["Lise Côté / Paul Roy"], ["Anne Cyr"])
        history = browser.open(f"/e/{there.event.short}/desk/history")
        assert "Pair formed: Lise Côté and Paul Roy" in history.text
        assert not page.every("input", name="looking")

    @pytest.mark.slow
    def test_of_the_desk_say_above_the_list_that_two_make_a_pair(self) -> None:
        there = Looked()
        there.alone("Lise Côté", "Paul Roy", "Anne Cyr")
        browser = there.office.browser
        page = browser.open(there.office.entries)
        page = browser.send(page, page.form(having="looking"), ("pair", "1"), looking=[])
        assert "Tick two" in page.form(having="looking").text
        assert there.looking() == ["Lise Côté", "Paul Roy", "Anne Cyr"]

    def test_show_one_who_came_by_an_own_sign_up_the_own_page_and_no_other(self) -> None:
        there = Looked()
        made = there.pair(*there.alone("Lise Côté", "Paul Roy"))
        page = there.page_of("Paul Roy")
        links = [link.attrs["href"] for link in page.every("a")]
        assert made.player_2 is not None
        assert own_link(there.event, made.player_2.pk) in links
        assert own_link(there.event, made.player_1.pk) not in links


class TestTheMail:
    @pytest.mark.slow
    def test_tells_both_whom_the_club_has_an_address_of(self, settings: Any) -> None:
        for name, value in SET_UP.items():
            setattr(settings, name, value)
        there = Looked()
        first, second = there.alone("Lise Côté", "Paul Roy")
        there.office.club.people.filter(name="Lise Côté").update(contact="lise@exemple.ca")
        made = there.pair(first, second)
        self.run_mails()
        (told,) = mail.outbox
        assert told.to == ["lise@exemple.ca"]
        assert "Paul Roy" in told.body
        assert own_link(there.event, made.player_1.pk, LEADS_TO) in told.body
        sign_off(event_id=there.event.pk, key=there.keys["Paul Roy"])
        self.run_mails()
        assert "again" in mail.outbox[-1].body

    def run_mails(self) -> None:
        for job in Job.objects.filter(kind="mail_partner", status="queued"):
            run_job(job.pk)
