"""Close, draw, publish: the three buttons of a round, and their undo."""

import secrets
from collections.abc import Iterable, Sequence

from django.db import transaction
from django.utils import timezone

from jobs.services import enqueue
from live.revisions import raise_revision
from rules import Refusal, Side
from scoring.models import Match, TableCard
from scoring.services import close_matches, open_match, reopen_matches, withdraw_match
from tournaments import draws, selectors
from tournaments.draws import Draw, DrawnBye, DrawnTable, EntryId, plain_certificate
from tournaments.lifecycle import EventState, RoundState, after_step
from tournaments.models import Event, Round, Seating, Table

from .events import locked_event

SEEDS = 2**31


@transaction.atomic
def draw_round(*, event_id: int, seed: int | None = None) -> Round:
    """A draft of the next round, by the event's format. A draft that is there already is drawn anew, with
    another seed.

    Refuses: event_not_running, round_not_closed.
    """
    event = _ready_to_draw(event_id)
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    drawn = draws.draw(event.draw_format, selectors.draw_input(event, seed=seed))
    return _draft(event, drawn)


@transaction.atomic
def enter_draw(*, event_id: int, tables: Sequence[DrawnTable], byes: Iterable[EntryId] = ()) -> Round:
    """A draft of the next round as somebody made it by hand.

    Refuses: event_not_running, round_not_closed.
    """
    event = _ready_to_draw(event_id)
    by_hand = Draw(
        format="manual",
        round=event.rounds.count() + 1,
        seed=0,
        tables=tuple(tables),
        byes=tuple(DrawnBye(entry=entry) for entry in byes),
    )
    return _draft(event, by_hand)


@transaction.atomic
def discard_draft(*, event_id: int, number: int) -> None:
    """Forgets a draft. Safe to repeat."""
    event = locked_event(event_id)
    if event.rounds.filter(number=number, state=RoundState.DRAFT).delete()[0]:
        raise_revision(event.topic)


@transaction.atomic
def publish_round(*, event_id: int, number: int) -> Round:
    """Everybody sees the draw, and the tables can mark. Safe to repeat.

    Refuses: event_not_running, no_such_round, step_not_allowed.
    """
    event = locked_event(event_id)
    drawn = _round(event, number)
    if drawn.state == RoundState.PUBLISHED:
        return drawn
    if event.state != EventState.RUNNING:
        raise Refusal("event_not_running")
    drawn.state = after_step(drawn.state, "publish")
    drawn.published_at = timezone.now()
    cards = {card.number: card for card in TableCard.objects.filter(topic=event.topic)}
    for table in selectors.tables_of(drawn):
        players = selectors.in_seats([seating.entry.players for seating in table.seatings.all()])
        table.match = open_match(
            card=cards[table.number], terms=event.terms, round_number=number, players=players
        )
        table.save(update_fields=["match"])
    enqueue(kind="refresh_standings", key=str(event.pk))  # byes count
    return _saved(drawn, event)


@transaction.atomic
def unpublish_round(*, event_id: int, number: int) -> Round:
    """The undo of ``publish_round``, while nobody has marked. Refuses: match_has_marks, step_not_allowed."""
    event = locked_event(event_id)
    drawn = _round(event, number)
    drawn.state = after_step(drawn.state, "unpublish")
    drawn.published_at = None
    for table in drawn.tables.select_related("match"):
        match, table.match = table.match, None
        table.save(update_fields=["match"])
        if match is not None:
            withdraw_match(match_id=match.pk)
    enqueue(kind="refresh_standings", key=str(event.pk))
    return _saved(drawn, event)


@transaction.atomic
def close_round(*, event_id: int, number: int) -> Round:
    """The round's results stand; only a director changes them now. Safe to repeat.

    Refuses: tables_missing, with their numbers; no_such_round, step_not_allowed.
    """
    event = locked_event(event_id)
    played = _round(event, number)
    if played.state == RoundState.CLOSED:
        return played
    played.state = after_step(played.state, "close")
    played.closed_at = timezone.now()
    close_matches(match_ids=_match_ids(played))  # first, so that no table undoes its last hand meanwhile
    missing = selectors.missing_tables(played)
    if missing:
        raise Refusal("tables_missing", tables=missing)
    return _saved(played, event)


@transaction.atomic
def reopen_round(*, event_id: int, number: int) -> Round:
    """The undo of ``close_round``, for the last round published; a draft of the next one is forgotten.

    Safe to repeat. Refuses: later_round_published, no_such_round, event_not_running.
    """
    event = locked_event(event_id)
    played = _round(event, number)
    if played.state == RoundState.PUBLISHED:
        return played
    if event.state != EventState.RUNNING:
        raise Refusal("event_not_running")
    played.state = after_step(played.state, "reopen")
    if event.rounds.filter(number__gt=number).exclude(state=RoundState.DRAFT).exists():
        raise Refusal("later_round_published", round=number)
    event.rounds.filter(number__gt=number).delete()
    played.closed_at = None
    reopen_matches(match_ids=_match_ids(played))
    return _saved(played, event)


def _ready_to_draw(event_id: int) -> Event:
    """The event, locked, with every round closed and no draft left."""
    event = locked_event(event_id)
    if event.state != EventState.RUNNING:
        raise Refusal("event_not_running")
    playing = event.rounds.filter(state=RoundState.PUBLISHED).first()
    if playing is not None:
        raise Refusal("round_not_closed", round=playing.number)
    event.rounds.filter(state=RoundState.DRAFT).delete()
    return event


def _round(event: Event, number: int) -> Round:
    found = event.rounds.select_for_update().filter(number=number).first()
    if found is None:
        raise Refusal("no_such_round", round=number)
    return found


def _draft(event: Event, drawn: Draw) -> Round:
    certificate = drawn.certificate
    draft = Round.objects.create(
        event=event,
        number=drawn.round,
        draw_format=drawn.format,
        settings=dict(drawn.settings),
        seed=drawn.seed,
        price=dict(drawn.price),
        certificate=None if certificate is None else plain_certificate(certificate),
    )
    made = Table.objects.bulk_create(
        Table(round=draft, number=table.number, reasons=_plain_reasons(table.reasons))
        for table in drawn.tables
    )
    seatings = [
        Seating(round=draft, table=table, side=side.value, entry_id=entry)
        for table, seated in zip(made, drawn.tables, strict=True)
        for side, entries in zip(Side, (seated.a, seated.b), strict=True)
        for entry in entries
    ]
    Seating.objects.bulk_create(seatings + [Seating(round=draft, entry_id=bye.entry) for bye in drawn.byes])
    raise_revision(event.topic)
    return draft


def _plain_reasons(reasons: Iterable[draws.Reason]) -> list[dict[str, object]]:
    return [{"code": reason.code.value} | dict(reason.details) for reason in reasons]


def _match_ids(played: Round) -> list[int]:
    return list(Match.objects.filter(table__round=played).values_list("pk", flat=True))


def _saved(changed: Round, event: Event) -> Round:
    changed.save(update_fields=["state", "published_at", "closed_at"])
    raise_revision(event.topic)
    return changed
