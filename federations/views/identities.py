"""Pages of a person's code across clubs."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.models import Club
from clubs.pages import directors_only, get_actor, require_post_from
from errors import Refusal
from federations.models import ClubFeed
from federations.queries import list_identities
from federations.services import identities


@require_safe
@directors_only
def identity(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show whether a person is linked to other clubs, with forms to link and unlink them."""
    return _render_page(request, club, pk)


@require_post_from("identity", "slug", "pk")
@directors_only
def make_code(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Create a code to give to another club. It is shown once."""
    try:
        identity_code = identities.make_identity_code(club_id=club.pk, person_id=pk, by=get_actor(request))
    except Refusal as refusal:
        return _render_page(request, club, pk, refusal=refusal)
    return _render_page(request, club, pk, code=identity_code.letters)


@require_post_from("identity", "slug", "pk")
@directors_only
def enter_code(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Enter a code received from another club."""
    typed = request.POST.get("code", "")
    try:
        identities.enter_identity_code(club_id=club.pk, person_id=pk, code=typed, by=get_actor(request))
    except Refusal as refusal:
        return _render_page(request, club, pk, refusal=refusal, typed=typed)
    return redirect("identity", slug=club.slug, pk=pk)


@require_post_from("identity", "slug", "pk")
@directors_only
def take_back_identity(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Remove a person's links to other clubs."""
    try:
        identities.take_back_identity(club_id=club.pk, person_id=pk, by=get_actor(request))
    except Refusal as refusal:
        return _render_page(request, club, pk, refusal=refusal)
    return redirect("identity", slug=club.slug, pk=pk)


def _render_page(
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
        "identities": list_identities(person),
        "code": code,
        "typed": typed,
        "refusal": refusal,
    }
    return TemplateResponse(request, "federations/identity.html", context)
