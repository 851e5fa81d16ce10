"""Fees and payments: noted, never collected."""

from collections.abc import Collection
from dataclasses import asdict

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Family
from errors import Refusal, check_choice, get_or_refuse
from tournaments.cash_rules import ROUNDING_STEPS, CashRules
from tournaments.fee_rates import Rates
from tournaments.history.queries import PAYMENT_KINDS
from tournaments.history.services.changes import Change
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Event, Fee
from tournaments.money.queries.fees import FeeLine, find_fee, group_unpaid_by_family, list_fees
from web.money import RecordedAmounts, check_amounts_unchanged, validate_amount


@transaction.atomic
def change_rates(*, event_id: int, rates: Rates, by: Actor = NOBODY) -> Event:
    """Set the fee for members and for guests, in cents. Payments stay. Safe to repeat.

    Refuses: not_an_amount, amount_too_large.
    """
    change = Change(event_id, "change_rates", by)
    event = change.event
    validate_amount(rates.member, field="member_fee")
    validate_amount(rates.guest, field="guest_fee")
    if not change.is_repeat and rates != event.rates:
        change.update(event, member_fee=rates.member, guest_fee=rates.guest)
        change.record(member=rates.member, guest=rates.guest)
    return event


@transaction.atomic
def change_cash_rules(*, event_id: int, rules: CashRules, by: Actor = NOBODY) -> Event:
    """Change how much of the fees becomes prizes, what prizes are rounded to, and the cash to start with;
    amounts of prizes that were set stay as they are. Safe to repeat.

    Refuses: percentage_out_of_range, no_such_choice, not_an_amount, amount_too_large.
    """
    change = Change(event_id, "change_cash_rules", by)
    event = change.event
    if not 0 <= rules.prize_share <= 100:
        raise Refusal("percentage_out_of_range", field="prize_share")
    check_choice(rules.rounding_step, ROUNDING_STEPS, field="rounding_step")
    validate_amount(rules.starting_cash, field="starting_cash")
    if not change.is_repeat and rules != event.cash_rules:
        change.update(event, **asdict(rules))
        change.record(**asdict(rules))
    return event


@transaction.atomic
def pay_fee(*, event_id: int, person_id: int, by: Actor = NOBODY) -> Action | None:
    """Mark a person's fee as paid in full. Gives no id if nothing is owed. Safe to repeat.

    Refuses: not_at_the_event.
    """
    change = Change(event_id, "pay_fee", by)
    if change.is_repeat:
        return _get_earlier_action(by)
    line = _get_fee(change.event, person_id)
    if not line.due.owed:
        return None
    _mark_paid(change, [line])
    return change.record(person=line.person.pk, name=line.person.name, amount=line.due.owed)


@transaction.atomic
def pay_family(*, event_id: int, family_id: int, by: Actor = NOBODY) -> Action | None:
    """Mark the fees of all of a family who came as paid; return None if none of them owes anything. Safe to
    repeat. Refuses: no_such_family."""
    change = Change(event_id, "pay_family", by)
    if change.is_repeat:
        return _get_earlier_action(by)
    family = get_or_refuse(Family.objects.filter(pk=family_id, club=change.event.club_id).first(), "no_such_family")
    lines = group_unpaid_by_family(list_fees(change.event)).get(family.pk, [])
    if not lines:
        return None
    _mark_paid(change, lines)
    return change.record(
        family=family.name,
        people=[line.person.pk for line in lines],
        count=len(lines),
        amount=sum(line.due.owed for line in lines),
    )


@transaction.atomic
def record_fee(
    *,
    event_id: int,
    person_id: int,
    paid: int,
    other: int | None,
    seen: RecordedAmounts | None = None,
    by: Actor = NOBODY,
) -> Action | None:
    """Record a person's payment and fee: ``other``, 0 if they are excused, or None for the usual fee. Return
    None if nothing changes. If ``seen`` is given, the amounts before must still be those. Safe to repeat.

    Refuses: not_at_the_event, changed_since, not_an_amount, amount_too_large.
    """
    change = Change(event_id, "record_fee", by)
    if change.is_repeat:
        return _get_earlier_action(by)
    line = _get_fee(change.event, person_id)
    check_amounts_unchanged(seen, RecordedAmounts(line.attendee.paid, line.attendee.other))
    validate_amount(paid, field="paid")
    if other is not None:
        validate_amount(other, field="other")
    _save_fee(change, _get_fee_rows(change.event, [line.person.pk]), line.person.pk, paid=paid, other=other)
    if not change.rows:
        return None
    return change.record(person=line.person.pk, name=line.person.name, paid=paid, other=other)


@transaction.atomic
def undo_payment(*, event_id: int, action_id: int, by: Actor = NOBODY) -> Action:
    """Undo a payment, and nothing else. Safe to repeat.

    Refuses: no_such_action, cannot_be_undone, changed_since.
    """
    action = get_or_refuse(
        Action.objects.filter(event=event_id, pk=action_id).defer("changes").first(), "no_such_action"
    )
    if action.details.get("of", action.kind) not in PAYMENT_KINDS:
        raise Refusal("cannot_be_undone")
    return undo_action(event_id=event_id, action_id=action_id, by=by)


def _get_earlier_action(by: Actor) -> Action:
    return Action.objects.get(key=by.key)


def _get_fee(event: Event, person_id: int) -> FeeLine:
    return get_or_refuse(find_fee(event, person_id), "not_at_the_event")


def _mark_paid(change: Change, lines: Collection[FeeLine]) -> None:
    fees = _get_fee_rows(change.event, [line.person.pk for line in lines])
    for line in lines:
        _save_fee(change, fees, line.person.pk, paid=line.due.amount)


def _get_fee_rows(event: Event, people: Collection[int]) -> dict[int, Fee]:
    return {fee.person_id: fee for fee in event.fees.filter(person__in=people)}


def _save_fee(change: Change, fees: dict[int, Fee], person: int, **values: int | None) -> None:
    """Write these values to the person's fee; add a fee only if there is something to keep."""
    if person in fees:
        change.update(fees[person], **values)
    elif values.get("paid") or values.get("other") is not None:
        change.add(Fee(event=change.event, person_id=person, **values))
