"""Privacy settings of a club."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs import services
from clubs.access import for_owners
from clubs.audit.history import club_line
from clubs.audit.log import Actor
from clubs.models import Club, PublicNames
from clubs.privacy import responsible_for
from clubs.services import PrivacySettings
from clubs.views.history import run_or_show_refusal
from errors import Refusal
from web.forms import FormReader

SUGGESTED_YEARS = 3


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def privacy_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Change what the club shows of people and who is responsible; with links to erasure and the register."""
    if request.method != "POST":
        return _page(request, club, _fields_of(club))
    return run_or_show_refusal(
        request,
        club,
        "privacy",
        lambda by: _change(request, club, by),
        refused=partial(_page, request, club, request.POST.dict()),
    )


def _change(request: HttpRequest, club: Club, by: Actor) -> None:
    """Save the settings.

    Refuses: form_refused, and what the service does.
    """
    form = FormReader(request.POST.dict())
    public_names = form.choice("public_names", PublicNames.values)
    forget_after = form.number("forget_after")
    form.finish()
    settings = PrivacySettings(
        responsible_name=request.POST.get("responsible_name", ""),
        responsible_contact=request.POST.get("responsible_contact", ""),
        public_names=public_names,
        has_public_people="has_public_people" in request.POST,
        forget_after=forget_after,
    )
    services.change_privacy(club_id=club.pk, settings=settings, by=by)


def _fields_of(club: Club) -> dict[str, Any]:
    return {
        "responsible_name": club.responsible_name,
        "responsible_contact": club.responsible_contact,
        "public_names": club.public_names,
        "has_public_people": club.has_public_people,
        "forget_after": club.forget_after,
    }


def _page(
    request: HttpRequest, club: Club, typed: Mapping[str, Any], refusal: Refusal | None = None
) -> HttpResponse:
    context = {
        "club": club,
        "typed": typed,
        "names": PublicNames.choices,
        "responsible": responsible_for(club),
        "suggested": SUGGESTED_YEARS,
        "done": club_line(club, request.GET.get("done", "")),
        "refusal": refusal,
    }
    return TemplateResponse(request, "clubs/privacy/settings.html", context)
