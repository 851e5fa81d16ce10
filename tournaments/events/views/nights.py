"""Club page with its nights, and the form of a new night."""

import datetime
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from clubs.calendar import (
    NightOccurrence,
    build_calendar_lines,
    get_club_today,
    list_occurrences,
    list_recurring_nights,
)
from clubs.date_formats import format_date
from clubs.models import Club, HouseRules
from clubs.pages import (
    directors_only,
    get_actor,
    has_permission,
    is_submitted,
    members_only,
    require_post_from,
    show_refusals,
)
from clubs.policy import Permission
from clubs.queries import get_house_rules_by_choice
from engine.draws.stages import NIGHT_FORMATS
from errors import Refusal
from rules import RULESETS
from tournaments.events.forms.nights import get_length_data, get_rules_choice, read_night_form
from tournaments.events.queries import MAX_RECENT, get_club_events, is_past, last_time, list_recent_events, tonights
from tournaments.events.services.creation import create_event, create_once
from tournaments.events.services.event_cloning import make_event
from tournaments.models import Event
from tournaments.slots import CLUB_PAGE

from .event_cloning import build_event_source, build_template_source

CALENDAR_PERIOD, MAX_CALENDAR_LINES = datetime.timedelta(weeks=5), 4
"""How far ahead, and how many nights, the club page shows of the calendar."""


@require_safe
@members_only
def club_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show tonight's event or how to create it, the next nights, and past ones, newest first."""
    events, today = list_recent_events(club), get_club_today(club)
    planned_nights, last_event = (
        list_occurrences(list_recurring_nights(club), today, today + CALENDAR_PERIOD),
        last_time(events, today),
    )
    todays_events = [event for event in events if event.held_on == today]
    if not has_permission(request, Permission.DIRECT):
        events = [event for event in events if not is_past(event, today)]
    is_all = "all" in request.GET and has_permission(request, Permission.DIRECT)
    context = {
        "club": club,
        "events": get_club_events(club) if is_all else events,
        "are_more": not is_all and len(events) == MAX_RECENT,
        "tonight": tonights(events, today),
        "planned": [
            planned_night
            for planned_night in _list_uncreated_nights(planned_nights, todays_events, today)
            if planned_night.night.usual is not None or last_event
        ],
        "last": None if todays_events else last_event,
        "archived_events": club.events.filter(is_put_away=True, is_arriving=False),
        "lines": build_calendar_lines(planned_nights, today)[:MAX_CALENDAR_LINES],
        **CLUB_PAGE.collect_values(club, today),
    }
    return TemplateResponse(request, "tournaments/events/club.html", context)


def _list_uncreated_nights(
    nights: Iterable[NightOccurrence], todays_events: Iterable[Event], today: datetime.date
) -> list[NightOccurrence]:
    """Return the nights that the calendar has for today and that nobody has created yet, also under another
    name."""
    created = {event.name for event in todays_events} | {event.night_id for event in todays_events}
    return [night for night in nights if night.held_on == today and not created & {night.night.name, night.night.pk}]


@require_post_from("club", "slug")
@directors_only
def start_planned_night(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Create today's night of the calendar from its template or the last night, with the same people.

    Refuses: no_such_date.
    """
    today = get_club_today(club)
    planned = _find_planned_night(club, pk, today)
    events = list_recent_events(club)
    if planned.night.usual is not None:
        source = build_template_source(planned.night.usual, events, today)
    elif (last_event := last_time(events, today)) is not None:
        source = build_event_source(last_event, today)
    else:
        return redirect("new-night", slug=club.slug)
    event = make_event(
        club=club,
        settings=source.settings,
        like=source.source_name,
        name=planned.night.name,
        night=planned.night,
        held_on=today,
        people_of=source.entry_source,
        parts=source.parts,
        by=get_actor(request),
    )
    return redirect("check-in" if event.entries.exists() else "entries", short=event.short)


def _find_planned_night(club: Club, pk: int, today: datetime.date) -> NightOccurrence:
    for night in list_occurrences(list_recurring_nights(club), today, today):
        if night.night.pk == pk and night.held_on == today:
            return night
    raise Refusal("no_such_date")


@directors_only
@show_refusals
def new_night(request: HttpRequest, club: Club) -> HttpResponse:
    """Create a night: its day, rules and match length. Other values are as on the last night."""
    house_rules = get_house_rules_by_choice(club)
    if is_submitted(request):
        night = read_night_form(dict(request.POST.lists()), house_rules, build_name=_build_default_name)
        make = partial(create_event, club=club, **night)
        event = create_once(club=club, create=make, by=get_actor(request))
        return redirect("entries", short=event.short)
    today = get_club_today(club)
    form_data = request.POST or _build_initial_values(
        club, house_rules, today, chosen_rules=house_rules.get(request.GET.get("ruleset", ""))
    )
    context = {
        "club": club,
        "typed": form_data,
        "details": request.POST.getlist("details") if request.POST else form_data["details"],
        "rulesets": RULESETS.values(),
        "house_rules": house_rules.values(),
    }
    return TemplateResponse(request, "tournaments/events/new_night.html", context)


def _build_default_name(day: datetime.date) -> str:
    return gettext("Card night of %(date)s") % {"date": format_date(day)}


def _build_initial_values(
    club: Club, house_rules: Mapping[str, HouseRules], today: datetime.date, *, chosen_rules: HouseRules | None
) -> dict[str, Any]:
    """Return the initial values of the form: those of the last night, with the ``chosen_rules``."""
    values: dict[str, Any] = {
        "ruleset": club.usual_ruleset,
        "length": "games_to_win",
        "games_to_win": RULESETS[club.usual_ruleset].games_to_win,
        "hands": 8,
        "minutes": 30,
        "table_count": 8,
        "draw_format": NIGHT_FORMATS[0],
        "held_on": today.isoformat(),
        "details": [],
    }
    if (last_event := last_time(list_recent_events(club), today)) is not None:
        length = {name: value for name, value in get_length_data(last_event.terms.match_format).items() if value}
        formats = [stage["format"] for stage in last_event.stages if stage["format"] in NIGHT_FORMATS]
        values |= length | {"table_count": last_event.table_count, "details": last_event.terms.details}
        values |= {"ruleset": get_rules_choice(last_event.terms, house_rules) or club.usual_ruleset}
        values |= {"draw_format": formats[0]} if formats else {}
    if chosen_rules:
        values |= {"ruleset": chosen_rules.choice, "length": "games_to_win"}
        values |= {"games_to_win": chosen_rules.ruleset.games_to_win}
    return values
