"""The outlines of the main screens in French: what of them is changed by mistake is seen line by line.

``outlines/`` holds them as text; ``manage.py test --renew-outlines tests/journeys/test_outlines.py`` writes
them anew, and version control shows what that changed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from clubs.models import Account
from tests.every_page.test_every_page import SHOWN, a_night
from tests.journeys.hall import Server
from tests.journeys.outlines import outline_of
from tests.journeys.phone import Phones
from tests.support.kept_texts import RENEW, KeptTexts

pytestmark = pytest.mark.usefixtures("that_evening")

FOLDER = Path(__file__).parent / "outlines"
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
"""Each by the name of its file, and the kind of its address. A table's come last: a phone that has opened one
says what it has at some moment, and the desk says so too."""


def test_of_the_main_screens_are_as_they_are_kept(
    server: Server, phones: Phones, request: pytest.FixtureRequest
) -> None:
    kept = KeptTexts(FOLDER, is_renewed=request.config.getoption(RENEW))
    hall, phone = a_night("playing"), phones(locale="fr-CA")
    Account.objects.filter(pk=hall.owner.pk).update(language="fr")
    phone.sign_in(hall.owner)
    differences = []
    for name, kind in SCREENS.items():
        phone.open(SHOWN[kind](hall))
        differences.append(kept.difference(f"{name}.yml", outline_of(phone.page)))
    assert not any(differences), "\n".join(filter(None, differences))


def test_of_no_screen_one_is_left_over() -> None:
    assert {file.stem for file in FOLDER.glob("*.yml")} == set(SCREENS)
