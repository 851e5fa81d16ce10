"""Archiving of an event created by mistake, and its restoring."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from clubs.models import Club
from clubs.pages import directors_only, get_actor, require_post_from, show_refusals_on
from tournaments.events.services.lifecycle import bring_back_event, put_away_event
from tournaments.models import Event
from web.not_found import get_or_404

from .access import event_directors_only
from .settings import render_settings


@require_post_from("event-settings", "short")
@event_directors_only
@show_refusals_on(render_settings)
def archive_event(request: HttpRequest, event: Event) -> HttpResponse:
    """Archive an event created by mistake. The club's page can restore it."""
    put_away_event(event_id=event.pk, by=get_actor(request))
    return redirect("club", slug=event.club.slug)


@require_post_from("club", "slug")
@directors_only
def restore_event(request: HttpRequest, club: Club, short: str) -> HttpResponse:
    """Restore an archived event."""
    event = get_or_404(club.events.filter(short=short, is_arriving=False).first())
    bring_back_event(event_id=event.pk, by=get_actor(request))
    return redirect("club", slug=club.slug)
