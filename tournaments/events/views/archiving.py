"""Archiving of an event created by mistake, and its restoring."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from clubs.access import for_directors_of_the_club
from clubs.actor import actor_from
from clubs.models import Club
from clubs.post_only import posted_from
from errors import Refusal
from tournaments.events.services.lifecycle import bring_back_event, put_away_event
from tournaments.models import Event

from .access import for_directors
from .settings import settings_page


@posted_from("event-settings", "short")
@for_directors
def put_away(request: HttpRequest, event: Event) -> HttpResponse:
    """Archive an event created by mistake. The club's page can restore it."""
    try:
        put_away_event(event_id=event.pk, by=actor_from(request))
    except Refusal as refusal:
        return settings_page(request, event, refusal)
    return redirect("club", slug=event.club.slug)


@posted_from("club", "slug")
@for_directors_of_the_club
def bring_event_back(request: HttpRequest, club: Club, short: str) -> HttpResponse:
    """Restore an archived event."""
    event = club.events.filter(short=short, is_arriving=False).first()
    if event is None:
        raise Http404
    bring_back_event(event_id=event.pk, by=actor_from(request))
    return redirect("club", slug=club.slug)
