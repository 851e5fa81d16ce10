"""Check-in at the desk, and attendance round by round."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from clubs.models import Family
from engine.draws.stages import count_plan_rounds
from errors import Refusal, check_choice, get_or_refuse
from tournaments.entries.entry_import.values import MAX_ROUND
from tournaments.entries.queries.entries import entries_of_family, last_published_round
from tournaments.events.services.lifecycle import check_not_ended
from tournaments.history.queries import read_number_history
from tournaments.history.services.changes import Change
from tournaments.models import NOT_ARRIVED, Entry, Event

from .entries import get_entry

ATTENDANCES = ("plays", "absent", "excused", "bye")


@transaction.atomic
def mark_present(*, event_id: int, number: int, is_present: bool, by: Actor = NOBODY) -> Entry:
    """Set whether an entry has checked in. An entry left out until then plays from the next round. Safe to
    repeat.

    Refuses: no_such_entry_now.
    """
    change = Change(event_id, "mark_present", by)
    entry = get_entry(change.event, number)
    if is_present and _is_missing(entry):
        _check_in(change, entry)
        change.record(entry=number, is_present=True)
    elif not is_present and entry.present_at is not None:
        change.update(entry, present_at=None)
        change.record(entry=number, is_present=False)
    return entry


@transaction.atomic
def mark_family_present(*, event_id: int, family_id: int, by: Actor = NOBODY) -> list[int]:
    """Check in every entry with a member of the family; return their numbers. Safe to repeat.

    Refuses: no_such_family.
    """
    change = Change(event_id, "mark_family_present", by)
    family = get_or_refuse(Family.objects.filter(pk=family_id, club=change.event.club_id).first(), "no_such_family")
    entries = list(entries_of_family(change.event, family))
    newly_present = [entry for entry in entries if _is_missing(entry)]
    for entry in newly_present:
        _check_in(change, entry)
    if newly_present:
        change.record(family=family.name, entries=[entry.number for entry in newly_present])
    return [entry.number for entry in entries]


@transaction.atomic
def leave_out_absent(*, event_id: int, by: Actor = NOBODY) -> list[int]:
    """Leave all entries that have not checked in out of the draw. Safe to repeat.

    Returns the numbers of the entries left out.

    They are awaited, not withdrawn: one that checks in later plays from the next round, and one that never
    comes is in no draw.

    Refuses: too_few_present, round_is_published.
    """
    change = Change(event_id, "leave_out_absent", by)
    event = change.event
    _check_not_published(last_published_round(event), 1)
    entries = list(event.entries.filter(is_waiting=False).order_by("number"))
    absent = [entry for entry in entries if entry.present_at is None]
    present, required = len(entries) - len(absent), event.fewest_entries
    if present < required:
        raise Refusal("too_few_present", present=present, least=required)
    if not all(entry.is_awaited for entry in absent):
        change.update_all(absent, arrives=NOT_ARRIVED)
        change.record(entries=[entry.number for entry in absent])
    return [entry.number for entry in absent]


@transaction.atomic
def leave_out_entry(*, event_id: int, number: int, is_coming: bool, by: Actor = NOBODY) -> Entry:
    """Leave an entry out of the draw until it checks in. ``is_coming`` is true if it is late, false if it
    will not come. Only before the first round; later, mark it absent or withdraw it. Safe to repeat.

    Refuses: no_such_entry_now, round_is_published, event_ended.
    """
    change = Change(event_id, "leave_out_entry", by)
    entry = get_entry(change.event, number)
    attendance = "late" if is_coming else "stays_away"
    if change.is_repeat or (entry.is_awaited and attendance == _get_last_left_out(change.event, entry)):
        return entry
    check_not_ended(change.event)
    _check_not_published(last_published_round(change.event), 1)
    change.update(entry, arrives=NOT_ARRIVED, present_at=None)
    change.record(entry=number, attendance=attendance)
    return entry


def _get_last_left_out(event: Event, entry: Entry) -> str:
    """Return how an entry was left out the last time: late, stays_away or "". Two queries."""
    numbers = read_number_history(event, [entry])
    lines = event.actions.filter(kind="leave_out_entry").order_by("-pk").values_list("pk", "details")
    entry_details = (details for pk, details in lines if numbers.at(pk).get(details["entry"]) == entry.pk)
    return next((details["attendance"] for details in entry_details), "")


@transaction.atomic
def change_attendance(*, event_id: int, number: int, round_number: int, attendance: str, by: Actor = NOBODY) -> Entry:
    """Set the attendance of an entry for a round not yet published: ``plays``, ``absent``, ``excused``, or
    ``bye`` for a requested bye. Safe to repeat.

    Refuses: no_such_entry_now, no_such_choice, round_out_of_range, round_is_published, too_many_byes,
    too_late_for_bye.
    """
    change = Change(event_id, "change_attendance", by)
    entry = get_entry(change.event, number)
    if change.is_repeat:
        return entry
    check_choice(attendance, ATTENDANCES, field="attendance")
    if not 1 <= round_number <= MAX_ROUND:
        raise Refusal("round_out_of_range", field="round", most=MAX_ROUND)
    _check_not_published(last_published_round(change.event), round_number)
    absent = _toggle(entry.absent, round_number, is_in=attendance in ("absent", "excused"))
    excused = _toggle(entry.excused, round_number, is_in=attendance == "excused")
    byes = _toggle(entry.byes_asked, round_number, is_in=attendance == "bye")
    if attendance == "bye" and byes != entry.byes_asked:
        _check_bye_request(change.event, byes, round_number)
    if (absent, excused, byes) != (entry.absent, entry.excused, entry.byes_asked):
        change.update(entry, absent=absent, excused=excused, byes_asked=byes)
        change.record(entry=number, round=round_number, attendance=attendance)
    return entry


def _check_bye_request(event: Event, byes: Sequence[int], round_number: int) -> None:
    """Check that the event's rules allow these requested byes. Refuses: too_many_byes, too_late_for_bye."""
    rules = event.ranking_rules
    if rules.most_byes_asked is not None and len(byes) > rules.most_byes_asked:
        raise Refusal("too_many_byes", field="attendance", most=rules.most_byes_asked)
    sections = event.entries.filter(is_waiting=False).values_list("section", flat=True)
    rounds = count_plan_rounds(event.plan, len(sections), sections)
    if rounds is not None and round_number > rounds - rules.last_without_bye:
        raise Refusal("too_late_for_bye", field="round", least=rounds - rules.last_without_bye, rounds=rounds)


def _check_not_published(last_round: int, round_number: int) -> None:
    if round_number <= last_round:
        raise Refusal("round_is_published", field="round", round=round_number)


def _toggle(rounds: Sequence[int], number: int, *, is_in: bool) -> list[int]:
    return sorted({*rounds, number} if is_in else set(rounds) - {number})


def _is_missing(entry: Entry) -> bool:
    return entry.present_at is None or entry.is_awaited


def _check_in(change: Change, entry: Entry) -> None:
    """Check in an entry; if it was left out until then, it plays from the next round."""
    change.update(entry, present_at=timezone.now())
    if entry.is_awaited:
        change.update(entry, arrives=last_published_round(change.event) + 1)
