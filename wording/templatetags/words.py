"""Template filters for the words of the game, in the reader's language. The keys are those of ``rules``."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date, time
from typing import Any
from uuid import uuid4

from django import template
from django.template.defaultfilters import floatformat
from django.utils.html import escape, format_html
from django.utils.safestring import mark_safe
from django.utils.translation import gettext, ngettext

from clubs import name_formats as people
from clubs.date_formats import day_and_year_in_words, hour_in_words
from clubs.game_words import SUITS, contract_name, get_rules_phrase, mode_name, outcome, record_name, ruleset_name
from clubs.house_rules import sentences as sentences_services
from engine.ranking import WHOLE
from errors import Refusal
from rules import RULESETS, Ruleset
from scoring.card_secrets import split_code
from tournaments.events.labels import MatchTerms, describe_terms, format_name, get_rules_name, summarize_rules
from tournaments.events.presenters.names import format_full_names
from tournaments.rounds.labels import DRAW_METHODS, describe_draw_reason, get_note, price_name, shared_name
from tournaments.rounds.presenters.drafts import COSTLY_REASONS, DraftSide
from tournaments.standings.labels import (
    METRIC_NAMES,
    METRIC_SENTENCES,
    METRIC_SHORT,
    departure_in_words,
    format_signed,
    metric_value,
    wins_name,
)
from tournaments.standings.titles import get_standings_title
from web.forms import BoundField
from wording import sentences
from wording.labels.columns import column_label, column_name
from wording.labels.history import describe_line, ruling_name, undo_question
from wording.lookups import build_lookup
from wording.sizes import size_in_words

register = template.Library()
register.filter(contract_name)
register.filter(mode_name)
register.filter(outcome)
register.filter(record_name)
register.filter(ruleset_name)
register.filter(ruling_name)
register.filter(undo_question)
register.filter("standings_title", get_standings_title)
register.filter("made_by", build_lookup(DRAW_METHODS))
register.filter(price_name)
register.filter(shared_name)
register.filter("full_names", format_full_names)
register.filter(size_in_words)
register.filter(departure_in_words)
register.filter(describe_line)
register.filter("draw_format_name", format_name)
register.simple_tag(metric_value)
register.filter(get_rules_name)
register.filter(summarize_rules)
register.filter(describe_terms)
register.filter(format_signed)
register.filter(split_code)


SUIT_ICONS = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}


@register.filter
def format_form_value(form_value: object, kind: str) -> str:
    """Format the value of a ``date`` or ``time`` field: ``Saturday, November 21, 2026`` or ``7:00 p.m.``; ""
    if it is neither."""
    try:
        if kind == "date":
            return day_and_year_in_words(date.fromisoformat(str(form_value)))
        return hour_in_words(time.fromisoformat(str(form_value)))
    except ValueError:
        return ""


@register.filter
def describe_public_rules(terms: MatchTerms) -> str:
    """Describe the rules for visitors: ``Canadian rules, games to 32``; ``house rules: Our Tuesdays (Maine),
    games to 25``."""
    rules = get_rules_phrase(terms.ruleset.key)
    if terms.rules_name:
        rules = gettext("house rules: %(rules)s") % {"rules": get_rules_name(terms)}
    return gettext("%(rules)s, games to %(target)s") % {
        "rules": rules,
        "target": terms.ruleset.target,
    }


@register.filter
def differences(ruleset: Ruleset) -> list[str]:
    """Describe how house rules differ from the built-in system, a sentence each; none if they do not."""
    return sentences_services.describe_differences(RULESETS[ruleset.key], ruleset)


@register.filter
def without(numbers: Sequence[int], others: Collection[int]) -> list[int]:
    return [number for number in numbers if number not in others]


register.filter("get_suit_name", build_lookup(SUITS))
register.filter("get_suit_icon", build_lookup(SUIT_ICONS))
register.filter("get_metric_name", build_lookup(METRIC_NAMES))
register.filter("get_metric_abbreviation", build_lookup(METRIC_SHORT))
register.filter("get_metric_sentence", build_lookup(METRIC_SENTENCES))
register.filter("sentence", sentences.get_sentence)
register.filter(column_name)
register.filter(column_label)
register.filter("joined", people.join_names)


@register.filter
def at(refusal: Refusal | None, field: str) -> str:
    """Return the sentence about this field, of a refusal or of one in it; "" if there is none."""
    if refusal is None:
        return ""
    members = refusal.details.get("refusals", ())
    return next((sentences.get_sentence(one) for one in (*members, refusal) if one.field == field), "")


@register.filter
def mark_options(text: str) -> str:
    """Mark the options of commands in a text, such as ``--port``, so that no line breaks at their hyphens."""
    return mark_safe(re.sub("--[a-z-]+", r"<code>\g<0></code>", escape(text)))  # noqa: S308 - escaped


@register.filter
def format_signed_average(average: float) -> str:
    """Format a mean with its sign and one decimal, in the reader's language: ``+0,4``, ``−3,0``."""
    return f"{'+' if average > 0 else ''}{floatformat(average, 1)}".replace("-", "−")


@register.filter
def if_none_match(etag: str) -> str:
    """Return the ``hx-headers`` that tell the server which revision the page has."""
    return json.dumps({"If-None-Match": etag})


@register.filter
def join_numbers(numbers: Sequence[int]) -> str:
    """Join numbers: ``2, 5 and 9``."""
    return people.join_names([str(number) for number in numbers])


register.filter(describe_draw_reason)


@register.filter
def summarize_notes(reasons: Sequence[Mapping[str, Any]]) -> str:
    """Join the notes of a table, each once: ``Met in round 1, not as many wins``."""
    notes = ", ".join(dict.fromkeys(map(get_note, reasons)))
    return notes[:1].upper() + notes[1:]


@register.filter
def summarize_wins(side: DraftSide) -> str:
    """Describe the wins of a side: ``2½ won``; for drawn partners ``2 / 1.67 won``."""
    wins = " / ".join(map(wins_name, side.won))
    return ngettext("%(won)s won", "%(won)s won", max(side.won) // WHOLE) % {"won": wins}


@register.filter
def describe_side(side: DraftSide) -> str:
    """Describe a side by what is known of it: ``Matane · 1507 · 1 bye``; byes of drawn partners as ``1 / 0
    bye``."""
    parts = [*side.clubs, " / ".join(map(str, side.ratings))]
    if any(side.byes):
        byes = " / ".join(map(str, side.byes))
        parts.append(ngettext("%(byes)s bye", "%(byes)s byes", sum(side.byes)) % {"byes": byes})
    return " · ".join(filter(None, parts))


@register.simple_tag
def render_form_key() -> str:
    """Return a form's hidden key, by which a second click is recognized: a new one each time it is shown."""
    return format_html('<input type="hidden" name="key" value="{}">', uuid4())


@register.simple_tag(takes_context=True)
def render_field(context: template.Context, field: BoundField, **values: Any) -> str:
    """Render a field of a form with its label, help and the page's refusal; ``values`` replace those of the form."""
    return field.render(context={"refusal": context.get("refusal")} | field.get_context() | values)


@register.filter
def is_costly(reason: Mapping[str, Any]) -> bool:
    """Check whether a reason names something that could not be avoided."""
    return reason["code"] in COSTLY_REASONS
