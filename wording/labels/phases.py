"""Phases in words: which part of an event has settings of its own, and which."""

from collections.abc import Mapping
from typing import Protocol

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.game_words import ruleset_name
from engine.draws.stages import StagePlan
from engine.phases import Phase, PhasePlace, Phases, PhaseSettings
from rules import TieRule

from .places import stage_title
from .tournaments import TIES, format_name, match_in_words, tie_in_words

TIE_HINTS: Mapping[TieRule, str | Promise] = {
    TieRule.EXTRA_HAND: _("They play on, hand by hand, until one side is ahead."),
    TieRule.LAST_TO_LEAD: _("The side that was ahead before the tie; the higher seed if nobody was."),
    TieRule.HIGHER_SEED: _("The side that was ranked higher when the stage began."),
    TieRule.LOT: _("Drawn when the round is published, and revealed by a tie."),
}


class WithPhases(Protocol):
    """An event, or its settings."""

    @property
    def plan(self) -> StagePlan: ...
    @property
    def phases(self) -> Phases: ...


def tie_name(tie: TieRule) -> str:
    return str(TIES[tie])


def tie_hint(tie: TieRule) -> str:
    return str(TIE_HINTS[tie])


def phase_name(plan: StagePlan, place: PhasePlace) -> str:
    """Name a part of an event: ``Final A``, ``Pools · Women``; ``Whole event``."""
    stage = ""
    if place.stage is not None and place.stage < len(plan):
        stage = stage_title(plan, place.stage) or format_name(plan[place.stage].format)
    return " · ".join(filter(None, (stage, place.section))) or gettext("Whole event")


def settings_in_words(settings: PhaseSettings) -> list[str]:
    """Describe the settings that a phase has of its own, each in a sentence."""
    told = []
    if settings.ruleset is not None:
        rules = settings.rules_name or ruleset_name(settings.ruleset.key)
        told.append(gettext("Rules: %(rules)s.") % {"rules": rules})
    if settings.match_format is not None:
        told.append(match_in_words(settings.match_format, settings.ruleset))
    if settings.tie is not None:
        told.append(tie_in_words(settings.tie))
    return told


def phase_in_words(plan: StagePlan, phase: Phase) -> str:
    """Describe a phase: ``Final A: A match: 2 games won.``; ``Whole event, from round 5: as before.``"""
    who = phase_name(plan, phase.place)
    if phase.since > 1:
        who = gettext("%(phase)s, from round %(round)s") % {"phase": who, "round": phase.since}
    told = " ".join(settings_in_words(phase.settings)) or gettext("same as the event")
    return gettext("%(who)s: %(what)s") % {"who": who, "what": told}


def phases_in_words(event: WithPhases) -> list[str]:
    """Describe every phase that differs from the event."""
    return [phase_in_words(event.plan, phase) for phase in event.phases]
