"""Search engines: which pages they may list, which they may not request, and the site map.

Only the pages named here are listed: a new page is left out until it is added. Nothing about one person or
pair is ever listed (``docs/operating/privacy.md``).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import sitemap
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import get_script_prefix, reverse
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from clubs.absolute_urls import absolute_url
from clubs.access import for_everybody
from clubs.models import Club
from clubs.policy import Audience
from engine.visibility import Ranks
from handbook.pages import PAGES
from operations.roles_page import addresses
from rules import RULESETS
from tournaments.events.queries import public_events
from tournaments.lifecycle import EventState

from .languages import LOCALES

Arguments = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MapLine:
    """A page of the site map by its name and the values in its address.

    ``changed_on`` is the last day on which it got something new and public, if known.
    """

    name: str
    arguments: Arguments = ()
    changed_on: date | None = None


def _of_the_house() -> Iterable[MapLine]:
    yield from (MapLine(name=name) for name in ("home", "clubs", "scoring:rulebooks", "help"))
    yield from (MapLine(name="scoring:rulebook", arguments=(key,)) for key in RULESETS)
    yield from (MapLine(name="help-page", arguments=(name,)) for name in PAGES)


def _of_a_club(club: Club) -> Iterable[MapLine]:
    yield from (MapLine(name=name, arguments=(club.slug,)) for name in CLUB_PAGES)
    for (pk,) in club.seasons.order_by("pk").values_list("pk"):
        yield MapLine(name="public-season", arguments=(club.slug, pk))
    for (pk,) in club.federations.order_by("pk").values_list("pk"):
        yield MapLine(name="public-federation", arguments=(club.slug, pk))
    events = public_events().filter(club=club)
    for event in events.annotate(published_at=Max("published_standings__published_at")).order_by("pk"):
        yield from _of_an_event(event)


def _of_an_event(event: Any) -> Iterable[MapLine]:
    """Yield the event's page, and its standings once there are any to see."""
    days = [event.created_at.date()]
    days += [event.held_on] if event.state != EventState.PREPARING else []
    days += [event.published_at.date()] if event.published_at is not None else []
    page = MapLine(name="event", arguments=(event.short,), changed_on=min(max(days), timezone.now().date()))
    yield page
    if event.state != EventState.PREPARING and event.visible.standings is not Ranks.NOTHING:
        yield replace(page, name="standings")


CLUB_PAGES = ("front", "public-calendar", "public-seasons", "public-privacy")
ON_THE_MAP = {
    *("home", "clubs", "scoring:rulebooks", "scoring:rulebook", "help", "help-page", *CLUB_PAGES),
    *("public-season", "public-federation", "event", "standings"),
}
"""Names of the pages on the site map."""
FOUND_FROM_THERE = {
    "federation-calendar",
    "public-ladder",
    "charts",
    "event-rules",
    "public-log",
    "verifier",
    "help-table",
}
LISTED = FOUND_FROM_THERE | ON_THE_MAP


class SearchMiddleware(MiddlewareMixin):
    """Middleware that tells search engines not to index any page that is not listed."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        match = request.resolver_match
        if match is None or match.view_name not in LISTED or response.status_code >= 400:
            response.headers["X-Robots-Tag"] = "noindex"
        return response


if TYPE_CHECKING:
    PagesInTwoLanguages = Sitemap[MapLine]
else:
    PagesInTwoLanguages = Sitemap


class PublicPages(PagesInTwoLanguages):
    """Site map of these pages, in both languages."""

    i18n = alternates = x_default = True

    def __init__(self, lines: Iterable[MapLine]) -> None:
        self._lines = list(lines)

    def items(self) -> list[MapLine]:
        return self._lines

    def location(self, item: MapLine) -> str:
        path = reverse(item.name, args=item.arguments).removeprefix(get_script_prefix())
        return f"/{get_language()}/{path}"

    def lastmod(self, item: MapLine) -> date | None:
        return item.changed_on

    def get_urls(
        self, page: int | str = 1, site: Any = None, protocol: str | None = None
    ) -> list[dict[str, Any]]:
        urls = super().get_urls(page, site, protocol)
        for url in urls:
            for other in url["alternates"]:
                other["lang_code"] = LOCALES.get(other["lang_code"], other["lang_code"])
        return urls

    def get_protocol(self, protocol: str | None = None) -> str:
        return urlsplit(settings.ADDRESS).scheme or super().get_protocol(protocol)

    def get_domain(self, site: Any = None) -> str:
        return urlsplit(settings.ADDRESS).netloc or super().get_domain(site)


@require_safe
@for_everybody
def site_map(request: HttpRequest) -> HttpResponse:
    """Serve the site map: every page that search engines may list, in both languages.

    With several clubs it is an index of maps: one for each club, and one for pages of no club.
    """
    slug = request.GET.get("club")
    if slug:
        return _map_of(request, _of_a_club(get_object_or_404(Club, slug=slug)))
    slugs = list(Club.objects.order_by("pk").values_list("slug", flat=True))
    if slug is None and len(slugs) > 1:
        here = absolute_url(request, reverse("sitemap"))
        maps = [{"location": f"{here}?club={each}"} for each in ("", *slugs)]
        return TemplateResponse(
            request, "sitemap_index.xml", {"sitemaps": maps}, content_type="application/xml; charset=utf-8"
        )
    clubs = Club.objects.all() if slug is None else ()
    return _map_of(request, chain(_of_the_house(), *map(_of_a_club, clubs)))


def _map_of(request: HttpRequest, lines: Iterable[MapLine]) -> HttpResponse:
    return sitemap(request, {"pages": PublicPages(lines)}, content_type="application/xml; charset=utf-8")


@require_safe
@for_everybody
def robots(request: HttpRequest) -> HttpResponse:
    """Serve the addresses that crawlers need not request, and where the site map is."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in closed_paths())]
    lines += ["", f"Sitemap: {absolute_url(request, reverse('sitemap'))}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


def closed_paths() -> list[str]:
    """Return the prefixes of all addresses that are not public, as ``robots.txt`` writes them."""
    closed = {
        re.sub(r"<[^>]+>", "*", one.pattern).removesuffix("*")
        for one in addresses()
        if one.opens_to is not Audience.PUBLIC
    }
    first = sorted(path for path in closed if not any(path.startswith(other) for other in closed - {path}))
    return [f"{language}{path}" for language in ("", *(f"/{code}" for code in LOCALES)) for path in first]
