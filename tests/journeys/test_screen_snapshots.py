"""Snapshot of the main screens in French, as a screen reader presents them; each lists only new lines."""

from __future__ import annotations

import pytest

from clubs.models import Account
from tests.every_page.test_every_page import PATHS_BY_PATTERN, build_night
from tests.journeys.hall import Server
from tests.journeys.phone import Phones
from tests.journeys.screen_lines import list_screen_lines
from tests.support.snapshots import Snapshots, take_new_lines

pytestmark = pytest.mark.usefixtures("that_evening")

SCREENS = {
    "home": "/",
    "event": "/e/<slug:short>",
    "event-round": "/e/<slug:short>/rounds/<int:number>",
    "event-table": "/e/<slug:short>/rounds/<int:number>/tables/<int:table_number>",
    "event-standings": "/e/<slug:short>/standings",
    "event-rank": "/e/<slug:short>/standings/<int:entry>",
    "event-board": "/e/<slug:short>/board",
    "desk": "/e/<slug:short>/desk",
    "desk-entries": "/e/<slug:short>/desk/entries",
    "desk-entry": "/e/<slug:short>/desk/entries/<int:number>",
    "desk-check-in": "/e/<slug:short>/desk/entries/check-in",
    "desk-fees": "/e/<slug:short>/desk/fees",
    "desk-history": "/e/<slug:short>/desk/history",
    "desk-print": "/e/<slug:short>/desk/print",
    "desk-publishing": "/e/<slug:short>/desk/publishing",
    "desk-settings": "/e/<slug:short>/desk/settings",
    "desk-table": "/e/<slug:short>/desk/rounds/<int:number>/tables/<int:table_number>",
    "club": "/club/<slug:slug>",
    "club-new-night": "/club/<slug:slug>/new",
    "club-new-tournament": "/club/<slug:slug>/tournament",
    "club-people": "/club/<slug:slug>/people",
    "club-front": "/c/<slug:slug>",
    "rules": "/rules/<slug:key>",
    "table": "/t/<code:code>",
    "table-hands": "/t/<code:code>/hands",
}
"""URL patterns of the screens. Tables come last, because a phone that has opened one reports the hands that it has,
which the desk then shows.
"""


def test_main_screens_match_their_snapshot(server: Server, phones: Phones, snapshots: Snapshots) -> None:
    hall, phone = build_night("playing"), phones(locale="fr-CA")
    Account.objects.filter(pk=hall.owner.pk).update(language="fr")
    phone.sign_in(hall.owner)
    seen_lines: set[str] = set()
    lines = []
    for name, kind in SCREENS.items():
        phone.open(PATHS_BY_PATTERN[kind](hall))
        lines += [f"== {name}", *take_new_lines(list_screen_lines(phone.page), seen_lines)]
    snapshots.compare("screens/main.txt", lines)
