"""Steps of a round (draw, publish, close) and their reversal."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from engine.draws import Draw, DrawnBye, DrawnTable, EntryId, certificate_to_json
from engine.draws.lineups import Lineup, lineup_of, lineup_to_json
from engine.draws.stages import is_bracket_slot
from engine.results import (
    ByeReason,
    draw_by,
    draw_input_of,
    price_by_hand,
    snapshot_to_json,
    why_sat_out,
)
from errors import Refusal
from tournaments.history.services.changes import Change
from tournaments.history.services.locking import get_event, locked_round
from tournaments.history.services.optimistic import is_done, write_optimistically
from tournaments.lifecycle import OPEN, EventState, RoundState, after_step
from tournaments.models import Event, Round
from tournaments.rounds.queries import seatings
from tournaments.rounds.queries.event_snapshot import event_snapshot
from tournaments.standings.queries.validity import changes_since

from .clock import UNTOUCHED
from .results import check_decided, check_results
from .seatings import sync_matches

SEEDS = 10_000  # a lot of four digits can be read aloud


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A draw and the ``lot`` of the event that it used. Unless it was entered by hand, also the ``order`` of
    its entries and its other inputs, ``drawn_from``, as JSON."""

    draw: Draw
    lot: int
    order: Sequence[EntryId] = ()
    drawn_from: Mapping[str, Any] | None = None


def draw_round(*, event_id: int, seed: int | None = None, by: Actor = NOBODY) -> Round:
    """Draw the next round as a draft. An existing draft is drawn again, with the given seed or a new one, and
    keeps its held tables. The seed of the first round becomes the event's and decides between equals: the
    same entries, settings and seeds give the same draw anywhere.

    Computed outside the transaction, so that nobody waits. Refuses: event_not_running, round_not_closed,
    tables_undecided, nobody_can_meet, nothing_left_to_draw, what the formats refuse.
    """
    event = get_event(event_id)
    known = _draft_of(event) if is_done(event, by) else None
    if known is not None:
        return known
    lot = secrets.randbelow(SEEDS) if seed is None else seed

    def keep(drawn: Draft) -> Round:
        change = Change(event_id, "draw_round", by)
        draft = _draft_of(change.event)
        if change.is_repeat and draft is not None:
            return draft
        check_decided(change.event)  # a call to the desk voids a result, and is in no history
        return _save_draft(change, draft, drawn)

    return write_optimistically(event_id, partial(_draw_draft, seed=lot), keep)


def _draw_draft(event: Event, *, seed: int) -> Draft:
    _check_may_draw(event)
    draft = _draft_of(event)
    held = () if draft is None else seatings.lineup_of(draft).lock_tables(draft.held)
    is_first = not event.rounds.exclude(state=RoundState.DRAFT).exists()
    event.lot = seed if is_first else event.lot
    known = event_snapshot(event, held=held)
    draw_input = draw_input_of(known, seed=seed)
    drawn = draw_by(known, draw_input)
    # A round passes without a match if byes were requested for it: else nobody could ever play on.
    byes = {why_sat_out(reason.code for reason in bye.reasons) for bye in drawn.byes}
    if not drawn.tables and ByeReason.ASKED not in byes:
        raise Refusal("nobody_can_meet" if is_first else "nothing_left_to_draw")
    if held:  # the draw takes them as given, but the director sees their cost
        free = replace(known, held=())
        drawn = replace(drawn, price=price_by_hand(free, lineup_of(drawn), number=drawn.round, seed=seed))
    order = [each.id for each in draw_input.entrants]
    drawn_from = {"at": timezone.now().isoformat(), "seed": seed, **snapshot_to_json(known, order)}
    return Draft(draw=drawn, lot=event.lot, order=order, drawn_from=drawn_from)


@transaction.atomic
def enter_draw(
    *, event_id: int, tables: Sequence[DrawnTable], byes: Iterable[EntryId] = (), by: Actor = NOBODY
) -> Round:
    """Enter a draft of the next round made by hand.

    Refuses: event_not_running, round_not_closed, tables_undecided.
    """
    change = Change(event_id, "enter_draw", by)
    draft = _draft_of(change.event)
    if change.is_repeat and draft is not None:
        return draft
    _check_may_draw(change.event)
    by_hand = Draw(
        format="manual",
        round=change.event.rounds.exclude(state=RoundState.DRAFT).count() + 1,
        seed=0,
        tables=tuple(tables),
        byes=tuple(DrawnBye(entry=entry) for entry in byes),
    )
    return _save_draft(change, draft, Draft(draw=by_hand, lot=change.event.lot))


@transaction.atomic
def discard_draft(*, event_id: int, number: int, by: Actor = NOBODY) -> None:
    """Delete a draft. Safe to repeat."""
    change = Change(event_id, "discard_draft", by)
    if _forget_draft(change, number):
        change.record(round=number)


@transaction.atomic
def publish_round(*, event_id: int, number: int, as_drawn: bool = False, by: Actor = NOBODY) -> Round:
    """Publish a round: everybody sees the draw, and tables can record hands. Set ``as_drawn`` if results,
    settings or who plays have changed since the draw. Safe to repeat.

    Refuses: event_not_running, no_such_round, step_not_allowed, tables_undecided, drawn_but_away,
    draft_outdated.
    """
    change = Change(event_id, "publish_round", by)
    drawn = locked_round(change.event, number)
    if drawn.state in OPEN:
        return drawn
    _check_running(change.event)
    state = after_step(drawn.state, "publish")
    check_decided(change.event)
    lineup = _lineup_of_who_plays(change.event, drawn)
    if not as_drawn:
        _check_is_valid(drawn)
    change.seat(drawn, lineup)
    change.alter(drawn, state=state, published_at=timezone.now())
    most = max((table.number for table in lineup.tables), default=0)
    change.alter(change.event, table_count=max(most, change.event.table_count))
    return _record_round(change, drawn)


@transaction.atomic
def unpublish_round(*, event_id: int, number: int, by: Actor = NOBODY) -> Round:
    """Turn a published round back into a draft. Matches with hands are set aside, and continue once the same
    entries are published at the same table.

    Refuses: rulings_stand, no_such_round, step_not_allowed.
    """
    change = Change(event_id, "unpublish_round", by)
    drawn = locked_round(change.event, number)
    if change.is_repeat:
        return drawn
    state = after_step(drawn.state, "unpublish")
    change.alter(drawn, state=state, published_at=None, **UNTOUCHED)
    return _record_round(change, drawn)


@transaction.atomic
def hold_round(*, event_id: int, number: int, by: Actor = NOBODY) -> Round:
    """Reset the clock of a round that has begun. The round waits for its start again. Safe to repeat.

    Refuses: no_such_round, step_not_allowed.
    """
    change = Change(event_id, "hold_round", by)
    drawn = locked_round(change.event, number)
    if drawn.state == RoundState.PUBLISHED:
        return drawn
    change.alter(drawn, state=after_step(drawn.state, "hold"), **UNTOUCHED)
    return _record_round(change, drawn)


@transaction.atomic
def close_round(*, event_id: int, number: int, by: Actor = NOBODY) -> Round:
    """Close a round. From then on only a director can change its results. Safe to repeat.

    Refuses: tables_missing and nobody_goes_on, with their numbers; no_such_round, step_not_allowed.
    """
    change = Change(event_id, "close_round", by)
    played = locked_round(change.event, number)
    if played.state == RoundState.CLOSED:
        return played
    change.alter(played, state=after_step(played.state, "close"), closed_at=timezone.now())
    sync_matches(change.event)  # closes the matches first, so that no table undoes its last hand meanwhile
    check_results(change.event, played)
    return _record_round(change, played)


@transaction.atomic
def reopen_round(*, event_id: int, number: int, by: Actor = NOBODY) -> Round:
    """Reopen the last round: tables can record hands again. A draft of the next round is deleted.

    Safe to repeat. Refuses: later_round_published, no_such_round, event_not_running.
    """
    change = Change(event_id, "reopen_round", by)
    event = change.event
    played = locked_round(event, number)
    if played.state in OPEN:
        return played
    _check_running(event)
    state = after_step(played.state, "reopen")
    if played.started_at is not None:
        state = after_step(state, "begin")
    if event.rounds.filter(number__gt=number).exclude(state=RoundState.DRAFT).exists():
        raise Refusal("later_round_published", round=number)
    _forget_draft(change, number + 1)
    change.alter(played, state=state, closed_at=None)
    return _record_round(change, played)


def _check_running(event: Event) -> None:
    if event.state != EventState.RUNNING:
        raise Refusal("event_not_running")


def _check_is_valid(draft: Round) -> None:
    """Check that the inputs of the draft have not changed. Entries away with a bye are ignored. Refuses:
    draft_outdated."""
    changes = changes_since(draft)
    if changes is not None and (changes.concerns_reasons or changes.left_out):
        raise Refusal("draft_outdated", round=draft.number)


def _lineup_of_who_plays(event: Event, draft: Round) -> Lineup:
    """Return the line-up to publish, without byes of entries that no longer play the round.

    Refuses: drawn_but_away, with the numbers of those who sit at a table, or wait in a bracket, which is
    another one without them.
    """
    lineup = seatings.lineup_of(draft)
    away = {one.pk: one.number for one in event.entries.all() if not one.plays_in(draft.number)}
    needed = {entry for table in lineup.tables for entry in (*table.a, *table.b)}
    needed |= {bye.entry for bye in lineup.byes if _is_of_bracket(event, bye)}
    if missing := [number for entry, number in away.items() if entry in needed]:
        raise Refusal("drawn_but_away", entries=missing)
    return Lineup(tables=lineup.tables, byes=tuple(bye for bye in lineup.byes if bye.entry not in away))


def _is_of_bracket(event: Event, bye: DrawnBye) -> bool:
    waits = why_sat_out(reason.code for reason in bye.reasons) is ByeReason.WAITS
    return waits or is_bracket_slot(event.plan, bye.slot)


def _check_may_draw(event: Event) -> None:
    """Check that every round but a draft is closed and has all its results."""
    _check_running(event)
    playing = event.rounds.filter(state__in=OPEN).first()
    if playing is not None:
        raise Refusal("round_not_closed", round=playing.number)
    check_decided(event)


def _draft_of(event: Event) -> Round | None:
    return event.rounds.filter(state=RoundState.DRAFT).first()


def _forget_draft(change: Change, number: int) -> bool:
    draft = change.event.rounds.filter(number=number, state=RoundState.DRAFT).first()
    if draft is None:
        return False
    change.seat(draft, Lineup())
    change.remove(draft)
    return True


def _save_draft(change: Change, draft: Round | None, new: Draft) -> Round:
    """Save the draft as drawn, with its inputs if there are any, in place of the previous one."""
    drawn, certificate = new.draw, new.draw.certificate
    change.alter(change.event, lot=new.lot)
    values = {
        "draw_format": drawn.format,
        "settings": dict(drawn.settings),
        "seed": drawn.seed,
        "order": list(new.order),
        "drawn_from": new.drawn_from,
        "price": dict(drawn.price),
        "certificate": None if certificate is None else certificate_to_json(certificate),
    }
    if draft is None:
        draft = Round(event=change.event, number=drawn.round, draft=lineup_to_json(Lineup()), **values)
        change.add(draft)
    else:
        change.alter(draft, **values)
    change.seat(draft, lineup_of(drawn))
    change.record(round=draft.number, seed=drawn.seed)
    return draft


def _record_round(change: Change, changed: Round) -> Round:
    change.record(round=changed.number)
    changed.refresh_from_db()
    return changed
