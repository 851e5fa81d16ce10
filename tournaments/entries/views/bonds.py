"""Page of the entries kept apart in the draws."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.actor import actor_from
from clubs.audit.log import Actor
from errors import Refusal
from scoring.parsing import optional_number
from tournaments.entries.presenters.bonds import apart_view
from tournaments.entries.services.bonds import keep_apart, let_meet
from tournaments.events.views.access import for_directors
from tournaments.models import Event


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def kept_apart_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Keep entries apart in the draws, let them meet again, and see what entries share."""
    refusal = None
    if request.method == "POST":
        try:
            _change(request, event, actor_from(request))
        except Refusal as refused:
            refusal = refused
        else:
            return redirect("kept-apart", short=event.short)
    return TemplateResponse(
        request,
        "tournaments/entries/apart.html",
        {"event": event, "view": apart_view(event), "refusal": refusal, "typed": request.POST},
    )


def _change(request: HttpRequest, event: Event, by: Actor) -> None:
    typed = request.POST
    if "meet" in typed:
        let_meet(event_id=event.pk, key=typed["meet"], by=by)
        return
    keep_apart(
        event_id=event.pk,
        text=typed.get("apart", ""),
        always=typed.get("how") != "if_possible",
        rounds=optional_number(typed, "rounds"),
        by=by,
    )
