"""oEmbed (https://oembed.com): turns the address of a public page into the HTML that embeds it."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.http import require_safe

from clubs.absolute_urls import absolute_url
from clubs.access import for_everybody
from clubs.models import Club
from tournaments.events.queries import public_event
from tournaments.seasons.access import season_for_everybody
from tournaments.sharing.link_previews import HEIGHT as PICTURE_HEIGHT
from tournaments.sharing.link_previews import WIDTH as PICTURE_WIDTH
from tournaments.sharing.presenters.embedding import (
    HEIGHT,
    WIDTH,
    Frame,
    frame_of_club,
    frame_of_event,
    frame_of_season,
)
from web.forms import digits_in

LEAST = 200
"""Smallest frame in pixels; below that nothing can be read."""
LANGUAGE = re.compile(rf"/({'|'.join(code for code, _ in settings.LANGUAGES)})(?=/)")
FORMATS = {"json", "xml"}


@require_safe
@for_everybody
def oembed(request: HttpRequest) -> HttpResponse:
    """Answer a site that wants to embed an event, a club or a season. Pages that do not exist and pages that
    are not public get the same answer."""
    address = request.GET.get("url", "")
    form = request.GET.get("format", "json")
    if not address:
        return HttpResponseBadRequest("url is required", content_type="text/plain")
    if form not in FORMATS:
        return HttpResponse("json, xml", status=501, content_type="text/plain; charset=utf-8")
    told = _oembed_of(request, _frame_of(request, address).at(request))
    response = JsonResponse(told) if form == "json" else _xml(told)
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


def _frame_of(request: HttpRequest, address: str) -> Frame:
    """Return the frame for an address of this site. Raises Http404."""
    try:
        parts = urlsplit(address)
    except ValueError:
        raise Http404 from None
    ours = {request.get_host(), urlsplit(absolute_url(request, "/")).netloc}
    if parts.scheme not in {"http", "https"} or parts.netloc not in ours:
        raise Http404
    asked = LANGUAGE.match(parts.path)
    path = parts.path[asked.end() :] if asked else parts.path
    try:
        match = resolve(path)
    except Resolver404:
        raise Http404 from None
    finder = FOUND.get(match.view_name)
    if finder is None:
        raise Http404
    return finder(asked[1] if asked else "", **match.kwargs)


def _event(language: str, short: str) -> Frame:
    event = public_event(short)
    if event is None:
        raise Http404
    return frame_of_event(event, language or event.club.language)


def _club(language: str, slug: str) -> Frame:
    club = get_object_or_404(Club, slug=slug)
    return frame_of_club(club, language or club.language)


def _season(language: str, slug: str, pk: int, place: int = 0) -> Frame:
    season = season_for_everybody(slug, pk, place)
    return frame_of_season(season, language or season.club.language, place)


FOUND: dict[str, Callable[..., Frame]] = {
    "event": _event,
    "standings": _event,
    "front": _club,
    "public-season": _season,
    "public-ladder": _season,
}
"""Frames by the name of the page that was linked to."""


def _oembed_of(request: HttpRequest, frame: Frame) -> dict[str, Any]:
    """Return the answer in oEmbed's terms, no larger than was asked for."""
    width, height = _most(request, "maxwidth", WIDTH), _most(request, "maxheight", HEIGHT)
    told = {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Charlemagne",
        "provider_url": absolute_url(request, reverse("home")),
        "title": frame.title,
        "author_name": frame.club.name,
        "author_url": absolute_url(request, reverse("front", args=[frame.club.slug])),
        "html": str(frame.line_of(str(width), height)),
        "width": width,
        "height": height,
    }
    if _most(request, "maxwidth", PICTURE_WIDTH) == PICTURE_WIDTH:
        told |= {
            "thumbnail_url": frame.picture,
            "thumbnail_width": PICTURE_WIDTH,
            "thumbnail_height": PICTURE_HEIGHT,
        }
    return told


def _most(request: HttpRequest, name: str, usual: int) -> int:
    asked = digits_in(request.GET.get(name, ""), most=5)
    return usual if asked is None else min(usual, max(LEAST, asked))


def _xml(told: dict[str, Any]) -> HttpResponse:
    root = ET.Element("oembed")
    for name, value in told.items():
        ET.SubElement(root, name).text = str(value)
    body = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return HttpResponse(body, content_type="text/xml; charset=utf-8")
