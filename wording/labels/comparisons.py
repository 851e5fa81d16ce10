"""Differences between an event and a corrected copy of it, in the reader's language."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.audit.diff import Names
from clubs.game_words import ruleset_name
from clubs.wording import join_names
from tournaments.event_files import Difference
from tournaments.rounds.rulings import RulingKind

from . import audit_values as values
from .audit_fields import ENTRY, EVENT, FIELDS, Fields, Word
from .event_files import sentence_with_place
from .history import ruling_name
from .standings import METRIC_NAMES
from .tournaments import DETAIL_NAMES

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


def _as_rules(value: Mapping[str, Any], names: Names) -> str:
    return ruleset_name(value["key"])


def _as_details(value: Sequence[str], names: Names) -> str:
    return join_names([str(DETAIL_NAMES[each]) for each in value])


SETTINGS: Fields = {
    **EVENT,
    "lot": Word(_("Lot number")),
    "ruleset": Word(_("Rules"), _as_rules),
    "rules_name": Word(_("Rules name")),
    "match_format": Word(_("Match length"), values.as_match),
    "details": Word(_("Details recorded"), _as_details),
    "rates.member": EVENT["member_fee"],
    "rates.guest": EVENT["guest_fee"],
    "cash.prize_share": EVENT["prize_share"],
    "cash.rounding_step": EVENT["rounding_step"],
    "cash.starting_cash": EVENT["starting_cash"],
    "announcement.last_day": Word(_("Last day"), values.as_day),
    "announcement.starts_at": Word(_("Start time"), values.as_hour),
    "announcement.ends_at": Word(_("End time"), values.as_hour),
    "announcement.place": Word(pgettext_lazy("where one meets", "Place")),
    "announcement.address": Word(_("Address")),
    "announcement.about": Word(_("Description")),
    "announcement.prizes": Word(_("Prizes")),
    "announcement.bring": Word(_("Please bring")),
    "announcement.contact": Word(_("Contact person")),
    "announcement.sign_up_until": Word(_("Sign-up deadline"), values.as_day),
    "release.is_public": EVENT["is_public"],
    "release.entries": EVENT["shows_entries"],
    "release.draw": EVENT["shows_draw"],
    "release.results": EVENT["shows_results"],
    "release.silent_from": EVENT["silent_from"],
    "release.ranked": EVENT["shows_standings"],
    "release.names": EVENT["shows_names"],
}
"""Labels by the field names of a comparison; parts of a field have a dot."""

COMPARED: Mapping[str, Fields] = {"event": SETTINGS, "entry": ENTRY, "round": FIELDS["round"]}


def describe_comparison(found: Difference) -> str:
    """Describe a difference in one line: where, and the values here and in the file."""
    if found.code == "field_is_other":
        return sentence_with_place(found.where, _field(**found.details))
    details = {name: _describe_value(name, found.code, value) for name, value in found.details.items()}
    return sentence_with_place(found.where, str(COMPARISONS[found.code]) % details)


def _field(kind: str, name: str, here: Any, there: Any) -> str:
    word = COMPARED[kind].get(name)
    if word is None:
        return str(COMPARISONS["part_is_other"]) % {"part": name}
    told = [_value(word, value) for value in (here, there)]
    code = "field_is_other" if told[0] != told[1] else "field_is_otherwise"
    return str(COMPARISONS[code]) % {"field": word.label, "here": told[0], "there": told[1]}


def _value(word: Word, value: Any) -> str:
    return values.nothing() if value in (None, "", [], {}) else word.told(value, {})


def _describe_value(name: str, code: str, value: Any) -> str:
    if name == "given":
        return _adjustment(value)
    if name == "seats" or code == "others_sit_here":
        return values.nothing() if value is None else _seats(value)
    if code == "result_is_other":
        return _result(value)
    if isinstance(value, list | tuple):
        return join_names([str(each) for each in value]) or values.nothing()
    return str(value)


def _seats(sides: Sequence[Sequence[int]]) -> str:
    """Describe a pairing by entry numbers: ``3 – 8``; ``1 and 4 – 2 and 3``."""
    return " – ".join(join_names([str(entry) for entry in side]) for side in sides)


def _result(result: Mapping[str, Any] | None) -> str:
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
    told = "{}–{} ({}–{})".format(*result["games_won"], *result["points"])
    return gettext("%(result)s, director’s ruling") % {"result": told} if result["kind"] else told


def _adjustment(given: Mapping[str, Any]) -> str:
    told = f"{METRIC_NAMES[given['metric']]} {values.as_signed(given['amount'], {})}"
    return f"{told} ({given['reason']})" if given["reason"] else told
