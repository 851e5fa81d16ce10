"""Page that creates an event from an earlier one or from a night template."""

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from clubs.calendar import get_club_today
from clubs.models import Club, UsualNight
from clubs.pages import directors_only, get_actor, is_submitted, show_refusals
from engine.draws.stages import is_night_plan
from tournaments.events.event_naming import derive_next_name
from tournaments.events.event_settings import EventSettings, event_settings_from_json, read_event_settings
from tournaments.events.queries import get_club_events, last_time, list_returning_entries, tonights
from tournaments.events.services.event_cloning import make_event
from tournaments.models import Event
from tournaments.slots import COPIED_PARTS, read_copied_parts
from tournaments.standings.presenters.clubs import ClubRow, has_division_moves, list_moving_teams
from web.forms import DayField, Form, TextField


class CloneForm(Form):
    """The form of a copied event."""

    name = TextField(_("Name"), required="event_name_required", autocomplete="")
    held_on = DayField(_("Date"), required="day_required")


@dataclass(frozen=True, slots=True, kw_only=True)
class CloneSource:
    """The original of a new event, which can be an event or a night template.

    ``is_night`` means what ``Event.is_night`` does, ``parts`` are those of features (``read_copied_parts``); the
    entries of ``entry_source`` may be copied. ``name`` is suggested for the new event; ``source_name`` and ``short``
    are those of the original, ``short`` only if it is an event.
    """

    source_name: str
    is_night: bool
    settings: EventSettings
    parts: Mapping[str, Mapping[str, Any]]
    entry_source: Event | None
    name: str
    held_on: datetime.date
    short: str = ""


@directors_only
def repeat_event(request: HttpRequest, club: Club, short: str) -> HttpResponse:
    """Repeat an event tonight."""
    event = get_object_or_404(get_club_events(club), short=short)
    return render_clone_page(request, club, build_event_source(event, get_club_today(club)))


def build_event_source(event: Event, today: datetime.date) -> CloneSource:
    """Return the event as an original, with its people."""
    return CloneSource(
        source_name=event.name,
        is_night=event.is_night,
        settings=read_event_settings(event),
        parts=read_copied_parts(event),
        entry_source=event,
        name=derive_next_name(event.name, old_day=event.held_on, new_day=today),
        held_on=today,
        short=event.short,
    )


def build_template_source(template: UsualNight, events: Iterable[Event], today: datetime.date) -> CloneSource:
    """Return a night template as an original, with the people of the last of ``events`` with the same entry
    size."""
    settings = event_settings_from_json(template.settings)
    return CloneSource(
        source_name=template.name,
        is_night=is_night_plan(settings.plan),
        settings=settings,
        parts={key: template.settings.get(key, {}) for key in COPIED_PARTS},
        entry_source=last_time(events, today, entry_size=settings.entry_size),
        name=template.name,
        held_on=today,
    )


@show_refusals
def render_clone_page(request: HttpRequest, club: Club, source: CloneSource) -> HttpResponse:
    """Render the form, or create the event and go to check-in, or to the entries if it has none."""
    form = CloneForm.from_request(request, stored=source)
    if is_submitted(request):
        event = _create_event(request, club, source, form)
        return redirect("check-in" if event.entries.exists() else "entries", short=event.short)
    context = {
        "club": club,
        "original": source,
        "again": [] if source.entry_source is None else list_returning_entries(source.entry_source),
        "already": tonights(get_club_events(club).filter(held_on=source.held_on), source.held_on),
        "has_divisions": source.short and source.entry_source is not None and has_division_moves(source.entry_source),
        "moving": _list_moving_teams(source),
        "form": form,
        "with_people": request.method != "POST" or "people" in request.POST,
    }
    return TemplateResponse(request, "tournaments/events/event_cloning.html", context)


def _list_moving_teams(source: CloneSource) -> list[ClubRow]:
    """Return the teams that are promoted or relegated by the standings of the original."""
    return list_moving_teams(source.entry_source) if source.entry_source is not None and source.short else []


def _create_event(request: HttpRequest, club: Club, source: CloneSource, form: CloneForm) -> Event:
    """Create the event as typed. Refuses: form_refused, and what ``make_event`` does."""
    with_people = "people" in request.POST
    return make_event(
        club=club,
        settings=source.settings,
        like=source.source_name,
        **form.read(),
        people_of=source.entry_source if with_people else None,
        new_sections={team.name: team.next_section for team in _list_moving_teams(source)},
        parts=source.parts,
        by=get_actor(request),
    )
