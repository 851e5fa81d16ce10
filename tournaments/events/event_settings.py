"""What an evening is played by, as a value: read from an event, kept under a name, and made an event of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.draws import FORMATS
from engine.draws.stages import StagePlan, stored_plan
from engine.ranking import RankingRules, plain_rules, stored_rules
from engine.visibility import USUAL, Release, plain_release, stored_release
from rules import (
    MatchFormat,
    Ruleset,
    plain_format,
    plain_ruleset,
    stored_format,
    stored_ruleset,
)
from tournaments.agenda.announcement import NOTHING, Announcement, plain_announcement, stored_announcement
from tournaments.money.fee_rates import Rates

if TYPE_CHECKING:
    from tournaments.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class EventSettings:
    """All that two evenings of one kind share: everything but their name, their day and who comes.

    ``stages`` and ``sections`` are as ``Event`` keeps them.
    """

    ruleset: Ruleset
    rules_name: str
    match_format: MatchFormat
    details: tuple[str, ...]
    table_count: int
    stages: tuple[Mapping[str, Any], ...]
    ranking: RankingRules
    sections: tuple[Mapping[str, Any], ...]
    is_seeded: bool
    rates: Rates
    release: Release = USUAL
    announcement: Announcement = NOTHING

    @property
    def plan(self) -> StagePlan:
        return stored_plan(self.stages)

    @property
    def entry_size(self) -> int:
        """How many people make one entry, as ``Event.entry_size``."""
        return FORMATS[self.plan[0].format].entry_size(self.ruleset.seats)


def event_settings_of(event: Event) -> EventSettings:
    """What the event is played by, as it stands."""
    terms = event.terms
    return EventSettings(
        ruleset=terms.ruleset,
        rules_name=terms.rules_name,
        match_format=terms.match_format,
        details=tuple(terms.details),
        table_count=event.table_count,
        stages=tuple(event.stages),
        ranking=stored_rules(event.ranking),
        sections=tuple(event.sections),
        is_seeded=event.is_seeded,
        rates=event.rates,
        release=event.release,
        announcement=event.announcement,
    )


def plain_event_settings(settings: EventSettings) -> dict[str, Any]:
    """As JSON has them."""
    return {
        "ruleset": plain_ruleset(settings.ruleset),
        "rules_name": settings.rules_name,
        "match_format": plain_format(settings.match_format),
        "details": list(settings.details),
        "table_count": settings.table_count,
        "stages": [dict(stage) for stage in settings.stages],
        "ranking": plain_rules(settings.ranking),
        "sections": [dict(section) for section in settings.sections],
        "is_seeded": settings.is_seeded,
        "rates": {"member": settings.rates.member, "guest": settings.rates.guest},
        "release": plain_release(settings.release),
        "announcement": plain_announcement(settings.announcement),
    }


def stored_event_settings(plain: Mapping[str, Any]) -> EventSettings:
    """The inverse of ``plain_event_settings``; what was kept before there were fees asks
    none, is released as usual, and announces nothing."""
    return EventSettings(
        ruleset=stored_ruleset(plain["ruleset"]),
        rules_name=plain["rules_name"],
        match_format=stored_format(plain["match_format"]),
        details=tuple(plain["details"]),
        table_count=plain["table_count"],
        stages=tuple(plain["stages"]),
        ranking=stored_rules(plain["ranking"]),
        sections=tuple(plain["sections"]),
        is_seeded=plain["is_seeded"],
        rates=Rates(**plain.get("rates", {})),
        release=stored_release(plain.get("release", {})),
        announcement=stored_announcement(plain.get("announcement", {})),
    )
