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

from clubs.absolute_urls import build_absolute_url
from clubs.models import Club
from clubs.pages import public_page
from tournaments.events.queries import find_public_event
from tournaments.seasons.access import get_public_season_or_404
from tournaments.sharing.link_previews.rendering import HEIGHT as PICTURE_HEIGHT
from tournaments.sharing.link_previews.rendering import WIDTH as PICTURE_WIDTH
from tournaments.sharing.presenters.embedding import (
    HEIGHT,
    WIDTH,
    Frame,
    build_club_frame,
    build_event_frame,
    build_season_frame,
)
from web.forms import parse_digits
from web.not_found import get_or_404

MIN_SIZE = 200
"""Smallest frame in pixels; below that nothing can be read."""
LANGUAGE_PATTERN = re.compile(rf"/({'|'.join(code for code, _ in settings.LANGUAGES)})(?=/)")
FORMATS = {"json", "xml"}


@require_safe
@public_page
def oembed(request: HttpRequest) -> HttpResponse:
    """Answer a site that wants to embed an event, a club or a season. Pages that do not exist and pages that
    are not public get the same answer."""
    address = request.GET.get("url", "")
    format_name = request.GET.get("format", "json")
    if not address:
        return HttpResponseBadRequest("url is required", content_type="text/plain")
    if format_name not in FORMATS:
        return HttpResponse("json, xml", status=501, content_type="text/plain; charset=utf-8")
    data = _build_oembed(request, _find_frame(request, address).make_absolute(request))
    response = JsonResponse(data) if format_name == "json" else _render_xml(data)
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


def _find_frame(request: HttpRequest, address: str) -> Frame:
    """Return the frame for an address of this site. Raises Http404."""
    try:
        parts = urlsplit(address)
    except ValueError:
        raise Http404 from None
    ours = {request.get_host(), urlsplit(build_absolute_url(request, "/")).netloc}
    if parts.scheme not in {"http", "https"} or parts.netloc not in ours:
        raise Http404
    language_match = LANGUAGE_PATTERN.match(parts.path)
    path = parts.path[language_match.end() :] if language_match else parts.path
    try:
        match = resolve(path)
    except Resolver404:
        raise Http404 from None
    finder = get_or_404(FRAME_FINDERS.get(match.view_name))
    return finder(language_match[1] if language_match else "", **match.kwargs)


def _get_event_frame(language: str, short: str) -> Frame:
    event = get_or_404(find_public_event(short))
    return build_event_frame(event, language or event.club.language)


def _get_club_frame(language: str, slug: str) -> Frame:
    club = get_object_or_404(Club, slug=slug)
    return build_club_frame(club, language or club.language)


def _get_season_frame(language: str, slug: str, pk: int, place: int = 0) -> Frame:
    season = get_public_season_or_404(slug, pk, place)
    return build_season_frame(season, language or season.club.language, place)


FRAME_FINDERS: dict[str, Callable[..., Frame]] = {
    "event": _get_event_frame,
    "standings": _get_event_frame,
    "front": _get_club_frame,
    "public-season": _get_season_frame,
    "public-ladder": _get_season_frame,
}
"""Frames by the name of the page that was linked to."""


def _build_oembed(request: HttpRequest, frame: Frame) -> dict[str, Any]:
    """Return the answer in oEmbed's terms, no larger than was asked for."""
    width, height = _limit_size(request, "maxwidth", WIDTH), _limit_size(request, "maxheight", HEIGHT)
    data = {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Charlemagne",
        "provider_url": build_absolute_url(request, reverse("home")),
        "title": frame.title,
        "author_name": frame.club.name,
        "author_url": build_absolute_url(request, reverse("front", args=[frame.club.slug])),
        "html": str(frame.render_html(str(width), height)),
        "width": width,
        "height": height,
    }
    if _limit_size(request, "maxwidth", PICTURE_WIDTH) == PICTURE_WIDTH:
        data |= {
            "thumbnail_url": frame.picture,
            "thumbnail_width": PICTURE_WIDTH,
            "thumbnail_height": PICTURE_HEIGHT,
        }
    return data


def _limit_size(request: HttpRequest, name: str, default: int) -> int:
    requested_size = parse_digits(request.GET.get(name, ""), max_digits=5)
    return default if requested_size is None else min(default, max(MIN_SIZE, requested_size))


def _render_xml(data: dict[str, Any]) -> HttpResponse:
    root = ET.Element("oembed")
    for name, value in data.items():
        ET.SubElement(root, name).text = str(value)
    body = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return HttpResponse(body, content_type="text/xml; charset=utf-8")
