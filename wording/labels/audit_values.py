"""Values in the history as people read them: days, names instead of keys, lists, yes and no."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any

from django.conf import settings as site
from django.utils import timezone
from django.utils.translation import gettext, ngettext, pgettext

from clubs.date_formats import format_date, hour_in_words
from clubs.game_words import ruleset_name
from clubs.models import TimeZone
from clubs.name_formats import join_names
from engine.phases import phases_from_json
from rules import Side, match_format_from_json
from tournaments.announcement import DATE_FIELDS, TIME_FIELDS
from tournaments.events import visibility_labels as visibility
from tournaments.events.labels import format_name, match_in_words
from tournaments.events.phase_labels import settings_in_words
from tournaments.models import NOT_ARRIVED
from tournaments.money.labels import AMONG_LABELS
from tournaments.standings.labels import METRIC_NAMES
from web.money_words import format_amount
from wording.labels.exports import SIDES
from wording.lookups import build_lookup

ValueFormatter = Callable[[Any], str]
"""Function that describes a value, which is not None."""


def get_none_label() -> str:
    return pgettext("a value", "none")


def format_day_value(value: str) -> str:
    return format_date(date.fromisoformat(value))


def format_hour_value(value: str) -> str:
    return hour_in_words(time.fromisoformat(value))


def format_moment_value(value: str) -> str:
    """Format a moment in the time zone of the page."""
    moment = timezone.localtime(datetime.fromisoformat(value))
    return f"{format_date(moment)}, {hour_in_words(moment)}"


def format_list_value(value: Sequence[Any]) -> str:
    return join_names([str(each) for each in value])


def format_amounts_value(value: Sequence[int]) -> str:
    """Format amounts of money by place, from cents."""
    return " · ".join(format_amount(cents) if cents else "–" for cents in value)


def format_language_value(value: str) -> str:
    return dict(site.LANGUAGES).get(value, value)


def format_time_zone_value(value: str) -> str:
    return str(TimeZone(value).label) if value in TimeZone else value


def format_ruleset_value(value: str) -> str:
    """Name a ruleset; house rules have their name in another field."""
    return gettext("House rules") if value.startswith("house-") else ruleset_name(value)


def format_stages_value(value: Sequence[Mapping[str, Any]]) -> str:
    return join_names([format_name(stage["format"]) for stage in value])


def format_named_value(value: Sequence[Mapping[str, Any]]) -> str:
    """Join the names of several values, such as sections."""
    return join_names([str(each["name"]) for each in value])


def format_phases_value(value: Sequence[Mapping[str, Any]] | None) -> str:
    """Join what the phases have of their own."""
    return " ".join(text for phase in phases_from_json(value) for text in settings_in_words(phase.settings))


def format_messages_value(value: Sequence[Mapping[str, Any]]) -> str:
    """Join the desk's messages; a call is shown by its table."""
    return join_names([str(each["text"] or each["table"]) for each in value])


def format_announcement_value(value: Mapping[str, Any]) -> str:
    """Join the details of an announcement without their labels; hours and days are recognized by their
    format."""
    formatters = dict[str, ValueFormatter](
        **dict.fromkeys(TIME_FIELDS, format_hour_value), **dict.fromkeys(DATE_FIELDS, format_day_value)
    )
    return " · ".join(formatters.get(name, str)(detail) for name, detail in value.items())


def format_ranking_value(value: Mapping[str, Any]) -> str:
    return join_names([str(METRIC_NAMES[key]) for key in value.get("order", ())])


def format_arrival_value(value: int) -> str:
    return gettext("arrival") if value == NOT_ARRIVED else gettext("round %(number)s") % {"number": value}


def format_round_value(value: int) -> str:
    return gettext("round %(number)s") % {"number": value}


def format_side_value(value: int) -> str:
    return str(SIDES[Side(value).name])


def format_signed_value(value: int) -> str:
    return f"{value:+}".replace("-", "−")


def format_nights_value(value: Sequence[int]) -> str:
    return ngettext("%(count)s night", "%(count)s nights", len(value)) % {"count": len(value)}


def format_entries_value(value: Sequence[int]) -> str:
    return ngettext("%(count)s entry", "%(count)s entries", len(value)) % {"count": len(value)}


def format_match_value(value: Mapping[str, Any]) -> str:
    return match_in_words(match_format_from_json(value), None).rstrip(".")


def format_template_value(value: Mapping[str, Any]) -> str:
    """Describe a night template: its rules, the formats, the tables."""
    rules = value["rules_name"] or ruleset_name(value["ruleset"]["key"])
    count = value["table_count"]
    tables = ngettext("%(count)s table", "%(count)s tables", count) % {"count": count}
    return ", ".join([rules, format_stages_value(value["stages"]), tables])


FORMATTERS: Mapping[str, ValueFormatter] = {
    "among": build_lookup(AMONG_LABELS),
    "amount": format_amount,
    "amounts": format_amounts_value,
    "announcement": format_announcement_value,
    "arrival": format_arrival_value,
    "entries": format_entries_value,
    "format": format_name,
    "language": format_language_value,
    "list": format_list_value,
    "match": format_match_value,
    "messages": format_messages_value,
    "metric": build_lookup(METRIC_NAMES),
    "named": format_named_value,
    "names": build_lookup(visibility.NAMES),
    "nights": format_nights_value,
    "phases": format_phases_value,
    "ranking": format_ranking_value,
    "ranks": build_lookup(visibility.RANKS_RELEASES),
    "results": build_lookup(visibility.RESULTS),
    "round": format_round_value,
    "ruleset": format_ruleset_value,
    "side": format_side_value,
    "signed": format_signed_value,
    "stages": format_stages_value,
    "template": format_template_value,
    "time_zone": format_time_zone_value,
}
"""Formats by ``FieldFacts.shown_as``."""
