"""Phases: separate settings for a stage, for a section, or from a certain round on.

Only differences from the event are stored, in one list of ``Phase`` values. For each place, the whole event
first, then a stage or a section, then a section of a stage, the last phase that has begun holds, and each
place inherits from those before it. The terms of a played match never change: see ``find_changed_round``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

from engine.ranking import UNPLAYED_KINDS, Average, Bye, RankingRules, ranking_rules_from_json
from errors import Refusal
from rules import (
    MatchFormat,
    Ruleset,
    TieRule,
    match_format_from_json,
    match_format_to_json,
    ruleset_from_json,
    ruleset_to_json,
)

RANKING_NAMES = ("order", *UNPLAYED_KINDS, *(f"{kind}_points" for kind in UNPLAYED_KINDS))
"""The ranking rules that a phase may have of its own, by their names there."""


class PhaseRelease(StrEnum):
    """The time at which the results of a phase are public, and count in the public standings: as they come in,
    or once the final standings are published."""

    LIVE = "live"
    FINAL = "final"


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseSettings:
    """Settings of a phase; None is inherited. ``rules_name`` is the club's name for the ruleset, ``tables``
    the first and the last table, ``released`` the time at which its results are public. From ``order`` on
    they are ranking rules (``RANKING_NAMES``)."""

    ruleset: Ruleset | None = None
    rules_name: str | None = None
    match_format: MatchFormat | None = None
    tie: TieRule | None = None
    tables: tuple[int, int] | None = None
    released: PhaseRelease | None = None
    order: tuple[str, ...] | None = None
    bye: Bye | None = None
    bye_points: int | Average | None = None
    scheduled_bye: Bye | None = None
    scheduled_bye_points: int | Average | None = None
    forfeit: Bye | None = None
    forfeit_points: int | Average | None = None
    requested_bye: Bye | None = None
    requested_bye_points: int | Average | None = None
    late: Bye | None = None
    late_points: int | Average | None = None
    absent: Bye | None = None
    absent_points: int | Average | None = None
    excused: Bye | None = None
    excused_points: int | Average | None = None

    @property
    def overrides(self) -> dict[str, Any]:
        """The settings that are not inherited, by name."""
        values = ((each.name, getattr(self, each.name)) for each in fields(self))
        return {name: value for name, value in values if value is not None}

    @property
    def match_terms(self) -> tuple[Any, ...]:
        """The settings that a match keeps from when its round was published."""
        return self.ruleset, self.rules_name, self.match_format, self.tie

    def apply_to_ranking(self, rules: RankingRules) -> RankingRules:
        """Return these rules with those that the phase has of its own."""
        return replace(rules, **{name: value for name, value in self.overrides.items() if name in RANKING_NAMES})

    def apply_to(self, inherited: "PhaseSettings") -> "PhaseSettings":
        return replace(inherited, **self.overrides)


NO_CHANGE = PhaseSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class PhasePlace:
    """A part of an event: a stage, from 0, or all of them; a section, or all of them."""

    stage: int | None = None
    section: str | None = None

    def contains(self, other: "PhasePlace") -> bool:
        """Return whether the other place is this one, or within it."""
        return self.stage in (None, other.stage) and self.section in (None, other.section)

    @property
    def is_whole(self) -> bool:
        return self == WHOLE_EVENT

    @property
    def rank(self) -> tuple[bool, bool]:
        """Position from the most general to the most special: the whole event first."""
        return self.stage is not None, self.section is not None

    @property
    def wider(self) -> "tuple[PhasePlace, ...]":
        """The places that this one inherits from, the whole event first."""
        found = {PhasePlace(), PhasePlace(section=self.section), PhasePlace(stage=self.stage)} - {self}
        return tuple(sorted(found, key=lambda place: place.rank))


WHOLE_EVENT = PhasePlace()


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """The own settings of a place from a round of the event on (1: from its beginning)."""

    place: PhasePlace = WHOLE_EVENT
    since: int = 1
    settings: PhaseSettings = NO_CHANGE


Phases = tuple[Phase, ...]


def get_own_settings(phases: Iterable[Phase], place: PhasePlace, number: int) -> PhaseSettings:
    """Return what exactly this place has of its own in a round, without what it inherits."""
    started = [phase for phase in phases if phase.place == place and phase.since <= number]
    return max(started, key=lambda phase: phase.since).settings if started else NO_CHANGE


def get_inherited_settings(phases: Iterable[Phase], place: PhasePlace, number: int) -> PhaseSettings:
    """Return what this place inherits in a round; None for what is as in the event."""
    all_phases, found = tuple(phases), NO_CHANGE
    for each in place.wider if all_phases else ():
        found = get_own_settings(all_phases, each, number).apply_to(found)
    return found


def get_settings(phases: Iterable[Phase], place: PhasePlace, number: int) -> PhaseSettings:
    """Return the settings that hold in this place in a round; None for those of the event."""
    all_phases = tuple(phases)
    return get_own_settings(all_phases, place, number).apply_to(get_inherited_settings(all_phases, place, number))


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchTerms:
    """Terms of a match: its ruleset, with the club's name for it, and its length."""

    ruleset: Ruleset
    rules_name: str
    match_format: MatchFormat

    def overrides_to_json(self, usual: "MatchTerms") -> dict[str, Any] | None:
        """Return what differs from the usual terms as plain data; None if nothing does."""
        data: dict[str, Any] = {}
        if (self.ruleset, self.rules_name) != (usual.ruleset, usual.rules_name):
            data |= {"ruleset": ruleset_to_json(self.ruleset), "rules_name": self.rules_name}
        if self.match_format != usual.match_format:
            data["match_format"] = match_format_to_json(self.match_format)
        return data or None

    def apply_settings(self, settings: PhaseSettings) -> "MatchTerms":
        """Return these terms with the settings of a phase."""
        length = settings.match_format or self.match_format
        if settings.ruleset is None:
            return replace(self, match_format=length)
        return MatchTerms(ruleset=settings.ruleset, rules_name=settings.rules_name or "", match_format=length)

    def apply_overrides(self, data: Mapping[str, Any] | None) -> "MatchTerms":
        """Return these terms with the overrides of a match, from ``overrides_to_json``.

        Refuses: invalid overrides.
        """
        overrides = data or {}
        return MatchTerms(
            ruleset=ruleset_from_json(overrides["ruleset"]) if "ruleset" in overrides else self.ruleset,
            rules_name=str(overrides["rules_name"]) if "ruleset" in overrides else self.rules_name,
            match_format=match_format_from_json(overrides["match_format"])
            if "match_format" in overrides
            else self.match_format,
        )


def get_match_terms(
    phases: Iterable[Phase], place: PhasePlace, number: int, usual: MatchTerms, *, needs_winner: bool
) -> MatchTerms:
    """Return the terms of a match, ``usual`` unless its phase has others. A match that needs a winner and
    may end level has a tie rule: an extra hand, if the phase has no other."""
    settings = get_settings(phases, place, number)
    terms = usual.apply_settings(settings)
    tie = settings.tie or (TieRule.EXTRA_HAND if terms.match_format.may_stop_in_a_game else None)
    if needs_winner and tie is not None:
        return replace(terms, match_format=replace(terms.match_format, tie=tie))
    return terms


def add_phase(phases: Iterable[Phase], new_phase: Phase) -> Phases:
    """Return the phases with another one at its place, from its round on; those that change nothing are left
    out."""
    position = (new_phase.place, new_phase.since)
    others = [phase for phase in phases if (phase.place, phase.since) != position]
    return tidy_phases((*others, new_phase))


def tidy_phases(phases: Iterable[Phase]) -> Phases:
    """Return the phases in order: by place, then by round, each unlike the one before it."""

    def get_position(phase: Phase) -> tuple[Any, ...]:
        place = phase.place
        return (*place.rank, place.stage or 0, place.section or "", phase.since)

    found: list[Phase] = []
    for phase in sorted(phases, key=get_position):
        if get_own_settings(found, phase.place, phase.since) != phase.settings:
            found.append(phase)
    return tuple(found)


def find_changed_round(
    before: Iterable[Phase], after: Iterable[Phase], played_rounds: Iterable[tuple[PhasePlace, int]]
) -> int | None:
    """Return the last of the ``played_rounds``, by place, whose matches would differ; None without one.
    Standings are computed again, so that their rules may change."""
    old_phases, new_phases = tuple(before), tuple(after)
    return max(
        (
            number
            for place, number in played_rounds
            if get_settings(old_phases, place, number).match_terms
            != get_settings(new_phases, place, number).match_terms
        ),
        default=None,
    )


def check_phase(phase: Phase) -> Phase:
    """Check that a phase can have its settings, and return it. Refuses: release_of_section, as sections play
    the same rounds, with standings of all."""
    if phase.settings.released is not None and phase.place.section is not None:
        raise Refusal("release_of_section", field="released")
    return phase


def phases_to_json(phases: Iterable[Phase]) -> list[dict[str, Any]]:
    """Return only what differs: ``[{"stage": 1, "since": 5, "match_format": {"hands": 8}}]``."""
    return [
        {
            **({} if phase.place.stage is None else {"stage": phase.place.stage}),
            **({} if phase.place.section is None else {"section": phase.place.section}),
            **({} if phase.since == 1 else {"since": phase.since}),
            **settings_to_json(phase.settings),
        }
        for phase in phases
    ]


def _to_json_value(value: StrEnum | str | int) -> str | int:
    return str(value) if isinstance(value, str) else value


def parse_tables(data: Sequence[int]) -> tuple[int, int]:
    """Return the first and the last table. Refuses: section_tables."""
    if len(data) != 2 or not all(type(number) is int for number in data) or not 1 <= data[0] <= data[1]:
        raise Refusal("section_tables", field="last_table")
    return data[0], data[1]


_TO_JSON: Mapping[str, Any] = {
    "ruleset": ruleset_to_json,
    "match_format": match_format_to_json,
    "tables": list,
    "order": list,
}
_FROM_JSON: Mapping[str, Any] = {
    "ruleset": ruleset_from_json,
    "match_format": match_format_from_json,
    "tie": TieRule,
    "tables": parse_tables,
    "released": PhaseRelease,
}


def settings_to_json(settings: PhaseSettings) -> dict[str, Any]:
    """Return the settings that are not inherited as plain data."""
    return {name: _TO_JSON.get(name, _to_json_value)(value) for name, value in settings.overrides.items()}


def settings_from_json(data: Mapping[str, Any]) -> PhaseSettings:
    """Return the settings from ``settings_to_json``. Refuses: no_such_setting, no_such_choice, and what the
    values refuse."""
    allowed = tuple(each.name for each in fields(PhaseSettings))
    for name in data:
        if name not in allowed:
            raise Refusal("no_such_setting", field=name, known=allowed)
    for name, choices in (("tie", tuple(TieRule)), ("released", tuple(PhaseRelease))):
        if name in data and data[name] not in choices:
            raise Refusal("no_such_choice", field=name, value=data[name], choices=choices)
    rules = ranking_rules_from_json({name: data[name] for name in data if name in RANKING_NAMES})
    return PhaseSettings(
        **{
            name: getattr(rules, name) if name in RANKING_NAMES else _FROM_JSON.get(name, str)(value)
            for name, value in data.items()
        }
    )


_PLACE_KEYS = ("stage", "section", "since")


def phases_from_json(data: Sequence[Mapping[str, Any]] | None) -> Phases:
    """Return the phases from ``phases_to_json``; none for None. Refuses: what ``settings_from_json`` and
    ``check_phase`` do."""
    return tuple(
        check_phase(
            Phase(
                place=PhasePlace(stage=each.get("stage"), section=each.get("section")),
                since=each.get("since", 1),
                settings=settings_from_json({name: each[name] for name in each if name not in _PLACE_KEYS}),
            )
        )
        for each in data or ()
    )
