"""Crawler that opens pages as each owner of a club: those of the events, and the pages they link to.

Of events that differ only in players, times and points, it opens one.
"""

import re
from collections import Counter, deque
from collections.abc import Iterable
from functools import cache
from html import unescape
from urllib.parse import urljoin, urlsplit

from django.urls import Resolver404, resolve

from clubs.models import Account, Role
from scoring.models import Mark, Match
from tests.support.browser import Browser, Page
from tournaments.models import Event

EVENT_PAGES = ("", "/desk")
LINK = re.compile(r"""<a\s[^>]*?\bhref="([^"]*)\"""")
EVENTS_PER_KIND = 1
"""Number of linked pages opened of each kind, besides the pages of each event."""
IDENTITY_COLUMNS = {"id", "short", "name", "held_on", "terms", "lot", "key", "night", "created_at"}
"""Columns of an event that do not distinguish it from a similar event."""


class Crawler:
    """Crawler that opens given pages and their links."""

    def __init__(self) -> None:
        self.opened: dict[str, int] = {}
        self.kinds: Counter[str] = Counter()

    def crawl(self, browser: Browser, addresses: list[str]) -> None:
        """Open all these addresses, and a few linked pages of each kind."""
        ways = deque((address, True) for address in addresses)
        while ways:
            address, is_asked = ways.popleft()
            kind = find_pattern(address)
            if kind is None or address in self.opened or not (is_asked or self.kinds[kind] < EVENTS_PER_KIND):
                continue
            self.kinds[kind] += 1
            page = browser.open(address)
            self.opened[address] = page.status
            ways += ((each, False) for each in list_links(page))


@cache
def find_pattern(address: str) -> str | None:
    """Return the URL pattern of an address; None for another site, or for a page in the other language."""
    path = urlsplit(address).path
    try:
        return None if re.match("/(fr|en)/", path) else str(resolve(path).route)
    except Resolver404:
        return None


def list_links(page: Page) -> list[str]:
    """Find links with a regular expression, because parsing a page takes as long as rendering it."""
    found = dict.fromkeys(map(unescape, LINK.findall(page.html)))
    return [urljoin(page.path, each).partition("#")[0] for each in found if ":" not in each]


def list_pages(event: Event) -> list[str]:
    match = Match.objects.filter(table__round__event=event).first()
    table = [] if match is None else [f"/match/{match.pk}"]
    return [*(f"/e/{event.short}{page}" for page in EVENT_PAGES), *table]


def list_distinct_events(events: Iterable[Event]) -> list[Event]:
    """Return the first of each group of similar events."""
    return list({get_settings_key(event): event for event in reversed(list(events))}.values())[::-1]


def get_settings_key(event: Event) -> tuple[str, ...]:
    """Return the settings and rules of an event, the numbers of its related rows, and their states."""
    columns = [field for field in Event._meta.concrete_fields if field.name not in IDENTITY_COLUMNS]
    settings = [getattr(event, column.attname) for column in columns]
    rules = [event.terms.ruleset_data, event.terms.format_data, event.terms.details]
    rows = [
        relation.related_model._base_manager.filter(**{relation.field.name: event}).count()
        for relation in Event._meta.related_objects
    ]
    matches = Match.objects.filter(table__round__event=event)
    states = {
        *event.rounds.values_list("state"),
        *matches.values_list("is_over", "has_rivals", "withdrawn_as"),
        *Mark.objects.filter(match__in=matches).values_list("status"),
    }
    return (*map(str, [*settings, *rules, *rows]), *sorted(map(str, states)))


def crawl_all_owners() -> Crawler:
    """Crawl the pages of every owner of a club."""
    crawler = Crawler()
    for owner in Account.objects.filter(memberships__role=Role.OWNER).distinct():
        events = Event.objects.filter(club__memberships__account=owner).distinct()
        browser = Browser(language="en")
        browser.client.force_login(owner)
        crawler.crawl(browser, ["/", *(each for event in list_distinct_events(events) for each in list_pages(event))])
    return crawler
