"""Values in the history as people read them: days, names instead of keys, lists, yes and no."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any

from django.conf import settings as site
from django.db.models import Choices
from django.utils import timezone
from django.utils.translation import gettext, ngettext, pgettext

from clubs import wording
from clubs.audit.diff import Names
from clubs.day_words import day_written, hour_in_words
from clubs.game_words import ruleset_name
from clubs.models import Pattern, PublicNames, Risk, Role, TimeZone
from clubs.money_words import amount_in_words
from clubs.wording import join_names
from engine.phases import phases_from_json
from engine.visibility import Names as ReleasedNames
from engine.visibility import RanksRelease, Results
from rules import Side, match_format_from_json
from tournaments.announcement import DAYS, HOURS
from tournaments.lifecycle import EventState, RoundState
from tournaments.models import NOT_YET, Among

from . import publishing
from .exports import SIDES
from .money import AMONG
from .phases import settings_in_words
from .standings import METRIC_NAMES
from .tournaments import format_name, match_in_words

Told = Callable[[Any, Names], str]
"""Function that describes a value, which is not None; ``Names`` are those of the rows that values point
to."""


def nothing() -> str:
    return pgettext("a value", "none")


def as_text(value: Any, names: Names) -> str:
    return str(value)


def yes_or_no(value: Any, names: Names) -> str:
    return wording.yes_or_no(value)


def as_day(value: str, names: Names) -> str:
    return day_written(date.fromisoformat(value))


def as_hour(value: str, names: Names) -> str:
    return hour_in_words(time.fromisoformat(value))


def as_moment(value: str, names: Names) -> str:
    """Format a moment in the time zone of the page."""
    moment = timezone.localtime(datetime.fromisoformat(value))
    return f"{day_written(moment)}, {hour_in_words(moment)}"


def as_list(value: Sequence[Any], names: Names) -> str:
    return join_names([str(each) for each in value])


def as_amount(value: int, names: Names) -> str:
    """Format an amount of money, from cents."""
    return amount_in_words(value)


def as_amounts(value: Sequence[int], names: Names) -> str:
    """Format amounts of money by place, from cents."""
    return " · ".join(amount_in_words(cents) if cents else "–" for cents in value)


def as_among(value: str, names: Names) -> str:
    return str(AMONG[Among(value)])


def as_public_names(value: str, names: Names) -> str:
    return str(PublicNames(value).label)


def as_results(value: str, names: Names) -> str:
    return str(publishing.RESULTS[Results(value)])


def as_ranked(value: str, names: Names) -> str:
    return str(publishing.RANKED[RanksRelease(value)])


def as_names(value: str, names: Names) -> str:
    return str(publishing.NAMES[ReleasedNames(value)])


def as_risk(value: str, names: Names) -> str:
    return str(Risk(value).label)


def as_language(value: str, names: Names) -> str:
    return dict(site.LANGUAGES).get(value, value)


def as_time_zone(value: str, names: Names) -> str:
    return str(TimeZone(value).label) if value in TimeZone else value


def as_ruleset(value: str, names: Names) -> str:
    """Name a ruleset; house rules have their name in another field."""
    return gettext("House rules") if value.startswith("house-") else ruleset_name(value)


def as_format(value: str, names: Names) -> str:
    return format_name(value)


def as_stages(value: Sequence[Mapping[str, Any]], names: Names) -> str:
    return join_names([format_name(stage["format"]) for stage in value])


def as_named(value: Sequence[Mapping[str, Any]], names: Names) -> str:
    """Join the names of several values, such as sections."""
    return join_names([str(each["name"]) for each in value])


def as_phases(value: Sequence[Mapping[str, Any]] | None, names: Names) -> str:
    """Join what the phases have of their own."""
    return " ".join(told for phase in phases_from_json(value) for told in settings_in_words(phase.settings))


def as_messages(value: Sequence[Mapping[str, Any]], names: Names) -> str:
    """Join the desk's messages; a call is shown by its table."""
    return join_names([str(each["text"] or each["table"]) for each in value])


def as_announcement(value: Mapping[str, Any], names: Names) -> str:
    """Join the details of an announcement without their labels; hours and days are recognized by their
    format."""
    told = dict[str, Told](**dict.fromkeys(HOURS, as_hour), **dict.fromkeys(DAYS, as_day))
    return " · ".join(told.get(name, as_text)(said, names) for name, said in value.items())


def as_metric(value: str, names: Names) -> str:
    return str(METRIC_NAMES[value])


def as_ranking(value: Mapping[str, Any], names: Names) -> str:
    return join_names([str(METRIC_NAMES[key]) for key in value.get("order", ())])


def as_arrival(value: int, names: Names) -> str:
    return gettext("arrival") if value == NOT_YET else gettext("round %(number)s") % {"number": value}


def as_round(value: int, names: Names) -> str:
    return gettext("round %(number)s") % {"number": value}


def as_side(value: int, names: Names) -> str:
    return str(SIDES[Side(value).name])


def as_signed(value: int, names: Names) -> str:
    return f"{value:+}".replace("-", "−")


def as_nights(value: Sequence[int], names: Names) -> str:
    return ngettext("%(count)s night", "%(count)s nights", len(value)) % {"count": len(value)}


def as_entries(value: Sequence[int], names: Names) -> str:
    return ngettext("%(count)s entry", "%(count)s entries", len(value)) % {"count": len(value)}


def as_match(value: Mapping[str, Any], names: Names) -> str:
    return match_in_words(match_format_from_json(value), None).rstrip(".")


def as_usual(value: Mapping[str, Any], names: Names) -> str:
    """Describe a night template: its rules, the formats, the tables."""
    rules = value["rules_name"] or ruleset_name(value["ruleset"]["key"])
    count = value["table_count"]
    tables = ngettext("%(count)s table", "%(count)s tables", count) % {"count": count}
    return ", ".join([rules, as_stages(value["stages"], names), tables])


def as_choice(choices: type[Choices]) -> Told:
    def describe(value: str, names: Names) -> str:
        return str(choices(value).label)

    return describe


as_role, as_pattern = as_choice(Role), as_choice(Pattern)
as_event_state, as_round_state = as_choice(EventState), as_choice(RoundState)


def name_of_value(kind: str) -> Told:
    """Return a function that gives the name of the row that a value points to."""

    def describe(value: int, names: Names) -> str:
        return names.get(kind, {}).get(value) or gettext("no longer listed")

    return describe
