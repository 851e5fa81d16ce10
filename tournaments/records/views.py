"""Pages of ratings and records: public names for everyone, full names for directors. Owners turn ratings on
and off."""

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.models import Club
from clubs.pages import directors_only, get_actor, owners_only, public_page
from clubs.people import find_person
from engine.ratings import FIRST_SHOWN, MIN_MATCHES
from engine.records import MIN_PAIR_MATCHES
from live.conditional_pages import read_snapshot, shared_conditional_page
from tournaments.models import PersonRecord
from web.forms import parse_digits
from web.not_found import get_or_404

from . import services
from .access import find_pair, get_club_or_404, get_records_revision
from .presenters import MAX_NIGHTS, PAGE, build_club_view, build_person_view, build_ratings_page
from .queries import find_club_record, find_person_record, has_public_page


@require_safe
@read_snapshot()
@public_page
def public_ratings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the ratings with public names, unless the club has turned them off."""
    club = get_club_or_404(slug)
    if not club.has_ratings:
        raise Http404
    page = parse_digits(request.GET.get("page", ""), max_digits=5)
    page = 1 if page is None else page
    return shared_conditional_page(
        request,
        get_records_revision(club, "ratings", page),
        partial(_render_ratings, request, club, page),
        query_params=["page"],
    )


def _render_ratings(request: HttpRequest, club: Club, number: int) -> HttpResponse:
    context = {
        "club": club,
        "page": build_ratings_page(club, number),
        "first": FIRST_SHOWN,
        "least": MIN_MATCHES,
        "size": PAGE,
    }
    return TemplateResponse(request, "tournaments/records/ratings.html", context)


@require_safe
@read_snapshot()
@public_page
def public_records(request: HttpRequest, slug: str, year: int | None = None) -> HttpResponse:
    """Show the records of the club, of all years or of one."""
    club = get_club_or_404(slug)
    return shared_conditional_page(
        request, get_records_revision(club, "records", year), partial(_render_records, request, club, year)
    )


def _render_records(request: HttpRequest, club: Club, year: int | None) -> HttpResponse:
    record = find_club_record(club)
    if year is not None and (record is None or str(year) not in record.years):
        raise Http404
    context = {
        "club": club,
        "view": None if record is None else build_club_view(club, record, year),
        "year": year,
        "least": MIN_PAIR_MATCHES,
    }
    return TemplateResponse(request, "tournaments/records/club.html", context)


@require_safe
@read_snapshot()
@public_page
def public_person(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show a player's record under the public name. Nothing is shown of people left out or hidden, or if the
    club shows no pages of people."""
    club = get_club_or_404(slug)
    return shared_conditional_page(
        request, get_records_revision(club, "person", pk), partial(_render_public_person, request, club, pk)
    )


def _render_public_person(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    record = find_person_record(club, pk)
    if record is None or not has_public_page(club, record.person):
        raise Http404
    return _render_person(request, club, record, is_public=True)


@require_safe
@directors_only
def person_record(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show a person's record at the desk, with full names. It includes people left out of the ratings."""
    record = find_person_record(club, pk)
    if record is not None:
        return _render_person(request, club, record, is_public=False)
    person = get_or_404(find_person(club, pk))
    context = {"club": club, "person": person}
    return TemplateResponse(request, "tournaments/records/no_records.html", context)


def _render_person(request: HttpRequest, club: Club, record: PersonRecord, *, is_public: bool) -> HttpResponse:
    context = {
        "club": club,
        "person": record.person,
        "view": build_person_view(club, record, is_public=is_public, max_nights=MAX_NIGHTS),
        "least": MIN_MATCHES,
        "open": "public-person" if is_public else "person-record",
        "together": "public-pair" if is_public else "pair-record",
    }
    name = "person" if is_public else "person_at_desk"
    return TemplateResponse(request, f"tournaments/records/{name}.html", context)


@require_safe
@read_snapshot()
@public_page
def public_pair(request: HttpRequest, slug: str, pk: int, partner: int) -> HttpResponse:
    """Show the joint record of two players under their public names. Nothing is shown if one of them is left
    out."""
    club = get_club_or_404(slug)
    revision = f"{get_records_revision(club, 'pair', pk)}.{partner}"
    return shared_conditional_page(
        request, revision, partial(_render_pair, request, club, (pk, partner), is_public=True)
    )


@require_safe
@directors_only
def pair_record(request: HttpRequest, club: Club, pk: int, partner: int) -> HttpResponse:
    """Show the joint record of two people at the desk, with full names. It includes people left out of the
    ratings."""
    return _render_pair(request, club, (pk, partner), is_public=False)


def _render_pair(request: HttpRequest, club: Club, pks: tuple[int, int], *, is_public: bool) -> HttpResponse:
    pair, view = find_pair(club, pks, is_public=is_public)
    context = {
        "club": club,
        "pair": [(person.pk, person.get_public_name(club) if is_public else person.name) for person in pair],
        "view": view,
        "open": "public-person" if is_public else "person-record",
    }
    name = "person" if is_public else "person_at_desk"
    return TemplateResponse(request, f"tournaments/records/{name}.html", context)


@owners_only
def ratings_switch(request: HttpRequest, club: Club) -> HttpResponse:
    """Turn the club's ratings on or off."""
    if request.method == "POST":
        services.turn_ratings(club_id=club.pk, on=request.POST.get("ratings") == "on", by=get_actor(request))
        return redirect("ratings-switch", slug=club.slug)
    return TemplateResponse(request, "tournaments/records/switch.html", {"club": club})
