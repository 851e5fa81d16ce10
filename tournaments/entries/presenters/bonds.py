"""The entries kept apart, what entries share, and how far each stage can respect it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from engine.draws import FORMATS
from engine.draws.stages import StagePlan
from tournaments.entries.bonds import apart_from_json, labels_in
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import entries_named_in_full
from tournaments.lifecycle import RoundState
from tournaments.models import Entry, Event
from web.names import group_key


@dataclass(frozen=True, slots=True, kw_only=True)
class ApartLine:
    """The names of entries of which no two meet; ``key`` identifies the line."""

    key: str
    names: tuple[str, ...]
    always: bool
    rounds: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedLine:
    """A value that several entries share: its kind of bond, its label and the names of these entries."""

    kind: str
    label: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageLine:
    """A format, and when it can keep two entries apart (``draws.KeepsApart``)."""

    format: str
    keeps_apart: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ApartView:
    """The entries kept apart; ``draft`` is the number of a drawn, unpublished round, or None."""

    kept: tuple[ApartLine, ...]
    shared: tuple[SharedLine, ...]
    stages: tuple[StageLine, ...]
    draft: int | None


def apart_view(event: Event) -> ApartView:
    """Build the view of the entries kept apart. Three queries."""
    entries = entries_of(event)
    named = entries_named_in_full(entries)
    names = {entry.pk: named(entry) for entry in entries}
    return ApartView(
        kept=tuple(
            ApartLine(
                key=each.key,
                names=tuple(names[entry] for entry in each.entries if entry in names),
                always=each.always,
                rounds=each.rounds,
            )
            for each in apart_from_json(event.kept_apart)
        ),
        shared=tuple(_shared_bonds(event, entries, names)),
        stages=tuple(_stages(event.plan)),
        draft=event.rounds.filter(state=RoundState.DRAFT).values_list("number", flat=True).first(),
    )


def _shared_bonds(event: Event, entries: Sequence[Entry], names: dict[int, str]) -> list[SharedLine]:
    """Return what two entries or more share. One query."""
    families = dict(event.club.families.values_list("pk", "name"))
    labels: dict[tuple[str, str], str] = {}
    holders: defaultdict[tuple[str, str], dict[int, None]] = defaultdict(dict)

    def note(kind: str, key: str, label: str, entry: Entry) -> None:
        labels.setdefault((kind, key), label)
        holders[kind, key][entry.pk] = None

    for entry in entries:
        if entry.team:
            note("club", group_key(entry.team), entry.team, entry)
        for kind, text in (("family", entry.family), ("carpool", entry.car)):
            said = {group_key(label): label.strip() for label in text.split(",")}
            for key in labels_in(text):
                note(kind, key, said[key], entry)
        for person in entry.players:
            if person.family_id is not None:
                note("family", f"#{person.family_id}", families.get(person.family_id, ""), entry)
    return [
        SharedLine(kind=kind, label=labels[kind, key], names=tuple(names[pk] for pk in those))
        for (kind, key), those in holders.items()
        if len(those) > 1
    ]


def _stages(plan: StagePlan) -> list[StageLine]:
    """List each format once, in the order of the stages."""
    formats = dict.fromkeys(stage.format for stage in plan)
    return [StageLine(format=key, keeps_apart=FORMATS[key].keeps_apart.value) for key in formats]
