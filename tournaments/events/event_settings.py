"""Settings of an event as a value: read from an event, saved as a template, used to create one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from engine.draws import FORMATS
from engine.draws.stages import StagePlan, plan_from_json
from engine.phases import MatchTerms, Phases, phases_from_json, phases_to_json
from engine.ranking import RankingRules, ranking_rules_from_json, ranking_rules_to_json
from engine.visibility import USUAL, Release, release_from_json, release_to_json
from rules import MatchFormat, Ruleset, match_format_from_json, match_format_to_json, ruleset_from_json, ruleset_to_json
from tournaments.announcement import NO_DETAILS, Announcement, announcement_from_json, announcement_to_json
from tournaments.cash_rules import NO_CASH_RULES, CashRules
from tournaments.fee_rates import Rates

if TYPE_CHECKING:
    from tournaments.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class EventSettings:
    """Everything that two events of a kind share, except their name, day and entries.

    ``stages`` and ``sections`` are as ``Event`` stores them.
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
    cash: CashRules = NO_CASH_RULES
    release: Release = USUAL
    announcement: Announcement = NO_DETAILS
    phases: Phases = ()

    @property
    def plan(self) -> StagePlan:
        return plan_from_json(self.stages)

    @property
    def terms(self) -> MatchTerms:
        """The terms of a match whose phase has none of its own."""
        return MatchTerms(ruleset=self.ruleset, rules_name=self.rules_name, match_format=self.match_format)

    @property
    def entry_size(self) -> int:
        """Number of players in one entry, as ``Event.entry_size``."""
        return FORMATS[self.plan[0].format].get_entry_size(self.ruleset.seats)


def read_event_settings(event: Event) -> EventSettings:
    """Return the current settings of the event."""
    terms = event.terms
    return EventSettings(
        ruleset=terms.ruleset,
        rules_name=terms.rules_name,
        match_format=terms.match_format,
        details=tuple(terms.details),
        table_count=event.table_count,
        stages=tuple(event.stages),
        ranking=ranking_rules_from_json(event.ranking),
        sections=tuple(event.sections),
        is_seeded=event.is_seeded,
        rates=event.rates,
        cash=event.cash_rules,
        release=event.release,
        announcement=event.announcement,
        phases=event.phases,
    )


def event_settings_to_json(settings: EventSettings) -> dict[str, Any]:
    """Convert settings to JSON values."""
    return {
        "ruleset": ruleset_to_json(settings.ruleset),
        "rules_name": settings.rules_name,
        "match_format": match_format_to_json(settings.match_format),
        "details": list(settings.details),
        "table_count": settings.table_count,
        "stages": [dict(stage) for stage in settings.stages],
        "ranking": ranking_rules_to_json(settings.ranking),
        "sections": [dict(section) for section in settings.sections],
        "is_seeded": settings.is_seeded,
        "rates": {"member": settings.rates.member, "guest": settings.rates.guest},
        **({} if settings.cash == NO_CASH_RULES else {"cash": asdict(settings.cash)}),
        **({"phases": phases_to_json(settings.phases)} if settings.phases else {}),
        "release": release_to_json(settings.release),
        "announcement": announcement_to_json(settings.announcement),
    }


def event_settings_from_json(data: Mapping[str, Any]) -> EventSettings:
    """Convert back from what ``event_settings_to_json`` returns. Settings saved by older versions get
    defaults: no fees, no prize fund, the usual visibility, no event details and one phase."""
    return EventSettings(
        ruleset=ruleset_from_json(data["ruleset"]),
        rules_name=data["rules_name"],
        match_format=match_format_from_json(data["match_format"]),
        details=tuple(data["details"]),
        table_count=data["table_count"],
        stages=tuple(data["stages"]),
        ranking=ranking_rules_from_json(data["ranking"]),
        sections=tuple(data["sections"]),
        is_seeded=data["is_seeded"],
        rates=Rates(**data.get("rates", {})),
        cash=CashRules(**data.get("cash", {})),
        release=release_from_json(data.get("release", {})),
        announcement=announcement_from_json(data.get("announcement", {})),
        phases=phases_from_json(data.get("phases")),
    )
