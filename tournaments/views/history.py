"""The history of an event, and the way back from each line of it."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.acting import by_of
from clubs.posting import posted_from
from rules import Refusal
from tournaments import services
from tournaments.models import Event
from tournaments.pages.histories import history_lines
from tournaments.services.effects import effects_of

from .access import for_directors
from .acting import shown_first


@require_safe
@for_directors
def history(request: HttpRequest, event: Event) -> HttpResponse:
    """Who did what, newest first."""
    return _history(request, event)


@posted_from("history", "short")
@for_directors
def undo(request: HttpRequest, event: Event, action_id: int) -> HttpResponse:
    """Takes a line back; the line of the undo can be taken back as well. Where that takes hands from the
    tables, it is shown first."""
    deed = partial(services.undo_action, event_id=event.pk, action_id=action_id)
    done = reverse("history" if "stay" in request.POST else "desk", args=[event.short])
    try:
        if "confirmed" in request.POST or not effects_of(event.pk, deed).set_aside:
            deed(by=by_of(request))
            return redirect(done)
    except Refusal as refusal:
        return _history(request, event, refusal)
    return shown_first(
        request,
        event,
        lambda by: deed(by=by),
        context={"question": _("Undo this?"), "button": _("Undo all the same"), "back": done},
        refused=partial(_history, request, event),
        done=done,
    )


def _history(request: HttpRequest, event: Event, refusal: Refusal | None = None) -> HttpResponse:
    context = {"event": event, "lines": history_lines(event), "refusal": refusal}
    return TemplateResponse(request, "tournaments/history.html", context)
