"""Page of one entry. Each action of the director is a small form that shows its effect before it is done."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from clubs.actor import actor_from
from clubs.audit.log import Actor
from engine.ranking import ADJUSTABLE
from errors import Refusal
from scoring.parsing import optional_number, whole_number
from tournaments.entries.badge_codes import own_letters, own_link
from tournaments.entries.entry_import import ListedEntry, read_rating, read_side
from tournaments.entries.presenters.entries import entry_view
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
from tournaments.events.presenters.names import full_names
from tournaments.events.views.access import for_directors
from tournaments.history.views.confirmation import confirm_then_run
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event
from web.names import clean_text
from web.qr import origin_for_phones, square

from .name_matches import ask_who, identities_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """An action: its confirmation question, its button, its service and how to read the arguments from a
    form.

    Without ``has_effects`` on ranks and tables, it is done at once. With ``names_somebody``, the page first
    asks which person the field ``name`` means. With ``says_why``, the form has a reason already.
    """

    question: str | Promise
    button: str | Promise
    service: Callable[..., object]
    arguments: Callable[[QueryDict], dict[str, Any]] = lambda typed: {}
    has_effects: bool = True
    names_somebody: bool = False
    says_why: bool = False


def _withdrawal(typed: QueryDict) -> dict[str, Any]:
    return {"after": optional_number(typed, "after"), "forfeits_table": "forfeits_table" in typed}


def _attendance(typed: QueryDict) -> dict[str, Any]:
    return {"round_number": whole_number(typed, "round"), "attendance": typed.get("attendance", "")}


def _substitute(typed: QueryDict) -> dict[str, Any]:
    return {
        "place": whole_number(typed, "place"),
        "name": typed.get("name", ""),
        "identities": identities_in(typed),
    }


def _spelling(typed: QueryDict) -> dict[str, Any]:
    return {"place": whole_number(typed, "place"), "name": typed.get("spelling", "")}


def _description(typed: QueryDict) -> dict[str, Any]:
    return {
        "section": typed.get("section", ""),
        "team": typed.get("team", ""),
        "rating": read_rating(typed.get("rating", "").strip()),
        "table": optional_number(typed, "table"),
        "family": typed.get("family", ""),
        "car": typed.get("car", ""),
        "labels": typed.get("labels", ""),
        "side": read_side(typed.get("side", "")),
    }


def _adjustment(typed: QueryDict) -> dict[str, Any]:
    amount = whole_number(typed, "amount")
    return {
        "metric": typed.get("metric", ""),
        "amount": amount if typed.get("sign") == "bonus" else -amount,
        "round_number": optional_number(typed, "in_round"),
    }


ACTS: Mapping[str, Act] = {
    "withdraw": Act(
        question=_("Withdraw %(names)s?"),
        button=_("Withdraw"),
        service=withdraw_entry,
        arguments=_withdrawal,
    ),
    "arrive": Act(
        question=_("Check in %(names)s from the next round?"),
        button=_("Check in"),
        service=mark_present,
        arguments=lambda typed: {"is_present": True},
    ),
    "return": Act(question=_("Reinstate %(names)s?"), button=_("Reinstate"), service=return_entry),
    "disqualify": Act(
        question=_("Disqualify %(names)s?"),
        button=_("Disqualify"),
        service=disqualify_entry,
        arguments=lambda typed: {
            "disqualification": typed.get("disqualification", ""),
            "forfeits_table": "forfeits" in typed,
        },
        says_why=True,
    ),
    "attendance": Act(
        question=_("Change a round for %(names)s?"),
        button=_("Change round"),
        service=change_attendance,
        arguments=_attendance,
    ),
    "substitute": Act(
        question=_("Replace a player of %(names)s?"),
        button=_("Replace"),
        service=substitute_player,
        arguments=_substitute,
        names_somebody=True,
    ),
    "correct-name": Act(
        question=_("Correct a name of %(names)s?"),
        button=_("Correct name"),
        service=correct_player_name,
        arguments=_spelling,
        has_effects=False,
    ),
    "describe": Act(
        question=_("Change the details of %(names)s?"),
        button=_("Change"),
        service=describe_entry,
        arguments=_description,
    ),
    "adjust": Act(
        question=_("Adjust the results of %(names)s?"),
        button=_("Adjust"),
        service=adjust_entry,
        arguments=_adjustment,
    ),
    "remove-adjustment": Act(
        question=_("Remove this adjustment of %(names)s?"),
        button=_("Remove adjustment"),
        service=remove_adjustment,
        arguments=lambda typed: {"adjustment_id": whole_number(typed, "adjustment")},
    ),
}


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def entry_page(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show an entry, and change, withdraw or disqualify it. Before the start, no effects are shown first."""
    entry = entry_numbered(event, number)
    if entry is None:
        raise Http404
    if request.method != "POST":
        return _render_entry(request, event, entry)
    act = ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise Http404
    if "again" in request.POST:
        return _render_entry(request, event, entry)
    if act.names_somebody:
        named = ListedEntry(players=tuple(filter(None, [clean_text(request.POST.get("name", ""))])))
        asked = ask_who(request, event, [named], button=str(act.button))
        if asked is not None:
            return asked
    here = reverse("entry", args=[event.short, number])
    try:
        arguments = act.arguments(request.POST)

        def deed(by: Actor) -> object:
            return act.service(event_id=event.pk, number=number, by=by, **arguments)

        if event.state == EventState.PREPARING or not act.has_effects:
            deed(actor_from(request))
            return redirect(here)
    except Refusal as refusal:
        return _render_entry(request, event, entry, refusal)
    return confirm_then_run(
        request,
        event,
        deed,
        context={
            "question": act.question % {"names": full_names(entry)},
            "button": act.button,
            "back": here,
            "says_why": act.says_why,
        },
        refused=lambda refusal: _render_entry(request, event, entry, refusal),
        done=here,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WayIn:
    """Access to a player's own page: the QR code for their phone, and their badge letters."""

    name: str
    letters: str
    square: str


def _ways_in(request: HttpRequest, event: Event, entry: Entry) -> list[WayIn]:
    origin = origin_for_phones(request)
    return [
        WayIn(
            name=person.name,
            letters=own_letters(event, person.pk),
            square=square(own_link(event, person.pk, origin)),
        )
        for person in entry.players
    ]


def _render_entry(
    request: HttpRequest, event: Event, entry: Entry, refusal: Refusal | None = None
) -> HttpResponse:
    return TemplateResponse(
        request,
        "tournaments/entries/entry.html",
        {
            "event": event,
            "view": entry_view(event, entry),
            "ways_in": _ways_in(request, event, entry) if event.public_page else [],
            "sections": section_names(event),
            "metrics": list(ADJUSTABLE),
            "refusal": refusal,
            "typed": request.POST,
            "opened": request.POST.get("act", ""),
        },
    )
