"""Keeping entries apart by name in the draws of an event."""

from collections.abc import Iterable, Sequence

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from engine.draws import FORMATS, EntryId
from engine.draws.stages import get_slot_stage
from errors import Refusal
from tournaments.entries.bonds import ApartGroup, apart_groups_from_json, apart_groups_to_json
from tournaments.entries.entry_import.apart_list import read_apart_list
from tournaments.entries.entry_import.values import MAX_ROUND
from tournaments.entries.queries.entries import get_entries
from tournaments.history.services.changes import Change
from tournaments.models import Entry, Event, Table


@transaction.atomic
def keep_apart(
    *, event_id: int, text: str, always: bool, rounds: int | None = None, by: Actor = NOBODY
) -> tuple[ApartGroup, ...]:
    """Do not pair the entries on each line of a list: never, or only if it cannot be avoided. ``rounds``
    limits this to the first rounds; null means all. Entries already kept apart get these settings. If a line
    is wrong, none is saved. Safe to repeat.

    Refuses: list_refused, with every ``refusals`` of ``read_apart_list``; apart_empty; round_out_of_range;
    bracket_is_drawn.
    """
    change = Change(event_id, "keep_apart", by)
    event = change.event
    if change.is_repeat:
        return apart_groups_from_json(event.kept_apart)
    if rounds is not None and not 1 <= rounds <= MAX_ROUND:
        raise Refusal("round_out_of_range", field="rounds", most=MAX_ROUND)
    entries = {entry.number: entry for entry in get_entries(event)}
    apart_list = read_apart_list(
        text, {number: [person.name for person in entry.players] for number, entry in entries.items()}
    )
    if apart_list.refusals:
        raise Refusal("list_refused", field="apart", refusals=apart_list.refusals)
    if not apart_list.groups:
        raise Refusal("apart_empty", field="apart")
    groups = [[entries[number] for number in group] for group in apart_list.groups]
    return add_apart_groups(change, groups, always=always, rounds=rounds)


def add_apart_groups(
    change: Change, groups: Iterable[Sequence[Entry]], *, always: bool, rounds: int | None = None
) -> tuple[ApartGroup, ...]:
    """Keep apart the entries of each group, in addition to those kept apart already. Refuses:
    bracket_is_drawn."""
    groups_by_key = {apart_group.key: apart_group for apart_group in apart_groups_from_json(change.event.kept_apart)}
    numbers = set()
    for group in groups:
        numbers |= {entry.number for entry in group}
        keys = tuple(sorted(EntryId(entry.pk) for entry in group))
        apart_group = ApartGroup(entries=keys, always=always, rounds=rounds)
        groups_by_key[apart_group.key] = apart_group
    _save_apart_groups(change, groups_by_key.values(), numbers=numbers)
    return tuple(groups_by_key.values())


@transaction.atomic
def let_meet(*, event_id: int, key: str, by: Actor = NOBODY) -> None:
    """Let the entries of the group with this ``ApartGroup.key`` meet again. Safe to repeat.

    Refuses: bracket_is_drawn.
    """
    change = Change(event_id, "let_meet", by)
    groups_by_key = {group.key: group for group in apart_groups_from_json(change.event.kept_apart)}
    removed = groups_by_key.pop(key, None)
    if removed is not None:
        entries = change.event.entries.filter(pk__in=removed.entries)
        _save_apart_groups(change, groups_by_key.values(), numbers=entries.values_list("number", flat=True))


def _save_apart_groups(change: Change, groups: Iterable[ApartGroup], *, numbers: Iterable[int]) -> None:
    event, new_value = change.event, apart_groups_to_json(groups)
    if new_value != event.kept_apart:
        _check_no_bracket(event)
        change.update(event, kept_apart=new_value)
        change.record(entries=sorted(numbers))


def _check_no_bracket(event: Event) -> None:
    """Check that no bracket is drawn: its first round decides who can meet. Refuses: bracket_is_drawn."""
    slots = Table.objects.filter(round__event=event).values_list("slot", flat=True).distinct()
    begun_stages = {get_slot_stage(slot) for slot in slots}
    if any(FORMATS[event.plan[stage].format].is_bracket for stage in begun_stages if stage < len(event.plan)):
        raise Refusal("bracket_is_drawn", field="apart")
