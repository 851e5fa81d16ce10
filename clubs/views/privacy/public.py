"""The public privacy page of a club."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.access import public_page
from clubs.models import Club
from clubs.privacy import get_privacy_officer
from live.conditional_pages import shared_conditional_page
from live.revisions import get_public_revision
from live.snapshots import read_snapshot


@require_safe
@read_snapshot()
@public_page
def public_privacy_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what the club keeps and publishes about people, and whom to ask."""
    club = get_object_or_404(Club, slug=slug)
    return shared_conditional_page(
        request, f"privacy.{club.pk}.{get_public_revision(club.topic)}", partial(_render_page, request, club)
    )


def _render_page(request: HttpRequest, club: Club) -> HttpResponse:
    context = {"club": club, "responsible": get_privacy_officer(club)}
    return TemplateResponse(request, "clubs/privacy/public.html", context)
