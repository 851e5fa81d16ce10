"""The desk's calendar: recurring nights, and dates that are cancelled or postponed."""

from collections.abc import Callable
from datetime import date, time, timedelta
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from clubs.audit.log import Actor
from clubs.calendar import (
    NightOccurrence,
    build_calendar_lines,
    get_club_today,
    list_occurrences,
    list_recurring_nights,
)
from clubs.models import Club, Pattern, RecurringNight
from clubs.pages import directors_only, require_post_from
from clubs.queries import find_calendar_conflicts, query_night_templates
from clubs.services import calendar
from clubs.services.calendar import NightDetails
from clubs.views.history import render_or_save_form, run_or_render_refusal
from web.forms import ChoiceField, DayField, Form, HourField, NumberField, TextField

SHOWN_PERIOD = timedelta(weeks=9)
"""How far ahead the calendar lists dates to cancel or postpone."""


class NightForm(Form):
    """The form of a recurring night."""

    name = TextField(_("Night name"), help_text=_("For example, Tuesday cards"), required="name_required")
    pattern = ChoiceField(_("Frequency"), Pattern.choices)
    first_on = DayField(
        _("First day"), help_text=_("Sets the weekday and, for monthly nights, the week."), required="day_required"
    )
    last_on = DayField(_("Last day"), help_text=_("Leave empty for no end date."))
    starts_at = HourField(_("Start time"), required="hour_required")
    ends_at = HourField(_("End time"))
    place = TextField(_("Place"), autocomplete="")
    usual = NumberField(_("Night template"), template="partials/select.html")


class DateForm(Form):
    """The form to cancel or postpone a date."""

    why = TextField(_("Reason"), help_text=_("For example, storm or holiday. Everybody sees it."), autocomplete="")
    moved_to = DayField(_("New date"), help_text=_("Leave empty to cancel the night."), required="day_required")


@require_safe
@directors_only
def calendar_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the recurring nights and their next dates."""
    return _render_calendar(request, club)


@directors_only
def add_recurring_night(request: HttpRequest, club: Club) -> HttpResponse:
    """Add a recurring night."""
    form = NightForm.from_request(
        request, pattern=Pattern.WEEKLY, first_on=get_club_today(club), starts_at=time(hour=19)
    )
    return _render_or_save(request, club, None, form, partial(calendar.add_recurring_night, club_id=club.pk))


@directors_only
def night_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Change a recurring night."""
    night = get_object_or_404(club.recurring_nights, pk=pk)
    form = NightForm.from_request(request, stored=night, usual=night.usual_id)
    save = partial(calendar.change_recurring_night, club_id=club.pk, night_id=pk)
    return _render_or_save(request, club, night, form, save)


def _render_or_save(
    request: HttpRequest, club: Club, night: RecurringNight | None, form: NightForm, save: Callable[..., object]
) -> HttpResponse:
    templates = [(str(template.pk), template.name) for template in query_night_templates(club)]
    return render_or_save_form(
        request,
        club,
        "calendar",
        form,
        lambda by: save(details=NightDetails(**form.read()), by=by),
        template="clubs/calendar/night.html",
        night=night,
        usual_nights=[("", gettext("same as last time")), *templates],
    )


@require_post_from("calendar", "slug")
@directors_only
def remove_night(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Remove a night from the calendar; the notice offers to undo it."""
    remove = calendar.remove_recurring_night
    return run_or_render_refusal(request, club, "calendar", remove, _render_calendar, club_id=club.pk, night_id=pk)


@directors_only
def date_page(request: HttpRequest, club: Club, pk: int, on: str) -> HttpResponse:
    """Cancel, postpone or restore one date of a recurring night."""
    day = _parse_day(on)
    occurrence = _get_occurrence(club, pk, day)
    moved_to = occurrence.held_on if occurrence.is_moved else None
    form = DateForm.from_request(request, why=occurrence.reason, moved_to=moved_to)
    return render_or_save_form(
        request,
        club,
        "calendar",
        form,
        partial(_change, request, club, pk, day, form),
        template="clubs/calendar/date.html",
        held=occurrence,
    )


def _change(request: HttpRequest, club: Club, pk: int, on: date, form: DateForm, by: Actor) -> None:
    """Cancel, postpone or restore the date, by the button pressed.

    Refuses: form_refused, and what the services do.
    """
    if "restore" in request.POST:
        calendar.restore_date(club_id=club.pk, night_id=pk, on=on, by=by)
    elif "cancel" in request.POST:
        calendar.cancel_date(club_id=club.pk, night_id=pk, on=on, reason=request.POST.get("why", ""), by=by)
    else:
        values = form.read()
        calendar.move_date(
            club_id=club.pk, night_id=pk, on=on, moved_to=values["moved_to"], reason=values["why"], by=by
        )


def _parse_day(on: str) -> date:
    try:
        return date.fromisoformat(on)
    except ValueError:
        raise Http404 from None


def _get_occurrence(club: Club, pk: int, day: date) -> NightOccurrence:
    nights = [night for night in list_recurring_nights(club) if night.pk == pk]
    for occurrence in list_occurrences(nights, day, day):
        if occurrence.planned_on == day:
            return occurrence
    raise Http404


def _render_calendar(request: HttpRequest, club: Club) -> HttpResponse:
    nights, today = list_recurring_nights(club), get_club_today(club)
    occurrences = list_occurrences(nights, today, today + SHOWN_PERIOD)
    context = {
        "club": club,
        "nights": nights,
        "lines": build_calendar_lines(occurrences, today),
        "contradicted": find_calendar_conflicts(club, occurrences),
    }
    return TemplateResponse(request, "clubs/calendar/desk.html", context)
