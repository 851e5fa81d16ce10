"""The life of an event: prepared, started, ended."""

import datetime
from collections.abc import Collection

from django.db import transaction
from django.urls import reverse

from clubs.models import Club
from clubs.names import cleaned
from clubs.services import unused_slug
from live.revisions import raise_revision
from rules import MatchFormat, Refusal, Ruleset, check_format, plain_format, plain_ruleset
from scoring.models import DETAILS, Terms
from scoring.services import close_cards, issue_cards, reopen_cards
from tournaments.lifecycle import EventState, RoundState, after_step
from tournaments.models import Event

MOST_TABLES = 1_000
OFFERED_FORMATS = ("random", "swiss")
"""How a club night's rounds can be drawn, the usual way first."""


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
    draw_format: str = OFFERED_FORMATS[0],
) -> Event:
    """A new event in preparation. The ruleset and the match length are kept whole, for good.

    ``rules_name`` is what the club calls the ruleset, where that is house rules of its own.

    Refuses: event_name_required, tables_out_of_range, no_such_detail, no_such_choice, what
    ``rules.check_format`` refuses.
    """
    name = cleaned(name)[:80]
    if not name:
        raise Refusal("event_name_required", field="name")
    _check_table_count(table_count)
    if set(details) - set(DETAILS):
        raise Refusal("no_such_detail", field="details", known=DETAILS)
    if draw_format not in OFFERED_FORMATS:
        raise Refusal("no_such_choice", field="draw_format", value=draw_format, choices=OFFERED_FORMATS)
    terms = Terms.objects.create(
        ruleset_data=plain_ruleset(ruleset),
        rules_name=rules_name,
        format_data=plain_format(check_format(match_format)),
        details=[detail for detail in DETAILS if detail in details],
    )
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)  # two of one name at once get two addresses
    short = unused_slug(name, Event.objects.values_list("short", flat=True))
    return Event.objects.create(
        club=club,
        short=short,
        name=name,
        held_on=held_on,
        terms=terms,
        table_count=table_count,
        draw_format=draw_format,
    )


@transaction.atomic
def plan_tables(*, event_id: int, table_count: int) -> Event:
    """Another number of tables, until the evening starts. Refuses: tables_out_of_range, event_started."""
    event = locked_event(event_id)
    if event.state != EventState.PREPARING:
        raise Refusal("event_started", field="table_count")
    _check_table_count(table_count)
    event.table_count = table_count
    return _saved(event)


@transaction.atomic
def start_event(*, event_id: int) -> Event:
    """Puts the cards on the tables; from now on rounds can be drawn. Safe to repeat.

    Refuses: too_few_entries, too_few_tables, step_not_allowed.
    """
    event = locked_event(event_id)
    if event.state == EventState.RUNNING:
        return event
    event.state = after_step(event.state, "start")
    entries = event.entries.count()
    if entries < 2:
        raise Refusal("too_few_entries", field="entries", entries=entries)
    if event.table_count < entries // 2:
        raise Refusal("too_few_tables", field="table_count", needed=entries // 2, tables=event.table_count)
    issue_cards(
        club=event.club,
        topic=event.topic,
        count=event.table_count,
        public_page=event.get_absolute_url(),
        desk_page=reverse("desk", args=[event.short]),
    )
    return _saved(event)


@transaction.atomic
def end_event(*, event_id: int) -> Event:
    """The evening is over: the codes of its tables open nothing any more. A draft waits, in case it goes on.

    Safe to repeat. Refuses: round_not_closed, step_not_allowed.
    """
    event = locked_event(event_id)
    if event.state == EventState.ENDED:
        return event
    event.state = after_step(event.state, "end")
    playing = event.rounds.filter(state=RoundState.PUBLISHED).first()
    if playing is not None:
        raise Refusal("round_not_closed", round=playing.number)
    close_cards(topic=event.topic)
    return _saved(event)


@transaction.atomic
def resume_event(*, event_id: int) -> Event:
    """The undo of ``end_event``. Safe to repeat. Refuses: step_not_allowed."""
    event = locked_event(event_id)
    if event.state == EventState.RUNNING:
        return event
    event.state = after_step(event.state, "resume")
    reopen_cards(topic=event.topic)
    return _saved(event)


def locked_event(event_id: int) -> Event:
    """The event, held by this transaction until it ends. Refuses: no_such_event."""
    event = (
        Event.objects.select_for_update(of=("self",))
        .select_related("club", "terms")
        .filter(pk=event_id)
        .first()
    )
    if event is None:
        raise Refusal("no_such_event")
    return event


def _saved(event: Event) -> Event:
    event.save(update_fields=["state", "table_count"])
    raise_revision(event.topic)
    return event


def _check_table_count(table_count: int) -> None:
    if not 1 <= table_count <= MOST_TABLES:
        raise Refusal("tables_out_of_range", field="table_count", most=MOST_TABLES)
