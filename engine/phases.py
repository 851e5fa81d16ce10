"""Phases: the settings that a stage, a section, or the rounds from some round on have of their own.

Only differences from the event are stored, in one list of ``Phase`` values. For each place, the whole event
first, then a stage or a section, then a section of a stage, the last phase that has begun holds, and each
place inherits from those before it. What a round was played by never changes: see ``changes_played``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

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


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseSettings:
    """Settings of a phase; None is inherited. ``rules_name`` is the club's name for the ruleset."""

    ruleset: Ruleset | None = None
    rules_name: str | None = None
    match_format: MatchFormat | None = None
    tie: TieRule | None = None

    @property
    def own_values(self) -> dict[str, Any]:
        """The settings that are not inherited, by name."""
        values = ((each.name, getattr(self, each.name)) for each in fields(self))
        return {name: value for name, value in values if value is not None}

    def over(self, inherited: "PhaseSettings") -> "PhaseSettings":
        return replace(inherited, **self.own_values)


NO_CHANGE = PhaseSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class PhasePlace:
    """A part of an event: a stage, from 0, or all of them; a section, or all of them."""

    stage: int | None = None
    section: str | None = None

    def holds(self, other: "PhasePlace") -> bool:
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


def own_settings(phases: Iterable[Phase], place: PhasePlace, number: int) -> PhaseSettings:
    """Return what exactly this place has of its own in a round, without what it inherits."""
    begun = [phase for phase in phases if phase.place == place and phase.since <= number]
    return max(begun, key=lambda phase: phase.since).settings if begun else NO_CHANGE


def settings_above(phases: Iterable[Phase], place: PhasePlace, number: int) -> PhaseSettings:
    """Return what this place inherits in a round; None for what is as in the event."""
    told, found = tuple(phases), NO_CHANGE
    for each in place.wider if told else ():
        found = own_settings(told, each, number).over(found)
    return found


def settings_at(phases: Iterable[Phase], place: PhasePlace, number: int) -> PhaseSettings:
    """Return the settings that hold in this place in a round; None for those of the event."""
    told = tuple(phases)
    return own_settings(told, place, number).over(settings_above(told, place, number))


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchTerms:
    """Terms of a match: its ruleset, with the club's name for it, and its length."""

    ruleset: Ruleset
    rules_name: str
    match_format: MatchFormat

    def own_to_json(self, usual: "MatchTerms") -> dict[str, Any] | None:
        """Return what differs from the usual terms as plain data; None if nothing does."""
        plain: dict[str, Any] = {}
        if (self.ruleset, self.rules_name) != (usual.ruleset, usual.rules_name):
            plain |= {"ruleset": ruleset_to_json(self.ruleset), "rules_name": self.rules_name}
        if self.match_format != usual.match_format:
            plain["match_format"] = match_format_to_json(self.match_format)
        return plain or None

    def with_settings(self, found: PhaseSettings) -> "MatchTerms":
        """Return these terms with the settings of a phase."""
        length = found.match_format or self.match_format
        if found.ruleset is None:
            return replace(self, match_format=length)
        return MatchTerms(ruleset=found.ruleset, rules_name=found.rules_name or "", match_format=length)

    def with_own(self, plain: Mapping[str, Any] | None) -> "MatchTerms":
        """Return these terms with those of a match, from ``own_to_json``. Refuses: what they refuse."""
        own = plain or {}
        return MatchTerms(
            ruleset=ruleset_from_json(own["ruleset"]) if "ruleset" in own else self.ruleset,
            rules_name=str(own["rules_name"]) if "ruleset" in own else self.rules_name,
            match_format=match_format_from_json(own["match_format"])
            if "match_format" in own
            else self.match_format,
        )


def terms_at(
    phases: Iterable[Phase], place: PhasePlace, number: int, usual: MatchTerms, *, needs_winner: bool
) -> MatchTerms:
    """Return the terms of a match, ``usual`` unless its phase has others. A match that needs a winner and
    may end level has a tie rule: an extra hand, if the phase has no other."""
    found = settings_at(phases, place, number)
    terms = usual.with_settings(found)
    tie = found.tie or (TieRule.EXTRA_HAND if terms.match_format.may_stop_in_a_game else None)
    if needs_winner and tie is not None:
        return replace(terms, match_format=replace(terms.match_format, tie=tie))
    return terms


def with_change(phases: Iterable[Phase], changed: Phase) -> Phases:
    """Return the phases with another one at its place, from its round on; those that change nothing are left
    out."""
    where = (changed.place, changed.since)
    told = [phase for phase in phases if (phase.place, phase.since) != where]
    return tidy_phases((*told, changed))


def tidy_phases(phases: Iterable[Phase]) -> Phases:
    """Return the phases in order: by place, then by round, each unlike the one before it."""

    def position(phase: Phase) -> tuple[Any, ...]:
        place = phase.place
        return (*place.rank, place.stage or 0, place.section or "", phase.since)

    found: list[Phase] = []
    for phase in sorted(phases, key=position):
        if own_settings(found, phase.place, phase.since) != phase.settings:
            found.append(phase)
    return tuple(found)


def changes_played(
    before: Iterable[Phase], after: Iterable[Phase], played: Iterable[tuple[PhasePlace, int]]
) -> int | None:
    """Return the last of the ``played`` rounds, by place, whose settings would differ; None without one."""
    then, now = tuple(before), tuple(after)
    return max(
        (
            number
            for place, number in played
            if settings_at(then, place, number) != settings_at(now, place, number)
        ),
        default=None,
    )


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


_TO_JSON: Mapping[str, Any] = {"ruleset": ruleset_to_json, "match_format": match_format_to_json}
_FROM_JSON: Mapping[str, Any] = {
    "ruleset": ruleset_from_json,
    "match_format": match_format_from_json,
    "tie": TieRule,
}


def settings_to_json(settings: PhaseSettings) -> dict[str, Any]:
    """Return the settings that are not inherited as plain data."""
    return {name: _TO_JSON.get(name, str)(value) for name, value in settings.own_values.items()}


def settings_from_json(plain: Mapping[str, Any]) -> PhaseSettings:
    """Return the settings from ``settings_to_json``. Refuses: no_such_setting, no_such_choice, and what the
    values refuse."""
    known = tuple(each.name for each in fields(PhaseSettings))
    for name in plain:
        if name not in known:
            raise Refusal("no_such_setting", field=name, known=known)
    if "tie" in plain and plain["tie"] not in tuple(TieRule):
        raise Refusal("no_such_choice", field="tie", value=plain["tie"], choices=tuple(TieRule))
    return PhaseSettings(**{name: _FROM_JSON.get(name, str)(value) for name, value in plain.items()})


_WHERE = ("stage", "section", "since")


def phases_from_json(plain: Sequence[Mapping[str, Any]] | None) -> Phases:
    """Return the phases from ``phases_to_json``; none for None. Refuses: what ``settings_from_json`` does."""
    return tuple(
        Phase(
            place=PhasePlace(stage=each.get("stage"), section=each.get("section")),
            since=each.get("since", 1),
            settings=settings_from_json({name: each[name] for name in each if name not in _WHERE}),
        )
        for each in plain or ()
    )
