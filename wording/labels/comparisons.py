"""Differences between an event and a corrected copy of it, in the reader's language."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.game_words import ruleset_name
from clubs.name_formats import join_names
from tournaments.event_files.labels import add_place
from tournaments.event_files.verifying import Difference
from tournaments.events.labels import DETAIL_NAMES
from tournaments.models import Entry, Event, Round
from tournaments.rounds.rulings import RulingKind
from tournaments.standings.labels import METRIC_NAMES
from wording.labels import audit_values as values
from wording.labels.field_labels import FieldLabel, Fields, get_field_labels
from wording.labels.history import ruling_name

COMPARISONS: dict[str, str | Promise] = {
    "field_is_other": _("%(field)s: %(here)s here, %(there)s in the file."),
    "field_is_otherwise": _("%(field)s: different in the file."),
    "entry_is_new": _("%(names)s: only in the file."),
    "entry_is_gone": _("%(names)s: only here."),
    "players_are_others": _("%(here)s here, %(there)s in the file."),
    "adjusted_here": _("%(given)s: only here."),
    "adjusted_there": _("%(given)s: only in the file."),
    "round_is_new": _("only in the file."),
    "round_is_gone": _("only here."),
    "round_is_written_otherwise": _("same tables and results, but a different draw or draw time."),
    "others_sit_out": _("sitting out: %(here)s here, %(there)s in the file."),
    "others_sit_here": _("playing: %(here)s here, %(there)s in the file."),
    "result_is_other": _("%(seats)s: %(here)s here, %(there)s in the file."),
    "hands_are_others": _("same result, different hands."),
    "part_is_other": _("“%(part)s” differs in the file."),
}


def _format_rules(value: Mapping[str, Any]) -> str:
    return ruleset_name(value["key"])


def _format_details(value: Sequence[str]) -> str:
    return join_names([str(DETAIL_NAMES[each]) for each in value])


EVENT = get_field_labels(Event)
SETTINGS: Fields = {
    **EVENT,
    "lot": FieldLabel(_("Lot number")),
    "ruleset": FieldLabel(_("Rules"), _format_rules),
    "rules_name": FieldLabel(_("Rules name")),
    "match_format": FieldLabel(_("Match length"), values.format_match_value),
    "details": FieldLabel(_("Details recorded"), _format_details),
    "rates.member": EVENT["member_fee"],
    "rates.guest": EVENT["guest_fee"],
    "cash.prize_share": EVENT["prize_share"],
    "cash.rounding_step": EVENT["rounding_step"],
    "cash.starting_cash": EVENT["starting_cash"],
    "announcement.last_day": FieldLabel(_("Last day"), values.format_day_value),
    "announcement.starts_at": FieldLabel(_("Start time"), values.format_hour_value),
    "announcement.ends_at": FieldLabel(_("End time"), values.format_hour_value),
    "announcement.place": FieldLabel(pgettext_lazy("where one meets", "Place")),
    "announcement.address": FieldLabel(_("Address")),
    "announcement.about": FieldLabel(_("Description")),
    "announcement.prizes": FieldLabel(_("Prizes")),
    "announcement.bring": FieldLabel(_("Please bring")),
    "announcement.contact": FieldLabel(_("Contact person")),
    "announcement.sign_up_until": FieldLabel(_("Sign-up deadline"), values.format_day_value),
    "release.is_public": EVENT["is_public"],
    "release.entries": EVENT["shows_entries"],
    "release.draw": EVENT["shows_draw"],
    "release.results": EVENT["shows_results"],
    "release.silent_from": EVENT["silent_from"],
    "release.ranked": EVENT["shows_standings"],
    "release.names": EVENT["shows_names"],
}
"""Labels by the field names of a comparison; parts of a field have a dot."""

COMPARED_FIELDS: Mapping[str, Fields] = {
    "event": SETTINGS,
    "entry": get_field_labels(Entry),
    "round": get_field_labels(Round),
}


def describe_comparison(difference: Difference) -> str:
    """Describe a difference in one line: where, and the values here and in the file."""
    if difference.code == "field_is_other":
        return add_place(difference.location, _describe_field(**difference.details))
    details = {name: _describe_value(name, difference.code, value) for name, value in difference.details.items()}
    return add_place(difference.location, str(COMPARISONS[difference.code]) % details)


def _describe_field(kind: str, name: str, here: Any, there: Any) -> str:
    field_label = COMPARED_FIELDS[kind].get(name)
    if field_label is None:
        return str(COMPARISONS["part_is_other"]) % {"part": name}
    values_here_there = [_format_value(field_label, value) for value in (here, there)]
    code = "field_is_other" if values_here_there[0] != values_here_there[1] else "field_is_otherwise"
    return str(COMPARISONS[code]) % {
        "field": field_label.label,
        "here": values_here_there[0],
        "there": values_here_there[1],
    }


def _format_value(field_label: FieldLabel, value: Any) -> str:
    return values.get_none_label() if value in (None, "", [], {}) else field_label.format(value, {})


def _describe_value(name: str, code: str, value: Any) -> str:
    if name == "given":
        return _format_adjustment(value)
    if name == "seats" or code == "others_sit_here":
        return values.get_none_label() if value is None else _format_seats(value)
    if code == "result_is_other":
        return _format_result(value)
    if isinstance(value, list | tuple):
        return join_names([str(each) for each in value]) or values.get_none_label()
    return str(value)


def _format_seats(sides: Sequence[Sequence[int]]) -> str:
    """Describe a pairing by entry numbers: ``3 – 8``; ``1 and 4 – 2 and 3``."""
    return " – ".join(join_names([str(entry) for entry in side]) for side in sides)


def _format_result(result: Mapping[str, Any] | None) -> str:
    """Describe a result by games and points: ``1–0 (32–12)``; ``1–0 (32–12), by the director``."""
    if result is None:
        return pgettext("a table", "no result")
    if result["kind"] == "forfeit":
        winner = result["winner"]
        return (
            ruling_name(RulingKind.FORFEIT_OF_BOTH).lower()
            if winner is None
            else gettext("forfeit, won by side %(side)s") % {"side": winner}
        )
    scores = "{}–{} ({}–{})".format(*result["games_won"], *result["points"])
    return gettext("%(result)s, director’s ruling") % {"result": scores} if result["kind"] else scores


def _format_adjustment(adjustment: Mapping[str, Any]) -> str:
    text = f"{METRIC_NAMES[adjustment['metric']]} {values.format_signed_value(adjustment['amount'])}"
    return f"{text} ({adjustment['reason']})" if adjustment["reason"] else text
