"""Keeping entries apart by name in the draws of an event."""

from collections.abc import Iterable, Sequence

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from engine.draws import FORMATS, EntryId
from engine.draws.stages import stage_of_slot
from errors import Refusal
from tournaments.entries.bonds import KeptApart, apart_from_json, apart_to_json
from tournaments.entries.entry_import import read_apart_list
from tournaments.entries.entry_import.values import LAST_ROUND
from tournaments.entries.queries.entries import entries_of
from tournaments.history.services.changes import Change
from tournaments.models import Entry, Event, Table


@transaction.atomic
def keep_apart(
    *, event_id: int, text: str, always: bool, rounds: int | None = None, by: Actor = NOBODY
) -> tuple[KeptApart, ...]:
    """Do not pair the entries on each line of a list: never, or only if it cannot be avoided. ``rounds``
    limits this to the first rounds; null means all. Entries already kept apart get these settings. If a line
    is wrong, none is saved. Safe to repeat.

    Refuses: list_refused, with every ``refusals`` of ``read_apart_list``; apart_empty; round_out_of_range;
    bracket_is_drawn.
    """
    change = Change(event_id, "keep_apart", by)
    event = change.event
    if change.is_repeat:
        return apart_from_json(event.kept_apart)
    if rounds is not None and not 1 <= rounds <= LAST_ROUND:
        raise Refusal("round_out_of_range", field="rounds", most=LAST_ROUND)
    entries = {entry.number: entry for entry in entries_of(event)}
    listed = read_apart_list(
        text, {number: [person.name for person in entry.players] for number, entry in entries.items()}
    )
    if listed.refusals:
        raise Refusal("list_refused", field="apart", refusals=listed.refusals)
    if not listed.groups:
        raise Refusal("apart_empty", field="apart")
    groups = [[entries[number] for number in group] for group in listed.groups]
    return keep_groups_apart(change, groups, always=always, rounds=rounds)


def keep_groups_apart(
    change: Change, groups: Iterable[Sequence[Entry]], *, always: bool, rounds: int | None = None
) -> tuple[KeptApart, ...]:
    """Keep apart the entries of each group, in addition to those kept apart already. Refuses:
    bracket_is_drawn."""
    kept = {each.key: each for each in apart_from_json(change.event.kept_apart)}
    numbers = set()
    for group in groups:
        numbers |= {entry.number for entry in group}
        keys = tuple(sorted(EntryId(entry.pk) for entry in group))
        each = KeptApart(entries=keys, always=always, rounds=rounds)
        kept[each.key] = each
    _keep(change, kept.values(), numbers=numbers)
    return tuple(kept.values())


@transaction.atomic
def let_meet(*, event_id: int, key: str, by: Actor = NOBODY) -> None:
    """Let the entries of this ``KeptApart.key`` meet again. Safe to repeat.

    Refuses: bracket_is_drawn.
    """
    change = Change(event_id, "let_meet", by)
    kept = {each.key: each for each in apart_from_json(change.event.kept_apart)}
    gone = kept.pop(key, None)
    if gone is not None:
        entries = change.event.entries.filter(pk__in=gone.entries)
        _keep(change, kept.values(), numbers=entries.values_list("number", flat=True))


def _keep(change: Change, kept: Iterable[KeptApart], *, numbers: Iterable[int]) -> None:
    event, after = change.event, apart_to_json(kept)
    if after != event.kept_apart:
        _check_no_bracket(event)
        change.alter(event, kept_apart=after)
        change.record(entries=sorted(numbers))


def _check_no_bracket(event: Event) -> None:
    """Check that no bracket is drawn: its first round decides who can meet. Refuses: bracket_is_drawn."""
    slots = Table.objects.filter(round__event=event).values_list("slot", flat=True).distinct()
    begun = {stage_of_slot(slot) for slot in slots}
    if any(FORMATS[event.plan[stage].format].is_bracket for stage in begun if stage < len(event.plan)):
        raise Refusal("bracket_is_drawn", field="apart")
