"""Page that sets the club or team of many entries at once."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.actor import actor_from
from errors import Refusal
from tournaments.entries.queries.entries import entries_of
from tournaments.entries.services.teams import set_team
from tournaments.events.views.access import for_directors
from tournaments.models import Event
from web.forms import digits_in
from web.names import one_spelling


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def teams_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Tick entries and set the club or team that they play for."""
    refusal = None
    if request.method == "POST":
        numbers = [digits_in(text, most=5) or 0 for text in request.POST.getlist("entry")]
        team = request.POST.get("team", "")
        try:
            set_team(event_id=event.pk, numbers=numbers, team=team, by=actor_from(request))
        except Refusal as refused:
            refusal = refused
        else:
            return redirect("teams", short=event.short)
    entries = entries_of(event)
    context = {
        "event": event,
        "entries": entries,
        "teams": sorted(one_spelling(entry.team for entry in entries if entry.team).values()),
        "ticked": request.POST.getlist("entry"),
        "typed": request.POST,
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/entries/teams.html", context)
