"""A person's dues: paid in full with one tap, or any amount with a form."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode

from clubs.access import directors_only
from clubs.actor import get_actor
from clubs.amounts import build_amount_fields, parse_seen_amounts, read_charged_amount
from clubs.audit.log import Actor
from clubs.calendar import get_club_today
from clubs.dues import find_current_period, get_person_dues
from clubs.models import Club, DuesPeriod, Person
from clubs.people import UNPAID, find_person
from clubs.post_views import require_post_from
from clubs.services import dues as dues_services
from clubs.views.history import find_action_id
from errors import Refusal
from web.forms import FormReader, parse_digits
from web.not_found import get_or_404


@require_post_from("person", "slug", "pk")
@directors_only
def record_person_dues(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Record what a person has paid, and return to the page that sent the form. If the amounts have changed
    since it was opened, show the form again."""
    person = get_or_404(find_person(club, pk))
    period_id = parse_digits(request.POST.get("period", ""), max_digits=18) or 0
    period = club.dues_periods.filter(pk=period_id).first()
    if period is None:
        return redirect("person", slug=club.slug, pk=pk)
    by, form_data = get_actor(request), request.POST.dict()
    try:
        if "in_full" in request.POST:
            dues_services.pay_dues(club_id=club.pk, period_id=period.pk, person_id=pk, by=by)
        else:
            _record_amounts(request, club, period, person, by)
    except Refusal as refusal:
        dues = get_person_dues(person, period)
        if refusal.code == "changed_since":
            form_data = build_amount_fields(paid=dues.due.paid, other=dues.other)
        context = {"club": club, "person": person, "dues": dues, "typed_dues": form_data, "refusal": refusal}
        return TemplateResponse(request, "clubs/dues/person.html", context)
    return _redirect_after(request, club, pk, by)


def build_dues_context(club: Club, person: Person | None) -> dict[str, Any]:
    """Return the context for a member's dues; empty for guests who paid nothing, and without a period. At
    most two queries."""
    period = None if person is None else find_current_period(club, get_club_today(club))
    if person is None or period is None:
        return {}
    dues = get_person_dues(person, period)
    if person.is_guest and not dues.due.paid:
        return {}
    return {
        "dues": dues,
        "typed_dues": build_amount_fields(paid=dues.due.paid, other=dues.other),
    }


def _record_amounts(request: HttpRequest, club: Club, period: DuesPeriod, person: Person, by: Actor) -> None:
    """Record the amounts in the form.

    Refuses: form_refused, amount_required, and what ``record_dues`` does.
    """
    form = FormReader(request.POST.dict())
    paid, other = form.read_amount_field("paid") or 0, read_charged_amount(form)
    form.raise_refusals()
    dues_services.record_dues(
        club_id=club.pk,
        period_id=period.pk,
        person_id=person.pk,
        paid=paid,
        other=other,
        seen=parse_seen_amounts(request.POST.dict()),
        by=by,
    )


def _redirect_after(request: HttpRequest, club: Club, pk: int, by: Actor) -> HttpResponse:
    """Redirect to the list of unpaid dues, with its search, or to the person."""
    action_id = find_action_id(club, by)
    notice_params = {} if action_id is None else {"done": str(action_id)}
    if "from_list" in request.POST:
        list_params = {"group": UNPAID, "search": request.POST.get("search", "")}
        return redirect(f"{reverse('people', args=[club.slug])}?{urlencode(list_params | notice_params)}")
    address = reverse("person", args=[club.slug, pk])
    return redirect(address + (f"?{urlencode(notice_params)}" if notice_params else ""))
