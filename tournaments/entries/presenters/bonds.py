"""The entries kept apart, and what entries share."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from tournaments.entries.bonds import apart_groups_from_json, parse_labels
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import build_full_entry_formatter
from tournaments.lifecycle import RoundState
from tournaments.models import Entry, Event
from web.names import get_group_key


def build_apart_view(event: Event) -> dict[str, Any]:
    """Return the groups of entries kept apart, each with its names; what entries share; the formats of the stages; and
    the number of a drawn, unpublished round. Three queries."""
    entries = get_entries(event)
    format_entry = build_full_entry_formatter(entries)
    names = {entry.pk: format_entry(entry) for entry in entries}
    return {
        "groups": [
            (group, [names[entry] for entry in group.entries if entry in names])
            for group in apart_groups_from_json(event.kept_apart)
        ],
        "shared": _list_shared_bonds(event, entries, names),
        "formats": list(dict.fromkeys(stage.format for stage in event.plan)),
        "draft": event.rounds.filter(state=RoundState.DRAFT).values_list("number", flat=True).first(),
    }


def _list_shared_bonds(
    event: Event, entries: Sequence[Entry], names: dict[int, str]
) -> list[tuple[str, str, list[str]]]:
    """Return what two entries or more share: the kind of bond, its label, and their names. One query."""
    families = dict(event.club.families.values_list("pk", "name"))
    labels: dict[tuple[str, str], str] = {}
    holders: defaultdict[tuple[str, str], dict[int, None]] = defaultdict(dict)

    def add_holder(kind: str, key: str, label: str, entry: Entry) -> None:
        labels.setdefault((kind, key), label)
        holders[kind, key][entry.pk] = None

    for entry in entries:
        if entry.team:
            add_holder("club", get_group_key(entry.team), entry.team, entry)
        for kind, text in (("family", entry.family), ("carpool", entry.car)):
            spellings = {get_group_key(label): label.strip() for label in text.split(",")}
            for key in parse_labels(text):
                add_holder(kind, key, spellings[key], entry)
        for person in entry.players:
            if person.family_id is not None:
                add_holder("family", f"#{person.family_id}", families.get(person.family_id, ""), entry)
    return [
        (kind, labels[kind, key], [names[pk] for pk in entry_ids])
        for (kind, key), entry_ids in holders.items()
        if len(entry_ids) > 1
    ]
