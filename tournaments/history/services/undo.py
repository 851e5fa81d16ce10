"""Undo of each line of an event's history."""

from collections.abc import Collection, Mapping

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from errors import Refusal
from tournaments.events.services.settings import check_stages_stand
from tournaments.lifecycle import OPEN, EventState, RoundState
from tournaments.models import Action, Event, Seating
from tournaments.rounds.queries.rounds import undecided_tables
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.rounds.services.results import check_results

from .changes import Change


@transaction.atomic
def undo_action(
    *, event_id: int, action_id: int, may_be_undecided: bool = False, by: Actor = NOBODY
) -> Action:
    """Undo a change in an event's history, or undo an undo. If a table of a closed round would lose its
    result, set ``may_be_undecided``. Safe to repeat.

    Refuses: no_such_action, cannot_be_undone, changed_since, later_steps_rest_on_it, tables_missing,
    nobody_goes_on.
    """
    change = Change(event_id, "undo", by)
    action: Action
    known: Action | None
    action, known = change.to_undo(action_id)
    if known is not None:
        return known
    if not any(action.changes.values()):
        raise Refusal("cannot_be_undone")
    numbers, phases = _numbers(change.event), change.event.phases
    closed, undecided = _closed_rounds(change.event), undecided_tables(change.event)
    change.take_back(action)
    if may_be_undecided:
        undecided += [each for each in undecided_tables(change.event) if each[0] in closed]
    check_order(change.event, undecided=undecided)
    check_stages_stand(change.event, phases)
    check_entries_stand(change.event, numbers)
    return change.record(undoes=action, **change.details_of_undo(action))


def check_order(event: Event, *, undecided: Collection[tuple[int, int]] = ()) -> None:
    """Check that rounds follow one another: all are closed but the last, and none exist before the start.
    Closed ones have all their results, except the ``undecided``: round and table.

    Refuses: later_steps_rest_on_it, tables_missing, nobody_goes_on.
    """
    states = list(event.rounds.order_by("number").values_list("number", "state"))
    in_order = [number for number, _ in states] == list(range(1, len(states) + 1))
    is_closed = all(state == RoundState.CLOSED for _, state in states[:-1])
    if not in_order or not is_closed or (event.state == EventState.PREPARING and states):
        raise Refusal("later_steps_rest_on_it")
    for played in event.rounds.filter(state=RoundState.CLOSED).order_by("number"):
        check_results(
            event, played, undecided=[table for number, table in undecided if number == played.number]
        )
    if event.state == EventState.ENDED and any(state in OPEN for _, state in states):
        raise Refusal("later_steps_rest_on_it")


def check_entries_stand(event: Event, numbers: Mapping[int, int]) -> None:
    """Check that everybody who sits in a round takes part. Once rounds are drawn by them, starting numbers
    must be those in ``numbers``, by entry.

    Refuses: later_steps_rest_on_it.
    """
    seated = set(Seating.objects.filter(round__event=event).values_list("entry", flat=True))
    for draft in event.rounds.filter(state=RoundState.DRAFT):
        seated |= lineup_of(draft).entries
    now = _numbers(event)
    has_moved = any(numbers.get(entry, number) != number for entry, number in now.items())
    is_renumbered = has_moved and event.state != EventState.PREPARING
    taking_part = event.entries.filter(is_waiting=False).values_list("pk", flat=True)
    if is_renumbered or not seated.issubset(taking_part):
        raise Refusal("later_steps_rest_on_it")


def _closed_rounds(event: Event) -> set[int]:
    return set(event.rounds.filter(state=RoundState.CLOSED).values_list("number", flat=True))


def _numbers(event: Event) -> dict[int, int]:
    return dict(event.entries.values_list("pk", "number"))
