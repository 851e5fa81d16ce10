"""Page that sets the club or team of many entries at once."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.actor import get_actor
from errors import Refusal
from tournaments.entries.queries.entries import get_entries
from tournaments.entries.services.teams import set_team
from tournaments.events.views.access import event_directors_only
from tournaments.models import Event
from web.forms import parse_digits
from web.names import unify_spellings


@require_http_methods(["GET", "HEAD", "POST"])
@event_directors_only
def teams_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Tick entries and set the club or team that they play for."""
    refusal = None
    if request.method == "POST":
        numbers = [parse_digits(text, max_digits=5) or 0 for text in request.POST.getlist("entry")]
        team = request.POST.get("team", "")
        try:
            set_team(event_id=event.pk, numbers=numbers, team=team, by=get_actor(request))
            return redirect("teams", short=event.short)
        except Refusal as refused:
            refusal = refused
    entries = get_entries(event)
    context = {
        "event": event,
        "entries": entries,
        "teams": sorted(unify_spellings(entry.team for entry in entries if entry.team).values()),
        "ticked": request.POST.getlist("entry"),
        "typed": request.POST,
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/entries/teams.html", context)
