"""Every public page is either indexed by search engines or excluded with a reason."""

from collections.abc import Iterator, Mapping

from django.urls import URLPattern, URLResolver, get_resolver

from clubs.policy import Audience, get_access
from server.search import INDEXED_PAGES

UNLISTED_PAGES: Mapping[str, frozenset[str]] = {
    "it is about a person or a pair": frozenset(
        {"own-nights", "own-page", "own-picture", "public-line", "public-pair", "public-person", "why"}
        | {"federation-line", "federation-rating"}
    ),
    "it is full of people's names": frozenset(
        {"federation-month", "federation-ratings", "public-ratings", "public-records", "public-year", "story"}
    ),
    "it is for who is there tonight": frozenset(
        {"board", "certificate", "event-round", "event-table", "numbered-board", "offline", "sign-up"}
    ),
    "it is a tool, or a step of a form": frozenset(
        {
            *("ask-alerts", "mail-alerts", "stop-alerts", "choose-own-page", "own-table", "say-attendance"),
            "request-club",
            *("type-own-letters", "event-ruling", "scoring:ruling", "set_language"),
        }
    ),
    "it lets somebody in or out": frozenset(
        {
            *("ask-link", "sign-in", "sign-in-question", "sign-in-with-code", "sign-in-with-passkey"),
            "sign-out",
        }
    ),
    "it stands in pages of others": frozenset({"club-embed", "event-embed", "season-embed", "oembed"}),
    "it is a feed, a picture, or for programs": frozenset(
        {
            *("calendar-feed", "event-agenda", "news", "club-picture", "event-picture"),
            "event-table-picture",
            "club-image",
            *("poster", "poster-picture"),
            *("log-consistency", "log-file", "log-head", "log-inclusion"),
            "feed",
            *(
                "certificate-file",
                "manifest",
                "robots",
                "service-worker",
                "sitemap",
                "source",
                "verifier-file",
            ),
            *("api", "api-reference", "api-schema"),
        }
    ),
}
"""Public pages excluded from search engines, by reason."""


def iter_public_names() -> Iterator[str]:
    """Yield the URL names of public pages; the files of a page have none."""

    def iter_names(patterns: list[URLPattern | URLResolver], space: str) -> Iterator[str]:
        for one in patterns:
            if isinstance(one, URLResolver):
                yield from iter_names(one.url_patterns, f"{one.namespace}:" if one.namespace else space)
            elif one.name and get_access(one.callback) is Audience.PUBLIC:
                yield space + one.name

    return iter_names(get_resolver().url_patterns, "")


def test_every_public_page_is_indexed_or_excluded() -> None:
    page_names = INDEXED_PAGES.union(*UNLISTED_PAGES.values())
    assert set(iter_public_names()) - page_names == set(), (
        "let search engines list it: SITEMAP_PAGES or LINKED_PAGES in server/search.py; or say here why not"
    )


def test_no_page_is_both_indexed_and_excluded() -> None:
    left_out = frozenset[str]().union(*UNLISTED_PAGES.values())
    assert left_out & INDEXED_PAGES == set()
    assert (left_out | INDEXED_PAGES) - set(iter_public_names()) == set()
