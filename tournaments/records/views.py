"""Pages of ratings and records: public names for everyone, full names for directors. Owners turn ratings on
and off."""

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import for_directors_of_the_club, for_everybody, for_owners
from clubs.actor import actor_from
from clubs.models import Club
from clubs.people import person_of
from engine.ratings import FIRST_SHOWN, LEAST_MATCHES
from engine.records import LEAST_TOGETHER
from live.conditional_pages import shared_conditional_page
from tournaments.models import PersonRecord
from web.forms import digits_in

from . import services
from .access import club_at, find_pair, records_revision
from .presenters import MOST_NIGHTS, PAGE, club_view, person_view, ratings_page
from .queries import has_a_page, record_of_person, records_of_club


@require_safe
@for_everybody
def public_ratings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the ratings with public names, unless the club has turned them off."""
    club = club_at(slug)
    if not club.has_ratings:
        raise Http404
    page = digits_in(request.GET.get("page", ""), most=5)
    page = 1 if page is None else page
    return shared_conditional_page(
        request,
        records_revision(club, "ratings", page),
        partial(_public_ratings, request, club, page),
        reads=["page"],
    )


def _public_ratings(request: HttpRequest, club: Club, number: int) -> HttpResponse:
    context = {
        "club": club,
        "page": ratings_page(club, number),
        "first": FIRST_SHOWN,
        "least": LEAST_MATCHES,
        "size": PAGE,
    }
    return TemplateResponse(request, "tournaments/records/ratings.html", context)


@require_safe
@for_everybody
def public_records(request: HttpRequest, slug: str, year: int | None = None) -> HttpResponse:
    """Show the records of the club, of all years or of one."""
    club = club_at(slug)
    return shared_conditional_page(
        request, records_revision(club, "records", year), partial(_public_records, request, club, year)
    )


def _public_records(request: HttpRequest, club: Club, year: int | None) -> HttpResponse:
    kept = records_of_club(club)
    if year is not None and (kept is None or str(year) not in kept.years):
        raise Http404
    context = {
        "club": club,
        "view": None if kept is None else club_view(club, kept, year),
        "year": year,
        "least": LEAST_TOGETHER,
    }
    return TemplateResponse(request, "tournaments/records/club.html", context)


@require_safe
@for_everybody
def public_person(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show a player's record under the public name. Nothing is shown of people left out or hidden, or if the
    club shows no pages of people."""
    club = club_at(slug)
    return shared_conditional_page(
        request, records_revision(club, "person", pk), partial(_public_person, request, club, pk)
    )


def _public_person(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    kept = record_of_person(club, pk)
    if kept is None or not has_a_page(club, kept.person):
        raise Http404
    return _person(request, club, kept, is_public=True)


@require_safe
@for_directors_of_the_club
def person_record(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show a person's record at the desk, with full names. It includes people left out of the ratings."""
    kept = record_of_person(club, pk)
    if kept is not None:
        return _person(request, club, kept, is_public=False)
    person = person_of(club, pk)
    if person is None:
        raise Http404
    context = {"club": club, "person": person}
    return TemplateResponse(request, "tournaments/records/nothing.html", context)


def _person(request: HttpRequest, club: Club, kept: PersonRecord, *, is_public: bool) -> HttpResponse:
    context = {
        "club": club,
        "person": kept.person,
        "view": person_view(club, kept, is_public=is_public, most_nights=MOST_NIGHTS),
        "least": LEAST_MATCHES,
        "open": "public-person" if is_public else "person-record",
        "together": "public-pair" if is_public else "pair-record",
    }
    name = "person" if is_public else "person_at_desk"
    return TemplateResponse(request, f"tournaments/records/{name}.html", context)


@require_safe
@for_everybody
def public_pair(request: HttpRequest, slug: str, pk: int, partner: int) -> HttpResponse:
    """Show the joint record of two players under their public names. Nothing is shown if one of them is left
    out."""
    club = club_at(slug)
    revision = f"{records_revision(club, 'pair', pk)}.{partner}"
    return shared_conditional_page(
        request, revision, partial(_pair, request, club, (pk, partner), is_public=True)
    )


@require_safe
@for_directors_of_the_club
def pair_record(request: HttpRequest, club: Club, pk: int, partner: int) -> HttpResponse:
    """Show the joint record of two people at the desk, with full names. It includes people left out of the
    ratings."""
    return _pair(request, club, (pk, partner), is_public=False)


def _pair(request: HttpRequest, club: Club, pks: tuple[int, int], *, is_public: bool) -> HttpResponse:
    pair, view = find_pair(club, pks, is_public=is_public)
    context = {
        "club": club,
        "pair": [(person.pk, person.name_in_public(club) if is_public else person.name) for person in pair],
        "view": view,
        "open": "public-person" if is_public else "person-record",
    }
    name = "person" if is_public else "person_at_desk"
    return TemplateResponse(request, f"tournaments/records/{name}.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def ratings_switch(request: HttpRequest, club: Club) -> HttpResponse:
    """Turn the club's ratings on or off."""
    if request.method == "POST":
        services.turn_ratings(club_id=club.pk, on=request.POST.get("ratings") == "on", by=actor_from(request))
        return redirect("ratings-switch", slug=club.slug)
    return TemplateResponse(request, "tournaments/records/switch.html", {"club": club})
