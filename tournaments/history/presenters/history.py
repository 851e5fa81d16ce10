"""The history of an event: author, time, content and undo of each change."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from clubs.audit.diff import AuditDiff, build_audit_diff
from clubs.audit.filters import (
    ChangeLine,
    FoundLines,
    HistoryFilter,
    filter_lines,
    fold_texts,
    get_line_values,
    match_word_starts,
)
from clubs.audit.history import collect_texts
from clubs.people import search_people
from engine.draws.lineups import Difference
from tournaments.events.presenters.names import build_full_entry_formatter
from tournaments.history.labels import EVENT_ACTIONS
from tournaments.history.queries import NumberHistory, get_actions, read_number_history
from tournaments.history.services.changes import Change
from tournaments.models import Action, Entry, Event
from web.names import fold_name

ENTRY_DETAILS = ("one", "other", "entry")
"""Details that are the number of an entry; ``entries`` are several, ``sides`` those of both sides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSentence:
    """A change, as needed for its sentence; ``names`` are those of the entries by number."""

    kind: str
    details: Mapping[str, Any]
    names: Mapping[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine(ChangeLine):
    """A change of the event; ``names`` as in ``ChangeSentence``."""

    names: Mapping[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventAuditDiff(AuditDiff):
    """Content of a change, with line-ups by round, and the director's results: round, table, before, after.
    ``entries`` are the names of the entries by key."""

    lineups: Mapping[str, Difference] = field(default_factory=dict)
    rulings: Sequence[tuple[int, int, Any, Any]] = ()
    entries: Mapping[int, str] = field(default_factory=dict)


NamesAtAction = Callable[[int], Mapping[int, str]]
"""Function from the key of a line to the names of the entries by the numbers of that moment."""


def list_history_lines(
    event: Event, entries: Sequence[Entry], *, max_lines: int, excluded_kinds: Collection[str] = ()
) -> tuple[HistoryLine, ...]:
    """Return the last lines, newest first, without those of the kinds in ``excluded_kinds``. Two queries."""
    return _build_lines(event, get_actions(event).exclude(kind__in=excluded_kinds)[:max_lines], entries)


def list_lines_by_id(event: Event, pks: Iterable[int], entries: Sequence[Entry]) -> tuple[HistoryLine, ...]:
    """Return the lines with these keys, newest first. Two queries."""
    return _build_lines(event, get_actions(event).filter(pk__in=list(pks)), entries)


def _build_lines(event: Event, actions: Iterable[Action], entries: Sequence[Entry]) -> tuple[HistoryLine, ...]:
    lines = list(actions)
    numbers = read_number_history(
        event, entries, first_action_id=min((line.moment_action_id for line in lines), default=0)
    )
    names_at = build_names_at_action(entries, numbers)
    return tuple(build_history_line(line, names_at(line.moment_action_id)) for line in lines)


def find_history_lines(event: Event, history_filter: HistoryFilter, entries: Sequence[Entry]) -> FoundLines:
    """Find the lines that match the filter. Three queries at most."""
    people: list[int] = []
    entry_ids: list[int] = []
    names_at: NamesAtAction | None = None
    if history_filter.search:
        names_at = build_names_at_action(entries, read_number_history(event, entries))
        people = list(search_people(event.club.people.all(), history_filter.search).values_list("pk", flat=True))
        search_words = fold_name(history_filter.search).split()
        entry_ids = [entry.pk for entry in entries if match_word_starts(fold_texts([str(entry)]), search_words)]

    def list_searchable_texts(pk: int, details: Mapping[str, Any]) -> list[str]:
        return [*collect_texts(details), *_list_mentioned_names(details, names_at(pk) if names_at else {})]

    return filter_lines(
        event.actions.all(),
        history_filter,
        zone=event.club.time_zone,
        groups=EVENT_ACTIONS,
        list_texts=list_searchable_texts,
        text_column="changes",
        keys={
            **dict.fromkeys(("entry", "entry_id"), entry_ids),
            **dict.fromkeys(("player_1_id", "player_2_id"), people),
        },
    )


def build_event_diff(event: Event, pk: int, entries: Sequence[Entry]) -> EventAuditDiff:
    """Return what a line wrote. A query for each kind of row in it, and one more."""
    changes = event.actions.values_list("changes", flat=True).get(pk=pk)
    format_entry = build_full_entry_formatter(entries)
    names_by_id = {entry.pk: format_entry(entry) for entry in entries}
    rows = build_audit_diff(changes.get("rows", []), Change.KINDS, names={"entry": names_by_id})
    return EventAuditDiff(
        rows=rows.rows,
        left=rows.left,
        names=rows.names,
        lineups=changes.get("lineups", {}),
        rulings=[tuple(ruling) for ruling in changes.get("rulings", [])],
        entries=names_by_id,
    )


def map_names_by_number(entries: Sequence[Entry]) -> dict[int, str]:
    format_entry = build_full_entry_formatter(entries)
    return {entry.number: format_entry(entry) for entry in entries}


def build_names_at_action(entries: Sequence[Entry], numbers: NumberHistory) -> NamesAtAction:
    format_entry = build_full_entry_formatter(entries)
    names_by_id = {entry.pk: format_entry(entry) for entry in entries}

    @cache
    def map_names_before(moves: int) -> Mapping[int, str]:
        return {number: names_by_id[key] for number, key in numbers.before(moves).items()}

    return lambda line: map_names_before(numbers.count_reorderings_since(line))


def build_history_line(action: Action, names: Mapping[int, str]) -> HistoryLine:
    return HistoryLine(**get_line_values(action, has_rows=getattr(action, "has_changes", False)), names=names)


def _list_mentioned_names(details: Mapping[str, Any], names: Mapping[int, str]) -> Iterable[str]:
    """Return the names of the entries that a line mentions by number."""
    numbers = [details[name] for name in ENTRY_DETAILS if name in details]
    numbers += details.get("entries", [])
    numbers += [number for side in details.get("sides", []) for number in side]
    return [names[number] for number in numbers if number in names]
