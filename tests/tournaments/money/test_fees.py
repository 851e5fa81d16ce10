"""Fees: paid with a tap, by family, corrected, undone, and kept through changes of an entry."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.audit.log import Actor
from clubs.models import Family, Person
from clubs.services import undo_club_action
from live.revisions import revision_of
from tests.builders import (
    a_club,
    a_running_night,
    an_event,
    code_of,
    mark,
    matches_of,
    next_round,
    play_round,
    refusal_of,
)
from tournaments.entries.presenters.entries import check_in_view
from tournaments.entries.services.check_in import mark_present
from tournaments.entries.services.entries import remove_entry
from tournaments.entries.services.entry_actions import substitute_player
from tournaments.entries.services.merging import merge_people
from tournaments.events.event_settings import (
    event_settings_from_json,
    event_settings_of,
    event_settings_to_json,
)
from tournaments.events.services.event_cloning import make_event
from tournaments.events.services.lifecycle import start_event
from tournaments.fee_rates import Rates
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Entry, Event, Fee
from tournaments.money.presenters.fees import fees_view
from tournaments.money.queries.fees import FeeLine, fee_line, fee_lines
from tournaments.money.services.fees import change_rates, pay_family, pay_fee, record_fee, undo_payment
from web.money import AmountsNoted, Totals

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("whoever is there several times is there once")]

RATES = Rates(member=500, guest=800)


def a_night(pairs: int = 4, *, present: int = 2) -> Event:
    """A night that costs a member 5 $ and a guest 8 $, its first pairs checked in."""
    event = an_event(pairs=pairs)
    change_rates(event_id=event.pk, rates=RATES)
    for number in range(1, present + 1):
        mark_present(event_id=event.pk, number=number, is_present=True)
    event.refresh_from_db()
    return event


def player(event: Event, number: int, place: int = 1) -> Person:
    found: Entry = event.entries.get(number=number)
    return found.players[place - 1]


def line(event: Event, person: Person) -> FeeLine:
    found = fee_line(event, person.pk)
    assert found is not None
    return found


def sums(event: Event) -> tuple[int, int, int]:
    found: Totals = fees_view(event).totals
    return found.asked, found.paid, found.owed


def last(event: Event) -> Action:
    return event.actions.latest("pk")


class TestAFee:
    def test_is_paid_in_full_with_one_tap_and_once(self) -> None:
        event = a_night()
        person = player(event, 1)
        for _ in range(2):
            pay_fee(event_id=event.pk, person_id=person.pk)
        assert sums(event) == (2000, 500, 1500)
        assert line(event, person).due.is_settled
        assert event.actions.filter(kind="pay_fee").count() == 1

    def test_of_a_guest_is_the_guests(self) -> None:
        event = a_night()
        person = player(event, 1)
        Person.objects.filter(pk=person.pk).update(is_guest=True)
        pay_fee(event_id=event.pk, person_id=person.pk)
        assert Fee.objects.get().paid == 800

    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_is_asked_of_who_came_or_played_and_not_of_who_stayed_at_home(self) -> None:
        event = a_night(present=1)
        assert sums(event)[0] == 1000
        mark(matches_of(a_running_night())[0], "A 6 7")
        start_event(event_id=event.pk)
        next_round(event)
        mark(matches_of(event)[0], "A 6 7")
        seated = {seat.person_id for seat in matches_of(event)[0].players.all()}
        came = {one.person.pk for one in fee_lines(event) if one.attendee.came}
        assert came == seated | {player(event, 1).pk, player(event, 1, 2).pk}

    def test_may_be_paid_in_part_and_the_rest_with_a_tap(self) -> None:
        event = a_night()
        person = player(event, 1)
        record_fee(event_id=event.pk, person_id=person.pk, paid=200, other=None)
        assert line(event, person).due.owed == 300
        pay_fee(event_id=event.pk, person_id=person.pk)
        assert last(event).details["amount"] == 300
        assert line(event, person).due.owed == 0

    def test_may_be_another_one_or_none_for_one_person(self) -> None:
        event = a_night()
        one, other = player(event, 1), player(event, 2)
        record_fee(event_id=event.pk, person_id=one.pk, paid=0, other=300)
        record_fee(event_id=event.pk, person_id=other.pk, paid=0, other=0)
        assert sums(event) == (1300, 0, 1300)
        assert line(event, other).is_excused
        assert pay_fee(event_id=event.pk, person_id=other.pk) is None
        record_fee(event_id=event.pk, person_id=other.pk, paid=0, other=None)
        assert sums(event)[0] == 1800
        record_fee(event_id=event.pk, person_id=other.pk, paid=0, other=0)
        event.member_fee = 0
        assert not line(event, other).is_excused, "nobody is excused where nothing is asked"

    def test_is_asked_of_nobody_who_waits_for_a_place(self) -> None:
        event = a_night(present=0)
        event.entries.filter(number=4).update(is_waiting=True)
        assert fee_line(event, player(event, 4).pk) is None

    def test_is_not_noted_over_a_payment_that_the_form_did_not_see(self) -> None:
        event = a_night()
        person = player(event, 1)
        of_person: dict[str, Any] = {"event_id": event.pk, "person_id": person.pk}
        record_fee(**of_person, paid=200, other=None, seen=AmountsNoted(0, None))
        refused = code_of(record_fee, **of_person, paid=300, other=None, seen=AmountsNoted(0, None))
        assert refused == "changed_since"
        record_fee(**of_person, paid=300, other=0, seen=AmountsNoted(200, None))
        assert (line(event, person).attendee.paid, line(event, person).attendee.other) == (300, 0)

    def test_that_is_sent_twice_is_noted_once_even_if_it_was_changed_since(self) -> None:
        event = a_night()
        person, by = player(event, 1), Actor(key=uuid4())
        first = record_fee(event_id=event.pk, person_id=person.pk, paid=200, other=None, by=by)
        record_fee(event_id=event.pk, person_id=person.pk, paid=0, other=None)
        assert record_fee(event_id=event.pk, person_id=person.pk, paid=200, other=None, by=by) == first
        assert line(event, person).attendee.paid == 0

    def test_of_somebody_who_is_not_there_or_of_no_amount_is_refused(self) -> None:
        event, other = a_night(), an_event()
        stranger = player(other, 1).pk
        assert code_of(pay_fee, event_id=event.pk, person_id=stranger) == "not_at_the_event"
        known = player(event, 1).pk
        refused = {"event_id": event.pk, "person_id": known}
        assert code_of(record_fee, paid=2_000_000, other=None, **refused) == "amount_too_large"
        for paid, asked, field in ((-1, None, "paid"), (0, -1, "other")):
            refusal = refusal_of(record_fee, paid=paid, other=asked, **refused)
            assert (refusal.code, refusal.field) == ("not_an_amount", field)
        for rates, field in ((Rates(member=-1), "member_fee"), (Rates(guest=-1), "guest_fee")):
            refusal = refusal_of(change_rates, event_id=event.pk, rates=rates)
            assert (refusal.code, refusal.field) == ("not_an_amount", field)

    def test_changes_for_all_who_have_not_paid_and_the_others_owe_the_rest(self) -> None:
        event = a_night()
        pay_fee(event_id=event.pk, person_id=player(event, 1).pk)
        change_rates(event_id=event.pk, rates=Rates(member=600, guest=600))
        event.refresh_from_db()
        assert sums(event) == (2400, 500, 1900)
        undo_action(event_id=event.pk, action_id=last(event).pk)
        event.refresh_from_db()
        assert event.rates == RATES

    def test_goes_into_the_settings_and_the_next_evening_and_old_settings_ask_none(self) -> None:
        event = a_night()
        plain = event_settings_to_json(event_settings_of(event))
        again = make_event(
            club=event.club,
            settings=event_settings_from_json(plain),
            like=event.name,
            name="Next",
            held_on=event.held_on,
        )
        assert again.rates == RATES
        del plain["rates"]
        assert event_settings_from_json(plain).rates.is_free

    def test_that_is_paid_changes_nothing_that_anybody_watches(self) -> None:
        event = a_night()
        before = revision_of(event.topic)
        pay_fee(event_id=event.pk, person_id=player(event, 1).pk)
        undo_payment(event_id=event.pk, action_id=last(event).pk)
        assert revision_of(event.topic) == before


class TestAFamily:
    @pytest.fixture
    def event(self) -> Event:
        event = a_night(pairs=5, present=3)
        family = Family.objects.create(club=event.club, name="Roy")
        for number in (1, 3, 5):
            Person.objects.filter(pk=player(event, number).pk).update(family=family)
        return event

    @pytest.mark.slow
    def test_pays_with_one_tap_for_those_of_it_who_are_here(self, event: Event) -> None:
        family = Family.objects.get()
        (shown,) = fees_view(event).families
        assert (shown.to_pay, shown.owed, len(shown.lines)) == (2, 1000, 3)
        for _ in range(2):
            pay_family(event_id=event.pk, family_id=family.pk)
        assert sorted(fee.person_id for fee in Fee.objects.all()) == sorted(
            player(event, number).pk for number in (1, 3)
        )
        assert event.actions.filter(kind="pay_family").count() == 1
        (shown,) = fees_view(event).families
        assert (shown.to_pay, shown.owed) == (0, 0)

    @pytest.mark.slow
    def test_pays_only_what_is_still_owed_and_all_of_it_is_taken_back_at_once(self, event: Event) -> None:
        record_fee(event_id=event.pk, person_id=player(event, 1).pk, paid=200, other=None)
        before = sums(event)
        action = pay_family(event_id=event.pk, family_id=Family.objects.get().pk)
        assert action is not None
        assert action.details["amount"] == 800
        undone = undo_payment(event_id=event.pk, action_id=action.pk)
        assert sums(event) == before
        undo_payment(event_id=event.pk, action_id=undone.pk)
        assert sums(event)[1] == 1000

    def test_that_is_sent_twice_is_noted_once_even_if_it_was_taken_back_since(self, event: Event) -> None:
        family, by = Family.objects.get(), Actor(key=uuid4())
        first = pay_family(event_id=event.pk, family_id=family.pk, by=by)
        assert first is not None
        undo_payment(event_id=event.pk, action_id=first.pk)
        assert pay_family(event_id=event.pk, family_id=family.pk, by=by) == first
        assert sums(event)[1] == 0

    def test_of_another_club_is_refused(self, event: Event) -> None:
        family = Family.objects.create(club=a_club(), name="Roy")
        assert code_of(pay_family, event_id=event.pk, family_id=family.pk) == "no_such_family"


class TestTheWayBack:
    @pytest.mark.slow
    def test_takes_back_a_payment_and_nothing_but_payments(self) -> None:
        event = a_night()
        checked_in = last(event)
        action = pay_fee(event_id=event.pk, person_id=player(event, 1).pk)
        assert action is not None
        undo_payment(event_id=event.pk, action_id=action.pk)
        assert not Fee.objects.exists()
        assert code_of(undo_payment, event_id=event.pk, action_id=checked_in.pk) == "cannot_be_undone"
        assert code_of(undo_payment, event_id=an_event().pk, action_id=action.pk) == "no_such_action"

    def test_does_not_go_over_what_was_corrected_since(self) -> None:
        event = a_night()
        person = player(event, 1)
        action = pay_fee(event_id=event.pk, person_id=person.pk)
        assert action is not None
        record_fee(event_id=event.pk, person_id=person.pk, paid=300, other=None)
        assert code_of(undo_payment, event_id=event.pk, action_id=action.pk) == "changed_since"
        assert Fee.objects.get().paid == 300


class TestWhoPaid:
    def test_and_is_taken_off_the_list_has_paid_all_the_same(self) -> None:
        event = a_night(present=0)
        person = player(event, 1)
        pay_fee(event_id=event.pk, person_id=person.pk)
        remove_entry(event_id=event.pk, number=1)
        assert line(event, person).is_off_the_list
        assert sums(event) == (0, 500, 0)
        record_fee(event_id=event.pk, person_id=person.pk, paid=0, other=None)
        assert fee_line(event, person.pk) is None

    def test_and_makes_room_for_somebody_else_has_not_paid_for_them(self) -> None:
        event = a_night(present=1)
        person = player(event, 1)
        pay_fee(event_id=event.pk, person_id=person.pk)
        substitute_player(event_id=event.pk, number=1, place=1, name="Zoé Zed")
        zoe = Person.objects.get(name="Zoé Zed")
        assert line(event, zoe).due.owed == 500
        assert sums(event) == (1000, 500, 1000)

    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_and_sat_out_a_round_before_they_made_room_has_come_and_owes_it(self) -> None:
        event = a_night(pairs=3, present=3)
        start_event(event_id=event.pk)
        next_round(event)
        entry = event.entries.get(seatings__table=None)
        play_round(event)
        gone = player(event, entry.number)
        substitute_player(event_id=event.pk, number=entry.number, place=1, name="Zoé Zed")
        assert line(event, gone).due.owed == 500
        assert sums(event)[0] == 7 * 500 + (800 - 500)  # the substitute is a guest

    @pytest.mark.slow
    def test_under_two_names_in_the_list_has_paid_once_it_is_one_person(self) -> None:
        event = a_night()
        merged = player(event, 1)
        pay_fee(event_id=event.pk, person_id=merged.pk)
        kept = Person.objects.create(club=event.club, name="Jeannine Roy", folded_name="jeannine roy")
        merge_people(club_id=event.club_id, kept_id=kept.pk, merged_id=merged.pk)
        assert Fee.objects.get().person == kept
        assert sums(event) == (2000, 500, 1500)

    def test_twice_for_one_event_before_they_were_one_person_has_paid_both_and_it_comes_apart_again(
        self,
    ) -> None:
        event = a_night(present=0)
        merged, kept = player(event, 1), player(event, 2)
        record_fee(event_id=event.pk, person_id=merged.pk, paid=200, other=400)
        record_fee(event_id=event.pk, person_id=kept.pk, paid=100, other=None)
        remove_entry(event_id=event.pk, number=1)
        before = list(Fee.objects.order_by("pk").values())
        merge_people(club_id=event.club_id, kept_id=kept.pk, merged_id=merged.pk)
        assert Fee.objects.values_list("person", "paid", "other").get() == (kept.pk, 300, 400)
        undo_club_action(club_id=event.club_id, action_id=event.club.actions.latest("pk").pk)
        assert list(Fee.objects.order_by("pk").values()) == before


@pytest.mark.slow
def test_the_box_of_a_pair_says_what_the_two_owe() -> None:
    event = a_night()
    pay_fee(event_id=event.pk, person_id=player(event, 1).pk)
    dues = check_in_view(event).dues
    assert (dues[1].owed, dues[2].owed) == (500, 1000)
    assert check_in_view(an_event()).dues == {}


def test_the_list_is_searched_by_name_and_by_family_and_shows_who_still_has_to_pay() -> None:
    event = a_night(pairs=3, present=2)
    person = player(event, 1)
    pay_fee(event_id=event.pk, person_id=person.pk)
    view = fees_view(event, only_owing=True)
    assert (len(view.others), view.owing) == (3, 3)
    assert [one.person for one in fees_view(event, person.name.upper()).others] == [person]


@pytest.mark.slow
def test_a_large_night_is_read_and_paid_for_in_as_many_queries_as_a_small_one() -> None:
    counted = []
    for pairs in (2, 20):
        event = a_night(pairs=pairs, present=pairs)
        family = Family.objects.create(club=event.club, name="Roy")
        Person.objects.filter(club=event.club).update(family=family)
        with CaptureQueriesContext(connection) as read:
            fees_view(event)
        counted.append(len(read))
    assert counted[0] == counted[1] == 5
