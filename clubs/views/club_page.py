"""Settings of a club and of its public page, with two pictures."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse

from clubs.audit.log import Actor
from clubs.game_words import ruleset_name
from clubs.job_pages import build_form_jobs_context, build_job_actions, render_form_jobs
from clubs.models import Club, PictureKind, TimeZone
from clubs.pages import owners_only
from clubs.queries import get_pictures_by_kind
from clubs.services import clubs
from clubs.services import pictures as pictures_services
from clubs.services.clubs import ClubPage, ClubSettings
from clubs.services.pictures import get_pictures_topic, request_club_picture
from clubs.views.history import run_or_render_refusal
from errors import check_choice, get_or_refuse
from rules import RULESETS
from web.pictures import MAX_BYTES

FIELDS = tuple(each.name for each in fields(ClubPage))


@owners_only
def club_page_settings(request: HttpRequest, club: Club) -> HttpResponse:
    """Change the club's settings, and the texts and pictures of its public page."""
    if request.method != "POST":
        job_response = render_form_jobs(request, get_pictures_topic(club), reverse("club-page", args=[club.slug]))
        return job_response or _render_page(request, club)
    action = next((action for name, action in ACTIONS.items() if name in request.POST), _change_texts)
    return run_or_render_refusal(request, club, "club-page", partial(action, request, club), _render_page)


stop_picture, picture_again = build_job_actions("club-page", "slug", access=owners_only, get_topic=get_pictures_topic)


def _change_texts(request: HttpRequest, club: Club, by: Actor) -> None:
    page = ClubPage(**{name: request.POST.get(name, "") for name in FIELDS})
    clubs.change_club_page(club_id=club.pk, page=page, by=by)


def _change_club(request: HttpRequest, club: Club, by: Actor) -> None:
    answers = ClubSettings(
        name=request.POST.get("club_name", ""),
        language=request.POST.get("language", ""),
        ruleset=request.POST.get("ruleset", ""),
        time_zone=request.POST.get("time_zone", ""),
    )
    clubs.change_club(club_id=club.pk, settings=answers, by=by)


def _set_picture(request: HttpRequest, club: Club, by: Actor) -> None:
    kind = _read_kind(request, "set_picture")
    upload = get_or_refuse(request.FILES.get(kind.value), "file_required", field=kind.value)
    request_club_picture(
        club=club,
        kind=kind,
        content=upload.read(MAX_BYTES + 1),
        description=request.POST.get("description", ""),
        by=by,
    )


def _remove_picture(request: HttpRequest, club: Club, by: Actor) -> None:
    pictures_services.remove_club_picture(club_id=club.pk, kind=_read_kind(request, "remove_picture"), by=by)


def _read_kind(request: HttpRequest, name: str) -> PictureKind:
    """Return the kind of picture in that field. Refuses: no_such_choice."""
    return PictureKind(check_choice(request.POST[name], PictureKind.values, field=name))


ACTIONS: Mapping[str, Callable[[HttpRequest, Club, Actor], None]] = {
    "change_club": _change_club,
    "set_picture": _set_picture,
    "remove_picture": _remove_picture,
}
"""Actions by the button that only their form has."""


def _render_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Render the page, with the submitted form as typed and the others as stored."""
    pictures = get_pictures_by_kind(club)
    photo = pictures.get(PictureKind.PHOTO)
    stored = {name: getattr(club, name) for name in FIELDS}
    stored |= {"club_name": club.name, "language": club.language}
    stored |= {"ruleset": club.usual_ruleset, "time_zone": club.time_zone}
    stored["description"] = "" if photo is None else photo.description
    context = {
        "club": club,
        "pictures": pictures,
        "languages": settings.LANGUAGES,
        "rulesets": [(key, ruleset_name(key)) for key in RULESETS],
        "time_zones": {club.time_zone: club.time_zone, **dict(TimeZone.choices)}.items(),
        "typed": stored | request.POST.dict(),
        **build_form_jobs_context(request, get_pictures_topic(club), reverse("club-page", args=[club.slug])),
    }
    return TemplateResponse(request, "clubs/club_page.html", context)
