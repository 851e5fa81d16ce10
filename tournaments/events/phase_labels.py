"""Phases in words: which part of an event has settings of its own, and which."""

from collections.abc import Mapping
from typing import Protocol

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.game_words import ruleset_name
from engine.draws.stages import StagePlan
from engine.phases import Phase, PhasePlace, PhaseRelease, Phases, PhaseSettings
from engine.ranking import UNPLAYED_KINDS
from engine.visibility import RanksRelease
from rules import TieRule
from tournaments.events.labels import (
    describe_order,
    describe_tie_rule,
    describe_unplayed_value,
    format_name,
    match_in_words,
)
from tournaments.events.visibility_labels import RANKS_RELEASES
from tournaments.rounds.place_labels import stage_title

TIE_HINTS: Mapping[TieRule, str | Promise] = {
    TieRule.EXTRA_HAND: _("They play on, hand by hand, until one side is ahead."),
    TieRule.LAST_LEADER: _("The side that was ahead before the tie; the higher seed if nobody was."),
    TieRule.HIGHER_SEED: _("The side that was ranked higher when the stage began."),
    TieRule.LOT: _("Drawn when the round is published, and revealed by a tie."),
}


RELEASES: Mapping[PhaseRelease, str | Promise] = {
    PhaseRelease.LIVE: RANKS_RELEASES[RanksRelease.LIVE],
    PhaseRelease.FINAL: RANKS_RELEASES[RanksRelease.FINAL],
}
RELEASE_HINTS: Mapping[PhaseRelease, str | Promise] = {
    PhaseRelease.LIVE: _("Public at once, and counted in the public standings."),
    PhaseRelease.FINAL: _("Hidden, with all later rounds, until you publish the final standings."),
}
_RELEASE_SENTENCES: Mapping[PhaseRelease, str | Promise] = {
    PhaseRelease.LIVE: _("Results and standings: public as results come in."),
    PhaseRelease.FINAL: _("Results and standings: hidden until the final standings are published."),
}


class HasPhases(Protocol):
    """An event, or its settings."""

    @property
    def plan(self) -> StagePlan: ...
    @property
    def phases(self) -> Phases: ...


def release_name(release: PhaseRelease) -> str:
    return str(RELEASES[release])


def get_phase_name(plan: StagePlan, place: PhasePlace) -> str:
    """Name a part of an event: ``Final A``, ``Pools · Women``; ``Whole event``."""
    stage = ""
    if place.stage is not None and place.stage < len(plan):
        stage = stage_title(plan, place.stage) or format_name(plan[place.stage].format)
    return " · ".join(filter(None, (stage, place.section))) or gettext("Whole event")


def settings_in_words(settings: PhaseSettings) -> list[str]:
    """Describe the settings that a phase has of its own, each in a sentence."""
    sentences = []
    if settings.ruleset is not None:
        rules = settings.rules_name or ruleset_name(settings.ruleset.key)
        sentences.append(gettext("Rules: %(rules)s.") % {"rules": rules})
    if settings.match_format is not None:
        sentences.append(match_in_words(settings.match_format, settings.ruleset))
    if settings.tie is not None:
        sentences.append(describe_tie_rule(settings.tie))
    if settings.tables is not None:
        first, last = settings.tables
        sentences.append(gettext("Tables %(first)s to %(last)s.") % {"first": first, "last": last})
    if settings.released is not None:
        sentences.append(str(_RELEASE_SENTENCES[settings.released]))
    if settings.order is not None:
        sentences.append(describe_order(settings.order))
    own = settings.overrides
    sentences += [
        describe_unplayed_value(kind, own.get(kind), own.get(f"{kind}_points"))
        for kind in UNPLAYED_KINDS
        if kind in own or f"{kind}_points" in own
    ]
    return sentences


def describe_phase(plan: StagePlan, phase: Phase) -> str:
    """Describe a phase: ``Final A: A match: 2 games won.``; ``Whole event, from round 5: as before.``"""
    phase_text = get_phase_name(plan, phase.place)
    if phase.since > 1:
        phase_text = gettext("%(phase)s, from round %(round)s") % {"phase": phase_text, "round": phase.since}
    settings_text = " ".join(settings_in_words(phase.settings)) or gettext("same as the event")
    return gettext("%(who)s: %(what)s") % {"who": phase_text, "what": settings_text}


def phases_in_words(event: HasPhases) -> list[str]:
    """Describe every phase that differs from the event."""
    return [describe_phase(event.plan, phase) for phase in event.phases]
