"""Creation of events."""

import datetime
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from django.db import transaction

from clubs.audit.log import Actor
from clubs.models import Club
from clubs.services.changes import lock_club
from clubs.services.clubs import create_with_slug
from engine.draws.stages import parse_stage_plan
from engine.phases import Phases, phases_to_json
from engine.ranking import RankingRules, ranking_rules_to_json
from engine.results import get_default_rules
from errors import Refusal
from live.news import public_change
from live.revisions import raise_revision
from rules import MatchFormat, Ruleset, check_format, match_format_to_json
from scoring.models import Terms
from tournaments.events.queries import has_event
from tournaments.models import Event
from web.names import validate_title

from .lifecycle import adapt_ranking, build_rules_columns, check_table_count
from .settings import check_plan, check_sections, check_tables_for_two

MAX_LOT = 10_000
DEFAULT_STAGES: Sequence[Mapping[str, Any]] = ({"format": "random"},)
"""Stages of a usual club night: every round drawn by lot."""


@transaction.atomic
def create_event(  # noqa: PLR0913 (all settings of an event)
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
    ranking: RankingRules | None = None,
    sections: Sequence[Mapping[str, Any]] = (),
    phases: Phases = (),
) -> Event:
    """Create an event in preparation. The ruleset and the match length are stored in full.

    ``rules_name`` is the name of house rules of the club; ``stages`` are as ``draws.stages.parse_stage_plan`` reads
    them, and decide the usual ``ranking``; ``sections`` are as ``Event`` stores them.
    Refuses: event_name_required, and what ``check_table_count``, ``build_rules_columns``, ``parse_stage_plan``,
    ``check_plan``, ``check_tables_for_two``, ``check_sections`` and ``rules.check_format`` refuse.
    """
    name = validate_title(name, field="name")[:80]
    if not name:
        raise Refusal("event_name_required", field="name")
    check_table_count(table_count)
    rules = build_rules_columns(ruleset, rules_name, details)
    plan = parse_stage_plan(stages)
    check_plan(plan, seats=ruleset.seats)
    check_tables_for_two(plan, ruleset)
    check_sections(sections)
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
            ranking=ranking_rules_to_json(ranking or adapt_ranking(get_default_rules(plan), match_format)),
            sections=[dict(section) for section in sections],
            phase_data=phases_to_json(phases) or None,
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
