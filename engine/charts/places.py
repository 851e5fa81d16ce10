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
    build_stage_input,
    get_slot_stage,
    get_stage,
    get_stage_letter,
    list_blocks,
    without_play_off,
)

from .shapes import BRACKETS, get_level_kinds, list_bracket_parts
from .values import PartKind, RoundKind


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPlace:
    """The place of a match, one of three: the label of a ``pool``; two ``clubs`` that meet, the first one at home
    if it ``has_home``; or a ``part`` of a bracket and its ``round``, if it has a name. ``first_place`` to
    ``last_place`` are the places played for, in a part that plays for places. ``stage`` is the name of its stage, if it
    has one, or ``letter`` distinguishes it from those played beside it, which are finals if it ``is_final``; or it
    ``is_play_off``."""

    pool: str = ""
    clubs: tuple[str, ...] = ()
    has_home: bool = False
    part: PartKind | None = None
    round: RoundKind = RoundKind.ROUND
    first_place: int = 1
    last_place: int = 1
    stage: str = ""
    letter: str = ""
    is_final: bool = False
    is_play_off: bool = False


def get_stage_place(plan: StagePlan, stage: int) -> MatchPlace:
    """Return the place that all matches of a stage share. Brackets and the last stages are finals."""
    own, letter = plan[stage], get_stage_letter(plan, stage)
    is_last = len(blocks := list_blocks(without_play_off(plan))) > 1 and stage in blocks[-1]
    is_final = bool(letter) and (is_last or own.format in BRACKETS)
    return MatchPlace(stage=own.name, letter=letter, is_final=is_final, is_play_off=own.is_play_off)


class PlacesMixin:
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

    def get_place(self, slot: str, clubs: Sequence[str] = ()) -> MatchPlace | None:
        """Return the place of a table by its slot and, home team first, the clubs of its players; None if it has
        no place of its own."""
        stage = get_slot_stage(slot)
        if stage >= len(self.plan):
            return None
        place = self._get_stage_place(stage, slot.rpartition(":")[2], clubs)
        own = get_stage_place(self.plan, stage)
        if own == MatchPlace():
            return place
        return replace(
            place or own, stage=own.stage, letter=own.letter, is_final=own.is_final, is_play_off=own.is_play_off
        )

    def _get_stage_place(self, stage: int, key: str, clubs: Sequence[str]) -> MatchPlace | None:
        if FORMATS[self.plan[stage].format].is_interclub:
            has_home = bool(self.plan[stage].settings.get("home"))
            names = tuple(dict.fromkeys(clubs) if has_home else sorted(set(clubs)))
            return MatchPlace(clubs=names, has_home=has_home) if len({*clubs} - {""}) == 2 else None
        if self.plan[stage].format == POOLS:
            return MatchPlace(pool=key) if key else None
        return self.brackets.get(stage, {}).get(key)


def build_structure(
    plan: StagePlan,
    entrants: Sequence[Entrant],
    history: Sequence[PlayedPairing],
    standings: Sequence[Sequence[EntryId]] = (),
) -> EventStructure:
    """Return the structure of an event as it is played. A stage that has not begun is shown as it would be
    drawn after ``history``; ``standings`` are those after which the stages were drawn, as ``build_charts`` takes
    them."""
    current_input = DrawInput(
        round=1 + max((table.round for table in history), default=0),
        entrants=tuple(entrants),
        history=tuple(history),
    )
    brackets = {}
    for block in list_blocks(plan):
        first = min((table.round for table in history if get_stage(table) in block), default=current_input.round)
        for index in block:
            if plan[index].format in BRACKETS:
                stage_round = StageRound(stage=index, round=current_input.round - first + 1, round_offset=first - 1)
                stage_input = build_stage_input(plan, stage_round, current_input, standings)
                brackets[index] = _list_bracket_places(plan[index].format, stage_input)
    return EventStructure(plan=plan, brackets=brackets)


def _list_bracket_places(format_key: str, stage_input: DrawInput) -> dict[str, MatchPlace]:
    bracket, _ = BRACKETS[format_key](stage_input)
    places = {}
    for kind, first_place, slots in list_bracket_parts(format_key, bracket):
        kinds = get_level_kinds(kind, slots)
        for slot in slots:
            places[slot.key] = MatchPlace(
                part=kind,
                round=kinds[slot.level],
                first_place=first_place,
                last_place=first_place + len(slots),
            )
    return places
