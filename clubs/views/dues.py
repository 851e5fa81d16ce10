"""Dues of a club: the periods, their amounts, and the payments."""

from collections.abc import Callable
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from clubs.calendar import get_club_today
from clubs.dues import find_current_period, get_dues_totals, list_dues_periods
from clubs.models import Club, DuesPeriod
from clubs.pages import directors_only, owners_only
from clubs.services import dues
from clubs.services.dues import PeriodDetails
from clubs.views.history import render_or_save_form
from web.forms import AmountField, DayField, Form, TextField


class PeriodForm(Form):
    """The form of a dues period."""

    name = TextField(_("Name"), help_text=_("For example, 2026-2027"), required="name_required")
    amount = AmountField(_("Amount per member, in dollars"), required="amount_required")
    starts = DayField(_("First day"), required="day_required")
    ends = DayField(_("Last day"), required="day_required")


@require_safe
@directors_only
def dues_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the current dues period with its totals, and all other periods."""
    period = find_current_period(club, get_club_today(club))
    context = {
        "club": club,
        "period": period,
        "totals": None if period is None else get_dues_totals(period),
        "periods": list_dues_periods(club),
    }
    return TemplateResponse(request, "clubs/dues/list.html", context)


@owners_only
def add_dues(request: HttpRequest, club: Club) -> HttpResponse:
    """Charge dues for a new period."""
    today = get_club_today(club)
    first_day, last_day = today.replace(month=1, day=1), today.replace(month=12, day=31)
    form = PeriodForm.from_request(request, name=today.year, starts=first_day, ends=last_day)
    return _render_or_save(request, club, None, form, partial(dues.ask_dues, club_id=club.pk))


@owners_only
def change_dues(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Change the name, amount or dates of a dues period."""
    period = get_object_or_404(club.dues_periods, pk=pk)
    form = PeriodForm.from_request(request, stored=period)
    return _render_or_save(request, club, period, form, partial(dues.change_dues, club_id=club.pk, period_id=period.pk))


def _render_or_save(
    request: HttpRequest, club: Club, period: DuesPeriod | None, form: PeriodForm, save: Callable[..., object]
) -> HttpResponse:
    return render_or_save_form(
        request,
        club,
        "dues",
        form,
        lambda by: save(details=PeriodDetails(**form.read()), by=by),
        template="clubs/dues/period.html",
        period=period,
    )
