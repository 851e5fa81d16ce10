"""Undo of each line of an event's history."""

from collections.abc import Collection, Mapping

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from errors import Refusal
from tournaments.events.services.settings import check_stages_still_valid
from tournaments.lifecycle import OPEN_STATES, EventState, RoundState
from tournaments.models import Action, Event, Seating
from tournaments.rounds.queries.rounds import lineup_of, list_undecided_tables
from tournaments.rounds.services.results import check_results

from .changes import Change


@transaction.atomic
def undo_action(*, event_id: int, action_id: int, may_be_undecided: bool = False, by: Actor = NOBODY) -> Action:
    """Undo a change in an event's history, or undo an undo. If a table of a closed round would lose its
    result, set ``may_be_undecided``. Safe to repeat.

    Refuses: no_such_action, cannot_be_undone, changed_since, later_steps_rest_on_it, tables_missing,
    nobody_goes_on.
    """
    change = Change(event_id, "undo", by)
    action: Action
    earlier_undo: Action | None
    action, earlier_undo = change.get_undo_pair(action_id)
    if earlier_undo is not None:
        return earlier_undo
    if not any(action.changes.values()):
        raise Refusal("cannot_be_undone")
    numbers, phases = _map_entry_numbers(change.event), change.event.phases
    closed_numbers, undecided_rows = _list_closed_rounds(change.event), list_undecided_tables(change.event)
    change.undo_changes(action)
    if may_be_undecided:
        undecided_rows += [
            table_key for table_key in list_undecided_tables(change.event) if table_key[0] in closed_numbers
        ]
    check_round_order(change.event, allowed_tables=undecided_rows)
    check_stages_still_valid(change.event, phases)
    check_entries_still_valid(change.event, numbers)
    return change.record(undoes=action, **change.build_undo_details(action))


def check_round_order(event: Event, *, allowed_tables: Collection[tuple[int, int]] = ()) -> None:
    """Check that rounds follow one another: all are closed but the last, and none exist before the start.
    Closed rounds have all their results, except at the ``allowed_tables`` (round and table).

    Refuses: later_steps_rest_on_it, tables_missing, nobody_goes_on.
    """
    states = list(event.rounds.order_by("number").values_list("number", "state"))
    is_consecutive = [number for number, _ in states] == list(range(1, len(states) + 1))
    is_closed = all(state == RoundState.CLOSED for _, state in states[:-1])
    if not is_consecutive or not is_closed or (event.state == EventState.PREPARING and states):
        raise Refusal("later_steps_rest_on_it")
    for round_row in event.rounds.filter(state=RoundState.CLOSED).order_by("number"):
        check_results(
            event, round_row, allowed_tables=[table for number, table in allowed_tables if number == round_row.number]
        )
    if event.state == EventState.ENDED and any(state in OPEN_STATES for _, state in states):
        raise Refusal("later_steps_rest_on_it")


def check_entries_still_valid(event: Event, numbers: Mapping[int, int]) -> None:
    """Check that everybody who sits in a round takes part. Once rounds are drawn by them, starting numbers
    must be those in ``numbers``, by entry.

    Refuses: later_steps_rest_on_it.
    """
    seated_ids = set(Seating.objects.filter(round__event=event).values_list("entry", flat=True))
    for draft in event.rounds.filter(state=RoundState.DRAFT):
        seated_ids |= lineup_of(draft).entries
    current_numbers = _map_entry_numbers(event)
    has_moved = any(numbers.get(entry, number) != number for entry, number in current_numbers.items())
    is_renumbered = has_moved and event.state != EventState.PREPARING
    taking_part = event.entries.filter(is_waiting=False).values_list("pk", flat=True)
    if is_renumbered or not seated_ids.issubset(taking_part):
        raise Refusal("later_steps_rest_on_it")


def _list_closed_rounds(event: Event) -> set[int]:
    return set(event.rounds.filter(state=RoundState.CLOSED).values_list("number", flat=True))


def _map_entry_numbers(event: Event) -> dict[int, int]:
    return dict(event.entries.values_list("pk", "number"))
