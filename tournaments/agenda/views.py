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
from clubs.absolute_urls import build_absolute_url, get_feed_language
from clubs.calendar import get_club_today, list_recurring_nights
from clubs.date_formats import describe_calling_off
from clubs.ical import FeedEntry, join_place_and_address
from clubs.models import Club
from clubs.pages import public_page
from live.conditional_pages import read_snapshot, shared_conditional_page, shared_response
from live.revisions import get_public_revision
from tournaments.agenda.queries import (
    AgendaLine,
    get_calendar_revision,
    get_event_line,
    list_agenda,
    list_upcoming,
    merge_repeated_nights,
)
from tournaments.events.views.access import public_event_required
from tournaments.models import Event

PAST_RANGE, FUTURE_RANGE = timedelta(weeks=8), timedelta(weeks=56)
"""Range of a feed: recent nights stay, so that calendar programs keep them, and a year ahead is listed."""


@require_safe
@read_snapshot()
@public_page
def public_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the upcoming nights and events of the club, including those shared with other clubs."""
    club = get_object_or_404(Club, slug=slug)
    today = get_club_today(club)
    page = partial(_render_calendar, request, club, today)
    return shared_conditional_page(request, get_calendar_revision(club, today), page)


def _render_calendar(request: HttpRequest, club: Club, today: date) -> HttpResponse:
    feed = build_absolute_url(request, reverse("calendar-feed", args=[club.slug]))
    nights = list_recurring_nights(club)
    context = {
        "club": club,
        "nights": nights,
        "lines": merge_repeated_nights(list_upcoming(club, today, nights=nights)),
        "feed": feed,
        "webcal": f"webcal://{feed.partition('://')[2]}",
    }
    return TemplateResponse(request, "tournaments/agenda/calendar.html", context)


@require_safe
@read_snapshot()
@public_page
def calendar_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the calendar feed of the club, in the club's language, or the address's."""
    club = get_object_or_404(Club, slug=slug)
    today, revision = get_club_today(club), get_public_revision(club.calendar_topic)
    etag = f"{get_calendar_revision(club, today)}.ics.{get_feed_language(request, club)}"
    return shared_response(request, etag, partial(_render_feed, request, club, today, revision))


def _render_feed(request: HttpRequest, club: Club, today: date, revision: int) -> HttpResponse:
    lines = list_agenda(club, today - PAST_RANGE, today + FUTURE_RANGE)
    with override(get_feed_language(request, club)):
        body = ical.build_calendar_feed(
            club, _build_appointments(request, club, lines), revision=revision, now=timezone.now()
        )
    return _build_response(body, club.slug)


def _build_appointments(request: HttpRequest, club: Club, lines: Iterable[AgendaLine]) -> Iterable[FeedEntry]:
    """Yield a calendar entry for each night, on the day on which it is held, and for each event."""
    calendar_url = build_absolute_url(request, reverse("public-calendar", args=[club.slug]))
    for line in lines:
        if line.event is not None:
            appointment = build_event_appointment(
                line.event, build_absolute_url(request, line.event.get_absolute_url())
            )
            yield replace(appointment, is_cancelled=line.is_cancelled)
        elif line.held is not None and not line.is_put_off:
            yield ical.build_feed_entry(line.held, club, calendar_url)


@require_safe
@read_snapshot()
@public_event_required
def event_calendar_file(request: HttpRequest, event: Event) -> HttpResponse:
    """Download the event for a calendar program. Its revision is that of the club's calendar, which has the
    same entry; the event's own revision would reveal hidden hands."""
    appointments = _build_appointments(request, event.club, [get_event_line(event)])
    revision = get_public_revision(event.club.calendar_topic)
    body = ical.build_calendar_feed(event.club, appointments, revision=revision, now=timezone.now())
    return _build_response(body, event.short)


def _build_response(body: bytes, name: str) -> HttpResponse:
    disposition = f'inline; filename="{name}.ics"'
    return HttpResponse(body, content_type="text/calendar; charset=utf-8", headers={"Content-Disposition": disposition})


def build_event_appointment(event: Event, address: str) -> FeedEntry:
    """Return the calendar entry of an event, with an id that is the same in all feeds."""
    announcement = event.announcement
    cancellation = describe_calling_off(announcement.reason_off) if announcement.is_called_off else ""
    return FeedEntry(
        uid=f"event-{event.pk}.{event.short}@charlemagne",
        name=event.name,
        starts=event.begins,
        ends=event.ends,
        place=join_place_and_address(event.place, event.address),
        about="\n".join(part for part in (cancellation, event.club.name, announcement.about) if part),
        is_cancelled=announcement.is_called_off,
        address=address,
    )
