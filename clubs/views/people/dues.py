"""A person's dues: paid in full with one tap, or any amount with a form."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode

from clubs import services
from clubs.access import for_directors_of_the_club
from clubs.actor import actor_from
from clubs.amounts import amounts_as_typed, amounts_seen, read_asked_amount
from clubs.audit.log import Actor
from clubs.calendar import today_in
from clubs.dues import dues_of, period_at
from clubs.models import Club, DuesPeriod, Person
from clubs.people import OWING, person_of
from clubs.post_only import posted_from
from clubs.views.history import line_of_form
from errors import Refusal
from web.forms import FormReader, digits_in


@posted_from("person", "slug", "pk")
@for_directors_of_the_club
def persons_dues(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Record what a person has paid, and return to the page that sent the form. If the amounts have changed
    since it was opened, show the form again."""
    known = person_of(club, pk)
    if known is None:
        raise Http404
    asked = digits_in(request.POST.get("period", ""), most=18) or 0
    period = club.dues_periods.filter(pk=asked).first()
    if period is None:
        return redirect("person", slug=club.slug, pk=pk)
    by, typed = actor_from(request), request.POST.dict()
    try:
        if "in_full" in request.POST:
            services.pay_dues(club_id=club.pk, period_id=period.pk, person_id=pk, by=by)
        else:
            _record(request, club, period, known, by)
    except Refusal as refusal:
        dues = dues_of(known, period)
        if refusal.code == "changed_since":
            typed = amounts_as_typed(paid=dues.due.paid, other=dues.other)
        context = {"club": club, "person": known, "dues": dues, "typed_dues": typed, "refusal": refusal}
        return TemplateResponse(request, "clubs/dues/person.html", context)
    return _back(request, club, pk, by)


def dues_context(club: Club, person: Person | None) -> dict[str, Any]:
    """Return the context for a member's dues; empty for guests who paid nothing, and without a period. At
    most two queries."""
    period = None if person is None else period_at(club, today_in(club))
    if person is None or period is None:
        return {}
    dues = dues_of(person, period)
    if person.is_guest and not dues.due.paid:
        return {}
    return {
        "dues": dues,
        "typed_dues": amounts_as_typed(paid=dues.due.paid, other=dues.other),
    }


def _record(request: HttpRequest, club: Club, period: DuesPeriod, person: Person, by: Actor) -> None:
    """Record the amounts in the form.

    Refuses: form_refused, amount_required, and what ``record_dues`` does.
    """
    form = FormReader(request.POST.dict())
    paid, other = form.amount("paid") or 0, read_asked_amount(form)
    form.finish()
    services.record_dues(
        club_id=club.pk,
        period_id=period.pk,
        person_id=person.pk,
        paid=paid,
        other=other,
        seen=amounts_seen(request.POST.dict()),
        by=by,
    )


def _back(request: HttpRequest, club: Club, pk: int, by: Actor) -> HttpResponse:
    """Redirect to the list of unpaid dues, with its search, or to the person."""
    done = line_of_form(club, by)
    said = {} if done is None else {"done": str(done)}
    if "from_list" in request.POST:
        asked = {"group": OWING, "search": request.POST.get("search", "")}
        return redirect(f"{reverse('people', args=[club.slug])}?{urlencode(asked | said)}")
    address = reverse("person", args=[club.slug, pk])
    return redirect(address + (f"?{urlencode(said)}" if said else ""))
