"""The public privacy page of a club."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.access import for_everybody
from clubs.models import Club
from clubs.privacy import responsible_for
from live.conditional_pages import shared_conditional_page
from live.revisions import public_revision_of


@require_safe
@for_everybody
def public_privacy(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what the club keeps and publishes about people, and whom to ask."""
    club = get_object_or_404(Club, slug=slug)
    return shared_conditional_page(
        request, f"privacy.{club.pk}.{public_revision_of(club.topic)}", partial(_page, request, club)
    )


def _page(request: HttpRequest, club: Club) -> HttpResponse:
    context = {"club": club, "responsible": responsible_for(club)}
    return TemplateResponse(request, "clubs/privacy/public.html", context)
