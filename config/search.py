"""What search engines find: which pages they may list, which they may not ask for, and where all of them are.

A page is listed where it stands here, and nowhere else: whatever is new is out until somebody puts it in.
Nothing about one person or pair is ever in (``docs/privacy.md``).
"""

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import sitemap
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import get_script_prefix, reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from clubs.absolute_urls import whole
from clubs.access import for_everybody
from clubs.models import Club
from clubs.policy import Audience
from operations.roles_page import addresses
from rules import RULESETS
from tournaments.models import Season
from tournaments.publishing.queries import public_events

from .languages import LOCALES

Arguments = tuple[str | int, ...]


def _clubs() -> Iterable[Arguments]:
    return Club.objects.order_by("pk").values_list("slug")


def _seasons() -> Iterable[Arguments]:
    return Season.objects.order_by("pk").values_list("club__slug", "pk")


def _events() -> Iterable[Arguments]:
    return public_events().order_by("pk").values_list("short")


ON_THE_MAP: list[tuple[tuple[str, ...], Callable[[], Iterable[Arguments]]]] = [
    (("home", "clubs", "scoring:rulebooks"), lambda: [()]),
    (("scoring:rulebook",), lambda: ((key,) for key in RULESETS)),
    (("front", "public-calendar", "public-seasons", "public-privacy"), _clubs),
    (("public-season",), _seasons),
    (("event",), _events),
]
"""Pages by their names, and what stands in their addresses."""
FOUND_FROM_THERE = {"public-ladder", "standings", "charts", "event-rules"}
LISTED = FOUND_FROM_THERE.union(*(names for names, _ in ON_THE_MAP))


class SearchMiddleware(MiddlewareMixin):
    """Search engines are told of every other answer to keep none of it."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        match = request.resolver_match
        if match is None or match.view_name not in LISTED or response.status_code >= 400:
            response.headers["X-Robots-Tag"] = "noindex"
        return response


if TYPE_CHECKING:
    PagesInTwoLanguages = Sitemap[tuple[str, Arguments]]
else:
    PagesInTwoLanguages = Sitemap


class PublicPages(PagesInTwoLanguages):
    """Every page that may be listed, in both languages."""

    i18n = alternates = x_default = True

    def items(self) -> list[tuple[str, Arguments]]:
        return [(name, found) for names, all_of in ON_THE_MAP for found in all_of() for name in names]

    def location(self, item: tuple[str, Arguments]) -> str:
        name, arguments = item
        path = reverse(name, args=arguments).removeprefix(get_script_prefix())
        return f"/{get_language()}/{path}"

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
    """Every page that search engines may list, in both languages."""
    return sitemap(request, {"pages": PublicPages})


@require_safe
@for_everybody
def robots(request: HttpRequest) -> HttpResponse:
    """What programs that look around need not ask for, and where the map is."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in closed_paths())]
    lines += ["", f"Sitemap: {whole(request, reverse('sitemap'))}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


def closed_paths() -> list[str]:
    """The beginnings of all addresses that are not public, as ``robots.txt`` writes them."""
    closed = {
        re.sub(r"<[^>]+>", "*", one.pattern).removesuffix("*")
        for one in addresses()
        if one.opens_to is not Audience.PUBLIC
    }
    first = sorted(path for path in closed if not any(path.startswith(other) for other in closed - {path}))
    return [f"{language}{path}" for language in ("", *(f"/{code}" for code in LOCALES)) for path in first]
