"""Page that creates an event from an earlier one or from a night template."""

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.access import for_directors_of_the_club
from clubs.actor import actor_from
from clubs.calendar import today_in
from clubs.models import Club, UsualNight
from errors import Refusal
from tournaments.events.event_settings import EventSettings, event_settings_from_json, event_settings_of
from tournaments.events.forms.nights import read_date
from tournaments.events.next_event_name import next_name
from tournaments.events.queries import entries_again, events_of, last_time, tonights
from tournaments.events.services.event_cloning import make_event
from tournaments.models import Event
from tournaments.slots import COPIED, copied_parts
from web.forms import FormReader


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """The original of a new event, which can be an event or a night template.

    ``parts`` are those of features (``copied_parts``); the entries of ``people_of`` may be copied. ``name``
    is suggested for the new event; ``like`` and ``short`` are the original's, ``short`` only if it is an
    event.
    """

    like: str
    settings: EventSettings
    parts: Mapping[str, Mapping[str, Any]]
    people_of: Event | None
    name: str
    held_on: datetime.date
    short: str = ""


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def like_event(request: HttpRequest, club: Club, short: str) -> HttpResponse:
    """Repeat an event tonight."""
    event = get_object_or_404(events_of(club), short=short)
    return clone_page(request, club, clone_of_event(event, today_in(club)))


def clone_of_event(event: Event, today: datetime.date) -> Original:
    """Return the event as an original, with its people."""
    return Original(
        like=event.name,
        settings=event_settings_of(event),
        parts=copied_parts(event),
        people_of=event,
        name=next_name(event.name, before=event.held_on, after=today),
        held_on=today,
        short=event.short,
    )


def clone_of_usual_night(usual: UsualNight, events: Iterable[Event], today: datetime.date) -> Original:
    """Return a night template as an original, with the people of the last of ``events`` with the same entry
    size."""
    settings = event_settings_from_json(usual.settings)
    return Original(
        like=usual.name,
        settings=settings,
        parts={key: usual.settings.get(key, {}) for key in COPIED},
        people_of=last_time(events, today, entry_size=settings.entry_size),
        name=usual.name,
        held_on=today,
    )


def clone_page(request: HttpRequest, club: Club, original: Original) -> HttpResponse:
    """Render the form, or create the event and go to check-in, or to the entries if it has none."""
    refusal = None
    if request.method == "POST":
        try:
            event = _make_event(request, club, original)
        except Refusal as refused:
            refusal = refused
        else:
            return redirect("check-in" if event.entries.exists() else "entries", short=event.short)
    context = {
        "club": club,
        "original": original,
        "again": [] if original.people_of is None else entries_again(original.people_of),
        "already": tonights(events_of(club).filter(held_on=original.held_on), original.held_on),
        "typed": request.POST or {"name": original.name, "held_on": original.held_on.isoformat()},
        "with_people": request.method != "POST" or "people" in request.POST,
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/events/clone.html", context)


def _make_event(request: HttpRequest, club: Club, original: Original) -> Event:
    """Create the event as typed. Refuses: form_refused, and what ``make_event`` does."""
    form = FormReader(request.POST.dict())
    name = form.text("name", required="event_name_required")
    held_on = read_date(form, request.POST.get("held_on", ""))
    form.finish()
    return make_event(
        club=club,
        settings=original.settings,
        like=original.like,
        name=name,
        held_on=held_on,
        people_of=original.people_of if "people" in request.POST else None,
        parts=original.parts,
        by=actor_from(request),
    )
