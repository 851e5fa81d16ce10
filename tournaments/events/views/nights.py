"""Club page with its nights, and the form of a new night."""

import datetime
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import for_directors_of_the_club, for_members, may
from clubs.actor import actor_from
from clubs.calendar import HeldNight, calendar_lines, nights_between, recurring_nights_of, today_in
from clubs.day_words import day_written
from clubs.models import Club, HouseRules
from clubs.policy import Permission
from clubs.post_only import posted_from
from clubs.queries import house_rules_by_choice
from errors import Refusal
from rules import RULESETS
from tournaments.events.forms.nights import NIGHT_FORMATS, choice_of_rules, read_night_form, typed_length
from tournaments.events.queries import RECENT, events_of, is_past, last_time, recent_events, tonights
from tournaments.events.services.event_cloning import make_event
from tournaments.events.services.lifecycle import create_event, make_once
from tournaments.models import Event
from tournaments.slots import CLUB_PAGE

from .event_cloning import clone_of_event, clone_of_usual_night

AHEAD, NEXT = datetime.timedelta(weeks=5), 4
"""How far ahead, and how many nights, the club page shows of the calendar."""


@require_safe
@for_members
def club_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show tonight's event or how to create it, the next nights, and past ones, newest first."""
    events, today = recent_events(club), today_in(club)
    held, last = nights_between(recurring_nights_of(club), today, today + AHEAD), last_time(events, today)
    todays = [event for event in events if event.held_on == today]
    if not may(request, Permission.DIRECT):
        events = [event for event in events if not is_past(event, today)]
    is_all = "all" in request.GET and may(request, Permission.DIRECT)
    context = {
        "club": club,
        "events": events_of(club) if is_all else events,
        "are_more": not is_all and len(events) == RECENT,
        "tonight": tonights(events, today),
        "planned": [
            each for each in _still_to_make(held, todays, today) if each.night.usual is not None or last
        ],
        "last": None if todays else last,
        "put_away": club.events.filter(is_put_away=True, is_arriving=False),
        "lines": calendar_lines(held, today)[:NEXT],
        **CLUB_PAGE.values(club, today),
    }
    return TemplateResponse(request, "tournaments/events/club.html", context)


def _still_to_make(
    held: Iterable[HeldNight], todays: Iterable[Event], today: datetime.date
) -> list[HeldNight]:
    """Return the nights that the calendar has for today and that nobody has created yet, also under another
    name."""
    made = {event.name for event in todays} | {event.night_id for event in todays}
    return [each for each in held if each.held_on == today and not made & {each.night.name, each.night.pk}]


@posted_from("club", "slug")
@for_directors_of_the_club
def start_planned(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Create today's night of the calendar from its template or the last night, with the same people.

    Refuses: no_such_date.
    """
    today = today_in(club)
    planned = _planned_night(club, pk, today)
    events = recent_events(club)
    if planned.night.usual is not None:
        original = clone_of_usual_night(planned.night.usual, events, today)
    elif (last := last_time(events, today)) is not None:
        original = clone_of_event(last, today)
    else:
        return redirect("new-night", slug=club.slug)
    event = make_event(
        club=club,
        settings=original.settings,
        like=original.like,
        name=planned.night.name,
        night=planned.night,
        held_on=today,
        people_of=original.people_of,
        parts=original.parts,
        by=actor_from(request),
    )
    return redirect("check-in" if event.entries.exists() else "entries", short=event.short)


def _planned_night(club: Club, pk: int, today: datetime.date) -> HeldNight:
    for held in nights_between(recurring_nights_of(club), today, today):
        if held.night.pk == pk and held.held_on == today:
            return held
    raise Refusal("no_such_date")


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def new_night(request: HttpRequest, club: Club) -> HttpResponse:
    """Create a night: its day, rules and match length. Other values are as on the last night."""
    own = house_rules_by_choice(club)
    refusal = None
    if request.method == "POST":
        try:
            night, draw_format = read_night_form(dict(request.POST.lists()), own, name_of=_usual_name)
            stages = [{"format": draw_format}]
            make = partial(create_event, club=club, **night.as_values(), stages=stages)
            event = make_once(club=club, key=actor_from(request).key, make=make)
        except Refusal as refused:
            refusal = refused
        else:
            return redirect("entries", short=event.short)
    today = today_in(club)
    typed = request.POST or _first_night(club, own, today, chosen=own.get(request.GET.get("ruleset", "")))
    context = {
        "club": club,
        "refusal": refusal,
        "typed": typed,
        "details": request.POST.getlist("details") if request.POST else typed["details"],
        "rulesets": RULESETS.values(),
        "house_rules": own.values(),
    }
    return TemplateResponse(request, "tournaments/events/new_night.html", context)


def _usual_name(held_on: datetime.date) -> str:
    return gettext("Card night of %(date)s") % {"date": day_written(held_on)}


def _first_night(
    club: Club, own: Mapping[str, HouseRules], today: datetime.date, *, chosen: HouseRules | None
) -> dict[str, Any]:
    """Return the initial values of the form: those of the last night, with the ``chosen`` rules."""
    first: dict[str, Any] = {
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
    if (last := last_time(recent_events(club), today)) is not None:
        length = {name: value for name, value in typed_length(last.terms.match_format).items() if value}
        drawn = [stage["format"] for stage in last.stages if stage["format"] in NIGHT_FORMATS]
        first |= length | {"table_count": last.table_count, "details": last.terms.details}
        first |= {"ruleset": choice_of_rules(last.terms, own) or club.usual_ruleset}
        first |= {"draw_format": drawn[0]} if drawn else {}
    if chosen:
        first |= {"ruleset": chosen.choice, "length": "games_to_win"}
        first |= {"games_to_win": chosen.ruleset.games_to_win}
    return first
