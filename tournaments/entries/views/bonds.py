"""Page of the entries kept apart in the draws."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.actor import get_actor
from clubs.audit.log import Actor
from errors import Refusal
from scoring.parsing import parse_optional_number
from tournaments.entries.presenters.bonds import build_apart_view
from tournaments.entries.services.bonds import keep_apart, let_meet
from tournaments.events.views.access import event_directors_only
from tournaments.models import Event


@require_http_methods(["GET", "HEAD", "POST"])
@event_directors_only
def apart_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Keep entries apart in the draws, let them meet again, and see what entries share."""
    refusal = None
    if request.method == "POST":
        try:
            _save_change(request, event, get_actor(request))
            return redirect("kept-apart", short=event.short)
        except Refusal as refused:
            refusal = refused
    return TemplateResponse(
        request,
        "tournaments/entries/apart.html",
        {"event": event, "view": build_apart_view(event), "refusal": refusal, "typed": request.POST},
    )


def _save_change(request: HttpRequest, event: Event, by: Actor) -> None:
    form_data = request.POST
    if "meet" in form_data:
        let_meet(event_id=event.pk, key=form_data["meet"], by=by)
        return
    keep_apart(
        event_id=event.pk,
        text=form_data.get("apart", ""),
        always=form_data.get("how") != "if_possible",
        rounds=parse_optional_number(form_data, "rounds"),
        by=by,
    )
