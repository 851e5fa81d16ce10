"""Pictures of the handbooks show the current program.

Each picture shows a screen of one fixed evening, in the handbook's language. When the screens differ from their
snapshot, ``manage.py test --renew-snapshots tests/journeys/test_handbook.py`` takes the pictures again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from clubs.models import Account
from handbook.pages import LANGUAGES, PAGES, read_source
from operations.data_dir import PROJECT
from tests.builders import compute_standings, mark, matches_of, start_next_round, win
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones, wait_until
from tests.journeys.screen_lines import list_screen_lines
from tests.support.snapshots import Snapshots, take_new_lines
from tournaments.models import Event
from tournaments.rounds.services.rounds import close_round

pytestmark = pytest.mark.usefixtures("that_evening")

PICTURES = PROJECT / "handbook" / "pictures"
LOCALES = {"fr": "fr-CA", "en": "en-CA"}
NIGHTS = {"fr": "Soirée du mardi", "en": "Tuesday night"}


def iter_screens(hall: Hall, phone: Phone, *, night: str) -> Iterator[str]:
    """Yield the name of each picture while the phone shows its screen, with standings computed."""
    event = hall.build_night(pairs=8)
    Event.objects.update(name=night)
    desk = f"/e/{event.short}/desk"
    first, second, *others = matches_of(event)
    mark(first, "A 6 7")
    mark(first, "B 7 5")
    win(second)
    compute_standings(event)
    phone.open(hall.table)
    wait_until(phone.page, lambda: phone.wait_for_updates() > 0)  # the desk shows what phones have reported
    yield "table"
    phone.tap(phone.find_contract_key("A-7"))
    yield "tricks"
    phone.sign_in(hall.owner)
    for name, address in {"desk": "", "check-in": "/entries/check-in", "publishing": "/publishing"}.items():
        phone.open(desk + address)
        yield name
    for match in (first, *others):
        win(match)
    close_round(event_id=event.pk, number=1)
    start_next_round(event)
    phone.open(f"{desk}/history")
    yield "history"
    phone.open(f"{desk}/rounds/2")
    yield "round"


@pytest.mark.parametrize("language", LANGUAGES)
def test_handbook_picture_matches_its_screen(language: str, hall: Hall, phones: Phones, snapshots: Snapshots) -> None:
    Account.objects.filter(pk=hall.owner.pk).update(language=language)
    phone = phones(locale=LOCALES[language])
    seen_lines: set[str] = set()
    lines = []
    for name in iter_screens(hall, phone, night=NIGHTS[language]):
        if snapshots.is_renewed:
            phone.page.screenshot(path=PICTURES / language / f"{name}.png")
        lines += [f"== {name}", *take_new_lines(list_screen_lines(phone.page), seen_lines)]
    snapshots.compare(f"screens/handbook-{language}.txt", lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_handbook_pictures_are_exactly_those_shown(language: str) -> None:
    shown = {name for page in PAGES for name in re.findall(r"/([\w-]+)\.png\)", read_source(page, language))}
    taken = {file.stem for file in (PICTURES / language).glob("*.png")}
    assert shown == taken
