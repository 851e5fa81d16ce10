"""Embedded pages for frames on other sites, oEmbed (https://oembed.com), which turns addresses into them, and the
pictures of shared links."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import override
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from clubs.absolute_urls import build_absolute_url, get_feed_language
from clubs.calendar import get_club_today
from clubs.models import Club
from clubs.pages import public_page
from live.conditional_pages import (
    get_part_etag,
    get_template_or_part,
    read_snapshot,
    shared_conditional_page,
    shared_response,
)
from tournaments.agenda.queries import list_upcoming
from tournaments.entries.queries.entries import get_entries
from tournaments.events.queries import find_public_event, list_recent_public_events
from tournaments.events.views.access import public_event_required
from tournaments.models import Event, Season
from tournaments.public.presenters.club_home import build_club_home, get_club_home_revision
from tournaments.rounds.presenters.rounds import build_round_view
from tournaments.rounds.queries.rounds import get_published_rounds
from tournaments.seasons.access import get_public_season_or_404, get_season_revision
from tournaments.seasons.presenters import build_ladder_view
from tournaments.sharing.link_preview_files import build_picture_response
from tournaments.sharing.link_previews.rendering import HEIGHT as PICTURE_HEIGHT
from tournaments.sharing.link_previews.rendering import WIDTH as PICTURE_WIDTH
from tournaments.sharing.presenters.embedding import (
    HEIGHT,
    THEMES,
    WIDTH,
    Frame,
    build_club_frame,
    build_event_frame,
    build_season_frame,
)
from tournaments.sharing.presenters.link_previews import build_club_picture, build_event_picture
from tournaments.standings.presenters import build_standings_view, get_public_snapshot
from tournaments.standings.presenters.publication import mark_outdated
from tournaments.standings.queries.delays import get_watched_revision
from web.forms import parse_digits
from web.not_found import get_or_404

MAX_RANKS, MAX_LINES = 10, 15
"""How many ranks of an event and lines of season standings are shown; the whole page has all."""


@xframe_options_exempt
@require_safe
@read_snapshot()
@public_event_required
def event_embed(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the round under way and the top of the standings, in a frame."""
    revision = f"embed.{event.pk}.{get_watched_revision(event)}.{event.is_sign_up_open:d}"
    return _render_frame(request, revision, "event", partial(_build_event_context, event))


def _build_event_context(event: Event) -> dict[str, Any]:
    visible = event.visible
    rounds = list(get_published_rounds(event))
    current_round = next((round_row for round_row in reversed(rounds) if visible.draw), None)
    view = None if current_round is None else build_round_view(current_round, is_public=True)
    snapshot = get_public_snapshot(event)
    standings = build_standings_view(event, snapshot, get_entries(event), rounds, max_rows=MAX_RANKS)
    return {
        "event": event,
        "club": event.club,
        "round": view if view is not None and view.is_playing else None,
        "has_begun": bool(rounds),
        "counts_games": event.counts_games,
        "standings": mark_outdated(event, snapshot, standings),
    }


@xframe_options_exempt
@require_safe
@read_snapshot()
@public_page
def club_embed(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the club's current and next events and its last results, in a frame."""
    club = get_object_or_404(Club, slug=slug)
    today, events = get_club_today(club), list_recent_public_events(club)
    etag = f"embed.club.{get_club_home_revision(club, events)}.{today}"
    return _render_frame(request, etag, "club", partial(_build_club_context, club, events))


def _build_club_context(club: Club, events: list[Event]) -> dict[str, Any]:
    return {"club": club, "view": build_club_home(club, events, list_upcoming(club, get_club_today(club)), ())}


@xframe_options_exempt
@require_safe
@read_snapshot()
@public_page
def season_embed(request: HttpRequest, slug: str, pk: int, place: int) -> HttpResponse:
    """Show the top of a season's standings, in a frame."""
    season = get_public_season_or_404(slug, pk, place)
    revision = f"embed.season.{pk}.{get_season_revision(season)}.{place}"
    return _render_frame(request, revision, "season", partial(_build_season_context, season, place))


def _build_season_context(season: Season, place: int) -> dict[str, Any]:
    view = build_ladder_view(season, place)
    return {"season": season, "club": season.club, "view": view, "lines": view.lines[:MAX_LINES]}


def _render_frame(
    request: HttpRequest, revision: str, kind: str, build_context: Callable[[], dict[str, Any]]
) -> HttpResponse:
    """Render the page of that kind, or its part for htmx, in the theme asked for."""
    theme = request.GET.get("colours", "")
    theme = theme if theme in THEMES else ""
    etag = f"{revision}.{theme}"

    def render_page() -> HttpResponse:
        context = {**build_context(), "theme": theme, "etag": get_part_etag(request, etag)}
        return TemplateResponse(
            request, get_template_or_part(request, f"tournaments/sharing/embed/{kind}.html#live"), context
        )

    return shared_conditional_page(request, etag, render_page, query_params=["colours"])


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


@require_safe
@public_event_required
def event_picture_file(request: HttpRequest, event: Event) -> HttpResponse:
    """Show a picture of the event's standings, in the language of the address or else the club's. Programs
    state no language."""
    with override(get_feed_language(request, event.club)):
        picture = build_event_picture(event)
        return shared_response(request, picture.digest, partial(build_picture_response, picture, event.club))


@require_safe
@public_page
def club_picture_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a picture of the club's next nights."""
    club = get_object_or_404(Club, slug=slug)
    lines = list_upcoming(club, get_club_today(club))
    with override(get_feed_language(request, club)):
        picture = build_club_picture(club, lines)
        return shared_response(request, picture.digest, partial(build_picture_response, picture, club))
