"""The place of each match in an event: in a pool, in a round of a bracket, or between two clubs.

A place follows from the plan and from the entrants, not from results. Every view that shows a match uses
this.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.draws import FORMATS, DrawInput, Entrant, EntryId, PlayedPairing
from engine.draws.stages import (
    POOLS,
    StagePlan,
    StageRound,
    blocks,
    own_input,
    stage_letter,
    stage_of,
    stage_of_slot,
)

from .shapes import BRACKETS, bracket_parts, level_kinds
from .values import PartKind, RoundKind


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPlace:
    """The place of a match, one of three: the label of a ``pool``; two ``clubs`` that meet; or a ``part`` of
    a bracket and its ``round``, if it has a name. ``first_place`` to ``last_place`` are the places played
    for, in a part that plays for places. ``stage`` is the name of its stage, if it has one, or ``letter``
    distinguishes it from those played beside it."""

    pool: str = ""
    clubs: tuple[str, ...] = ()
    part: PartKind | None = None
    round: RoundKind = RoundKind.ROUND
    first_place: int = 1
    last_place: int = 1
    stage: str = ""
    letter: str = ""


class WithPlaces:
    """A view of the ``tables`` of a round, each of which has its ``place``."""

    __slots__ = ()
    tables: Sequence[Any]

    @property
    def places(self) -> list[MatchPlace | None]:
        return [table.place for table in self.tables]

    @property
    def has_places(self) -> bool:
        """Whether its matches are of several kinds, so that each must show its own."""
        return len(set(self.places)) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class EventStructure:
    """The plan of an event, and the places of the slots of each stage (from 0) that is a bracket."""

    plan: StagePlan
    brackets: Mapping[int, Mapping[str, MatchPlace]] = field(default_factory=dict, hash=False)

    def place_of(self, slot: str, clubs: Sequence[str] = ()) -> MatchPlace | None:
        """Return the place of a table by its slot and, side A first, the clubs of its players; None if it has
        no place of its own."""
        stage = stage_of_slot(slot)
        if stage >= len(self.plan):
            return None
        place = self._place_in(stage, slot.rpartition(":")[2], clubs)
        name, letter = self.plan[stage].name, stage_letter(self.plan, stage)
        return replace(place or MatchPlace(), stage=name, letter=letter) if name or letter else place

    def _place_in(self, stage: int, key: str, clubs: Sequence[str]) -> MatchPlace | None:
        if FORMATS[self.plan[stage].format].of_clubs:
            return MatchPlace(clubs=tuple(sorted(set(clubs)))) if len({*clubs} - {""}) == 2 else None
        if self.plan[stage].format == POOLS:
            return MatchPlace(pool=key) if key else None
        return self.brackets.get(stage, {}).get(key)


def structure_of(
    plan: StagePlan,
    entrants: Sequence[Entrant],
    history: Sequence[PlayedPairing],
    standings: Sequence[Sequence[EntryId]] = (),
) -> EventStructure:
    """Return the structure of an event as it is played. A stage that has not begun is shown as it would be
    drawn after ``history``; ``standings`` are those after which the stages were drawn, as ``charts_of`` takes
    them."""
    so_far = DrawInput(
        round=1 + max((table.round for table in history), default=0),
        entrants=tuple(entrants),
        history=tuple(history),
    )
    brackets = {}
    for block in blocks(plan):
        first = min((table.round for table in history if stage_of(table) in block), default=so_far.round)
        for index in block:
            if plan[index].format in BRACKETS:
                here = StageRound(stage=index, round=so_far.round - first + 1, rounds_before=first - 1)
                own = own_input(plan, here, so_far, standings)
                brackets[index] = _bracket_places(plan[index].format, own)
    return EventStructure(plan=plan, brackets=brackets)


def _bracket_places(format_key: str, own: DrawInput) -> dict[str, MatchPlace]:
    bracket, _ = BRACKETS[format_key](own)
    places = {}
    for kind, first_place, slots in bracket_parts(format_key, bracket):
        kinds = level_kinds(kind, slots)
        for slot in slots:
            places[slot.key] = MatchPlace(
                part=kind,
                round=kinds[slot.level],
                first_place=first_place,
                last_place=first_place + len(slots),
            )
    return places
