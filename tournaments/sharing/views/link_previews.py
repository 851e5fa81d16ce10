"""Pictures of shared links: of an event, and of a club."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import override
from django.views.decorators.http import require_safe

from clubs.absolute_urls import get_feed_language
from clubs.calendar import get_club_today
from clubs.models import Club
from clubs.pages import public_page
from live.conditional_pages import shared_response
from tournaments.agenda.queries import list_upcoming
from tournaments.events.views.access import public_event_required
from tournaments.models import Event
from tournaments.sharing.link_preview_files import get_picture_path
from tournaments.sharing.link_previews.storage import get_png
from tournaments.sharing.link_previews.values import Picture
from tournaments.sharing.presenters.link_previews import build_club_picture, build_event_picture


@require_safe
@public_event_required
def event_picture_file(request: HttpRequest, event: Event) -> HttpResponse:
    """Show a picture of the event's standings, in the language of the address or else the club's. Programs
    state no language."""
    with override(get_feed_language(request, event.club)):
        return _render_picture(request, event.club, build_event_picture(event))


@require_safe
@public_page
def club_picture_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a picture of the club's next nights."""
    club = get_object_or_404(Club, slug=slug)
    lines = list_upcoming(club, get_club_today(club))
    with override(get_feed_language(request, club)):
        return _render_picture(request, club, build_club_picture(club, lines))


def _render_picture(request: HttpRequest, club: Club, picture: Picture) -> HttpResponse:
    def build_response() -> HttpResponse:
        return HttpResponse(get_png(picture, get_picture_path(picture, club)), content_type="image/png")

    return shared_response(request, picture.digest, build_response)
