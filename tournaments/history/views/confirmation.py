"""Confirmation of a director's change: the page shows its effects first, then makes it, once."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse

from clubs.actor import actor_from
from clubs.audit.log import Actor
from errors import Refusal
from tournaments.history.presenters.effects import EffectsView, effects_view
from tournaments.history.services.effects import effects_of
from tournaments.history.services.optimistic import is_done, last_line
from tournaments.models import Event

Deed = Callable[[Actor], object]

LINE, SHOWN = "seen_line", "seen_effects"
"""Fields of the page that shows effects: the last line of the history then, and a digest of the effects."""


def confirm_then_run(
    request: HttpRequest,
    event: Event,
    deed: Deed,
    *,
    context: Mapping[str, Any],
    refused: Callable[[Refusal], HttpResponse],
    done: str,
) -> HttpResponse:
    """Show the effects of a posted change first; once confirmed, make it. If the event has changed since and
    the effects would be others by now, they are shown again before.

    ``context`` describes the change: ``question`` (the title), ``button``, and ``back`` (an address).
    ``refused`` renders the form's page again, with the refusal; ``done`` is where to go after.
    """
    try:
        by = actor_from(request)
        line = str(last_line(event))
        is_confirmed = "confirmed" in request.POST
        if not is_confirmed or (request.POST.get(LINE, line) != line and not is_done(event, by)):
            effects = effects_view(event, effects_of(event.pk, lambda: deed(replace(by, key=None))))
            if page := _effects_page(request, event, effects, by, line, context):
                return page
        deed(by)
    except Refusal as refusal:
        return refused(refusal)
    return redirect(done)


def _effects_page(
    request: HttpRequest,
    event: Event,
    effects: EffectsView,
    by: Actor,
    line: str,
    context: Mapping[str, Any],
) -> HttpResponse | None:
    """Render the page that shows the effects; None if they are those already confirmed."""
    shown = render_to_string("tournaments/history/deed.html", {**context, "effects": effects})
    digest = hashlib.sha256(shown.encode()).hexdigest()
    if request.POST.get(SHOWN) == digest:
        return None
    return TemplateResponse(
        request,
        "tournaments/history/confirm.html",
        {
            "event": event,
            "shown": shown,
            "typed": fields_to_repeat(request, "reason", "ready"),
            "seen": {LINE: line, SHOWN: digest},
            "has_changed": "confirmed" in request.POST,
            "reason": by.reason,
            **context,
        },
    )


def fields_to_repeat(request: HttpRequest, *asked_again: str) -> list[tuple[str, str]]:
    """Return the fields of the form with their values, for a page between it and its end. Fields of such a
    page itself are left out, and those ``asked_again`` there."""
    own = {"csrfmiddlewaretoken", "key", "confirmed", LINE, SHOWN, *asked_again}
    return [(name, value) for name, values in request.POST.lists() for value in values if name not in own]
