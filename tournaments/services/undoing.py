"""The way back from each line of an event's history."""

from django.db import transaction

from rules import Refusal
from tournaments import selectors
from tournaments.lifecycle import OPEN, EventState, RoundState
from tournaments.models import Action, Event

from .changes import NOBODY, By, Change
from .settings import check_stages_stand


@transaction.atomic
def undo_action(*, event_id: int, action_id: int, by: By = NOBODY) -> Action:
    """Takes one line of the history back; undoing that line does it again. Safe to repeat.

    Refuses: no_such_action, cannot_be_undone, changed_since, later_steps_rest_on_it.
    """
    change = Change(event_id, "undo", by)
    action = change.event.actions.filter(pk=action_id).first()
    if action is None:
        raise Refusal("no_such_action")
    known = Action.objects.filter(undoes=action).first()
    if known is not None:
        return known
    if not any(action.changes.values()):
        raise Refusal("cannot_be_undone")
    change.take_back(action)
    check_order(change.event)
    check_stages_stand(change.event)
    return change.done(undoes=action, **{"of": action.kind, **action.details})


def check_order(event: Event) -> None:
    """Rounds follow one another: all are closed but the last, and there are none before the start.

    Refuses: later_steps_rest_on_it, tables_missing.
    """
    states = list(event.rounds.order_by("number").values_list("number", "state"))
    in_order = [number for number, _ in states] == list(range(1, len(states) + 1))
    is_closed = all(state == RoundState.CLOSED for _, state in states[:-1])
    if not in_order or not is_closed or (event.state == EventState.PREPARING and states):
        raise Refusal("later_steps_rest_on_it")
    closed = event.rounds.filter(state=RoundState.CLOSED).order_by("number").last()
    missing = selectors.missing_tables(closed) if closed is not None else []
    if missing:
        raise Refusal("tables_missing", tables=missing)
    if event.state == EventState.ENDED and any(state in OPEN for _, state in states):
        raise Refusal("later_steps_rest_on_it")
