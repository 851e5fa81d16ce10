"""What agendas read: a club's calendar, which they ask for again and again, and a single event."""

from datetime import date, timedelta
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override
from django.views.decorators.http import require_safe

from clubs import ical
from clubs.absolute_urls import language_for_programs, whole
from clubs.access import for_everybody
from clubs.calendar import held_nights, recurring_nights_of, today_in
from clubs.ical import Appointment
from clubs.models import Club
from live.conditional_pages import alike_for_all
from live.revisions import revision_of
from tournaments.events.views.access import for_watchers
from tournaments.history.queries import renamings_of
from tournaments.models import Event
from tournaments.publishing.queries import public_shared_events

BACK, AHEAD = timedelta(weeks=8), timedelta(weeks=56)
"""A feed keeps what was lately, so that no agenda forgets it, and shows a year ahead."""


@require_safe
@for_everybody
def club_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """The calendar of the club as a file that agendas ask for again and again, with the events of other
    clubs in which it takes part; in the club's language, or the address's."""
    club = get_object_or_404(Club, slug=slug)
    today, revision = today_in(club), revision_of(club.calendar_topic)
    shown = f"calendar.{club.pk}.{revision}.{today:%Y%m%d}.{language_for_programs(request, club)}"
    return alike_for_all(request, shown, partial(_feed, request, club, today, revision))


def _feed(request: HttpRequest, club: Club, today: date, revision: int) -> HttpResponse:
    here = whole(request, reverse("public-calendar", args=[club.slug]))
    nights = held_nights(recurring_nights_of(club), today - BACK, today + AHEAD)
    with override(language_for_programs(request, club)):
        planned = [ical.appointment_of(held, club, here) for held in nights]
        planned += [_appointment(request, event) for event in public_shared_events(club, since=today - BACK)]
        body = ical.feed(club, planned, revision=revision, now=timezone.now())
    return _file(body, club.slug)


@require_safe
@for_watchers
def event_file(request: HttpRequest, event: Event) -> HttpResponse:
    """The event for an agenda: when, and where if the calendar knows it. Its number goes up with its name and
    day only: the revision of the event would count hands that are kept back."""
    planned = [_appointment(request, event)]
    body = ical.feed(event.club, planned, revision=renamings_of(event), now=timezone.now())
    return _file(body, event.short)


def _appointment(request: HttpRequest, event: Event) -> Appointment:
    """An event of whatever club, under an id that all agendas know it by."""
    return Appointment(
        uid=f"event-{event.pk}.{event.short}@charlemagne",
        name=event.name,
        starts=event.begins,
        place=event.place,
        about=event.club.name,
        address=whole(request, event.get_absolute_url()),
    )


def _file(body: bytes, name: str) -> HttpResponse:
    disposition = f'inline; filename="{name}.ics"'
    return HttpResponse(
        body, content_type="text/calendar; charset=utf-8", headers={"Content-Disposition": disposition}
    )
