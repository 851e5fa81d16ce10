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

from clubs.absolute_urls import build_absolute_url
from clubs.models import Club
from clubs.pages import public_page
from clubs.policy import Audience
from engine.visibility import Ranks
from handbook.pages import PAGES
from rules import RULESETS
from server.addresses import list_addresses
from tournaments.events.queries import get_public_events
from tournaments.lifecycle import EventState

from .languages import LOCALES

Arguments = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapPage:
    """A page of the site map by its name and the values in its address.

    ``changed_on`` is the last day on which it got something new and public, if known.
    """

    name: str
    arguments: Arguments = ()
    changed_on: date | None = None


def _list_site_pages() -> Iterable[SitemapPage]:
    yield from (SitemapPage(name=name) for name in ("home", "clubs", "scoring:rulebooks", "help"))
    yield from (SitemapPage(name="scoring:rulebook", arguments=(key,)) for key in RULESETS)
    yield from (SitemapPage(name="help-page", arguments=(name,)) for name in PAGES)


def _list_club_pages(club: Club) -> Iterable[SitemapPage]:
    yield from (SitemapPage(name=name, arguments=(club.slug,)) for name in CLUB_PAGES)
    for (pk,) in club.seasons.order_by("pk").values_list("pk"):
        yield SitemapPage(name="public-season", arguments=(club.slug, pk))
    for (pk,) in club.federations.order_by("pk").values_list("pk"):
        yield SitemapPage(name="public-federation", arguments=(club.slug, pk))
    events = get_public_events().filter(club=club)
    for event in events.annotate(published_at=Max("published_standings__published_at")).order_by("pk"):
        yield from _list_event_pages(event)


def _list_event_pages(event: Any) -> Iterable[SitemapPage]:
    """Yield the event's page, and its standings once there are any to see."""
    days = [event.created_at.date()]
    days += [event.held_on] if event.state != EventState.PREPARING else []
    days += [event.published_at.date()] if event.published_at is not None else []
    page = SitemapPage(name="event", arguments=(event.short,), changed_on=min(max(days), timezone.now().date()))
    yield page
    if event.state != EventState.PREPARING and event.visible.standings is not Ranks.NOTHING:
        yield replace(page, name="standings")


CLUB_PAGES = ("front", "public-calendar", "public-seasons", "public-privacy")
SITEMAP_PAGES = {
    *("home", "clubs", "scoring:rulebooks", "scoring:rulebook", "help", "help-page", *CLUB_PAGES),
    *("public-season", "public-federation", "event", "standings"),
}
"""Names of the pages on the site map."""
LINKED_PAGES = {
    "federation-calendar",
    "public-ladder",
    "charts",
    "event-rules",
    "public-log",
    "verifier",
    "help-table",
}
INDEXED_PAGES = LINKED_PAGES | SITEMAP_PAGES


class SearchMiddleware(MiddlewareMixin):
    """Middleware that tells search engines not to index any page that is not listed."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        match = request.resolver_match
        if match is None or match.view_name not in INDEXED_PAGES or response.status_code >= 400:
            response.headers["X-Robots-Tag"] = "noindex"
        return response


if TYPE_CHECKING:
    PagesInTwoLanguages = Sitemap[SitemapPage]
else:
    PagesInTwoLanguages = Sitemap


class PublicPages(PagesInTwoLanguages):
    """Site map of these pages, in both languages."""

    i18n = alternates = x_default = True

    def __init__(self, pages: Iterable[SitemapPage]) -> None:
        self._pages = list(pages)

    def items(self) -> list[SitemapPage]:
        return self._pages

    def location(self, item: SitemapPage) -> str:
        path = reverse(item.name, args=item.arguments).removeprefix(get_script_prefix())
        return f"/{get_language()}/{path}"

    def lastmod(self, item: SitemapPage) -> date | None:
        return item.changed_on

    def get_urls(self, page: int | str = 1, site: Any = None, protocol: str | None = None) -> list[dict[str, Any]]:
        urls = super().get_urls(page, site, protocol)
        for url in urls:
            for alternate in url["alternates"]:
                alternate["lang_code"] = LOCALES.get(alternate["lang_code"], alternate["lang_code"])
        return urls

    def get_protocol(self, protocol: str | None = None) -> str:
        return urlsplit(settings.ADDRESS).scheme or super().get_protocol(protocol)

    def get_domain(self, site: Any = None) -> str:
        return urlsplit(settings.ADDRESS).netloc or super().get_domain(site)


@require_safe
@public_page
def show_sitemap(request: HttpRequest) -> HttpResponse:
    """Serve the site map: every page that search engines may list, in both languages.

    With several clubs it is an index of maps: one for each club, and one for pages of no club.
    """
    slug = request.GET.get("club")
    if slug:
        return _render_sitemap(request, _list_club_pages(get_object_or_404(Club, slug=slug)))
    slugs = list(Club.objects.order_by("pk").values_list("slug", flat=True))
    if slug is None and len(slugs) > 1:
        sitemap_url = build_absolute_url(request, reverse("sitemap"))
        maps = [{"location": f"{sitemap_url}?club={club_slug}"} for club_slug in ("", *slugs)]
        return TemplateResponse(
            request, "sitemap_index.xml", {"sitemaps": maps}, content_type="application/xml; charset=utf-8"
        )
    clubs = Club.objects.all() if slug is None else ()
    return _render_sitemap(request, chain(_list_site_pages(), *map(_list_club_pages, clubs)))


def _render_sitemap(request: HttpRequest, pages: Iterable[SitemapPage]) -> HttpResponse:
    return sitemap(request, {"pages": PublicPages(pages)}, content_type="application/xml; charset=utf-8")


@require_safe
@public_page
def show_robots(request: HttpRequest) -> HttpResponse:
    """Serve the addresses that crawlers need not request, and where the site map is."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in list_closed_paths())]
    lines += ["", f"Sitemap: {build_absolute_url(request, reverse('sitemap'))}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


def list_closed_paths() -> list[str]:
    """Return the prefixes of all addresses that are not public, as ``robots.txt`` lists them."""
    patterns = {
        re.sub(r"<[^>]+>", "*", address.pattern).removesuffix("*")
        for address in list_addresses()
        if address.access is not Audience.PUBLIC
    }
    shortest = sorted(path for path in patterns if not any(path.startswith(other) for other in patterns - {path}))
    return [f"{language}{path}" for language in ("", *(f"/{code}" for code in LOCALES)) for path in shortest]
