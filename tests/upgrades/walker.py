"""Opens the pages of an installation as its owners do: those of its events, and what they lead to.

Of events that differ in nothing but who played when, and how many points they made, one is opened.
"""

import re
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable
from functools import cache
from html import unescape
from urllib.parse import urljoin, urlsplit

from django.urls import Resolver404, resolve

from clubs.models import Account, Role
from scoring.models import Mark, Match
from tests.support.browser import Browser, Page
from tournaments.models import Event

OF_EACH_EVENT = ("", "/desk")
LINK = re.compile(r"""<a\s[^>]*?\bhref="([^"]*)\"""")
ALIKE = 1
"""So many pages are opened of each kind, beyond those of each event."""
TOLD_OTHERWISE = {
    "e/<slug:short>",
    "e/<slug:short>/desk/history",
    "e/<slug:short>/desk/history/<int:action_id>",
    "e/<slug:short>/desk/rounds/<int:number>",
    "e/<slug:short>/desk/rounds/<int:number>/comparison",
    "e/<slug:short>/standings",
    "e/<slug:short>/standings/<int:entry>",
    "match/<int:match_id>",
    "club/<slug:slug>",
    "club/<slug:slug>/history",
    "club/<slug:slug>/usual",
}
"""Kinds of pages that show what some version between those that are ``WALKED`` stored in a form of its own
(the price of a draw, what was done, usual nights, what standings are made of), and what leads to them."""
WHO_AND_WHEN = {"id", "short", "name", "held_on", "terms", "lot", "key", "night", "created_at"}
"""Of an event's columns, those by which it may differ from another and yet be like it."""


class Walker:
    """Opens pages, and whatever they lead to, if it is of these kinds."""

    def __init__(self, only: Collection[str] = ()) -> None:
        self.only = only
        self.opened: dict[str, int] = {}
        self.kinds: Counter[str] = Counter()

    def walk(self, browser: Browser, addresses: list[str]) -> None:
        """All of these addresses, and a few of each kind that they lead to."""
        ways = deque((address, True) for address in addresses)
        while ways:
            address, is_asked = ways.popleft()
            kind = kind_of(address)
            if kind is None or address in self.opened or not (is_asked or self.is_wanted(kind)):
                continue
            self.kinds[kind] += 1
            page = browser.open(address)
            self.opened[address] = page.status
            ways += ((each, False) for each in links_of(page))

    def is_wanted(self, kind: str) -> bool:
        return self.kinds[kind] < ALIKE and (not self.only or kind in self.only)


@cache
def kind_of(address: str) -> str | None:
    """The pattern of the address; None for one elsewhere, or of the same page in the other language."""
    path = urlsplit(address).path
    try:
        return None if re.match("/(fr|en)/", path) else str(resolve(path).route)
    except Resolver404:
        return None


def links_of(page: Page) -> list[str]:
    """Not by reading the page as a whole, which takes as long as making it."""
    found = dict.fromkeys(map(unescape, LINK.findall(page.html)))
    return [urljoin(page.path, each).partition("#")[0] for each in found if ":" not in each]


def pages_of(event: Event) -> list[str]:
    match = Match.objects.filter(table__round__event=event).first()
    table = [] if match is None else [f"/match/{match.pk}"]
    return [*(f"/e/{event.short}{page}" for page in OF_EACH_EVENT), *table]


def unlike(events: Iterable[Event]) -> list[Event]:
    """The first of each that are alike."""
    return list({look_of(event): event for event in reversed(list(events))}.values())[::-1]


def look_of(event: Event) -> tuple[str, ...]:
    """Its settings and rules, how much there is of all that belongs to it, and the states of that."""
    columns = [field for field in Event._meta.concrete_fields if field.name not in WHO_AND_WHEN]
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


def pages_of_everybody() -> Walker:
    """The walk of every owner of a club."""
    return walk_of_everybody(Walker(), pages_of)


def pages_told_otherwise() -> Walker:
    """The desk and the file of each of their events, and a page of each kind that is ``TOLD_OTHERWISE``."""
    return walk_of_everybody(
        Walker(TOLD_OTHERWISE), lambda event: [f"/e/{event.short}/desk{page}" for page in ("", "/file")]
    )


def walk_of_everybody(walker: Walker, pages: Callable[[Event], list[str]]) -> Walker:
    for owner in Account.objects.filter(memberships__role=Role.OWNER).distinct():
        events = Event.objects.filter(club__memberships__account=owner).distinct()
        browser = Browser(language="en")
        browser.client.force_login(owner)
        walker.walk(browser, ["/", *(each for event in unlike(events) for each in pages(event))])
    return walker
