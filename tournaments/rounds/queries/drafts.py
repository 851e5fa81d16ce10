"""Whether a draft still fits the entries that play."""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from hashlib import sha256

from engine.draws import FORMATS, EntryId, LockedTable
from tournaments.lifecycle import RoundState
from tournaments.models import Entry, Event, Round

from .rounds import lineup_of

PARTIAL_FORMATS = frozenset(key for key, draw_format in FORMATS.items() if draw_format.can_leave_out)
"""Formats in which an entry that is present may have no place in a round, not even a bye."""


def get_draft(event: Event) -> Round | None:
    """Return the draft of the event, with no proofs but the order of its entries. One query."""
    drafts = event.rounds.filter(state=RoundState.DRAFT)
    return drafts.defer("certificate", "drawn_from", "price").first()


def find_draft_changes(draft: Round, entries: Iterable[Entry]) -> tuple[list[Entry], list[Entry]]:
    """Return the entries drawn that no longer play the round, and those that now play it but are not drawn.

    Entries without a place when it was drawn (out of a bracket or a stage, left over, in a finished section,
    or of the house) are not reported.
    """
    drawn_ids = lineup_of(draft).entries
    known_ids = drawn_ids
    if draft.event.has_stage_progress or draft.event.sections or draft.draw_format in PARTIAL_FORMATS:
        known_ids = drawn_ids.union(draft.order or (entry.pk for entry in entries))
    entries_playing = [(entry, entry.plays_in(draft.number)) for entry in entries]
    return (
        [entry for entry, plays in entries_playing if entry.pk in drawn_ids and not plays],
        [entry for entry, plays in entries_playing if entry.pk not in known_ids and plays and not entry.is_house],
    )


def lock_held_tables(draft: Round, absent: Collection[Entry]) -> tuple[LockedTable, ...]:
    """Return the held tables of a draft at which none of the absent entries sits."""
    absent_ids = {entry.pk for entry in absent}
    held_tables = lineup_of(draft).lock_tables(draft.held)
    return tuple(table for table in held_tables if absent_ids.isdisjoint((*table.a, *table.b)))


@dataclass(frozen=True, slots=True, kw_only=True)
class UnfitDraft:
    """Entries that a draft has wrongly in or out. Without a draft, none, in round 0."""

    round: int = 0
    entries: frozenset[EntryId] = frozenset()


def find_unfit_draft(event: Event) -> UnfitDraft:
    """Return the entries that the draft of an event does not fit. One query without a draft, two with one."""
    draft = get_draft(event)
    if draft is None:
        return UnfitDraft()
    away, left_out = find_draft_changes(draft, event.entries.all())
    return UnfitDraft(round=draft.number, entries=frozenset(EntryId(entry.pk) for entry in (*away, *left_out)))


def compute_draft_digest(draft: Round | None) -> str:
    """Return a digest of a draft, by its lot and its seats; "" without one."""
    content = draft and json.dumps([draft.seed, draft.draft], sort_keys=True)
    return sha256(content.encode()).hexdigest()[:16] if content else ""
