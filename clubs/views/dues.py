"""Dues of a club: the periods, their amounts, and the payments."""

from collections.abc import Callable, Mapping
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods, require_safe

from clubs import services
from clubs.access import for_directors_of_the_club, for_owners
from clubs.audit.history import club_line
from clubs.audit.log import Actor
from clubs.calendar import today_in
from clubs.dues import dues_totals, period_at, periods_of
from clubs.models import Club, DuesPeriod
from clubs.money_words import amount_as_typed
from clubs.services import PeriodDetails
from clubs.views.history import run_or_show_refusal
from errors import Refusal
from web.forms import FormReader


@require_safe
@for_directors_of_the_club
def dues_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the current dues period with its totals, and all other periods."""
    period = period_at(club, today_in(club))
    context = {
        "club": club,
        "period": period,
        "totals": None if period is None else dues_totals(period),
        "periods": periods_of(club),
        "done": club_line(club, request.GET.get("done", "")),
    }
    return TemplateResponse(request, "clubs/dues/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def new_dues(request: HttpRequest, club: Club) -> HttpResponse:
    """Charge dues for a new period."""
    if request.method != "POST":
        today = today_in(club)
        first = {
            "name": str(today.year),
            "starts": today.replace(month=1, day=1).isoformat(),
            "ends": today.replace(month=12, day=31).isoformat(),
        }
        return _form(request, club, None, first)
    return _save_period(request, club, None, partial(services.ask_dues, club_id=club.pk))


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def change_dues(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Change the name, amount or dates of a dues period."""
    period = get_object_or_404(club.dues_periods, pk=pk)
    if request.method != "POST":
        kept = {
            "name": period.name,
            "amount": amount_as_typed(period.amount),
            "starts": period.starts.isoformat(),
            "ends": period.ends.isoformat(),
        }
        return _form(request, club, period, kept)
    save = partial(services.change_dues, club_id=club.pk, period_id=period.pk)
    return _save_period(request, club, period, save)


def _save_period(
    request: HttpRequest, club: Club, period: DuesPeriod | None, save: Callable[..., object]
) -> HttpResponse:
    def deed(by: Actor) -> None:
        save(details=_details(request), by=by)

    return run_or_show_refusal(
        request, club, "dues", deed, refused=partial(_form, request, club, period, request.POST.dict())
    )


def _details(request: HttpRequest) -> PeriodDetails:
    """Read the form of a dues period.

    Refuses: form_refused, with a refusal for each invalid field.
    """
    form = FormReader(request.POST.dict())
    name = form.text("name", required="name_required")
    amount = form.amount("amount", required="amount_required")
    starts, ends = form.day("starts", required="day_required"), form.day("ends", required="day_required")
    form.finish()
    assert amount is not None
    assert starts is not None
    assert ends is not None
    return PeriodDetails(name=name, amount=amount, starts=starts, ends=ends)


def _form(
    request: HttpRequest,
    club: Club,
    period: DuesPeriod | None,
    typed: Mapping[str, str],
    refusal: Refusal | None = None,
) -> HttpResponse:
    context = {"club": club, "period": period, "typed": typed, "refusal": refusal}
    return TemplateResponse(request, "clubs/dues/period.html", context)
