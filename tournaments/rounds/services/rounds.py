"""Steps of a round (draw, publish, close) and their reversal."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from engine.draws import Draw, DrawnBye, DrawnTable, EntryId, LockedTable, ReasonCode, certificate_to_json
from engine.draws.lineups import Lineup, build_lineup, lineup_to_json
from engine.draws.stages import is_bracket_slot
from engine.results import (
    ByeReason,
    EventSnapshot,
    add_missed_round,
    add_play_off,
    build_draw_input,
    compute_manual_price,
    draw_next_round,
    get_bye_reason,
    snapshot_to_json,
    stages_to_json,
)
from errors import Refusal
from tournaments.events.services.lifecycle import check_running
from tournaments.history.services.changes import Change
from tournaments.history.services.locking import get_event, lock_round
from tournaments.history.services.optimistic import is_done, write_optimistically
from tournaments.lifecycle import OPEN_STATES, RoundState, get_next_state
from tournaments.models import Event, Round
from tournaments.rounds.queries import rounds
from tournaments.rounds.queries.drafts import find_draft_changes, lock_held_tables
from tournaments.rounds.queries.event_snapshot import read_event_snapshot
from tournaments.rounds.queries.phases import check_phase_tables, get_round_length
from tournaments.rounds.queries.ready_matches import find_ready_matches
from tournaments.standings.queries.validity import find_changes

from .clock import CLOCK_DEFAULTS
from .results import check_decided, check_results
from .seatings import sync_matches
from .team_matches import check_team_sections, seat_given_lineups

MAX_SEED = 10_000  # a lot of four digits can be read aloud
SCHEDULED_BYES = frozenset({ReasonCode.SCHEDULED, ReasonCode.OPPONENT_MISSING})


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A draw and the ``lot`` and ``stages`` of the event that it used. Unless it was entered by hand, also
    the ``order`` of its entries, its other inputs, ``draw_inputs``, as JSON, and the numbers of tables ``held``."""

    draw: Draw
    lot: int
    stages: Sequence[Mapping[str, Any]]
    order: Sequence[EntryId] = ()
    draw_inputs: Mapping[str, Any] | None = None
    held: Sequence[int] = ()


def draw_round(
    *,
    event_id: int,
    seed: int | None = None,
    is_play_off: bool = False,
    plays_missed: bool = False,
    by: Actor = NOBODY,
) -> Round:
    """Draw the next round as a draft. An existing draft is drawn again, with the given seed or a new one, and
    keeps its held tables whose entries all play. The seed of the first round becomes the event's and decides
    between equals: the same entries, settings and seeds give the same draw anywhere. With ``is_play_off``, it
    is a play-off between the entries tied for first, added to the stages. With ``plays_missed``, a schedule played to
    its end goes on for a round with the matches that were missed.

    Computed outside the transaction, so that nobody waits. Refuses: event_not_running, round_not_closed,
    tables_undecided, team_in_two_sections, nobody_can_meet, nothing_left_to_draw, nobody_tied_for_first, what the
    formats refuse.
    """
    event = get_event(event_id)
    existing = _get_draft(event) if is_done(event, by) else None
    if existing is not None:
        return existing
    lot = secrets.randbelow(MAX_SEED) if seed is None else seed

    def save(new_draft: Draft) -> Round:
        change = Change(event_id, "draw_round", by)
        draft = _get_draft(change.event)
        if change.is_repeat and draft is not None:
            return draft
        check_decided(change.event)  # a call to the desk voids a result, and is in no history
        saved_draft = _save_draft(change, draft, new_draft)
        seat_given_lineups(saved_draft, by)
        return saved_draft

    work_out = partial(_draw_draft, seed=lot, is_play_off=is_play_off, plays_missed=plays_missed)
    return write_optimistically(event_id, work_out, save)


def _draw_draft(event: Event, *, seed: int, is_play_off: bool, plays_missed: bool) -> Draft:
    _check_can_draw(event)
    check_team_sections(event)
    if plays_missed:
        event.stages = stages_to_json(add_missed_round(read_event_snapshot(event)))
    elif is_play_off or event.plan[-1].is_play_off:
        event.stages = stages_to_json(add_play_off(read_event_snapshot(event)))
    draft = _get_draft(event)
    held: tuple[LockedTable, ...] = ()
    if draft is not None and draft.held:
        absent_entries, _ = find_draft_changes(draft, event.entries.all())
        held = lock_held_tables(draft, absent_entries)
    is_first = not event.rounds.exclude(state=RoundState.DRAFT).exists()
    event.lot = seed if is_first else event.lot
    found = _build_draft(event, read_event_snapshot(event, locked_tables=held), seed=seed)
    if not found.draw.tables and not _passes_without_match(event, found.draw):
        raise Refusal("nobody_can_meet" if is_first else "nothing_left_to_draw")
    try:
        check_phase_tables(event, found.draw.round, build_lineup(found.draw), [table.number for table in held])
    except Refusal as refusal:
        raise Refusal("held_outside_phase", **refusal.details) from None
    return found


def _passes_without_match(event: Event, draw: Draw) -> bool:
    """Return whether a round passes without a match, as nobody could ever play on otherwise: byes were requested,
    boards were forfeited, or all matches of a schedule are those of entries that are away, but have not left."""
    reasons = {get_bye_reason(reason.code for reason in bye.reasons) for bye in draw.byes}
    if not reasons.isdisjoint({ByeReason.REQUESTED, ByeReason.UNOPPOSED}):
        return True
    is_scheduled = any(
        reason.code in SCHEDULED_BYES and not is_bracket_slot(event.plan, bye.slot)
        for bye in draw.byes
        for reason in bye.reasons
    )
    entries = event.entries.filter(is_waiting=False) if is_scheduled else ()
    return any(not entry.plays_in(draw.round) and not entry.has_left(draw.round) for entry in entries)


def _build_draft(event: Event, snapshot: EventSnapshot, *, seed: int) -> Draft:
    """Draw the next round by this snapshot of the event."""
    draw_input = build_draw_input(snapshot, seed=seed)
    draw = draw_next_round(snapshot, draw_input)
    if snapshot.locked_tables:  # the draw takes them as given, but the director sees their cost
        free = replace(snapshot, locked_tables=())
        draw = replace(draw, price=compute_manual_price(free, build_lineup(draw), number=draw.round, seed=seed))
    order = [entrant.id for entrant in draw_input.entrants]
    draw_inputs = {"at": timezone.now().isoformat(), "seed": seed, **snapshot_to_json(snapshot, order)}
    held = [table.number for table in snapshot.locked_tables]
    return Draft(draw=draw, lot=event.lot, stages=event.stages, order=order, draw_inputs=draw_inputs, held=held)


@transaction.atomic
def enter_draw(
    *, event_id: int, tables: Sequence[DrawnTable], byes: Iterable[EntryId] = (), by: Actor = NOBODY
) -> Round:
    """Enter a draft of the next round made by hand.

    Refuses: event_not_running, round_not_closed, tables_undecided, and what ``check_phase_tables`` refuses.
    """
    change = Change(event_id, "enter_draw", by)
    draft = _get_draft(change.event)
    if change.is_repeat and draft is not None:
        return draft
    _check_can_draw(change.event)
    manual_draw = Draw(
        format="manual",
        round=change.event.rounds.exclude(state=RoundState.DRAFT).count() + 1,
        seed=0,
        tables=tuple(tables),
        byes=tuple(DrawnBye(entry=entry) for entry in byes),
    )
    lineup = build_lineup(manual_draw)
    check_phase_tables(change.event, manual_draw.round, lineup, [table.number for table in lineup.tables])
    stages = _get_stages_without_draft(change.event, manual_draw.round)
    return _save_draft(change, draft, Draft(draw=manual_draw, lot=change.event.lot, stages=stages))


@transaction.atomic
def discard_draft(*, event_id: int, number: int, by: Actor = NOBODY) -> None:
    """Delete a draft. Safe to repeat."""
    change = Change(event_id, "discard_draft", by)
    if _delete_draft(change, number):
        change.record(round=number)


@transaction.atomic
def publish_round(*, event_id: int, number: int, as_drawn: bool = False, by: Actor = NOBODY) -> Round:
    """Publish a round: everybody sees the draw, and tables can record hands. Set ``as_drawn`` if results,
    settings or who plays have changed since the draw. Safe to repeat.

    Refuses: event_not_running, no_such_round, step_not_allowed, tables_undecided, drawn_but_away,
    draft_outdated.
    """
    change = Change(event_id, "publish_round", by)
    round_row = lock_round(change.event, number)
    if round_row.state in OPEN_STATES:
        return round_row
    check_running(change.event)
    state = get_next_state(round_row.state, "publish")
    check_decided(change.event)
    lineup = _build_published_lineup(change.event, round_row)
    if not as_drawn:
        _check_draft_current(round_row)
    change.seat(round_row, lineup)
    change.update(round_row, state=state, published_at=timezone.now())
    highest_number = max((table.number for table in lineup.tables), default=0)
    change.update(change.event, table_count=max(highest_number, change.event.table_count))
    return _record_round(change, round_row)


@transaction.atomic
def call_matches(*, event_id: int, by: Actor = NOBODY) -> Round:
    """Publish the matches of a bracket whose two sides are known, as the next round, while other tables still
    play. Those tables go on in that round, and the one before is closed with its results.

    Refuses: event_not_running, no_match_ready, ends_by_the_clock.
    """
    change = Change(event_id, "call_matches", by)
    event = change.event
    last = event.rounds.exclude(state=RoundState.DRAFT).order_by("number").last()
    if change.is_repeat and last is not None:
        return last
    check_running(event)
    check_decided(event)
    found = None if last is None or last.state not in OPEN_STATES else find_ready_matches(event, last)
    if last is None or found is None or not found.slots:
        raise Refusal("no_match_ready")
    if last.clock_minutes or get_round_length(event, last).minutes:
        raise Refusal("ends_by_the_clock", round=last.number)
    drawn, now = _build_draft(event, found.snapshot, seed=last.seed), timezone.now()
    change.update(last, state=get_next_state(last.state, "close"), closed_at=now)
    following = Round(
        event=event, number=drawn.draw.round, state=RoundState.PUBLISHED, published_at=now, **_columns(drawn)
    )
    change.add(following)
    change.carry_tables(last, following, [table.number for table in found.snapshot.locked_tables])
    change.seat(following, build_lineup(drawn.draw))
    check_results(event, last)
    highest_number = max(table.number for table in drawn.draw.tables)
    change.update(event, table_count=max(highest_number, event.table_count))
    return _record_round(change, following)


@transaction.atomic
def unpublish_round(*, event_id: int, number: int, by: Actor = NOBODY) -> Round:
    """Turn a published round back into a draft. Matches with hands are set aside, and continue once the same
    entries are published at the same table.

    Refuses: rulings_stand, no_such_round, step_not_allowed.
    """
    change = Change(event_id, "unpublish_round", by)
    round_row = lock_round(change.event, number)
    if change.is_repeat:
        return round_row
    state = get_next_state(round_row.state, "unpublish")
    change.update(round_row, state=state, published_at=None, postponed={}, **CLOCK_DEFAULTS)
    return _record_round(change, round_row)


@transaction.atomic
def hold_round(*, event_id: int, number: int, by: Actor = NOBODY) -> Round:
    """Reset the clock of a round that has begun. The round waits for its start again. Safe to repeat.

    Refuses: no_such_round, step_not_allowed.
    """
    change = Change(event_id, "hold_round", by)
    round_row = lock_round(change.event, number)
    if round_row.state == RoundState.PUBLISHED:
        return round_row
    change.update(round_row, state=get_next_state(round_row.state, "hold"), **CLOCK_DEFAULTS)
    return _record_round(change, round_row)


@transaction.atomic
def close_round(*, event_id: int, number: int, by: Actor = NOBODY) -> Round:
    """Close a round. From then on only a director can change its results. Safe to repeat.

    Refuses: tables_missing and nobody_goes_on, with their numbers; no_such_round, step_not_allowed.
    """
    change = Change(event_id, "close_round", by)
    round_row = lock_round(change.event, number)
    if round_row.state == RoundState.CLOSED:
        return round_row
    change.update(round_row, state=get_next_state(round_row.state, "close"), closed_at=timezone.now())
    sync_matches(change.event)  # closes the matches first, so that no table undoes its last hand meanwhile
    check_results(change.event, round_row)
    return _record_round(change, round_row)


@transaction.atomic
def reopen_round(*, event_id: int, number: int, by: Actor = NOBODY) -> Round:
    """Reopen the last round: tables can record hands again. A draft of the next round is deleted.

    Safe to repeat. Refuses: later_round_published, no_such_round, event_not_running.
    """
    change = Change(event_id, "reopen_round", by)
    event = change.event
    round_row = lock_round(event, number)
    if round_row.state in OPEN_STATES:
        return round_row
    check_running(event)
    state = get_next_state(round_row.state, "reopen")
    if round_row.started_at is not None:
        state = get_next_state(state, "begin")
    if event.rounds.filter(number__gt=number).exclude(state=RoundState.DRAFT).exists():
        raise Refusal("later_round_published", round=number)
    _delete_draft(change, number + 1)
    change.update(round_row, state=state, closed_at=None)
    return _record_round(change, round_row)


def _check_draft_current(draft: Round) -> None:
    """Check that the inputs of the draft have not changed. Entries away with a bye are ignored. Refuses:
    draft_outdated."""
    changes = find_changes(draft)
    if changes is not None and (changes.concerns_reasons or changes.left_out):
        raise Refusal("draft_outdated", round=draft.number)


def _build_published_lineup(event: Event, draft: Round) -> Lineup:
    """Return the line-up to publish, without byes of entries that no longer play the round.

    Refuses: drawn_but_away, with the numbers of those who sit at a table, or wait in a bracket, which is
    another one without them; or of all, if nobody would be left in the round.
    """
    lineup = rounds.lineup_of(draft)
    away = {entry_row.pk: entry_row.number for entry_row in event.entries.all() if not entry_row.plays_in(draft.number)}
    needed = {entry for table in lineup.tables for entry in (*table.a, *table.b)}
    byes = tuple(bye for bye in lineup.byes if bye.entry not in away)
    needed |= {bye.entry for bye in lineup.byes if _is_bracket_bye(event, bye) or not (lineup.tables or byes)}
    if missing_numbers := [number for entry, number in away.items() if entry in needed]:
        raise Refusal("drawn_but_away", entries=missing_numbers)
    return Lineup(tables=lineup.tables, byes=byes)


def _is_bracket_bye(event: Event, bye: DrawnBye) -> bool:
    waits = get_bye_reason(reason.code for reason in bye.reasons) is ByeReason.WAITS
    return waits or is_bracket_slot(event.plan, bye.slot)


def _check_can_draw(event: Event) -> None:
    """Check that every round but a draft is closed and has all its results."""
    check_running(event)
    open_round = event.rounds.filter(state__in=OPEN_STATES).first()
    if open_round is not None:
        raise Refusal("round_not_closed", round=open_round.number)
    check_decided(event)


def _get_draft(event: Event) -> Round | None:
    return event.rounds.filter(state=RoundState.DRAFT).first()


def _delete_draft(change: Change, number: int) -> bool:
    draft = change.event.rounds.filter(number=number, state=RoundState.DRAFT).first()
    if draft is None:
        return False
    change.seat(draft, Lineup())
    change.remove(draft)
    change.update(change.event, stages=_get_stages_without_draft(change.event, number))
    return True


def _get_stages_without_draft(event: Event, number: int) -> list[dict[str, Any]]:
    """Return the stages as they were before the draw of the draft, which may have added a play-off or a round."""
    field: Any = Event._meta.get_field("stages")
    stages, draws = list(event.stages), event.actions.filter(kind="draw_round", details__round=number)
    for changes in draws.order_by("-pk").values_list("changes", flat=True):
        for kind, _, before, after in changes["rows"]:
            if kind == "event" and "stages" in before and field.from_stored(after["stages"]) == stages:
                stages = list(field.from_stored(before["stages"]))
    if stages == event.stages and event.plan[-1].is_play_off:  # the director has changed others since
        return stages if event.rounds.filter(tables__slot__startswith=f"{len(stages)}:").exists() else stages[:-1]
    return stages


def _save_draft(change: Change, draft: Round | None, new: Draft) -> Round:
    """Save the draft as drawn, with its inputs if there are any, in place of the previous one."""
    draw, values = new.draw, _columns(new)
    change.update(change.event, lot=new.lot, stages=new.stages)
    if draft is None:
        draft = Round(event=change.event, number=draw.round, draft=lineup_to_json(Lineup()), **values)
        change.add(draft)
    else:
        change.update(draft, **values)
    change.seat(draft, build_lineup(draw))
    change.record(round=draft.number, seed=draw.seed)
    return draft


def _columns(new: Draft) -> dict[str, Any]:
    """Return the columns of a round that tell how it was drawn."""
    drawn, certificate = new.draw, new.draw.certificate
    return {
        "draw_format": drawn.format,
        "settings": dict(drawn.settings),
        "seed": drawn.seed,
        "order": list(new.order),
        "drawn_from": new.draw_inputs,
        "held": list(new.held),
        "price": dict(drawn.price),
        "certificate": None if certificate is None else certificate_to_json(certificate),
    }


def _record_round(change: Change, round_row: Round) -> Round:
    change.record(round=round_row.number)
    round_row.refresh_from_db()
    return round_row
