"""The desk's calendar: recurring nights, and dates that are cancelled or postponed."""

from datetime import date, timedelta
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods, require_safe

from clubs import services
from clubs.access import for_directors_of_the_club
from clubs.audit.history import club_line
from clubs.audit.log import Actor
from clubs.calendar import HeldNight, calendar_lines, nights_between, recurring_nights_of, today_in
from clubs.models import Club, Pattern, RecurringNight
from clubs.post_only import posted_from
from clubs.queries import contradicted_nights, usual_nights_of
from clubs.services import NightDetails
from clubs.views.history import run_or_show_refusal
from errors import Refusal
from web.forms import FormReader

SHOWN = timedelta(weeks=9)
"""How far ahead the calendar lists dates to cancel or postpone."""


@require_safe
@for_directors_of_the_club
def calendar_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the recurring nights and their next dates."""
    return _calendar(request, club)


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def new_recurring_night(request: HttpRequest, club: Club) -> HttpResponse:
    """Add a recurring night."""
    if request.method != "POST":
        first = {"pattern": Pattern.WEEKLY, "first_on": today_in(club).isoformat(), "starts_at": "19:00"}
        return _form(request, club, None, first)
    return run_or_show_refusal(
        request,
        club,
        "calendar",
        lambda by: services.add_recurring_night(club_id=club.pk, details=_details(request), by=by),
        refused=partial(_form, request, club, None, request.POST.dict()),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def night_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Change a recurring night."""
    night = get_object_or_404(club.recurring_nights, pk=pk)
    if request.method != "POST":
        return _form(request, club, night, _fields_of(night))
    return run_or_show_refusal(
        request,
        club,
        "calendar",
        lambda by: services.change_recurring_night(
            club_id=club.pk, night_id=pk, details=_details(request), by=by
        ),
        refused=partial(_form, request, club, night, request.POST.dict()),
    )


@posted_from("calendar", "slug")
@for_directors_of_the_club
def remove_night(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Remove a night from the calendar; the notice offers to undo it."""
    return run_or_show_refusal(
        request,
        club,
        "calendar",
        lambda by: services.remove_recurring_night(club_id=club.pk, night_id=pk, by=by),
        refused=partial(_calendar, request, club),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def date_page(request: HttpRequest, club: Club, pk: int, on: str) -> HttpResponse:
    """Cancel, postpone or restore one date of a recurring night."""
    day = _day(on)
    held = _held_on(club, pk, day)
    if request.method != "POST":
        return _date(request, club, held)
    return run_or_show_refusal(
        request,
        club,
        "calendar",
        lambda by: _change(request, club, pk, day, by),
        refused=partial(_date, request, club, held),
    )


def _change(request: HttpRequest, club: Club, pk: int, on: date, by: Actor) -> None:
    """Cancel, postpone or restore the date, by the button pressed.

    Refuses: form_refused, and what the services do.
    """
    reason = request.POST.get("why", "")
    if "restore" in request.POST:
        services.restore_date(club_id=club.pk, night_id=pk, on=on, by=by)
    elif "cancel" in request.POST:
        services.cancel_date(club_id=club.pk, night_id=pk, on=on, reason=reason, by=by)
    else:
        form = FormReader(request.POST.dict())
        moved_to = form.day("moved_to", required="day_required")
        form.finish()
        assert moved_to is not None
        services.move_date(club_id=club.pk, night_id=pk, on=on, moved_to=moved_to, reason=reason, by=by)


def _day(on: str) -> date:
    try:
        return date.fromisoformat(on)
    except ValueError:
        raise Http404 from None


def _held_on(club: Club, pk: int, day: date) -> HeldNight:
    nights = [night for night in recurring_nights_of(club) if night.pk == pk]
    for held in nights_between(nights, day, day):
        if held.planned_on == day:
            return held
    raise Http404


def _calendar(request: HttpRequest, club: Club, refusal: Refusal | None = None) -> HttpResponse:
    nights, today = recurring_nights_of(club), today_in(club)
    held = nights_between(nights, today, today + SHOWN)
    context = {
        "club": club,
        "nights": nights,
        "lines": calendar_lines(held, today),
        "contradicted": contradicted_nights(club, held),
        "done": club_line(club, request.GET.get("done", "")),
        "refusal": refusal,
    }
    return TemplateResponse(request, "clubs/calendar/desk.html", context)


def _form(
    request: HttpRequest,
    club: Club,
    night: RecurringNight | None,
    typed: dict[str, str],
    refusal: Refusal | None = None,
) -> HttpResponse:
    context = {
        "club": club,
        "night": night,
        "typed": typed,
        "patterns": Pattern.choices,
        "usual_nights": usual_nights_of(club),
        "refusal": refusal,
    }
    return TemplateResponse(request, "clubs/calendar/night.html", context)


def _date(request: HttpRequest, club: Club, held: HeldNight, refusal: Refusal | None = None) -> HttpResponse:
    typed = {
        "why": held.reason,
        "moved_to": held.held_on.isoformat() if held.held_on and held.is_moved else "",
    }
    context = {
        "club": club,
        "held": held,
        "typed": request.POST if request.method == "POST" else typed,
        "refusal": refusal,
    }
    return TemplateResponse(request, "clubs/calendar/date.html", context)


def _details(request: HttpRequest) -> NightDetails:
    """Read the form of a recurring night.

    Refuses: form_refused, with a refusal for each invalid field.
    """
    form = FormReader(request.POST.dict())
    name = form.text("name", required="name_required")
    pattern = form.choice("pattern", Pattern.values)
    first_on = form.day("first_on", required="day_required")
    last_on = form.day("last_on")
    starts_at = form.hour("starts_at", required="hour_required")
    ends_at = form.hour("ends_at")
    usual = form.number("usual")
    form.finish()
    assert first_on is not None
    assert starts_at is not None
    return NightDetails(
        name=name,
        pattern=pattern,
        first_on=first_on,
        last_on=last_on,
        starts_at=starts_at,
        ends_at=ends_at,
        place=request.POST.get("place", ""),
        usual=usual,
    )


def _fields_of(night: RecurringNight) -> dict[str, str]:
    """Return the night's fields for the form."""
    return {
        "name": night.name,
        "pattern": night.pattern,
        "first_on": night.first_on.isoformat(),
        "last_on": "" if night.last_on is None else night.last_on.isoformat(),
        "starts_at": f"{night.starts_at:%H:%M}",
        "ends_at": "" if night.ends_at is None else f"{night.ends_at:%H:%M}",
        "place": night.place,
        "usual": "" if night.usual_id is None else str(night.usual_id),
    }
