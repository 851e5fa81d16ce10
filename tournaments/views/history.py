"""The history of an event, and the way back from each line of it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_POST, require_safe

from rules import Refusal
from tournaments import services
from tournaments.models import Event
from tournaments.pages.histories import history_lines

from .access import for_directors
from .acting import by_of


@require_safe
@for_directors
def history(request: HttpRequest, event: Event) -> HttpResponse:
    """Who did what, newest first."""
    return _history(request, event)


@require_POST
@for_directors
def undo(request: HttpRequest, event: Event, action_id: int) -> HttpResponse:
    """Takes a line back; the line of the undo can be taken back as well."""
    try:
        services.undo_action(event_id=event.pk, action_id=action_id, by=by_of(request))
    except Refusal as refusal:
        return _history(request, event, refusal)
    return redirect("history" if "stay" in request.POST else "desk", short=event.short)


def _history(request: HttpRequest, event: Event, refusal: Refusal | None = None) -> HttpResponse:
    context = {"event": event, "lines": history_lines(event), "refusal": refusal}
    return TemplateResponse(request, "tournaments/history.html", context)
