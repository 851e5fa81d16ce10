"""Pages of a person's code across clubs."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.models import Club
from clubs.pages import directors_only, get_actor, require_post_from, show_refusals_on
from federations.models import ClubFeed
from federations.queries import list_identities
from federations.services import identities


def _render_page(request: HttpRequest, club: Club, pk: int, *, code: str = "") -> HttpResponse:
    person = get_object_or_404(club.people, pk=pk)
    context = {
        "club": club,
        "person": person,
        "is_on": ClubFeed.objects.filter(club=club).exists(),
        "identities": list_identities(person),
        "code": code,
        "typed": request.POST.get("code", ""),
    }
    return TemplateResponse(request, "federations/identity.html", context)


@require_safe
@directors_only
def identity(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show whether a person is linked to other clubs, with forms to link and unlink them."""
    return _render_page(request, club, pk)


@require_post_from("identity", "slug", "pk")
@directors_only
@show_refusals_on(_render_page)
def make_code(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Create a code to give to another club. It is shown once."""
    code = identities.make_identity_code(club_id=club.pk, person_id=pk, by=get_actor(request))
    return _render_page(request, club, pk, code=code)


@require_post_from("identity", "slug", "pk")
@directors_only
@show_refusals_on(_render_page)
def enter_code(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Enter a code received from another club."""
    typed = request.POST.get("code", "")
    identities.enter_identity_code(club_id=club.pk, person_id=pk, code=typed, by=get_actor(request))
    return redirect("identity", slug=club.slug, pk=pk)


@require_post_from("identity", "slug", "pk")
@directors_only
@show_refusals_on(_render_page)
def take_back_identity(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Remove a person's links to other clubs."""
    identities.take_back_identity(club_id=club.pk, person_id=pk, by=get_actor(request))
    return redirect("identity", slug=club.slug, pk=pk)
