"""The door prize, drawn among the people present."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.actor import get_actor
from errors import Refusal
from tournaments.events.views.access import event_directors_only
from tournaments.models import Event
from tournaments.money.queries.door_prizes import find_door_prize, list_door_prize_candidates
from tournaments.money.services.door_prizes import clear_door_prize, draw_door_prize


@require_http_methods(["GET", "HEAD", "POST"])
@event_directors_only
def door_prize_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the winner of the door prize, and draw the next one."""
    refusal = None
    if request.method == "POST":
        try:
            if "clear" in request.POST:
                clear_door_prize(event_id=event.pk, by=get_actor(request))
            else:
                draw_door_prize(event_id=event.pk, prize=request.POST.get("prize", ""), by=get_actor(request))
        except Refusal as refused:
            refusal = refused
        else:
            return redirect("door-prize", short=event.short)
    context = {
        "event": event,
        "drawn": find_door_prize(event),
        "in_the_hat": len(list_door_prize_candidates(event)),
        "refusal": refusal,
        "typed": request.POST,
    }
    return TemplateResponse(request, "tournaments/entries/door_prize.html", context)
