"""Data of each older version: every page opens, the standings are what they were, the logs prove it."""

import re
from collections import Counter, deque
from urllib.parse import urljoin, urlsplit

from django.core.management import call_command
from django.urls import Resolver404, resolve

from clubs.models import Account, Role
from scoring.models import Match
from tests.pages.browser import Browser, Page
from tests.upgrades.conftest import Older
from tournaments.models import Event, Standings
from tournaments.selectors import known_of, standings_now

OF_EACH_EVENT = ("", "/rules", "/standings", "/desk", "/desk/history")
OF_EACH_MATCH = ("", "/hands", "/rules")
ALIKE = 2
"""So many pages are opened of each kind, beyond those of each event."""


class Walker:
    """Opens pages, and whatever they lead to."""

    def __init__(self) -> None:
        self.opened: dict[str, int] = {}
        self.kinds: Counter[str] = Counter()

    def walk(self, browser: Browser, addresses: list[str]) -> None:
        """All of these addresses, and a few of each kind that they lead to."""
        ways = deque((address, True) for address in addresses)
        while ways:
            address, is_asked = ways.popleft()
            kind = kind_of(address)
            if kind is None or address in self.opened or (self.kinds[kind] >= ALIKE and not is_asked):
                continue
            self.kinds[kind] += 1
            page = browser.open(address)
            self.opened[address] = page.status
            ways += ((each, False) for each in links_of(page))


def kind_of(address: str) -> str | None:
    """The pattern of the address; None for one elsewhere, or of the same page in the other language."""
    path = urlsplit(address).path
    try:
        return None if re.match("/(fr|en)/", path) else str(resolve(path).route)
    except Resolver404:
        return None


def links_of(page: Page) -> list[str]:
    found = [
        urljoin(page.path, one.attrs["href"]).partition("#")[0]
        for one in page.every("a")
        if "href" in one.attrs
    ]
    return [each for each in found if each.startswith("/") and not each.startswith("//")]


def test_every_page_opens(older: Older) -> None:
    walker = Walker()
    for owner in Account.objects.filter(memberships__role=Role.OWNER).distinct():
        events = Event.objects.filter(club__memberships__account=owner).distinct()
        addresses = [f"/e/{event.short}{page}" for event in events for page in OF_EACH_EVENT]
        for event in events:
            match = Match.objects.filter(table__round__event=event).first()
            if match is not None:
                addresses += [f"/match/{match.pk}{page}" for page in OF_EACH_MATCH]
        walker.walk(Browser(language="en", account=owner), ["/", *addresses])
    assert {address: status for address, status in walker.opened.items() if status != 200} == {}
    assert len(walker.kinds) > 60


def test_standings_are_what_they_were(older: Older) -> None:
    before = older.stored_json("SELECT event_id, rows FROM tournaments_standings")
    assert before
    for event_id, rows in before.items():
        event = Event.objects.get(pk=event_id)
        now = standings_now(event, known_of(event))["rows"]
        assert [{name: row[name] for name in was} for was, row in zip(rows, now, strict=True)] == rows
        assert Standings.objects.get(event=event).rows == rows


def test_all_that_is_kept_beside_a_log_says_what_the_log_says(older: Older) -> None:
    call_command("rebuild_matches")


def test_what_was_done_before_is_told_and_undone(older: Older) -> None:
    pass
