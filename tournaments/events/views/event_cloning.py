"""Tonight as last time, or like any other evening of the club: one page, one button."""

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.access import for_directors_of_the_club
from clubs.actor import by_of
from clubs.calendar import today_in
from clubs.models import Club, UsualNight
from rules import Refusal
from tournaments.events.event_settings import EventSettings, event_settings_from_json, event_settings_of
from tournaments.events.forms.nights import read_date
from tournaments.events.next_event_name import next_name
from tournaments.events.services.event_cloning import make_event
from tournaments.models import Event
from tournaments.money.queries.fees import prizes_to_json
from tournaments.public.queries.nights import entries_again, events_of, last_time, tonights
from web.forms import FormReader


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """What an evening is made like: its name and settings, its prizes by category (``prizes_to_json``),
    whose people may come again, and what the new one is called unless somebody says otherwise. ``short`` is
    the event that it is made like, if it is one."""

    like: str
    settings: EventSettings
    prizes: Mapping[str, Any]
    people_of: Event | None
    name: str
    held_on: datetime.date
    short: str = ""


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def like_event(request: HttpRequest, club: Club, short: str) -> HttpResponse:
    """Another evening like this one, tonight."""
    event = get_object_or_404(events_of(club), short=short)
    return clone_page(request, club, clone_of_event(event, today_in(club)))


def clone_of_event(event: Event, today: datetime.date) -> Original:
    """Like this event, with its people."""
    return Original(
        like=event.name,
        settings=event_settings_of(event),
        prizes=prizes_to_json(event),
        people_of=event,
        name=next_name(event.name, before=event.held_on, after=today),
        held_on=today,
        short=event.short,
    )


def clone_of_usual_night(usual: UsualNight, events: Iterable[Event], today: datetime.date) -> Original:
    """Like this usual night of the club, with the people of the last of its ``events`` like it."""
    settings = event_settings_from_json(usual.settings)
    return Original(
        like=usual.name,
        settings=settings,
        prizes=usual.settings.get("prizes", {}),
        people_of=last_time(events, today, entry_size=settings.entry_size),
        name=usual.name,
        held_on=today,
    )


def clone_page(request: HttpRequest, club: Club, original: Original) -> HttpResponse:
    """What it will be, and once it is posted the evening: at the door, if its people are there."""
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
    """Refuses: form_refused, and what ``make_event`` does."""
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
        prizes=original.prizes,
        by=by_of(request),
    )
