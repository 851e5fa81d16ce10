"""Pages to add and change one person."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs import services
from clubs.access import for_directors_of_the_club
from clubs.audit.history import club_line
from clubs.models import Club, Person
from clubs.people import families_of, labels_of, person_of
from clubs.services import PersonDetails
from clubs.views.history import run_or_show_refusal
from errors import Refusal

from .dues import dues_context


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def new_person(request: HttpRequest, club: Club) -> HttpResponse:
    """Add a person; only the name is required."""
    if request.method != "POST":
        return _form(request, club, None, {"name": request.GET.get("name", "")})
    details, is_namesake = _details(request), "namesake" in request.POST
    return run_or_show_refusal(
        request,
        club,
        "people",
        lambda by: services.add_person(club_id=club.pk, details=details, is_namesake=is_namesake, by=by),
        refused=partial(_form, request, club, None, _fields_of(details)),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def person(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show and change a person's details."""
    known = person_of(club, pk)
    if known is None:
        raise Http404
    if known.anonymized_at is not None:
        return TemplateResponse(request, "clubs/people/forgotten.html", {"club": club, "person": known})
    if request.method != "POST":
        return _form(request, club, known, _fields_of(_details_of(known)))
    details, is_namesake = _details(request), "namesake" in request.POST
    return run_or_show_refusal(
        request,
        club,
        "people",
        lambda by: services.change_person(
            club_id=club.pk, person_id=pk, details=details, is_namesake=is_namesake, by=by
        ),
        refused=partial(_form, request, club, known, _fields_of(details)),
    )


def _details(request: HttpRequest) -> PersonDetails:
    typed = request.POST
    return PersonDetails(
        name=typed.get("name", ""),
        contact=typed.get("contact", ""),
        is_guest=typed.get("kind") == "guest",
        is_active="is_active" in typed,
        shows_full_name="shows_full_name" in typed,
        family=typed.get("family", ""),
        labels=(*typed.getlist("labels"), typed.get("label", "")),
        is_rated="is_rated" in typed,
        is_hidden="is_hidden" in typed,
    )


def _details_of(known: Person) -> PersonDetails:
    return PersonDetails(
        name=known.name,
        contact=known.contact,
        is_guest=known.is_guest,
        is_active=known.is_active,
        shows_full_name=known.shows_full_name,
        family="" if known.family is None else known.family.name,
        labels=tuple(known.labels),
        is_rated=known.is_rated,
        is_hidden=known.is_hidden,
    )


def _fields_of(details: PersonDetails) -> Mapping[str, Any]:
    fields = (
        "name",
        "contact",
        "is_guest",
        "is_active",
        "shows_full_name",
        "family",
        "is_rated",
        "is_hidden",
    )
    return {name: getattr(details, name) for name in fields} | {"labels": details.labels}


def _form(
    request: HttpRequest,
    club: Club,
    known: Person | None,
    typed: Mapping[str, Any],
    refusal: Refusal | None = None,
) -> HttpResponse:
    labels = labels_of(club)
    chosen = [label for label in typed.get("labels", ()) if label.strip()]
    context = {
        "club": club,
        "person": known,
        **dues_context(club, known),
        "done": club_line(club, request.GET.get("done", "")),
        "typed": {"is_active": True, "is_rated": True, "reason": request.POST.get("reason", "")}
        | dict(typed),
        "chosen": chosen,
        "labels": [*labels, *(label for label in chosen if label not in labels)],
        "families": families_of(club),
        "refusal": refusal,
        "namesake": refusal and refusal.code == "name_known" and refusal.details["person"],
    }
    return TemplateResponse(request, "clubs/people/person.html", context)
