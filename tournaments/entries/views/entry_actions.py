"""Page of one entry. Each action of the director is a small form that shows its effect before it is done."""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.audit.log import Actor
from clubs.pages import get_actor, is_submitted, show_refusals
from engine.ranking import ADJUSTABLE
from rules import Side
from scoring.parsing import parse_optional_number, parse_whole_number
from tournaments.entries.badge_codes import build_player_link, get_badge_letters
from tournaments.entries.entry_import.values import ListedEntry, read_rating, read_side
from tournaments.entries.presenters.entries import build_entry_view
from tournaments.entries.queries.entries import entry_numbered, section_names
from tournaments.entries.services.check_in import change_attendance, mark_present
from tournaments.entries.services.entry_actions import (
    adjust_entry,
    correct_player_name,
    describe_entry,
    disqualify_entry,
    remove_adjustment,
    return_entry,
    substitute_player,
    withdraw_entry,
)
from tournaments.events.presenters.names import format_full_names
from tournaments.events.views.access import event_directors_only
from tournaments.history.views.confirmation import confirm_then_run
from tournaments.history.views.shown_values import ShownValues, build_form_versions, guard_action
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event
from web.names import clean_text
from web.not_found import get_or_404
from web.qr import get_phone_origin, render_qr_code

from .name_matches import read_identities, render_identity_questions


@dataclass(frozen=True, slots=True)
class EntryAction:
    """An action: its confirmation question, its button, its service and how to read the arguments from a
    form.

    Without ``has_effects`` (on ranks and tables), it runs at once. With ``needs_identity``, the page first
    asks which person the field ``name`` means. With ``has_reason``, the form already has a reason.
    """

    question: str | Promise
    button: str | Promise
    service: Callable[..., object]
    arguments: Callable[[QueryDict], dict[str, Any]] = lambda typed: {}
    _: KW_ONLY
    has_effects: bool = True
    needs_identity: bool = False
    has_reason: bool = False


def _read_withdrawal(form_data: QueryDict) -> dict[str, Any]:
    return {"after": parse_optional_number(form_data, "after"), "forfeits_table": "forfeits_table" in form_data}


def _read_attendance(form_data: QueryDict) -> dict[str, Any]:
    return {"round_number": parse_whole_number(form_data, "round"), "attendance": form_data.get("attendance", "")}


def _read_substitute(form_data: QueryDict) -> dict[str, Any]:
    return {
        "place": parse_whole_number(form_data, "place"),
        "name": form_data.get("name", ""),
        "identities": read_identities(form_data),
    }


def _read_name_correction(form_data: QueryDict) -> dict[str, Any]:
    return {"place": parse_whole_number(form_data, "place"), "name": form_data.get("spelling", "")}


def _read_description(form_data: QueryDict) -> dict[str, Any]:
    return {
        "section": form_data.get("section", ""),
        "team": form_data.get("team", ""),
        "rating": read_rating(form_data.get("rating", "").strip()),
        "table": parse_optional_number(form_data, "table"),
        "family": form_data.get("family", ""),
        "car": form_data.get("car", ""),
        "labels": form_data.get("labels", ""),
        "side": read_side(form_data.get("side", "")),
        "is_house": "is_house" in form_data,
    }


def _read_adjustment(form_data: QueryDict) -> dict[str, Any]:
    amount = parse_whole_number(form_data, "amount")
    return {
        "metric": form_data.get("metric", ""),
        "amount": amount if form_data.get("sign") == "bonus" else -amount,
        "round_number": parse_optional_number(form_data, "in_round"),
    }


DESCRIBE = "describe"
"""The action whose form shows all details of an entry."""

ENTRY_ACTIONS: Mapping[str, EntryAction] = {
    "withdraw": EntryAction(_("Withdraw %(names)s?"), _("Withdraw"), withdraw_entry, _read_withdrawal),
    "arrive": EntryAction(
        _("Check in %(names)s from the next round?"), _("Check in"), mark_present, lambda typed: {"is_present": True}
    ),
    "return": EntryAction(_("Reinstate %(names)s?"), _("Reinstate"), return_entry),
    "disqualify": EntryAction(
        _("Disqualify %(names)s?"),
        _("Disqualify"),
        disqualify_entry,
        lambda typed: {
            "disqualification": typed.get("disqualification", ""),
            "forfeits_table": "forfeits" in typed,
        },
        has_reason=True,
    ),
    "attendance": EntryAction(
        _("Change a round for %(names)s?"), _("Change round"), change_attendance, _read_attendance
    ),
    "substitute": EntryAction(
        _("Replace a player of %(names)s?"), _("Replace"), substitute_player, _read_substitute, needs_identity=True
    ),
    "correct-name": EntryAction(
        _("Correct a name of %(names)s?"),
        _("Correct name"),
        correct_player_name,
        _read_name_correction,
        has_effects=False,
    ),
    DESCRIBE: EntryAction(_("Change the details of %(names)s?"), _("Change"), describe_entry, _read_description),
    "adjust": EntryAction(_("Adjust the results of %(names)s?"), _("Adjust"), adjust_entry, _read_adjustment),
    "remove-adjustment": EntryAction(
        _("Remove this adjustment of %(names)s?"),
        _("Remove adjustment"),
        remove_adjustment,
        lambda typed: {"adjustment_id": parse_whole_number(typed, "adjustment")},
    ),
}


@event_directors_only
@show_refusals
def entry_page(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show an entry, and change, withdraw or disqualify it. Before the start, no effects are shown first."""
    entry = get_or_404(entry_numbered(event, number))
    if not is_submitted(request) or "again" in request.POST:
        return _render_entry(request, event, entry)
    entry_action = get_or_404(ENTRY_ACTIONS.get(request.POST.get("act", "")))
    if entry_action.needs_identity:
        listed_entry = ListedEntry(players=tuple(filter(None, [clean_text(request.POST.get("name", ""))])))
        question_page = render_identity_questions(request, event, [listed_entry], button=str(entry_action.button))
        if question_page is not None:
            return question_page
    entry_url = reverse("entry", args=[event.short, number])
    arguments = entry_action.arguments(request.POST)

    def run_action(by: Actor) -> object:
        return entry_action.service(event_id=event.pk, number=number, by=by, **arguments)

    is_described = request.POST["act"] == DESCRIBE
    action = guard_action(request, _get_shown_values(event, entry), run_action) if is_described else run_action
    if event.state == EventState.PREPARING or not entry_action.has_effects:
        action(get_actor(request))
        return redirect(entry_url)
    return confirm_then_run(
        request,
        event,
        action,
        question=entry_action.question % {"names": format_full_names(entry)},
        button=entry_action.button,
        back=entry_url,
        says_why=entry_action.has_reason,
    )


def _list_player_access(request: HttpRequest, event: Event, entry: Entry) -> list[dict[str, str]]:
    """Return the QR code and the badge letters for each player's own page."""
    origin = get_phone_origin(request)
    return [
        {
            "name": person.name,
            "letters": get_badge_letters(event, person.pk),
            "qr_code": render_qr_code(build_player_link(event, person.pk, origin)),
        }
        for person in entry.players
    ]


def _get_shown_values(event: Event, entry: Entry) -> ShownValues:
    columns = ("section", "team", "rating", "table", "side", "family", "car", "labels", "is_house")
    return ShownValues(event=event, row=entry, columns=columns)


def _get_described_fields(entry: Entry) -> dict[str, object]:
    """Return the details of an entry as its form has them."""
    return {
        "section": entry.section,
        "team": entry.team,
        "rating": "" if entry.rating is None else entry.rating,
        "table": entry.table or "",
        "side": "" if entry.side is None else Side(entry.side).name,
        "family": entry.family,
        "car": entry.car,
        "labels": entry.labels,
        "is_house": entry.is_house,
    }


def _render_entry(request: HttpRequest, event: Event, entry: Entry) -> HttpResponse:
    is_described = request.POST.get("act") == DESCRIBE
    seen = build_form_versions(request, {DESCRIBE: _get_shown_values(event, entry)}, posted=request.POST.get("act", ""))
    return TemplateResponse(
        request,
        "tournaments/entries/entry.html",
        {
            "event": event,
            "view": build_entry_view(event, entry),
            "ways_in": _list_player_access(request, event, entry) if event.public_page else [],
            "sections": section_names(event),
            "metrics": list(ADJUSTABLE),
            "typed": request.POST,
            "described": request.POST if is_described else _get_described_fields(entry),
            "form_version": seen[DESCRIBE],
            "opened": request.POST.get("act", ""),
        },
    )
