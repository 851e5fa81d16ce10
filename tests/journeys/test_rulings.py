"""The ruling page on a phone answers as the server does, even offline; each rulebook prints on one sheet."""

from __future__ import annotations

import random
import re
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import expect

from rules import CANADIAN, RULESETS, TRICKS, Ruleset, get_pack
from scoring.rulings.answers import find_legal_cards, find_winner, list_trump_choices
from tests.journeys.hall import Hall, Server
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_layout import LANGUAGES, list_boxes

SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

ANSWER_SCRIPT = """async (questions) => {
  const { findWinner, listPlayableCards } = await import("/static/js/rules.js");
  const { orders } = JSON.parse(document.getElementById("terms").textContent);
  return questions.map(({ trump, trick, hand }) => (
    hand ? listPlayableCards(orders[trump], trick, hand) : findWinner(orders[trump], trick)
  ));
}"""


def get_phone_answers(phone: Phone, ruleset: str, questions: list[dict[str, Any]]) -> Any:
    """Return the phone's answers, computed with the card orders of the page."""
    phone.open(f"/rules/{ruleset}/ruling")
    return phone.page.evaluate(ANSWER_SCRIPT, questions)


def build_questions(ruleset: Ruleset, *, seed: int, count: int) -> tuple[list[dict[str, Any]], list[Any]]:
    """Build random tricks and hands, with the server's answers."""
    chance = random.Random(seed)
    questions: list[dict[str, Any]] = []
    expected: list[Any] = []
    for _ in range(count):
        choice = chance.choice(list_trump_choices(ruleset))
        cards = chance.sample(get_pack(ruleset.trump_order), ruleset.seats + TRICKS)
        trick, hand = cards[: chance.randint(1, ruleset.seats)], cards[ruleset.seats :]
        before = trick[:-1]
        questions += [{"trump": choice.key, "trick": trick}, {"trump": choice.key, "trick": before, "hand": hand}]
        place, why = find_winner(choice.order, trick)
        rule, legal = find_legal_cards(choice.order, before, hand)
        expected += [{"place": place, "by": why}, {"by": rule, "cards": list(legal)}]
    return questions, expected


def test_phone_and_server_agree_on_random_tricks(phones: Phones) -> None:
    phone = phones()
    for key, ruleset in RULESETS.items():
        questions, expected = build_questions(ruleset, seed=7, count=500)
        assert get_phone_answers(phone, key, questions) == expected, key


# The page


def find_card_key(phone: Phone, card: str) -> Any:
    return phone.page.locator(f'button[name="tap"][value="{card}"]')


def choose(phone: Phone, name: str, value: str) -> None:
    phone.tap(phone.page.locator(f'button[name="{name}"][value="{value}"]'))


def expect_answer(phone: Phone, sentence: str) -> None:
    expect(phone.page.locator("#answer")).to_have_text(sentence)


def lay_cards(phone: Phone, *cards: str) -> None:
    for card in cards:
        phone.tap(find_card_key(phone, card))
        expect(find_card_key(phone, card)).to_have_attribute("aria-pressed", "true")


def rule_on_some_tricks(phone: Phone) -> None:
    """Ask both questions, with corrections in between."""
    expect_answer(phone, "Choose trump first.")
    choose(phone, "trump", "H")
    lay_cards(phone, "AS", "9H", "JD", "KS")
    expect_answer(phone, "Card 3 (jack of diamonds) wins: the highest trump.")
    expect(phone.page.locator(".trick li.wins .assigned-suit")).to_contain_text("counts as hearts")
    phone.take_picture("who-wins")
    phone.tap(find_card_key(phone, "JD"))
    expect_answer(phone, "Card 2 (nine of hearts) wins: the only trump.")
    choose(phone, "trump", "mulot")
    expect_answer(
        phone,
        "Card 1 (ace of spades) wins: spades led, no trump, highest card.",
    )
    choose(phone, "clear", "1")
    choose(phone, "ask", "play")
    lay_cards(phone, "AS")
    choose(phone, "tray", "hand")
    lay_cards(phone, "X2", "AH")
    expect_answer(phone, "Cannot follow suit: play a Joker.")
    expect(phone.page.locator(".hand li.may")).to_contain_text("low Joker")
    expect(phone.page.locator(".hand li.may-not")).to_contain_text("ace of hearts")
    lay_cards(phone, "7S")
    expect_answer(phone, "Follow suit: spades.")
    phone.take_picture("what-may-be-played")
    choose(phone, "undo", "1")
    expect_answer(phone, "Cannot follow suit: play a Joker.")
    assert "hand=" in phone.page.url


def test_ruling_page_works_offline_once_opened(hall: Hall, phones: Phones, server: Server) -> None:
    event = hall.build_night()
    phone = phones()
    phone.open(f"/e/{event.short}/ruling")
    resource_types: list[str] = []
    phone.page.on("request", lambda request: resource_types.append(request.resource_type))
    phone.page.context.set_offline(True)
    server.stop()
    rule_on_some_tricks(phone)
    assert set(resource_types) <= {"other"}, "the browser looks for the page's icon whenever the address changes"


@pytest.mark.long
def test_question_in_the_address_survives_reload_and_translation(phones: Phones) -> None:
    phone = phones()
    phone.open("/rules/canadian/ruling")
    choose(phone, "trump", "H")
    lay_cards(phone, "AS", "JD")
    phone.page.reload()
    expect_answer(phone, "Card 2 (jack of diamonds) wins: the only trump.")
    lay_cards(phone, "JH")
    phone.link("Français").click()
    expect(phone.page.locator("html")).to_have_attribute("lang", "fr-CA")
    expect(phone.page.locator(".trick li")).to_have_count(3)
    expect(phone.page.locator(".trick li").last).to_have_class("wins")


@pytest.mark.long
def test_ruling_page_works_by_keyboard(phones: Phones) -> None:
    phone = phones()
    phone.open("/rules/canadian/ruling")
    phone.page.get_by_role("button", name="hearts", exact=True).focus()
    phone.page.keyboard.press("Space")
    for card in ("ace of spades", "seven of hearts"):
        phone.page.get_by_role("button", name=card, exact=True).focus()
        phone.page.keyboard.press("Enter")
        expect(phone.page.get_by_role("button", name=card, exact=True)).to_be_focused()
    expect_answer(phone, "Card 2 (seven of hearts) wins: the only trump.")
    expect(phone.page.get_by_role("status")).to_contain_text("seven of hearts")


TEXT_SIZES = {"usual text": 16, "text at 150 %": 24, "text at 200 %": 32}


@pytest.mark.long
def test_every_card_key_is_44_pixels_at_any_text_size(phones: Phones) -> None:
    phone = phones()
    phone.open("/rules/canadian/ruling?trump=H&ask=play&tray=hand&trick=AS-X1-KS&hand=QS-JD-10S-9S-8S-7S-AH-KH")
    deck = phone.page.locator(".deck button")
    for width, (size, text) in product((390, 320), TEXT_SIZES.items()):
        phone.resize(width, text=text)
        keys = list_boxes(deck)
        assert len(keys) == 36, (width, size)
        assert min(min(key["width"], key["height"]) for key in keys) >= 44, (width, size)
        assert phone.run_script(SIDEWAYS) == 0, (width, size)
        phone.take_picture(f"{width}-{text}")


def test_ordinary_trick_needs_no_scrolling_and_moves_no_key(phones: Phones) -> None:
    phone = phones()
    phone.open("/rules/canadian/ruling")
    expect(phone.find_button("Clear")).to_be_in_viewport(ratio=1)
    places = set()
    for pressed in ("trump H", "tap AS", "tap JD", "tap KS", "tap QS", "tap QS", "clear 1"):
        choose(phone, *pressed.split())
        box = find_card_key(phone, "7C").bounding_box()
        assert box is not None
        places.add(box["y"])
    assert len(places) == 1


# On paper


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rulebook_fits_on_one_sheet(hall: Hall, phones: Phones, language: str) -> None:
    laptop = phones(width=1_280, height=800, locale=language)
    event = hall.build_night(ruleset=CANADIAN)
    pages = {}
    for path in (*(f"/rules/{key}" for key in RULESETS), f"/e/{event.short}/rules"):
        laptop.open(path)
        for paper in ("Letter", "A4"):
            pages[path, paper] = count_sheets(laptop, paper)
    assert set(pages.values()) == {1}, pages


def count_sheets(laptop: Phone, paper: str) -> int:
    """Return how many sheets of this paper a page takes."""
    return len(re.findall(rb"/Type\s*/Page\b", laptop.page.pdf(format=paper)))
