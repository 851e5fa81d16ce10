"""Confirmation of a director's change: the page shows its effects first, then makes it, once."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse

from clubs.audit.log import Actor
from clubs.pages import get_actor
from tournaments.history.presenters.effects import EffectsView, build_effects_view
from tournaments.history.services.effects import compute_effects
from tournaments.history.services.optimistic import get_last_action_id, is_done
from tournaments.models import Event

ActorCallback = Callable[[Actor], object]

LINE_FIELD, DIGEST_FIELD = "seen_line", "seen_effects"
"""Fields of the page that shows effects: the last line of the history then, and a digest of the effects."""


def confirm_then_run(
    request: HttpRequest,
    event: Event,
    action: ActorCallback,
    *,
    question: object,
    button: object,
    back: str,
    success_url: str = "",
    **context: Any,
) -> HttpResponse:
    """Show the effects of a posted change first; once confirmed, make it. If the event has changed since and
    the effects differ, show them again first.

    ``back`` is the address of the form, and ``context`` what else the page shows of the change; ``success_url`` is the
    next page, by default ``back``. Refuses: what ``action`` does.
    """
    context |= {"question": question, "button": button, "back": back}
    by, line = get_actor(request), str(get_last_action_id(event))
    is_confirmed = "confirmed" in request.POST
    if not is_confirmed or (request.POST.get(LINE_FIELD, line) != line and not is_done(event, by)):
        effects = build_effects_view(event, compute_effects(event.pk, lambda: action(replace(by, key=None))))
        if page := _render_effects(request, event, effects, by, line, context):
            return page
    action(by)
    return redirect(success_url or back)


def _render_effects(
    request: HttpRequest,
    event: Event,
    effects: EffectsView,
    by: Actor,
    line: str,
    context: Mapping[str, Any],
) -> HttpResponse | None:
    """Render the page that shows the effects; None if they are those already confirmed."""
    effects_html = render_to_string("tournaments/history/effects_form.html", {**context, "effects": effects})
    digest = hashlib.sha256(effects_html.encode()).hexdigest()
    if request.POST.get(DIGEST_FIELD) == digest:
        return None
    return TemplateResponse(
        request,
        "tournaments/history/confirmation.html",
        {
            "event": event,
            "shown": effects_html,
            "typed": list_repeated_fields(request, "reason", "ready"),
            "seen": {LINE_FIELD: line, DIGEST_FIELD: digest},
            "has_changed": "confirmed" in request.POST,
            "reason": by.reason,
            **context,
        },
    )


def list_repeated_fields(request: HttpRequest, *excluded_names: str) -> list[tuple[str, str]]:
    """Return the posted fields with their values, for a page between the form and its end. The fields of that page
    itself and the ``excluded_names`` are left out."""
    excluded = {"csrfmiddlewaretoken", "key", "confirmed", LINE_FIELD, DIGEST_FIELD, *excluded_names}
    return [(name, value) for name, values in request.POST.lists() for value in values if name not in excluded]
