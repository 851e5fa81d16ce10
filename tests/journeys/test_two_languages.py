"""French and English: shared links keep their language, and typed input survives a language change."""

import re

import pytest
from playwright.sync_api import expect

from clubs import first_run
from tests.builders import build_club, build_event, compute_standings, matches_of, win
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones
from tournaments.entries.services.sign_up import change_sign_up


def test_reader_stays_in_the_chosen_language(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=4)
    compute_standings(event)
    phone = phones(locale="fr-CA")
    phone.open(f"/e/{event.short}")
    expect(phone.page.locator("html")).to_have_attribute("lang", "fr-CA")
    phone.tap(phone.link("English"))
    expect(phone.page).to_have_url(re.compile(f"/en/e/{event.short}$"))
    win(matches_of(event)[0])
    compute_standings(event)
    phone.poll_for_updates()
    expect(phone.page.get_by_text("1 of 2 results")).to_be_visible()
    phone.take_picture("english")
    phone.tap(phone.link(event.club.name))
    expect(phone.page).to_have_url(re.compile(f"/en/c/{event.club.slug}$"))
    phone.tap(phone.link("Français"))
    expect(phone.page).to_have_url(re.compile(f"/fr/c/{event.club.slug}$"))
    phone.take_picture("french")


@pytest.mark.long
def test_mistyped_address_still_leads_to_the_table(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=4)
    for phone in (phones(), phones(java_script_enabled=False)):
        phone.open(f"/fr/e/{event.short}x")
        phone.take_picture("not-there")
        phone.page.get_by_label("Code de la table").fill(hall.table.removeprefix("/t/"))
        phone.tap(phone.find_button("Aller à ma table"))
        expect(phone.page).to_have_url(re.compile(f"{hall.table}$"))
        expect(phone.page.locator("html")).to_have_attribute("lang", "fr-CA")


def test_typed_input_survives_a_language_change(phones: Phones) -> None:
    for phone in (phones(locale="fr-CA"), phones(locale="fr-CA", java_script_enabled=False)):
        phone.open(f"/start/{first_run.get_first_run_secret()}")
        phone.page.get_by_label("Nom du club").fill("Les As")
        phone.page.get_by_label("Mot de passe").fill("un secret")
        phone.tap(phone.find_button("English"))
        expect(phone.page.locator("html")).to_have_attribute("lang", "en")
        if not phone.has_scripts:
            phone.page.go_back()
        expect(phone.page.get_by_label("Club name")).to_have_value("Les As")
        expect(phone.page.get_by_label("Password")).to_have_value("")


@pytest.mark.long
def test_checked_box_survives_a_language_change(hall: Hall, phones: Phones) -> None:
    event = build_event(1, club=build_club(owner=hall.owner))
    change_sign_up(event_id=event.pk, is_open=True, most_entries=None)
    phone = phones(locale="fr-CA")
    phone.open(f"/e/{event.short}/sign-up")
    phone.page.locator("#id_needs_partner").check()
    phone.tap(phone.link("English"))
    expect(phone.page.locator("html")).to_have_attribute("lang", "en")
    expect(phone.page.locator("#id_needs_partner")).to_be_checked()


@pytest.mark.long
def test_public_page_input_survives_a_language_change_only_there(phones: Phones) -> None:
    phone = phones(locale="fr-CA")
    phone.open("/")
    phone.page.locator("main [name=code]").fill("471208")
    phone.tap(phone.link("English"))
    expect(phone.page.locator("main [name=code]")).to_have_value("471208")
    phone.open("/en/")
    expect(phone.page.locator("main [name=code]")).to_have_value("")
