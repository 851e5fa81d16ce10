"""States of an event: creating, starting, ending, resuming and archiving."""

import datetime
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club
from clubs.services.changes import lock_club
from clubs.services.clubs import create_with_slug
from engine.draws import FORMATS
from engine.draws.stages import parse_stage_plan
from engine.presets import USUAL_ORDERS
from engine.ranking import RankingRules, ranking_rules_to_json, use_half_wins
from engine.results import get_default_rules
from errors import Refusal
from live.news import public_change
from live.revisions import raise_revision
from rules import MatchFormat, Ruleset, check_format, match_format_to_json, ruleset_to_json
from scoring.log_values import DETAILS
from scoring.models import Mark, Terms
from tournaments.events.queries import has_event
from tournaments.history.services.changes import Change
from tournaments.lifecycle import OPEN_STATES, EventState, get_next_state
from tournaments.models import NOT_ARRIVED, Event
from tournaments.rounds.chances import count_club_hands
from tournaments.rounds.services.results import check_played
from tournaments.rounds.services.seatings import issue_event_cards
from web.names import validate_title

MAX_TABLES = 1_000
MAX_LOT = 10_000
DEFAULT_STAGES: Sequence[Mapping[str, Any]] = ({"format": "random"},)
"""Stages of a usual club night: every round drawn by lot."""


def adapt_ranking(rules: RankingRules, match_format: MatchFormat) -> RankingRules:
    """Return the rules; a usual order counts half wins if a match of this length can be drawn."""
    if match_format.may_stop_in_a_game and rules.order in USUAL_ORDERS:
        return replace(rules, order=use_half_wins(rules.order))
    return rules


@transaction.atomic
def create_event(
    *,
    club: Club,
    name: str,
    held_on: datetime.date,
    ruleset: Ruleset,
    match_format: MatchFormat,
    table_count: int,
    details: Collection[str] = (),
    rules_name: str = "",
    stages: Sequence[Mapping[str, Any]] = DEFAULT_STAGES,
) -> Event:
    """Create an event in preparation. The ruleset and the match length are stored in full.

    ``rules_name`` is the name of house rules of the club; ``stages`` are as ``draws.stages.parse_stage_plan`` reads
    them.
    Refuses: event_name_required, tables_out_of_range, no_such_detail, partners_need_four, and what
    ``rules.check_format`` and ``parse_stage_plan`` refuse.
    """
    name = validate_title(name, field="name")[:80]
    if not name:
        raise Refusal("event_name_required", field="name")
    _check_table_count(table_count)
    rules = build_rules_columns(ruleset, rules_name, details)
    plan = parse_stage_plan(stages)
    if FORMATS[plan[0].format].draws_partners and ruleset.seats != 4:
        raise Refusal("partners_need_four", field="stages")
    terms = Terms.objects.create(format_data=match_format_to_json(check_format(match_format)), **rules)
    lock_club(club.pk)
    event = create_with_slug(
        name,
        has_event,
        lambda short: Event.objects.create(
            club=club,
            short=short,
            name=name,
            held_on=held_on,
            terms=terms,
            table_count=table_count,
            stages=[dict(stage) for stage in stages],
            ranking=ranking_rules_to_json(adapt_ranking(get_default_rules(plan), match_format)),
            lot=secrets.randbelow(MAX_LOT),
        ),
    )
    raise_revision(club.calendar_topic)
    public_change.send(Event, topic=event.topic, club_id=club.pk)
    return event


@transaction.atomic
def create_once(*, club: Club, create: Callable[[], Event], by: Actor) -> Event:
    """Create an event with ``create``, once per key. Safe to repeat with the same key: the existing event is
    returned, as it is now. Refuses: what ``create`` and the precondition of ``by`` do."""
    lock_club(club.pk)
    existing_event = None if by.key is None else club.events.filter(key=by.key).first()
    if existing_event is not None:
        return existing_event
    by.check_precondition()
    event = create()
    event.key = by.key
    event.save(update_fields=["key"])
    return event


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
    _check_table_count(table_count)
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


def _record_change(change: Change) -> Event:
    change.record()
    return change.event


def _check_table_count(table_count: int) -> None:
    if not 1 <= table_count <= MAX_TABLES:
        raise Refusal("tables_out_of_range", field="table_count", most=MAX_TABLES)
