"""Fees: paid by person or family, corrected, undone, and kept when an entry changes."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.audit.log import Actor
from clubs.models import Family, Person
from clubs.services.undo import undo_club_action
from live.revisions import get_revision
from tests.builders import (
    build_club,
    build_event,
    build_running_night,
    get_refusal,
    get_refusal_code,
    mark,
    matches_of,
    play_round,
    start_next_round,
)
from tournaments.entries.presenters.entries import build_check_in_view
from tournaments.entries.services.check_in import mark_present
from tournaments.entries.services.entries import remove_entry
from tournaments.entries.services.entry_actions import substitute_player
from tournaments.entries.services.merging import merge_people
from tournaments.events.event_settings import event_settings_from_json, event_settings_to_json, read_event_settings
from tournaments.events.services.event_cloning import make_event
from tournaments.events.services.lifecycle import start_event
from tournaments.fee_rates import Rates
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Entry, Event, Fee
from tournaments.money.presenters.fees import build_fees_view
from tournaments.money.queries.fees import FeeLine, find_fee, list_fees
from tournaments.money.services.fees import change_rates, pay_family, pay_fee, record_fee, undo_payment
from web.money import RecordedAmounts, Totals

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("DISTINCT")]

RATES = Rates(member=500, guest=800)


def build_night(pairs: int = 4, *, present: int = 2) -> Event:
    """Build a night that costs members $5 and guests $8, with its first pairs checked in."""
    event = build_event(pairs=pairs)
    change_rates(event_id=event.pk, rates=RATES)
    for number in range(1, present + 1):
        mark_present(event_id=event.pk, number=number, is_present=True)
    event.refresh_from_db()
    return event


def get_player(event: Event, number: int, place: int = 1) -> Person:
    found: Entry = event.entries.get(number=number)
    return found.players[place - 1]


def get_fee_line(event: Event, person: Person) -> FeeLine:
    found = find_fee(event, person.pk)
    assert found is not None
    return found


def get_sums(event: Event) -> tuple[int, int, int]:
    found: Totals = build_fees_view(event).totals
    return found.amount, found.paid, found.owed


def get_last_action(event: Event) -> Action:
    return event.actions.latest("pk")


class TestFees:
    @pytest.mark.long
    def test_tap_pays_the_full_fee_once(self) -> None:
        event = build_night()
        person = get_player(event, 1)
        for _ in range(2):
            pay_fee(event_id=event.pk, person_id=person.pk)
        assert get_sums(event) == (2000, 500, 1500)
        assert get_fee_line(event, person).due.is_settled
        assert event.actions.filter(kind="pay_fee").count() == 1

    def test_guest_owes_the_guest_fee(self) -> None:
        event = build_night()
        person = get_player(event, 1)
        Person.objects.filter(pk=person.pk).update(is_guest=True)
        pay_fee(event_id=event.pk, person_id=person.pk)
        assert Fee.objects.get().paid == 800

    @pytest.mark.long
    def test_people_who_came_or_played_owe_a_fee(self) -> None:
        event = build_night(present=1)
        assert get_sums(event)[0] == 1000
        mark(matches_of(build_running_night())[0], "A 6 7")
        start_event(event_id=event.pk)
        start_next_round(event)
        mark(matches_of(event)[0], "A 6 7")
        seated = {seat.person_id for seat in matches_of(event)[0].players.all()}
        came = {one.person.pk for one in list_fees(event) if one.attendee.came}
        assert came == seated | {get_player(event, 1).pk, get_player(event, 1, 2).pk}

    @pytest.mark.long
    def test_partial_payment_is_completed_with_a_tap(self) -> None:
        event = build_night()
        person = get_player(event, 1)
        record_fee(event_id=event.pk, person_id=person.pk, paid=200, other=None)
        assert get_fee_line(event, person).due.owed == 300
        pay_fee(event_id=event.pk, person_id=person.pk)
        assert get_last_action(event).details["amount"] == 300
        assert get_fee_line(event, person).due.owed == 0

    @pytest.mark.slow
    def test_director_sets_another_fee_for_one_person(self) -> None:
        event = build_night()
        one, other = get_player(event, 1), get_player(event, 2)
        record_fee(event_id=event.pk, person_id=one.pk, paid=0, other=300)
        record_fee(event_id=event.pk, person_id=other.pk, paid=0, other=0)
        assert get_sums(event) == (1300, 0, 1300)
        assert get_fee_line(event, other).is_excused
        assert pay_fee(event_id=event.pk, person_id=other.pk) is None
        record_fee(event_id=event.pk, person_id=other.pk, paid=0, other=None)
        assert get_sums(event)[0] == 1800
        record_fee(event_id=event.pk, person_id=other.pk, paid=0, other=0)
        event.member_fee = 0
        assert not get_fee_line(event, other).is_excused, "nobody is excused where nothing is asked"

    def test_waiting_entry_owes_no_fee(self) -> None:
        event = build_night(present=0)
        event.entries.filter(number=4).update(is_waiting=True)
        assert find_fee(event, get_player(event, 4).pk) is None

    @pytest.mark.long
    def test_concurrent_payment_is_not_overwritten(self) -> None:
        event = build_night()
        person = get_player(event, 1)
        of_person: dict[str, Any] = {"event_id": event.pk, "person_id": person.pk}
        record_fee(**of_person, paid=200, other=None, seen=RecordedAmounts(0, None))
        refused = get_refusal_code(record_fee, **of_person, paid=300, other=None, seen=RecordedAmounts(0, None))
        assert refused == "changed_since"
        record_fee(**of_person, paid=300, other=0, seen=RecordedAmounts(200, None))
        assert (get_fee_line(event, person).attendee.paid, get_fee_line(event, person).attendee.other) == (300, 0)

    @pytest.mark.slow
    def test_resent_payment_counts_once_despite_later_changes(self) -> None:
        event = build_night()
        person, by = get_player(event, 1), Actor(key=uuid4())
        first = record_fee(event_id=event.pk, person_id=person.pk, paid=200, other=None, by=by)
        record_fee(event_id=event.pk, person_id=person.pk, paid=0, other=None)
        assert record_fee(event_id=event.pk, person_id=person.pk, paid=200, other=None, by=by) == first
        assert get_fee_line(event, person).attendee.paid == 0

    @pytest.mark.long
    def test_invalid_person_or_amount_is_refused(self) -> None:
        event, other = build_night(), build_event()
        stranger = get_player(other, 1).pk
        assert get_refusal_code(pay_fee, event_id=event.pk, person_id=stranger) == "not_at_the_event"
        player_id = get_player(event, 1).pk
        refused = {"event_id": event.pk, "person_id": player_id}
        assert get_refusal_code(record_fee, paid=2_000_000, other=None, **refused) == "amount_too_large"
        for paid, other_amount, field in ((-1, None, "paid"), (0, -1, "other")):
            refusal = get_refusal(record_fee, paid=paid, other=other_amount, **refused)
            assert (refusal.code, refusal.field) == ("not_an_amount", field)
        for rates, field in ((Rates(member=-1), "member_fee"), (Rates(guest=-1), "guest_fee")):
            refusal = get_refusal(change_rates, event_id=event.pk, rates=rates)
            assert (refusal.code, refusal.field) == ("not_an_amount", field)

    @pytest.mark.long
    def test_rate_change_applies_to_amounts_still_owed(self) -> None:
        event = build_night()
        pay_fee(event_id=event.pk, person_id=get_player(event, 1).pk)
        change_rates(event_id=event.pk, rates=Rates(member=600, guest=600))
        event.refresh_from_db()
        assert get_sums(event) == (2400, 500, 1900)
        undo_action(event_id=event.pk, action_id=get_last_action(event).pk)
        event.refresh_from_db()
        assert event.rates == RATES

    @pytest.mark.long
    def test_fee_rates_are_copied_to_the_repeated_event(self) -> None:
        event = build_night()
        settings_data = event_settings_to_json(read_event_settings(event))
        again = make_event(
            club=event.club,
            settings=event_settings_from_json(settings_data),
            like=event.name,
            name="Next",
            held_on=event.held_on,
        )
        assert again.rates == RATES
        del settings_data["rates"]
        assert event_settings_from_json(settings_data).rates.is_free

    @pytest.mark.slow
    def test_payment_does_not_refresh_public_pages(self) -> None:
        event = build_night()
        before = get_revision(event.topic)
        pay_fee(event_id=event.pk, person_id=get_player(event, 1).pk)
        undo_payment(event_id=event.pk, action_id=get_last_action(event).pk)
        assert get_revision(event.topic) == before


@pytest.mark.slow
class TestFamilyFees:
    @pytest.fixture
    def event(self) -> Event:
        event = build_night(pairs=5, present=3)
        family = Family.objects.create(club=event.club, name="Roy")
        for number in (1, 3, 5):
            Person.objects.filter(pk=get_player(event, number).pk).update(family=family)
        return event

    def test_tap_pays_for_the_present_family_members_once(self, event: Event) -> None:
        family = Family.objects.get()
        (shown,) = build_fees_view(event).families
        assert (shown.unpaid_count, shown.owed, len(shown.lines)) == (2, 1000, 3)
        for _ in range(2):
            pay_family(event_id=event.pk, family_id=family.pk)
        assert sorted(fee.person_id for fee in Fee.objects.all()) == sorted(
            get_player(event, number).pk for number in (1, 3)
        )
        assert event.actions.filter(kind="pay_family").count() == 1
        (shown,) = build_fees_view(event).families
        assert (shown.unpaid_count, shown.owed) == (0, 0)

    @pytest.mark.long
    def test_family_payment_covers_the_amount_owed_and_undoes_together(self, event: Event) -> None:
        record_fee(event_id=event.pk, person_id=get_player(event, 1).pk, paid=200, other=None)
        before = get_sums(event)
        action = pay_family(event_id=event.pk, family_id=Family.objects.get().pk)
        assert action is not None
        assert action.details["amount"] == 800
        undone = undo_payment(event_id=event.pk, action_id=action.pk)
        assert get_sums(event) == before
        undo_payment(event_id=event.pk, action_id=undone.pk)
        assert get_sums(event)[1] == 1000

    @pytest.mark.long
    def test_resent_family_payment_counts_once_despite_an_undo(self, event: Event) -> None:
        family, by = Family.objects.get(), Actor(key=uuid4())
        first = pay_family(event_id=event.pk, family_id=family.pk, by=by)
        assert first is not None
        undo_payment(event_id=event.pk, action_id=first.pk)
        assert pay_family(event_id=event.pk, family_id=family.pk, by=by) == first
        assert get_sums(event)[1] == 0

    @pytest.mark.long
    def test_family_of_another_club_cannot_pay(self, event: Event) -> None:
        family = Family.objects.create(club=build_club(), name="Roy")
        assert get_refusal_code(pay_family, event_id=event.pk, family_id=family.pk) == "no_such_family"


@pytest.mark.slow
class TestUndoPayment:
    def test_undo_payment_accepts_only_payments_of_the_event(self) -> None:
        event = build_night()
        checked_in = get_last_action(event)
        action = pay_fee(event_id=event.pk, person_id=get_player(event, 1).pk)
        assert action is not None
        undo_payment(event_id=event.pk, action_id=action.pk)
        assert not Fee.objects.exists()
        assert get_refusal_code(undo_payment, event_id=event.pk, action_id=checked_in.pk) == "cannot_be_undone"
        assert get_refusal_code(undo_payment, event_id=build_event().pk, action_id=action.pk) == "no_such_action"

    @pytest.mark.long
    def test_payment_corrected_since_cannot_be_undone(self) -> None:
        event = build_night()
        person = get_player(event, 1)
        action = pay_fee(event_id=event.pk, person_id=person.pk)
        assert action is not None
        record_fee(event_id=event.pk, person_id=person.pk, paid=300, other=None)
        assert get_refusal_code(undo_payment, event_id=event.pk, action_id=action.pk) == "changed_since"
        assert Fee.objects.get().paid == 300


class TestFeesAfterEntryChanges:
    def test_payment_of_a_removed_entry_stays_recorded(self) -> None:
        event = build_night(present=0)
        person = get_player(event, 1)
        pay_fee(event_id=event.pk, person_id=person.pk)
        remove_entry(event_id=event.pk, number=1)
        assert get_fee_line(event, person).is_unlisted
        assert get_sums(event) == (0, 500, 0)
        record_fee(event_id=event.pk, person_id=person.pk, paid=0, other=None)
        assert find_fee(event, person.pk) is None

    @pytest.mark.long
    def test_substitute_owes_a_separate_fee(self) -> None:
        event = build_night(present=1)
        person = get_player(event, 1)
        pay_fee(event_id=event.pk, person_id=person.pk)
        substitute_player(event_id=event.pk, number=1, place=1, name="Zoé Zed")
        zoe = Person.objects.get(name="Zoé Zed")
        assert get_fee_line(event, zoe).due.owed == 500
        assert get_sums(event) == (1000, 500, 1000)

    @pytest.mark.long
    def test_replaced_player_who_had_a_bye_still_owes_the_fee(self) -> None:
        event = build_night(pairs=3, present=3)
        start_event(event_id=event.pk)
        start_next_round(event)
        entry = event.entries.get(seatings__table=None)
        play_round(event)
        gone = get_player(event, entry.number)
        substitute_player(event_id=event.pk, number=entry.number, place=1, name="Zoé Zed")
        assert get_fee_line(event, gone).due.owed == 500
        assert get_sums(event)[0] == 7 * 500 + (800 - 500)  # the substitute is a guest

    @pytest.mark.slow
    def test_payment_follows_a_merged_person(self) -> None:
        event = build_night()
        merged = get_player(event, 1)
        pay_fee(event_id=event.pk, person_id=merged.pk)
        target = Person.objects.create(club=event.club, name="Jeannine Roy", folded_name="jeannine roy")
        merge_people(club_id=event.club_id, target_id=target.pk, source_id=merged.pk)
        assert Fee.objects.get().person == target
        assert get_sums(event) == (2000, 500, 1500)

    @pytest.mark.long
    def test_merged_payments_are_added_and_separated_by_undo(
        self,
    ) -> None:
        event = build_night(present=0)
        merged, target = get_player(event, 1), get_player(event, 2)
        record_fee(event_id=event.pk, person_id=merged.pk, paid=200, other=400)
        record_fee(event_id=event.pk, person_id=target.pk, paid=100, other=None)
        remove_entry(event_id=event.pk, number=1)
        before = list(Fee.objects.order_by("pk").values())
        merge_people(club_id=event.club_id, target_id=target.pk, source_id=merged.pk)
        assert Fee.objects.values_list("person", "paid", "other").get() == (target.pk, 300, 400)
        undo_club_action(club_id=event.club_id, action_id=event.club.actions.latest("pk").pk)
        assert list(Fee.objects.order_by("pk").values()) == before


@pytest.mark.slow
def test_check_in_box_shows_what_a_pair_owes() -> None:
    event = build_night()
    pay_fee(event_id=event.pk, person_id=get_player(event, 1).pk)
    dues = build_check_in_view(event).dues
    assert (dues[1].owed, dues[2].owed) == (500, 1000)
    assert build_check_in_view(build_event()).dues == {}


@pytest.mark.long
def test_fees_list_filters_by_name_and_unpaid() -> None:
    event = build_night(pairs=3, present=2)
    person = get_player(event, 1)
    pay_fee(event_id=event.pk, person_id=person.pk)
    view = build_fees_view(event, only_unpaid=True)
    assert (len(view.others), view.unpaid_count) == (3, 3)
    assert [one.person for one in build_fees_view(event, person.name.upper()).others] == [person]


@pytest.mark.long
def test_fees_view_has_constant_query_count() -> None:
    counted = []
    for pairs in (2, 20):
        event = build_night(pairs=pairs, present=pairs)
        family = Family.objects.create(club=event.club, name="Roy")
        Person.objects.filter(club=event.club).update(family=family)
        with CaptureQueriesContext(connection) as read:
            build_fees_view(event)
        counted.append(len(read))
    assert counted[0] == counted[1] == 5
