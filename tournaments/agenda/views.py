"""Public calendar of a club, as a page and as feeds that calendar programs fetch regularly."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override
from django.views.decorators.http import require_safe

from clubs import ical
from clubs.absolute_urls import absolute_url, language_for_programs
from clubs.access import for_everybody
from clubs.calendar import recurring_nights_of, today_in
from clubs.ical import Appointment
from clubs.models import Club
from live.conditional_pages import alike_for_all, shared_conditional_page
from live.revisions import public_revision_of
from tournaments.events.views.access import for_watchers
from tournaments.models import Event

from .presenters import event_appointment
from .queries import AgendaLine, agenda_ahead, agenda_of, calendar_revision, fold_nights, line_of_event

BACK, AHEAD = timedelta(weeks=8), timedelta(weeks=56)
"""Range of a feed: recent nights stay, so that calendar programs keep them, and a year ahead is listed."""


@require_safe
@for_everybody
def public_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the upcoming nights and events of the club, including those shared with other clubs."""
    club = get_object_or_404(Club, slug=slug)
    today = today_in(club)
    page = partial(_calendar, request, club, today)
    return shared_conditional_page(request, calendar_revision(club, today), page)


def _calendar(request: HttpRequest, club: Club, today: date) -> HttpResponse:
    feed = absolute_url(request, reverse("calendar-feed", args=[club.slug]))
    nights = recurring_nights_of(club)
    context = {
        "club": club,
        "nights": nights,
        "lines": fold_nights(agenda_ahead(club, today, nights=nights)),
        "feed": feed,
        "webcal": f"webcal://{feed.partition('://')[2]}",
    }
    return TemplateResponse(request, "tournaments/agenda/calendar.html", context)


@require_safe
@for_everybody
def club_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the calendar feed of the club, in the club's language, or the address's."""
    club = get_object_or_404(Club, slug=slug)
    today, revision = today_in(club), public_revision_of(club.calendar_topic)
    shown = f"{calendar_revision(club, today)}.ics.{language_for_programs(request, club)}"
    return alike_for_all(request, shown, partial(_feed, request, club, today, revision))


def _feed(request: HttpRequest, club: Club, today: date, revision: int) -> HttpResponse:
    lines = agenda_of(club, today - BACK, today + AHEAD)
    with override(language_for_programs(request, club)):
        body = ical.calendar_feed(
            club, _appointments(request, club, lines), revision=revision, now=timezone.now()
        )
    return _file(body, club.slug)


def _appointments(request: HttpRequest, club: Club, lines: Iterable[AgendaLine]) -> Iterable[Appointment]:
    """Yield a calendar entry for each night, on the day on which it is held, and for each event."""
    here = absolute_url(request, reverse("public-calendar", args=[club.slug]))
    for line in lines:
        if line.event is not None:
            planned = event_appointment(line.event, absolute_url(request, line.event.get_absolute_url()))
            yield replace(planned, is_cancelled=line.is_cancelled)
        elif line.held is not None and not line.is_put_off:
            yield ical.appointment_of(line.held, club, here)


@require_safe
@for_watchers
def event_calendar_file(request: HttpRequest, event: Event) -> HttpResponse:
    """Download the event for a calendar program. Its revision is that of the club's calendar, which has the
    same entry; the event's own revision would reveal hidden hands."""
    planned = _appointments(request, event.club, [line_of_event(event)])
    revision = public_revision_of(event.club.calendar_topic)
    body = ical.calendar_feed(event.club, planned, revision=revision, now=timezone.now())
    return _file(body, event.short)


def _file(body: bytes, name: str) -> HttpResponse:
    disposition = f'inline; filename="{name}.ics"'
    return HttpResponse(
        body, content_type="text/calendar; charset=utf-8", headers={"Content-Disposition": disposition}
    )
