"""Privacy pages of a person: consents, the export, and how long data is kept."""

import io
import json
from functools import partial

from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.access import for_owners
from clubs.audit.log import Actor
from clubs.models import Club, Person
from clubs.people import person_of
from clubs.post_only import posted_from
from clubs.privacy import consents_of, responsible_for
from clubs.reauthentication import for_fresh_sign_in
from clubs.services import keep_person
from clubs.views.history import run_or_show_refusal
from errors import Refusal
from tournaments.privacy.subject_export import everything_about
from web.archives import Archive
from web.forms import FormReader
from web.slugs import slug_of


@require_safe
@for_owners
def person_privacy(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show the consents of a person, and what can be done with their data."""
    return _page(request, club, _person(club, pk))


@require_safe
@for_owners
@for_fresh_sign_in
def export(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Download everything that the club stores about a person, for programs and for people, in one file."""
    person = _person(club, pk)
    everything = everything_about(club, person)
    told = {
        "club": club,
        "person": person,
        "made_at": timezone.now(),
        "responsible": responsible_for(club),
        "sections": everything,
    }
    stem = slug_of(person.name) or str(person.pk)
    file = io.BytesIO()
    with Archive(file) as archive:
        plain = json.dumps(everything, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
        archive.writestr(f"{stem}.json", plain)
        archive.writestr(
            f"{stem}.html", render_to_string("tournaments/privacy/everything.html", told, request)
        )
    disposition = f'attachment; filename="{stem}.zip"'
    return HttpResponse(
        file.getvalue(), content_type="application/zip", headers={"Content-Disposition": disposition}
    )


@posted_from("person-privacy", "slug", "pk")
@for_owners
def keep(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Keep a person's data until a day, longer than others, or no longer."""
    person = _person(club, pk)
    refused = partial(_page, request, club, person)
    return run_or_show_refusal(
        request, club, "people-to-forget", partial(_keep, request, club, pk), refused=refused
    )


def _keep(request: HttpRequest, club: Club, pk: int, by: Actor) -> None:
    """Read the form and save the day. Refuses: form_refused, and what the service does."""
    form = FormReader(request.POST.dict())
    until = form.day("until")
    form.finish()
    keep_person(club_id=club.pk, person_id=pk, until=until, by=by)


def _person(club: Club, pk: int) -> Person:
    person = person_of(club, pk)
    if person is None:
        raise Http404
    return person


def _page(request: HttpRequest, club: Club, person: Person, refusal: Refusal | None = None) -> HttpResponse:
    until = "" if person.kept_until is None else person.kept_until.isoformat()
    context = {
        "club": club,
        "person": person,
        "consents": consents_of(club, person),
        "until": request.POST.get("until", until),
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/privacy/person.html", context)
