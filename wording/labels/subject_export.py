"""Titles and values of an export of personal data, in the reader's language."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import partial
from typing import Any

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.date_formats import format_date, hour_in_words
from clubs.models import Incident, Person
from clubs.name_formats import format_yes_no
from clubs.privacy import Consent
from scoring.log_values import MarkStatus
from tournaments.models import Entry
from web.money_words import format_amount
from wording.labels.club_history import describe_club_action
from wording.labels.history import describe_action

SECTION_TITLES: Mapping[str, str | Promise] = {
    "person": _("Person"),
    "consents": _("Consents"),
    "entries": _("Nights and tournaments"),
    "matches": _("Matches, hand by hand"),
    "alerts": _("Phone notifications"),
    "figures": _("Rating and records"),
    "seasons": _("Seasons"),
    "payments": _("Dues and fees"),
    "prizes": _("Prizes"),
    "elsewhere": _("In other clubs"),
    "history": _("History entries"),
    "incidents": _("Incident register"),
}

FIELD_TITLES: Mapping[str, str | Promise] = {
    **{name: facts.label for model in (Incident, Entry, Person) for name, facts in model.FACTS.items() if facts.label},
    "absent": _("Rounds missed"),
    "address": _("Address"),
    "adjustments": _("Adjustments"),
    "after": _("After each night"),
    "against": _("Against"),
    "agreed_to": _("Result confirmed"),
    "agreements": _("Confirmations"),
    "amount": _("Amount"),
    "answer": _("Answer"),
    "asked": _("Question"),
    "asked_for": _("Charged"),
    "bids": _("Bid counts"),
    "brought": _("Points added"),
    "byes_asked": _("Requested byes"),
    "calls": _("Calls to the desk"),
    "category": _("Category"),
    "channel": _("Sent via"),
    "codes_since": _("Codes for other clubs since"),
    "club": _("Club"),
    "contract": _("Contract"),
    "contracts": _("Contracts"),
    "day": _("Day"),
    "declarer": _("Declarer"),
    "details": _("Details"),
    "entry": _("Entry number"),
    "event": _("Night or tournament"),
    "first_round": _("First round"),
    "game": _("Game"),
    "games_won": _("Games won"),
    "hand": _("Hand"),
    "hands": _("Hands"),
    "hands_too_late": _("Late hands"),
    "is_over": _("Over"),
    "is_public": _("On public pages"),
    "kind": _("Type"),
    "ladder": _("Season standings"),
    "left_after": _("Withdrawn after round"),
    "looks_for_partner": _("Looks for a partner"),
    "margin": _("Margin (±)"),
    "marked": _("Recorded hand"),
    "matches": _("Matches"),
    "metric": _("Applies to"),
    "mode": _("Way of playing"),
    "nights": _("Nights"),
    "nights_of_it": _("Night by night"),
    "note": _("Note"),
    "number": _("Number"),
    "other_names": _("Other names"),
    "outcome": _("Made or failed"),
    "own": _("Own bids"),
    "own_side": _("Assigned side"),
    "own_table": _("Reserved table"),
    "paid": _("Paid"),
    "partners": _("Partners"),
    "opponents": _("Opponents"),
    "points": _("Points"),
    "present_at": _("Checked in on"),
    "prize": _("Prize"),
    "public_name": _("Name on public pages"),
    "rank": _("Rank"),
    "rating": _("Rating"),
    "reason": _("Reason"),
    "record": _("Playing statistics"),
    "records": _("Club records"),
    "result": _("Result"),
    "round": _("Round"),
    "rounds": _("Rounds"),
    "ruling": _("Ruling"),
    "season": _("Season"),
    "seat": _("Seat"),
    "set_aside_at": _("Set aside on"),
    "settled_at": _("Settled on"),
    "side": _("Side"),
    "signed_up_at": _("Signed up on"),
    "state": _("State"),
    "strength": _("Strength"),
    "table": _("Table"),
    "team": _("Team"),
    "total": _("Total"),
    "tricks": _("Tricks"),
    "trump": _("Trump"),
    "when": _("When"),
    "who": _("Recorded by"),
    "winner": _("Winner"),
    "with": _("With"),
    "worked_out_at": _("Calculated on"),
}
"""Titles by the keys of the file for programs; keys deeper inside stay as they are."""

CONSENTS: Mapping[tuple[str, bool], str | Promise] = {
    ("shows_full_name", True): _("Full name on public pages: allowed"),
    ("shows_full_name", False): _("Full name on public pages: consent withdrawn"),
    ("is_hidden", True): _("Name hidden on public pages: requested"),
    ("is_hidden", False): _("Name hidden on public pages: request withdrawn"),
    ("is_rated", True): _("Ratings and records: included again"),
    ("is_rated", False): _("Ratings and records: opted out"),
}
EMPTY_VALUES: tuple[Any, ...] = (None, "", [], {})


def describe_consent(consent: Consent) -> str:
    return str(CONSENTS[consent.question, consent.answer])


def render_subject_export(line: Mapping[str, Any], section: str) -> SafeString:
    """Render a line of an export as markup, at any depth, without empty values."""
    return mark_safe(_render_markup(LINE_DESCRIBERS.get(section, dict)(line)))  # noqa: S308 -- every text in it is escaped


def _describe_consent_line(line: Mapping[str, Any]) -> dict[str, Any]:
    """Put the question of a consent and its answer into one sentence."""
    other_values = {name: value for name, value in line.items() if name not in ("asked", "answer")}
    return {"answer": str(CONSENTS[line["asked"], line["answer"]])} | other_values


def _describe_action_line(line: Mapping[str, Any]) -> dict[str, Any]:
    """Put a change into one sentence; entries are shown by their numbers."""
    describe = partial(describe_action, names={}) if line["event"] else describe_club_action
    other_values = {name: value for name, value in line.items() if name != "details"}
    return other_values | {"what": describe(line["what"], line["details"])}


def _describe_payment(line: Mapping[str, Any]) -> dict[str, Any]:
    """Format the amounts of money of a payment; missing ones stay out."""
    amounts = {"asked_for", "paid", "amount"} & line.keys()
    return dict(line) | {name: line[name] and format_amount(line[name]) for name in amounts}


LINE_DESCRIBERS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "consents": _describe_consent_line,
    "history": _describe_action_line,
    "payments": _describe_payment,
    "prizes": _describe_payment,
}
"""Functions that put the lines of a section into words; the others are as in the file for programs."""


def _render_markup(value: Any, depth: int = 0) -> str:
    if isinstance(value, dict):
        titled_values = [
            (_get_field_title(key), _render_markup(_label_status(key, one), depth + 1))
            for key, one in value.items()
            if one not in EMPTY_VALUES
        ]
        if depth and not any(isinstance(one, dict | list) for one in value.values()):
            return "; ".join(
                gettext("%(title)s: %(value)s") % {"title": title, "value": text} for title, text in titled_values
            )
        return f"<dl>{''.join(f'<dt>{title}</dt><dd>{text}</dd>' for title, text in titled_values)}</dl>"
    if isinstance(value, list | tuple):
        if not any(isinstance(one, dict | list) for one in value):
            return ", ".join(_render_text(one) for one in value)
        return "".join(f"<div>{_render_markup(one, depth + 1)}</div>" for one in value)
    return _render_text(value)


def _get_field_title(key: str) -> str:
    return escape(FIELD_TITLES.get(key, key.replace("_", " ")))


def _label_status(key: str, value: Any) -> Any:
    """Return the label of a status; other values are unchanged."""
    return MarkStatus(value).label if key == "state" and value in MarkStatus else value


def _render_text(value: Any) -> str:
    if isinstance(value, bool):
        return escape(format_yes_no(value))
    if isinstance(value, datetime):
        local = timezone.localtime(value)
        return escape(f"{format_date(local, 'SHORT_DATE_FORMAT')}, {hour_in_words(local)}")
    if isinstance(value, date):
        return escape(format_date(value))
    return escape("–" if value is None else value)
