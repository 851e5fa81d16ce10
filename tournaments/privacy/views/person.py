"""Privacy pages of a person: consents, the export, and how long data is kept."""

import io
import json
from functools import partial

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from clubs.access import owners_only
from clubs.models import Club, Person
from clubs.people import find_person
from clubs.post_views import require_post_from
from clubs.privacy import get_privacy_officer, list_consents
from clubs.reauthentication import require_fresh_sign_in
from clubs.services.privacy import defer_erasure
from clubs.views.history import run_or_render_refusal
from errors import Refusal
from tournaments.privacy.subject_export import export_person_data
from web.archives import Archive
from web.forms import DayField, Form
from web.not_found import get_or_404
from web.slugs import build_slug


class RetentionForm(Form):
    """The day until which a person's data stay."""

    until = DayField(_("Do not suggest erasing before"), help_text=_("Leave empty to follow the club’s rule."))


@require_safe
@owners_only
def person_privacy_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show the consents of a person, and what can be done with their data."""
    return _render_page(request, club, _get_person(club, pk))


@require_safe
@owners_only
@require_fresh_sign_in
def export_person(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Download everything that the club stores about a person, for programs and for people, in one file."""
    person = _get_person(club, pk)
    sections = export_person_data(club, person)
    context = {
        "club": club,
        "person": person,
        "made_at": timezone.now(),
        "responsible": get_privacy_officer(club),
        "sections": sections,
    }
    stem = build_slug(person.name) or str(person.pk)
    file = io.BytesIO()
    with Archive(file) as archive:
        json_text = json.dumps(sections, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
        archive.writestr(f"{stem}.json", json_text)
        archive.writestr(f"{stem}.html", render_to_string("tournaments/privacy/everything.html", context, request))
    disposition = f'attachment; filename="{stem}.zip"'
    return HttpResponse(file.getvalue(), content_type="application/zip", headers={"Content-Disposition": disposition})


@require_post_from("person-privacy", "slug", "pk")
@owners_only
def extend_retention(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Keep a person's data until a day, longer than others, or no longer."""
    return run_or_render_refusal(
        request,
        club,
        "people-to-forget",
        lambda by: defer_erasure(club_id=club.pk, person_id=pk, by=by, **RetentionForm(request.POST).read()),
        render_refusal=partial(_render_page, request, club, _get_person(club, pk)),
    )


def _get_person(club: Club, pk: int) -> Person:
    return get_or_404(find_person(club, pk))


def _render_page(request: HttpRequest, club: Club, person: Person, refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "club": club,
        "person": person,
        "consents": list_consents(club, person),
        "form": RetentionForm.from_request(request, until=person.kept_until),
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/privacy/person.html", context)
