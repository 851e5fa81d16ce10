"""The entries kept apart, what entries share, and how far each stage can respect it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from engine.draws import FORMATS
from engine.draws.stages import StagePlan
from tournaments.entries.bonds import apart_groups_from_json, parse_labels
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import build_full_entry_formatter
from tournaments.lifecycle import RoundState
from tournaments.models import Entry, Event
from web.names import get_group_key


@dataclass(frozen=True, slots=True, kw_only=True)
class ApartGroupView:
    """The names of entries of which no two meet; ``key`` identifies the line."""

    key: str
    names: tuple[str, ...]
    always: bool
    rounds: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedBondView:
    """A value that several entries share: its kind of bond, its label and the names of these entries."""

    kind: str
    label: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageSeparationView:
    """A format, and when it can keep two entries apart (``draws.SeparationTiming``)."""

    format: str
    keeps_apart: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ApartView:
    """The entries kept apart; ``draft`` is the number of a drawn, unpublished round, or None."""

    groups: tuple[ApartGroupView, ...]
    shared: tuple[SharedBondView, ...]
    stages: tuple[StageSeparationView, ...]
    draft: int | None


def build_apart_view(event: Event) -> ApartView:
    """Build the view of the entries kept apart. Three queries."""
    entries = get_entries(event)
    format_entry = build_full_entry_formatter(entries)
    names = {entry.pk: format_entry(entry) for entry in entries}
    return ApartView(
        groups=tuple(
            ApartGroupView(
                key=group.key,
                names=tuple(names[entry] for entry in group.entries if entry in names),
                always=group.always,
                rounds=group.rounds,
            )
            for group in apart_groups_from_json(event.kept_apart)
        ),
        shared=tuple(_list_shared_bonds(event, entries, names)),
        stages=tuple(_list_stages(event.plan)),
        draft=event.rounds.filter(state=RoundState.DRAFT).values_list("number", flat=True).first(),
    )


def _list_shared_bonds(event: Event, entries: Sequence[Entry], names: dict[int, str]) -> list[SharedBondView]:
    """Return what two entries or more share. One query."""
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
        SharedBondView(kind=kind, label=labels[kind, key], names=tuple(names[pk] for pk in entry_ids))
        for (kind, key), entry_ids in holders.items()
        if len(entry_ids) > 1
    ]


def _list_stages(plan: StagePlan) -> list[StageSeparationView]:
    """List each format once, in the order of the stages."""
    formats = dict.fromkeys(stage.format for stage in plan)
    return [StageSeparationView(format=key, keeps_apart=FORMATS[key].separation.value) for key in formats]
