"""Privacy pages of people: consents and exports, erasure, and merging two people."""

import io
import json
from functools import partial
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from clubs.calendar import get_club_today
from clubs.models import Club, Person
from clubs.pages import directors_only, get_actor, is_submitted, owners_only, require_post_from, show_refusals
from clubs.people import find_person, search_people
from clubs.privacy import get_privacy_officer, list_consents
from clubs.reauthentication import require_fresh_sign_in
from clubs.services.privacy import defer_erasure
from clubs.views.history import redirect_with_notice, run_or_render_refusal
from tournaments.entries.queries.people import list_common_events, list_entries_of_person
from tournaments.entries.services.merging import merge_people
from tournaments.privacy.queries.erasure import build_erasure_previews, list_idle_people
from tournaments.privacy.services.erasure import MAX_PEOPLE_AT_ONCE, anonymize_people
from tournaments.privacy.subject_export import export_person_data
from web.archives import Archive
from web.forms import DayField, Form, parse_digits
from web.not_found import get_or_404
from web.slugs import build_slug

MAX_CANDIDATES = 20
MAX_ENTRIES = 60


class RetentionForm(Form):
    """The day until which a person's data stay."""

    until = DayField(_("Do not suggest erasing before"), help_text=_("Leave empty to follow the club’s rule."))


@require_safe
@owners_only
def person_privacy_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show the consents of a person, and what can be done with their data."""
    return _render_person_page(request, club, person=get_or_404(find_person(club, pk)))


@require_safe
@owners_only
@require_fresh_sign_in
def export_person(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Download everything that the club stores about a person, for programs and for people, in one file."""
    person = get_or_404(find_person(club, pk))
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
        archive.writestr(f"{stem}.html", render_to_string("tournaments/privacy/person_data.html", context, request))
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
        partial(_render_person_page, person=get_or_404(find_person(club, pk))),
    )


def _render_person_page(request: HttpRequest, club: Club, *, person: Person) -> HttpResponse:
    context = {
        "club": club,
        "person": person,
        "consents": list_consents(club, person),
        "form": RetentionForm.from_request(request, until=person.kept_until),
    }
    return TemplateResponse(request, "tournaments/privacy/person.html", context)


@require_safe
@owners_only
def idle_people_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show people who have not played for a long time, and choose whom to erase."""
    idle = list_idle_people(club, get_club_today(club))
    context = {
        "club": club,
        "idle": idle[:MAX_PEOPLE_AT_ONCE],
        "count": len(idle),
    }
    return TemplateResponse(request, "tournaments/privacy/inactive_people.html", context)


@owners_only
@require_fresh_sign_in
def erase_people_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show what is erased and what stays, then erase the chosen people."""
    if request.method == "POST":
        people = _parse_ids(request.POST.getlist("people"))
        return run_or_render_refusal(
            request,
            club,
            "people",
            lambda by: anonymize_people(club_id=club.pk, person_ids=people, by=by),
            partial(_render_erasure_page, people=people),
        )
    people = _parse_ids(request.GET.getlist("people"))
    if not people:
        return redirect("people-to-forget", slug=club.slug)
    return _render_erasure_page(request, club, people=people)


def _render_erasure_page(request: HttpRequest, club: Club, *, people: set[int]) -> HttpResponse:
    context = {
        "club": club,
        "farewells": build_erasure_previews(club, sorted(people)[:MAX_PEOPLE_AT_ONCE]),
    }
    return TemplateResponse(request, "tournaments/privacy/erasure.html", context)


def _parse_ids(texts: list[str]) -> set[int]:
    return {pk for pk in (parse_digits(text, max_digits=18) for text in texts) if pk is not None}


@directors_only
@show_refusals
def merge_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Choose the duplicate of a person, see what changes, and merge the two."""
    person = get_or_404(find_person(club, pk))
    other = _find_other(club, request.POST.get("other", request.GET.get("other", "")), person)
    if is_submitted(request):
        by = get_actor(request)
        merged_id = 0 if other is None else other.pk
        merge_people(club_id=club.pk, target_id=pk, source_id=merged_id, by=by)
        return redirect_with_notice(request, club, "people", by)
    search = request.GET.get("search", "")
    query = search or " ".join(person.name.split()[-1:])
    candidates = club.people.exclude(pk=pk).filter(anonymized_at=None).select_related("family")
    others = search_people(candidates, query).order_by("folded_name", "pk")
    context = {
        "club": club,
        "person": person,
        "other": other,
        "merge": None if other is None else _build_preview(person, other),
        "search": search,
        "others": () if other is not None else others[:MAX_CANDIDATES],
    }
    return TemplateResponse(request, "tournaments/privacy/merge.html", context)


def _find_other(club: Club, text: str, person: Person) -> Person | None:
    pk = parse_digits(text, max_digits=18)
    other = None if pk is None else find_person(club, pk)
    return None if other == person else other


def _build_preview(person: Person, other: Person) -> dict[str, Any]:
    """Return the latest entries of the ``count`` that move, and the shared events, which forbid it. Three queries."""
    entries = list_entries_of_person(other)
    return {
        "entries": tuple(entries[:MAX_ENTRIES]),
        "count": entries.count(),
        "shared_events": tuple(list_common_events(person, other)[:MAX_ENTRIES]),
    }
