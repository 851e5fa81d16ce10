"""The calendar for everybody, made anew only when it has changed."""

from datetime import date, timedelta
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubs.absolute_urls import whole
from clubs.access import for_everybody
from clubs.calendar import calendar_lines, held_nights, recurring_nights_of, today_in
from clubs.models import Club
from live.conditional_pages import shared_conditional_page
from live.revisions import revision_of

READ = timedelta(weeks=13)


@require_safe
@for_everybody
def public_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """The next nights of the club, where and when."""
    club = get_object_or_404(Club, slug=slug)
    today = today_in(club)
    return shared_conditional_page(
        request, calendar_revision(club, today), partial(_page, request, club, today)
    )


def _page(request: HttpRequest, club: Club, today: date) -> HttpResponse:
    nights = recurring_nights_of(club)
    feed = whole(request, reverse("calendar-feed", args=[club.slug]))
    context = {
        "club": club,
        "nights": nights,
        "lines": calendar_lines(held_nights(nights, today, today + READ), today),
        "feed": feed,
        "webcal": f"webcal://{feed.partition('://')[2]}",
    }
    return TemplateResponse(request, "clubs/calendar/public.html", context)


def calendar_revision(club: Club, today: date) -> str:
    return f"calendar.{club.pk}.{revision_of(club.calendar_topic)}.{today:%Y%m%d}"
