"""Pages of the club's people: the list, one person, and their dues."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from clubs.amounts import build_amount_fields, parse_seen_amounts, read_charged_amount
from clubs.audit.log import Actor
from clubs.calendar import get_club_today
from clubs.dues import find_current_period, get_person_dues
from clubs.models import Club, DuesPeriod, Person
from clubs.pages import directors_only, get_actor, get_refusal, note_refusal, require_post_from
from clubs.people import UNPAID, find_person, find_possible_duplicates, get_people_page, list_families, list_labels
from clubs.services import dues as dues_services
from clubs.services import people
from clubs.services.people import PersonDetails
from clubs.views.history import find_action_id, run_or_render_refusal
from errors import Refusal
from live.conditional_pages import get_template_or_part, is_partial_request
from web.forms import CheckboxField, Form, FormReader, TextField, parse_digits
from web.not_found import get_or_404


@require_safe
@directors_only
def possible_duplicates(request: HttpRequest, club: Club) -> HttpResponse:
    """Show people who may be in the list twice."""
    return TemplateResponse(
        request, "clubs/people/duplicates.html", {"club": club, "pairs": find_possible_duplicates(club)}
    )


@require_safe
@directors_only
def people_list(request: HttpRequest, club: Club) -> HttpResponse:
    """Show and search the club's people, a page at a time; a script fetches the list alone during typing."""
    period = find_current_period(club, get_club_today(club))
    page = get_people_page(
        club,
        search=request.GET.get("search", ""),
        group=request.GET.get("group", ""),
        number=parse_digits(request.GET.get("page", ""), max_digits=6) or 1,
        period=period,
    )
    context = {
        "club": club,
        "page": page,
        "period": period,
        "is_part": is_partial_request(request),
    }
    return TemplateResponse(request, get_template_or_part(request, "clubs/people/list.html#found"), context)


class PersonForm(Form):
    """The form of a person; only the name is required."""

    name = TextField(_("Name"), of_person=True)
    contact = TextField(_("Phone or e-mail"), help_text=_("Seen only by the club."))
    kind = TextField(
        _("Member or guest"), template="partials/choices.html", options=[("member", _("Member")), ("guest", _("Guest"))]
    )
    family = TextField(
        _("Family"),
        help_text=_("Families check in together. Choose one or enter a new name."),
        list="families",
    )
    label = TextField(_("New group"))
    shows_full_name = CheckboxField(_("Agrees to show full name publicly"))
    is_hidden = CheckboxField(_("Hide name on public pages"))
    is_active = CheckboxField(
        _("Active"), help_text=_("Inactive people keep their results but are not suggested at check-in.")
    )
    is_rated = CheckboxField(
        _("Included in ratings and club records"), help_text=_("Otherwise, no rating and no public player page.")
    )
    reason = TextField(_("Consent or request"), help_text=_("For example, agreed by phone. Date and author are saved."))

    def build_details(self, labels: Sequence[str]) -> PersonDetails:
        """Return the details, with these labels."""
        values = {name: value for name, value in self.read().items() if name not in {"kind", "label", "reason"}}
        return PersonDetails(is_guest=self.cleaned_data["kind"] == "guest", labels=tuple(labels), **values)


@directors_only
def add_person(request: HttpRequest, club: Club) -> HttpResponse:
    """Add a person; only the name is required."""
    form = PersonForm.from_request(
        request, name=request.GET.get("name", ""), kind="member", is_active=True, is_rated=True
    )
    return _render_or_save(request, club, None, form, partial(people.add_person, club_id=club.pk))


@directors_only
def person_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show and change a person's details."""
    person_row = get_or_404(find_person(club, pk))
    if person_row.anonymized_at is not None:
        return TemplateResponse(request, "clubs/people/erased_person.html", {"club": club, "person": person_row})
    form = PersonForm.from_request(
        request,
        stored=person_row,
        kind="guest" if person_row.is_guest else "member",
        family="" if person_row.family is None else person_row.family.name,
    )
    save = partial(people.change_person, club_id=club.pk, person_id=pk)
    return _render_or_save(request, club, person_row, form, save)


def _render_or_save(
    request: HttpRequest, club: Club, person_row: Person | None, form: PersonForm, save: Callable[..., object]
) -> HttpResponse:
    chosen = [] if person_row is None else person_row.labels
    if request.method == "POST":
        chosen = [*request.POST.getlist("labels"), request.POST.get("label", "")]

    def save_form(by: Actor) -> None:
        save(details=form.build_details(chosen), is_namesake="namesake" in request.POST, by=by)

    def render(request: HttpRequest, club: Club) -> HttpResponse:
        labels, refusal = list_labels(club), get_refusal(request)
        context = {
            "club": club,
            "person": person_row,
            **build_dues_context(club, person_row),
            "form": form,
            "chosen": chosen,
            "labels": [*labels, *(label for label in chosen if label.strip() and label not in labels)],
            "families": list_families(club),
            "namesake": refusal and refusal.code == "name_known" and refusal.details["person"],
        }
        return TemplateResponse(request, "clubs/people/person.html", context)

    if request.method != "POST":
        return render(request, club)
    return run_or_render_refusal(request, club, "people", save_form, render)


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
        note_refusal(request, refusal)
        dues = get_person_dues(person, period)
        if refusal.code == "changed_since":
            form_data = build_amount_fields(paid=dues.due.paid, other=dues.other)
        context = {"club": club, "person": person, "dues": dues, "typed_dues": form_data}
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
