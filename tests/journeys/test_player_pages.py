"""A player's own page on a phone: two taps from the table, and it updates itself."""

import re

import pytest
from playwright.sync_api import expect

from clubs.models import Person
from tests.builders import compute_standings, matches_of, start_next_round, win
from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_layout import is_nothing_cut_off_sideways
from tournaments.rounds.services.rounds import close_round


def test_player_page_is_two_taps_from_the_table_and_updates_itself(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=7)
    phone = phones(locale="fr-CA")
    phone.open(hall.table)
    phone.open(f"{hall.table}#more")
    phone.tap(phone.link("^Ma page$"))
    first = hall.match.players.get(seat=0).person.name
    phone.tap(phone.find_button(f"^{first}$"))
    now = phone.page.locator("[aria-labelledby=now]")
    expect(now).to_contain_text("Ronde 1")
    expect(now.locator(".tile")).to_have_text(re.compile("Table 1"))
    assert phone.taps == 2
    phone.take_picture("own-page")
    for match in matches_of(event):
        win(match)
    close_round(event_id=event.pk, number=1)
    compute_standings(event)
    phone.poll_for_updates()
    expect(now).to_contain_text("Votre table de la ronde 2 paraîtra ici.")
    expect(now.locator(".rank-total")).to_contain_text("sur 7")
    start_next_round(event)
    phone.poll_for_updates()
    expect(now).to_contain_text("Ronde 2")
    with phone.page.expect_download() as saved:
        phone.tap(phone.link("Envoyer mon résultat"))
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")


SHARE_SCRIPT = """
Object.defineProperty(navigator, "canShare", { value: ({ files }) => files.length === 1 });
Object.defineProperty(navigator, "share", { value: async ({ files: [file], title }) => {
  document.body.dataset.shared = [file.name, file.type, title, file.size > 1000].join(" | ");
} });
"""
"""Simulates file sharing, which browsers of phones have over HTTPS and the browser of these tests lacks."""


@pytest.mark.long
def test_phone_with_a_share_sheet_shares_the_result_picture(hall: Hall, phones: Phones) -> None:
    event = hall.build_night()
    phone = phones()
    phone.page.add_init_script(SHARE_SCRIPT)
    phone.open(f"/e/{event.short}/mine?who={hall.match.players.get(seat=0).person.name.split()[0]}")
    phone.tap(phone.page.locator("button[name=person]").first)
    phone.tap(phone.link("Send my result"))
    expected_share = f"{event.short}.png | image/png | {event.name} | true"
    expect(phone.page.locator("body")).to_have_attribute("data-shared", expected_share)


@pytest.mark.long
def test_player_page_is_accessible_and_fits_every_phone(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=7)
    long = Person.objects.get(name="Marie-Paule Saint-Pierre-Desrosiers")
    Person.objects.update(shows_full_name=True)
    for match in matches_of(event):
        win(match)
    compute_standings(event)
    phone = phones(locale="fr-CA")
    phone.open(f"/e/{event.short}/mine?who=marie-paule")
    is_whole_on_every_phone(phone, "names")
    phone.tap(phone.find_button(long.name))
    expect(phone.page.locator("h1")).to_have_text(long.name)
    is_whole_on_every_phone(phone, "own-page")


def is_whole_on_every_phone(phone: Phone, page: str) -> None:
    """Check the layout on each size of phone, and run axe on the last one."""
    for screen in ((360, 640), (390, 844, 32), (390, 844)):
        phone.resize(*screen)
        phone.take_picture(page)
        is_nothing_cut_off_sideways(phone, (page, screen))
    assert find_violations(phone) == []
