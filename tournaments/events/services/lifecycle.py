"""States of an event: starting, ending, resuming and archiving."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from engine.presets import USUAL_ORDERS
from engine.ranking import RankingRules, use_half_wins
from errors import Refusal
from rules import MatchFormat, Ruleset, ruleset_to_json
from scoring.log_values import DETAILS
from scoring.models import Mark
from tournaments.history.services.changes import Change
from tournaments.lifecycle import OPEN_STATES, EventState, get_next_state
from tournaments.models import NOT_ARRIVED, Event
from tournaments.rounds.chances import count_club_hands
from tournaments.rounds.services.results import check_played
from tournaments.rounds.services.seatings import issue_event_cards

MAX_TABLES = 1_000


def adapt_ranking(rules: RankingRules, match_format: MatchFormat) -> RankingRules:
    """Return the rules; a usual order counts half wins if a match of this length can be drawn."""
    if match_format.may_stop_in_a_game and rules.order in USUAL_ORDERS:
        return replace(rules, order=use_half_wins(rules.order))
    return rules


@transaction.atomic
def plan_tables(*, event_id: int, table_count: int, by: Actor = NOBODY) -> Event:
    """Set the number of tables. After the start, tables can only be added. Safe to repeat with the same
    idempotency key.

    Refuses: tables_out_of_range, event_started.
    """
    change = Change(event_id, "plan_tables", by)
    if change.is_repeat:
        return change.event
    is_running = change.event.state == EventState.RUNNING
    if not is_running or table_count < change.event.table_count:
        check_preparing(change.event, field="table_count")
    check_table_count(table_count)
    change.update(change.event, table_count=table_count)
    if is_running:
        issue_event_cards(change.event, table_count)
    return _record_change(change)


@transaction.atomic
def start_event(*, event_id: int, by: Actor = NOBODY) -> Event:
    """Start an event. Its tables get their codes, and rounds can be drawn. Safe to repeat.

    Refuses: event_called_off, too_few_entries, too_few_tables, step_not_allowed.
    """
    change = Change(event_id, "start_event", by)
    event = change.event
    if event.state == EventState.RUNNING:
        return event
    state = get_next_state(event.state, "start")
    if event.announcement.is_called_off:
        raise Refusal("event_called_off")
    taking_part = event.entries.filter(is_waiting=False)
    entries, playing_count = taking_part.count(), taking_part.exclude(arrives=NOT_ARRIVED).count()
    if playing_count < event.fewest_entries:
        raise Refusal("too_few_entries", field="entries", entries=playing_count, least=event.fewest_entries)
    needed = entries * event.entry_size // event.terms.ruleset.seats
    if event.table_count < needed:
        raise Refusal("too_few_tables", field="table_count", needed=needed, tables=event.table_count)
    change.update(event, state=state, hand_counts=count_club_hands(event))
    issue_event_cards(event, event.table_count)
    return _record_change(change)


@transaction.atomic
def end_event(*, event_id: int, by: Actor = NOBODY) -> Event:
    """End an event. Its table codes stop working; a draft is kept in case the event resumes.

    Safe to repeat. Refuses: round_not_closed, tables_undecided, matches_postponed, step_not_allowed.
    """
    change = Change(event_id, "end_event", by)
    event = change.event
    if event.state == EventState.ENDED:
        return event
    state = get_next_state(event.state, "end")
    open_round = event.rounds.filter(state__in=OPEN_STATES).first()
    if open_round is not None:
        raise Refusal("round_not_closed", round=open_round.number)
    check_played(event)
    change.update(event, state=state)
    return _record_change(change)


@transaction.atomic
def resume_event(*, event_id: int, by: Actor = NOBODY) -> Event:
    """Resume an ended event. Its table codes work again. Safe to repeat.

    Refuses: step_not_allowed.
    """
    change = Change(event_id, "resume_event", by)
    if change.event.state == EventState.RUNNING:
        return change.event
    change.update(change.event, state=get_next_state(change.event.state, "resume"))
    return _record_change(change)


@transaction.atomic
def put_away_event(*, event_id: int, by: Actor = NOBODY) -> Event:
    """Archive an event created by mistake. It is hidden everywhere until restored. Safe to repeat.

    Refuses: event_running, event_has_hands.
    """
    change = Change(event_id, "put_away_event", by)
    event = change.event
    if event.is_put_away:
        return event
    if event.state == EventState.RUNNING:
        raise Refusal("event_running")
    if Mark.objects.filter(match__terms=event.terms_id).exists():
        raise Refusal("event_has_hands")
    change.update(event, is_put_away=True)
    return _record_change(change)


@transaction.atomic
def bring_back_event(*, event_id: int, by: Actor = NOBODY) -> Event:
    """Restore an event archived by ``put_away_event``. Safe to repeat."""
    change = Change(event_id, "bring_back_event", by)
    if not change.event.is_put_away:
        return change.event
    change.update(change.event, is_put_away=False)
    return _record_change(change)


def build_rules_columns(ruleset: Ruleset, rules_name: str, details: Collection[str]) -> dict[str, Any]:
    """Return the columns of ``Terms`` for these rules. Refuses: no_such_detail."""
    if set(details) - set(DETAILS):
        raise Refusal("no_such_detail", field="details", known=DETAILS)
    return {
        "ruleset_data": ruleset_to_json(ruleset),
        "rules_name": rules_name,
        "details": [detail for detail in DETAILS if detail in details],
    }


def check_preparing(event: Event, *, field: str) -> None:
    """Check that the event has not started. Refuses: event_started."""
    if event.state != EventState.PREPARING:
        raise Refusal("event_started", field=field)


def check_running(event: Event, *, field: str | None = None) -> None:
    """Check that the event is in progress. Refuses: event_not_running."""
    if event.state != EventState.RUNNING:
        raise Refusal("event_not_running", field=field)


def check_not_ended(event: Event, *, field: str | None = None) -> None:
    """Check that the event has not ended. Refuses: event_ended."""
    if event.state == EventState.ENDED:
        raise Refusal("event_ended", field=field)


def _record_change(change: Change) -> Event:
    change.record()
    return change.event


def check_table_count(table_count: int) -> None:
    """Check that an event may have so many tables. Refuses: tables_out_of_range."""
    if not 1 <= table_count <= MAX_TABLES:
        raise Refusal("tables_out_of_range", field="table_count", most=MAX_TABLES)
