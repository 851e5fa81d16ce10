"""Sign-up without a partner: the desk pairs two single players, and unpaired players stay on the list."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core import mail

from clubs.audit.log import Actor
from jobs.models import Job
from jobs.services import run_job
from rules import TWO_PLAYER
from tests.builders import get_refusal_code
from tests.support.browser import Browser, Page
from tests.support.event_files import assert_round_trip, export_event, list_differences
from tests.support.mailbox import MAIL_SETTINGS, SITE_ADDRESS
from tests.support.office import Office
from tournaments.entries.badge_codes import build_player_link
from tournaments.entries.services.entries import admit_entry, remove_entry
from tournaments.entries.services.sign_up import change_sign_up, pair_entries, sign_off, sign_up
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Entry
from tournaments.public.services import AttendanceReport, say_attendance

pytestmark = pytest.mark.django_db


class SignUpNight:
    """An event in preparation with two pairs entered by the desk and open sign-up for four places."""

    def __init__(self, places: int | None = 4, **settings: Any) -> None:
        self.office = Office(pairs=2, **settings)
        self.event = self.office.event
        change_sign_up(event_id=self.event.pk, is_open=True, most_entries=places)
        self.keys: dict[str, UUID] = {}

    def sign_up_singles(self, *names: str) -> list[Entry]:
        return [self.sign_up(name, needs_partner=True) for name in names]

    def sign_up(self, *names: str, needs_partner: bool = False) -> Entry:
        key = self.keys[names[0]] = uuid4()
        entry = sign_up(event_id=self.event.pk, players=names, needs_partner=needs_partner, by=Actor(key=key))
        assert entry is not None
        return entry

    def pair(self, *entries: Entry, key: UUID | None = None) -> Entry:
        (made,) = pair_entries(event_id=self.event.pk, numbers=[entry.number for entry in entries], by=Actor(key=key))
        return made

    def list_looking(self) -> list[str]:
        found = self.event.entries.select_related("event__terms", "player_1").order_by("number")
        return [str(entry) for entry in found if entry.looks_for_partner]

    def list_confirmed(self) -> list[str]:
        return [str(entry) for entry in self.event.entries.filter(is_waiting=False).order_by("number")][2:]

    def list_waiting(self) -> list[str]:
        waiting = self.event.entries.filter(is_waiting=True).exclude(player_2=None)
        return [str(entry) for entry in waiting.order_by("number")]

    def open_sign_up_page(self, name: str) -> Page:
        return Browser().open(f"/e/{self.event.short}/sign-up/{self.keys[name]}")

    @property
    def form(self) -> str:
        return f"/e/{self.event.short}/sign-up"


class TestLookingForPartner:
    @pytest.mark.long
    def test_single_sign_up_takes_no_place(self) -> None:
        there = SignUpNight(places=3)
        there.sign_up_singles("Lise Côté", "Paul Roy", "Anne Cyr")
        assert there.list_looking() == ["Lise Côté", "Paul Roy", "Anne Cyr"]
        assert not there.sign_up("Jean Dion", "Luc Dion").is_waiting
        assert start_event(event_id=there.event.pk).entries.filter(is_waiting=False).count() == 3

    @pytest.mark.parametrize(
        ("names", "code"),
        [
            (("Lise Côté", "Paul Roy"), "partner_named"),
            (("",), "name_required"),
            (("Anne Un",), "entered_twice"),
        ],
    )
    def test_invalid_single_sign_up_is_refused(self, names: tuple[str, ...], code: str) -> None:
        there = SignUpNight()
        there.sign_up("Anne Un", "Paul Un")
        refused = get_refusal_code(
            sign_up, event_id=there.event.pk, players=names, needs_partner=True, by=Actor(key=uuid4())
        )
        assert refused == code

    @pytest.mark.long
    def test_singles_event_ignores_the_partner_request(self) -> None:
        there = SignUpNight(ruleset=TWO_PLAYER)
        (entry,) = there.sign_up_singles("Lise Côté")
        assert (there.list_looking(), entry.is_waiting) == ([], False)

    @pytest.mark.slow
    def test_director_cannot_admit_a_person_without_a_partner(self) -> None:
        there = SignUpNight()
        (entry,) = there.sign_up_singles("Lise Côté")
        assert get_refusal_code(admit_entry, event_id=there.event.pk, number=entry.number) == "has_no_partner"
        remove_entry(event_id=there.event.pk, number=entry.number)
        assert there.list_looking() == []

    @pytest.mark.long
    def test_event_file_includes_people_looking_for_a_partner(self) -> None:
        there = SignUpNight()
        there.sign_up_singles("Lise Côté")
        content = export_event(there.event)
        assert list_differences(content) == []
        assert_round_trip(content)


@pytest.mark.slow
class TestFormedPair:
    @pytest.mark.slow
    def test_resent_form_makes_one_pair_with_the_first_sign_up_time(self) -> None:
        there, key = SignUpNight(), uuid4()
        first, second = there.sign_up_singles("Lise Côté", "Paul Roy")
        made = there.pair(second, first, key=key)
        assert there.pair(second, first, key=key) == made
        assert (str(made), made.number, made.is_waiting) == ("Lise Côté / Paul Roy", second.number, False)
        assert made.signed_up_at == first.signed_up_at
        assert Action.objects.filter(kind="pair_entries").count() == 1

    @pytest.mark.long
    def test_pair_formed_in_a_full_event_joins_the_waiting_list(self) -> None:
        there = SignUpNight(places=2)
        first, second = there.sign_up_singles("Lise Côté", "Paul Roy")
        there.sign_up("Jean Dion", "Luc Dion")
        assert there.pair(first, second).is_waiting
        assert there.list_waiting() == ["Lise Côté / Paul Roy", "Jean Dion / Luc Dion"]
        remove_entry(event_id=there.event.pk, number=1)
        assert there.list_waiting() == ["Jean Dion / Luc Dion"]
        entry = there.event.entries.get(player_2__name="Paul Roy")
        assert f"You are signed up, number {entry.number}" in there.open_sign_up_page("Paul Roy").text

    @pytest.mark.long
    def test_pair_formed_after_the_start_plays_from_the_next_round(self) -> None:
        there = SignUpNight()
        first, second = there.sign_up_singles("Lise Côté", "Paul Roy")
        start_event(event_id=there.event.pk)
        assert there.pair(first, second).plays_in(1)

    def test_pair_requires_two_people_looking_for_a_partner(self) -> None:
        there = SignUpNight()
        first, second, third = there.sign_up_singles("Lise Côté", "Paul Roy", "Anne Cyr")
        numbers = [first.number, second.number]

        def get_pair_refusal(*some: int) -> str:
            return get_refusal_code(pair_entries, event_id=there.event.pk, numbers=some)

        assert get_pair_refusal(first.number) == get_pair_refusal(first.number, first.number) == "tick_two_who_look"
        assert get_pair_refusal(*numbers, third.number) == "tick_two_who_look"
        assert get_pair_refusal(1, first.number) == "has_a_partner"
        assert get_pair_refusal(first.number, 99) == "no_such_entry_now"
        there.pair(first, second)
        assert get_pair_refusal(second.number, third.number) == "has_a_partner"
        start_event(event_id=there.event.pk)
        end_event(event_id=there.event.pk)
        assert get_pair_refusal(*numbers) == "event_ended"

    @pytest.mark.long
    def test_undo_separates_a_formed_pair(self) -> None:
        there = SignUpNight()
        there.pair(*there.sign_up_singles("Lise Côté", "Paul Roy"))
        action = there.event.actions.get(kind="pair_entries")
        undo_action(event_id=there.event.pk, action_id=action.pk)
        assert there.list_looking() == ["Lise Côté", "Paul Roy"]
        for name in ("Lise Côté", "Paul Roy"):
            assert "You are looking for a partner" in there.open_sign_up_page(name).text


class TestPartnerSignOff:
    @pytest.mark.long
    def test_partner_of_a_signed_off_person_looks_again(self) -> None:
        there = SignUpNight(places=3)
        there.pair(*there.sign_up_singles("Lise Côté", "Paul Roy"))
        there.sign_up("Jean Dion", "Luc Dion")
        assert there.list_waiting() == ["Jean Dion / Luc Dion"]
        sign_off(event_id=there.event.pk, key=there.keys["Lise Côté"])
        sign_off(event_id=there.event.pk, key=there.keys["Lise Côté"])
        assert (there.list_looking(), there.list_confirmed()) == (["Paul Roy"], ["Jean Dion / Luc Dion"])
        assert "You are no longer on the list" in there.open_sign_up_page("Lise Côté").text
        assert "You are looking for a partner" in there.open_sign_up_page("Paul Roy").text

    @pytest.mark.long
    def test_remaining_partner_can_be_paired_again(self) -> None:
        there = SignUpNight()
        first, second, third = there.sign_up_singles("Lise Côté", "Paul Roy", "Anne Cyr")
        there.pair(first, second)
        sign_off(event_id=there.event.pk, key=there.keys["Lise Côté"])
        there.pair(second, third)
        assert there.list_confirmed() == ["Paul Roy / Anne Cyr"]
        assert "You are no longer on the list" in there.open_sign_up_page("Lise Côté").text
        sign_off(event_id=there.event.pk, key=there.keys["Paul Roy"])
        sign_off(event_id=there.event.pk, key=there.keys["Anne Cyr"])
        assert (there.list_looking(), there.list_confirmed()) == ([], [])

    @pytest.mark.long
    @pytest.mark.parametrize("by", [Actor(key=uuid4()), Actor()], ids=["a form", "a form without a key"])
    def test_sign_off_from_the_own_page_keeps_the_partner(self, by: Actor) -> None:
        there = SignUpNight()
        made = there.pair(*there.sign_up_singles("Lise Côté", "Paul Roy"))
        assert made.player_2 is not None
        say_attendance(event=there.event, person_id=made.player_2.pk, report=AttendanceReport.SIGNS_OFF, by=by)
        assert there.list_looking() == ["Lise Côté"]

    @pytest.mark.slow
    def test_pair_that_signed_up_together_leaves_together(self) -> None:
        there = SignUpNight()
        pair = there.sign_up("Jean Dion", "Luc Dion")
        say_attendance(
            event=there.event, person_id=pair.player_1.pk, report=AttendanceReport.SIGNS_OFF, by=Actor(key=uuid4())
        )
        assert (there.list_looking(), there.list_confirmed()) == ([], [])


class TestPartnerPages:
    def sign_up(self, there: SignUpNight, name: str, **typed: Any) -> Page:
        browser = Browser()
        page = browser.open(there.form)
        return browser.send(page, page.find_form("/sign-up"), player_1=name, needs_partner="1", **typed)

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_sign_up_page_counts_people_looking_for_a_partner(self) -> None:
        there = SignUpNight()
        page = self.sign_up(there, "Lise Côté")
        assert page.find_one("h2").text == "You are looking for a partner"
        there.sign_up_singles("Paul Roy")
        public = Browser().open(there.form)
        assert "Looking for a partner: 2 people." in public.text
        assert "Lise" not in public.text

    @pytest.mark.long
    def test_sign_up_page_names_only_people_with_public_names(self) -> None:
        there = SignUpNight()
        there.sign_up_singles("Lise Côté", "Paul Roy")
        there.office.club.people.filter(name="Lise Côté").update(shows_full_name=True)
        assert "Among them: Lise Côté." in Browser().open(there.form).text
        there.event.shows_entries = False
        there.event.save()
        assert "Lise" not in Browser().open(there.form).text

    @pytest.mark.long
    def test_two_names_are_refused_when_looking_for_a_partner(self) -> None:
        there = SignUpNight()
        page = self.sign_up(there, "Lise Côté", player_2="Paul Roy")
        assert "Two names make a pair:" in page.get_field_error("player_2")
        assert page.find_field("player_2").value == "Paul Roy"
        assert page.list_checked_values("needs_partner") == ["1"]

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_desk_pairs_the_first_two_with_one_tap(self) -> None:
        there = SignUpNight()
        there.sign_up_singles("Lise Côté", "Paul Roy", "Anne Cyr")
        browser = there.office.browser
        page = browser.open(there.office.entries)
        page = browser.send(page, page.find_form(control_name="looking"), ("pair", "1"))
        assert (there.list_confirmed(), there.list_looking()) == (["Lise Côté / Paul Roy"], ["Anne Cyr"])
        history = browser.open(f"/e/{there.event.short}/desk/history")
        assert "Pair formed: Lise Côté and Paul Roy" in history.text
        assert not page.find_all("input", name="looking")

    @pytest.mark.slow
    def test_desk_requires_two_selected_people_for_a_pair(self) -> None:
        there = SignUpNight()
        there.sign_up_singles("Lise Côté", "Paul Roy", "Anne Cyr")
        browser = there.office.browser
        page = browser.open(there.office.entries)
        page = browser.send(page, page.find_form(control_name="looking"), ("pair", "1"), looking=[])
        assert "Select two" in page.find_form(control_name="looking").text
        assert there.list_looking() == ["Lise Côté", "Paul Roy", "Anne Cyr"]

    @pytest.mark.slow
    def test_sign_up_page_links_only_to_the_own_page(self) -> None:
        there = SignUpNight()
        made = there.pair(*there.sign_up_singles("Lise Côté", "Paul Roy"))
        page = there.open_sign_up_page("Paul Roy")
        links = [link.attrs["href"] for link in page.find_all("a")]
        assert made.player_2 is not None
        assert build_player_link(there.event, made.player_2.pk) in links
        assert build_player_link(there.event, made.player_1.pk) not in links


class TestPartnerEmail:
    @pytest.mark.slow
    def test_formed_pair_gets_an_email_with_the_partner(self, settings: Any) -> None:
        for name, value in MAIL_SETTINGS.items():
            setattr(settings, name, value)
        there = SignUpNight()
        first, second = there.sign_up_singles("Lise Côté", "Paul Roy")
        there.office.club.people.filter(name="Lise Côté").update(contact="lise@exemple.ca")
        made = there.pair(first, second)
        self.run_mails()
        (message,) = mail.outbox
        assert message.to == ["lise@exemple.ca"]
        assert "Paul Roy" in message.body
        assert build_player_link(there.event, made.player_1.pk, SITE_ADDRESS) in message.body
        sign_off(event_id=there.event.pk, key=there.keys["Paul Roy"])
        self.run_mails()
        assert "again" in mail.outbox[-1].body

    def run_mails(self) -> None:
        for job in Job.objects.filter(kind="mail_partner", status="queued"):
            run_job(job.pk)
