"""The calendar for everybody: a page, and a feed for agendas. Made anew only when it has changed."""

from datetime import date, timedelta
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override
from django.views.decorators.http import condition, require_safe

from clubs import ics
from clubs.access import for_everybody
from clubs.calendar import held_nights, lines_of, recurring_nights_of, today_in
from clubs.models import Club
from live.revisions import revision_of
from live.watching import watched

READ = timedelta(weeks=13)
FED_BACK, FED_AHEAD = timedelta(weeks=8), timedelta(weeks=56)
"""The feed keeps what was lately, so that no agenda forgets it, and shows a year ahead."""


@require_safe
@for_everybody
def public_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """The next nights of the club, where and when."""
    club = get_object_or_404(Club, slug=slug)
    today = today_in(club)
    return watched(request, _revision(club, today), partial(_page, request, club, today))


def _page(request: HttpRequest, club: Club, today: date) -> HttpResponse:
    nights = recurring_nights_of(club)
    feed = request.build_absolute_uri(reverse("calendar-feed", args=[club.slug]))
    context = {
        "club": club,
        "nights": nights,
        "lines": lines_of(held_nights(nights, today, today + READ), today),
        "feed": feed,
        "webcal": feed.replace(f"{request.scheme}://", "webcal://", 1),
    }
    return TemplateResponse(request, "clubs/calendar/public.html", context)


def _feed_tag(request: HttpRequest, slug: str) -> str | None:
    club = Club.objects.filter(slug=slug).first()
    return None if club is None else f'"{_revision(club, today_in(club))}"'


@require_safe
@for_everybody
@condition(etag_func=_feed_tag)
def ics_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """The same as a file that agendas ask for again and again, in the club's language."""
    club = get_object_or_404(Club, slug=slug)
    today = today_in(club)
    with override(club.language):
        body = ics.feed(
            club,
            held_nights(recurring_nights_of(club), today - FED_BACK, today + FED_AHEAD),
            revision=revision_of(club.calendar_topic),
            address=request.build_absolute_uri(reverse("public-calendar", args=[club.slug])),
            now=timezone.now(),
        )
    disposition = f'inline; filename="{club.slug}.ics"'
    return HttpResponse(
        body, content_type="text/calendar; charset=utf-8", headers={"Content-Disposition": disposition}
    )


def _revision(club: Club, today: date) -> str:
    return f"calendar.{club.pk}.{revision_of(club.calendar_topic)}.{today:%Y%m%d}"
