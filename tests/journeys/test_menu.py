"""The menu of a club or an event: five entries on one row of a phone, others under More."""

import pytest
from playwright.sync_api import expect

from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_layout import LANGUAGES, is_nothing_cut_off_sideways, list_boxes

SCREENS = ((390, 844), (320, 568))
ENTRIES = {
    "en": (
        ["Tonight", "Calendar", "People", "Results", "More"],
        ["Tables", "Entries", "Check-in", "Standings", "More"],
    ),
    "fr-CA": (
        ["Ce soir", "Calendrier", "Membres", "Résultats", "Plus"],
        ["Tables", "Inscrits", "Présences", "Classement", "Plus"],
    ),
}


def list_menu_entries(phone: Phone) -> list[str]:
    entries = phone.page.locator("#menu > ul > li").locator("> a, > details > summary")
    found = list_boxes(entries)
    height = (phone.page.viewport_size or {"height": 0})["height"]
    assert len({box["y"] for box in found}) == 1, "several rows"
    assert min(box["height"] for box in found) >= 48
    assert max(box["y"] + box["height"] for box in found) <= height, "below the screen"
    return [text.strip() for text in entries.all_inner_texts()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_phone_menu_is_one_row_of_five_large_items(hall: Hall, phones: Phones, language: str) -> None:
    event = hall.build_night(pairs=8)
    phone = phones(locale=language)
    hall.owner.language = language[:2]
    hall.owner.save()
    phone.sign_in(hall.owner)
    club, desk = f"/club/{event.club.slug}", f"/e/{event.short}/desk"
    for places, names in zip(
        (
            {club: 0, f"{club}/people": 2, f"{club}/seasons": 3, f"{club}/webhooks": 4},
            {desk: 0, f"{desk}/settings": 4},
        ),
        ENTRIES[language],
        strict=True,
    ):
        for path, place in places.items():
            phone.open(path)
            current = phone.page.locator("#menu > ul > li").locator("> [aria-current], > details > [aria-current]")
            expect(current).to_have_count(1)
            expect(current, path).to_have_text(names[place])
            for screen in SCREENS:
                phone.resize(*screen)
                assert list_menu_entries(phone) == names, (path, screen)
                is_nothing_cut_off_sideways(phone, (path, screen))
            phone.open_more_menu()
            for screen in reversed(SCREENS):
                phone.resize(*screen)
                entries = list_boxes(phone.page.locator("#menu .drawer li a"))
                assert all(box["height"] >= 48 for box in entries), (path, screen)
                is_nothing_cut_off_sideways(phone, (path, screen))
            assert find_violations(phone) == [], path
            phone.take_picture(f"more-{path.rpartition('/')[2]}")


def test_more_menu_opens_without_scripts_and_links_every_setting(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=4)
    phone = phones(java_script_enabled=False)
    phone.sign_in(hall.owner)
    for name in ("API keys", "Webhooks", "Laptop and public site"):
        phone.open(f"/club/{event.club.slug}")
        phone.open_more_menu()
        settings = phone.page.get_by_role("list", name="Settings")
        phone.tap(settings.get_by_role("link", name=name))
        expect(phone.page.get_by_role("heading", level=1)).to_have_text(name)
        expect(phone.page.locator("#menu summary")).to_have_attribute("aria-current", "true")


@pytest.mark.long
def test_menu_is_below_the_desk_actions_or_at_the_page_end(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=8)
    phone = phones()
    phone.sign_in(hall.owner)
    phone.open(f"/e/{event.short}/desk")
    (step,), (menu,) = list_boxes(phone.page.locator(".action-bar").last), list_boxes(phone.page.locator("#menu"))
    assert step["y"] + step["height"] <= menu["y"]
    phone.set_text_size(32)
    phone.open(f"/club/{event.club.slug}")
    phone.tap(phone.page.locator(".band").get_by_role("link", name="Menu"))
    expect(phone.page.locator("#menu a").first).to_be_in_viewport()
    phone.open_more_menu()
    is_nothing_cut_off_sideways(phone)
