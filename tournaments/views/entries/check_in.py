"""Check-in: one tap, and a pair is there."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from live.watching import asks_for_part
from rules import Refusal
from scoring.parsing import whole_number
from tournaments.models import Event
from tournaments.pages.entries import check_in_view
from tournaments.services.attendance import leave_out_absent, mark_present
from tournaments.services.entries import add_entry
from tournaments.views.access import for_directors
from tournaments.views.acting import by_of, new_key

from .lists import typed_players


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def check_in_page(request: HttpRequest, event: Event) -> HttpResponse:
    """A box for each entry; a script changes only the one that was tapped, and the counts."""
    if request.method != "POST":
        return _shown(request, event)
    search, number = request.POST.get("search", ""), None
    try:
        if "player_1" in request.POST:
            add_entry(event_id=event.pk, players=typed_players(request), is_present=True, by=by_of(request))
        elif "leave_out" in request.POST:
            leave_out_absent(event_id=event.pk, by=by_of(request))
            return redirect("entries", short=event.short)
        else:
            number = whole_number(request.POST, "number")
            is_present = request.POST.get("present") == "1"
            mark_present(event_id=event.pk, number=number, is_present=is_present, by=by_of(request))
    except Refusal as refusal:
        return _shown(request, event, refusal)
    if number is not None and asks_for_part(request):
        return TemplateResponse(
            request,
            "tournaments/entries/tapped.html",
            {"event": event, "view": check_in_view(event, only=[number]), "search": search},
        )
    query = f"?{urlencode({'search': search})}" if search else ""
    place = f"#entry-{number}" if number is not None else ""
    return redirect(reverse("check-in", args=[event.short]) + query + place)


def _shown(request: HttpRequest, event: Event, refusal: Refusal | None = None) -> HttpResponse:
    search = request.POST.get("search", request.GET.get("search", ""))
    return TemplateResponse(
        request,
        "tournaments/entries/check_in.html",
        {
            "event": event,
            "view": check_in_view(event, search),
            "search": search,
            "refusal": refusal,
            "typed": request.POST,
            "key": new_key(),
        },
    )
