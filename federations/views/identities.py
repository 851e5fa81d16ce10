"""Pages of a person's code across clubs."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.access import for_directors_of_the_club
from clubs.actor import actor_from
from clubs.models import Club
from clubs.post_only import posted_from
from errors import Refusal
from federations.models import ClubFeed
from federations.queries import identities_of
from federations.services import identities


@require_safe
@for_directors_of_the_club
def identity(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show whether a person is linked to other clubs, with forms to link and unlink them."""
    return _page(request, club, pk)


@posted_from("identity", "slug", "pk")
@for_directors_of_the_club
def make_code(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Create a code to give to another club. It is shown once."""
    try:
        made = identities.make_identity_code(club_id=club.pk, person_id=pk, by=actor_from(request))
    except Refusal as refusal:
        return _page(request, club, pk, refusal=refusal)
    return _page(request, club, pk, code=made.letters)


@posted_from("identity", "slug", "pk")
@for_directors_of_the_club
def enter_code(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Enter a code received from another club."""
    typed = request.POST.get("code", "")
    try:
        identities.enter_identity_code(club_id=club.pk, person_id=pk, code=typed, by=actor_from(request))
    except Refusal as refusal:
        return _page(request, club, pk, refusal=refusal, typed=typed)
    return redirect("identity", slug=club.slug, pk=pk)


@posted_from("identity", "slug", "pk")
@for_directors_of_the_club
def take_back_identity(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Remove a person's links to other clubs."""
    try:
        identities.take_back_identity(club_id=club.pk, person_id=pk, by=actor_from(request))
    except Refusal as refusal:
        return _page(request, club, pk, refusal=refusal)
    return redirect("identity", slug=club.slug, pk=pk)


def _page(
    request: HttpRequest,
    club: Club,
    pk: int,
    *,
    code: str = "",
    typed: str = "",
    refusal: Refusal | None = None,
) -> HttpResponse:
    person = get_object_or_404(club.people, pk=pk)
    context = {
        "club": club,
        "person": person,
        "is_on": ClubFeed.objects.filter(club=club).exists(),
        "identities": identities_of(person),
        "code": code,
        "typed": typed,
        "refusal": refusal,
    }
    return TemplateResponse(request, "federations/identity.html", context)
