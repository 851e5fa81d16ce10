"""What a director does on a page: its effect is shown first, then it is done, once."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse

from clubs.actor import by_of
from clubs.audit.log import Actor
from rules import Refusal
from tournaments.history.presenters.effects import EffectsView, effects_view
from tournaments.history.services.effects import effects_of
from tournaments.models import Event

Deed = Callable[[Actor], object]


def confirm_then_run(
    request: HttpRequest,
    event: Event,
    deed: Deed,
    *,
    context: Mapping[str, Any],
    refused: Callable[[Refusal], HttpResponse],
    done: str,
    asks: Callable[[EffectsView], bool] = lambda _: True,
) -> HttpResponse:
    """A posted form: first the page that shows what the deed would do, then, once confirmed, the deed.

    ``context`` says what it is: ``question`` (the title), ``button``, and ``back`` (an address). ``refused``
    is the form's page again, with the refusal; ``done`` where to go after. What ``asks`` nothing is done at
    once.
    """
    try:
        by = by_of(request)
        if "confirmed" in request.POST:
            deed(by)
            return redirect(done)
        effects = effects_view(event, effects_of(event.pk, lambda: deed(replace(by, key=None))))
        if not asks(effects):
            deed(by)
            return redirect(done)
    except Refusal as refusal:
        return refused(refusal)
    return TemplateResponse(
        request,
        "tournaments/history/confirm.html",
        {
            "event": event,
            "effects": effects,
            "typed": fields_to_repeat(request, "reason"),
            "reason": by.reason,
            **context,
        },
    )


def fields_to_repeat(request: HttpRequest, *asked_again: str) -> list[tuple[str, str]]:
    """Each field of the form and what was typed in it, for a page between it and its end: without what such a
    page has of its own, and what is ``asked_again`` there."""
    own = {"csrfmiddlewaretoken", "key", *asked_again}
    return [(name, value) for name, values in request.POST.lists() for value in values if name not in own]
