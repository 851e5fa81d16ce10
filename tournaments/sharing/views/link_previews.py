"""Pictures of shared links: of an event, and of a club."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import override
from django.views.decorators.http import require_safe

from clubs.absolute_urls import language_for_programs
from clubs.access import for_everybody
from clubs.calendar import today_in
from clubs.models import Club
from live.conditional_pages import alike_for_all
from tournaments.agenda.queries import agenda_ahead
from tournaments.events.views.access import for_watchers
from tournaments.models import Event
from tournaments.sharing.link_preview_files import path_of
from tournaments.sharing.link_previews import Picture, png_of
from tournaments.sharing.presenters.link_previews import club_picture, event_picture


@require_safe
@for_watchers
def picture_of_event(request: HttpRequest, event: Event) -> HttpResponse:
    """Show a picture of the event's standings, in the language of the address or else the club's. Programs
    state no language."""
    with override(language_for_programs(request, event.club)):
        return _answer(request, event.club, event_picture(event))


@require_safe
@for_everybody
def picture_of_club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a picture of the club's next nights."""
    club = get_object_or_404(Club, slug=slug)
    lines = agenda_ahead(club, today_in(club))
    with override(language_for_programs(request, club)):
        return _answer(request, club, club_picture(club, lines))


def _answer(request: HttpRequest, club: Club, picture: Picture) -> HttpResponse:
    def answer() -> HttpResponse:
        return HttpResponse(png_of(picture, path_of(picture, club)), content_type="image/png")

    return alike_for_all(request, picture.digest, answer)
