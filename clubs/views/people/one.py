"""Pages to add and change one person."""

from collections.abc import Callable, Sequence
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from clubs.access import directors_only
from clubs.audit.history import find_club_line
from clubs.audit.log import Actor
from clubs.models import Club, Person
from clubs.people import find_person, list_families, list_labels
from clubs.services import people
from clubs.services.people import PersonDetails
from clubs.views.history import run_or_render_refusal
from errors import Refusal
from web.forms import Form, TextField, TickField
from web.not_found import get_or_404

from .dues import build_dues_context


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
    shows_full_name = TickField(_("Agrees to show full name publicly"))
    is_hidden = TickField(_("Hide name on public pages"))
    is_active = TickField(_("Active"), help_text=_("Inactive people keep results but are not offered at check-in."))
    is_rated = TickField(
        _("Included in ratings and club records"), help_text=_("Otherwise, no rating and no public player page.")
    )
    reason = TextField(_("Consent or request"), help_text=_("For example, agreed by phone. Date and author are saved."))

    def build_details(self, labels: Sequence[str]) -> PersonDetails:
        """Return the details, with these labels."""
        values = {name: value for name, value in self.read().items() if name not in {"kind", "label", "reason"}}
        return PersonDetails(is_guest=self.cleaned_data["kind"] == "guest", labels=tuple(labels), **values)


@require_http_methods(["GET", "HEAD", "POST"])
@directors_only
def add_person(request: HttpRequest, club: Club) -> HttpResponse:
    """Add a person; only the name is required."""
    form = PersonForm.from_request(
        request, name=request.GET.get("name", ""), kind="member", is_active=True, is_rated=True
    )
    return _render_or_save(request, club, None, form, partial(people.add_person, club_id=club.pk))


@require_http_methods(["GET", "HEAD", "POST"])
@directors_only
def person_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show and change a person's details."""
    person_row = get_or_404(find_person(club, pk))
    if person_row.anonymized_at is not None:
        return TemplateResponse(request, "clubs/people/forgotten.html", {"club": club, "person": person_row})
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

    def render(refusal: Refusal | None = None) -> HttpResponse:
        labels = list_labels(club)
        context = {
            "club": club,
            "person": person_row,
            **build_dues_context(club, person_row),
            "done": find_club_line(club, request.GET.get("done", "")),
            "form": form,
            "chosen": chosen,
            "labels": [*labels, *(label for label in chosen if label.strip() and label not in labels)],
            "families": list_families(club),
            "refusal": refusal,
            "namesake": refusal and refusal.code == "name_known" and refusal.details["person"],
        }
        return TemplateResponse(request, "clubs/people/person.html", context)

    if request.method != "POST":
        return render()
    return run_or_render_refusal(request, club, "people", save_form, render_refusal=render)
