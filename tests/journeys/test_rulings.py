"""The ruling page on a phone: the same answers as the server's, at once, and without a network; and the rules
on one sheet of paper."""

from __future__ import annotations

import random
import re
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import expect

from rules import CANADIAN, RULESETS, TRICKS, Ruleset, pack_of
from scoring.rulings import may_play, trump_choices, winner
from tests.journeys.hall import Hall, Server
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_layout import LANGUAGES, boxes

SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

ANSWERED = """async (questions) => {
  const { winner, mayPlay } = await import("/static/js/rules.js");
  const { orders } = JSON.parse(document.getElementById("terms").textContent);
  return questions.map(({ trump, trick, hand }) => (
    hand ? mayPlay(orders[trump], trick, hand) : winner(orders[trump], trick)
  ));
}"""


def answered(phone: Phone, ruleset: str, questions: list[dict[str, Any]]) -> Any:
    """Return what the phone says, by the orders of the cards that the page gives it."""
    phone.open(f"/rules/{ruleset}/ruling")
    return phone.page.evaluate(ANSWERED, questions)


def questions_for(ruleset: Ruleset, *, seed: int, count: int) -> tuple[list[dict[str, Any]], list[Any]]:
    """Random tricks and hands, and what the server says of them."""
    chance = random.Random(seed)
    asked: list[dict[str, Any]] = []
    expected: list[Any] = []
    for _ in range(count):
        choice = chance.choice(trump_choices(ruleset))
        cards = chance.sample(pack_of(ruleset.trump_order), ruleset.seats + TRICKS)
        trick, hand = cards[: chance.randint(1, ruleset.seats)], cards[ruleset.seats :]
        before = trick[:-1]
        asked += [{"trump": choice.key, "trick": trick}, {"trump": choice.key, "trick": before, "hand": hand}]
        place, why = winner(choice.order, trick)
        rule, legal = may_play(choice.order, before, hand)
        expected += [{"place": place, "by": why}, {"by": rule, "cards": list(legal)}]
    return asked, expected


def test_the_phone_and_the_server_agree_on_any_trick(phones: Phones) -> None:
    phone = phones()
    for key, ruleset in RULESETS.items():
        asked, expected = questions_for(ruleset, seed=7, count=500)
        assert answered(phone, key, asked) == expected, key


# The page


def key_of(phone: Phone, card: str) -> Any:
    return phone.page.locator(f'button[name="tap"][value="{card}"]')


def choose(phone: Phone, name: str, value: str) -> None:
    phone.tap(phone.page.locator(f'button[name="{name}"][value="{value}"]'))


def says(phone: Phone, sentence: str) -> None:
    expect(phone.page.locator("#answer")).to_have_text(sentence)


def lays(phone: Phone, *cards: str) -> None:
    for card in cards:
        phone.tap(key_of(phone, card))
        expect(key_of(phone, card)).to_have_attribute("aria-pressed", "true")


def rule_on_some_tricks(phone: Phone) -> None:
    """Both questions, with corrections in between."""
    says(phone, "Choose trump first.")
    choose(phone, "trump", "H")
    lays(phone, "AS", "9H", "JD", "KS")
    says(phone, "Card 3 (jack of diamonds) wins: the highest trump.")
    expect(phone.page.locator(".trick li.wins .counts-as")).to_contain_text("counts as hearts")
    phone.picture("who-wins")
    phone.tap(key_of(phone, "JD"))
    says(phone, "Card 2 (nine of hearts) wins: the only trump.")
    choose(phone, "trump", "mulot")
    says(
        phone,
        "Card 1 (ace of spades) wins: spades led, no trump, highest card.",
    )
    choose(phone, "clear", "1")
    choose(phone, "ask", "play")
    lays(phone, "AS")
    choose(phone, "tray", "hand")
    lays(phone, "X2", "AH")
    says(phone, "Cannot follow suit: play a Joker.")
    expect(phone.page.locator(".hand li.may")).to_contain_text("low Joker")
    expect(phone.page.locator(".hand li.may-not")).to_contain_text("ace of hearts")
    lays(phone, "7S")
    says(phone, "Follow suit: spades.")
    phone.picture("what-may-be-played")
    choose(phone, "undo", "1")
    says(phone, "Cannot follow suit: play a Joker.")
    assert "hand=" in phone.page.url


def test_once_opened_the_page_rules_without_a_network(hall: Hall, phones: Phones, server: Server) -> None:
    event = hall.a_night()
    phone = phones()
    phone.open(f"/e/{event.short}/ruling")
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.resource_type))
    phone.page.context.set_offline(True)
    server.stop()
    rule_on_some_tricks(phone)
    assert set(asked) <= {"other"}, "the browser looks for the page's icon whenever the address changes"


def test_what_was_asked_stands_in_the_address_to_be_reloaded_or_read_in_french(phones: Phones) -> None:
    phone = phones()
    phone.open("/rules/canadian/ruling")
    choose(phone, "trump", "H")
    lays(phone, "AS", "JD")
    phone.page.reload()
    says(phone, "Card 2 (jack of diamonds) wins: the only trump.")
    lays(phone, "JH")
    phone.link("Français").click()
    expect(phone.page.locator("html")).to_have_attribute("lang", "fr-CA")
    expect(phone.page.locator(".trick li")).to_have_count(3)
    expect(phone.page.locator(".trick li").last).to_have_class("wins")


def test_the_page_is_worked_by_keyboard(phones: Phones) -> None:
    phone = phones()
    phone.open("/rules/canadian/ruling")
    phone.page.get_by_role("button", name="hearts", exact=True).focus()
    phone.page.keyboard.press("Space")
    for card in ("ace of spades", "seven of hearts"):
        phone.page.get_by_role("button", name=card, exact=True).focus()
        phone.page.keyboard.press("Enter")
        expect(phone.page.get_by_role("button", name=card, exact=True)).to_be_focused()
    says(phone, "Card 2 (seven of hearts) wins: the only trump.")
    expect(phone.page.get_by_role("status")).to_contain_text("seven of hearts")


TEXT_SIZES = {"usual text": 16, "text at 150 %": 24, "text at 200 %": 32}


def test_every_card_is_a_key_of_44_pixels_at_any_size_of_text(phones: Phones) -> None:
    phone = phones()
    phone.open(
        "/rules/canadian/ruling?trump=H&ask=play&tray=hand&trick=AS-X1-KS&hand=QS-JD-10S-9S-8S-7S-AH-KH"
    )
    deck = phone.page.locator(".deck button")
    for width, (size, text) in product((390, 320), TEXT_SIZES.items()):
        phone.resize(width, text=text)
        keys = boxes(deck)
        assert len(keys) == 36, (width, size)
        assert min(min(key["width"], key["height"]) for key in keys) >= 44, (width, size)
        assert phone.runs(SIDEWAYS) == 0, (width, size)
        phone.picture(f"{width}-{text}")


def test_an_ordinary_trick_needs_no_scrolling_and_no_key_moves_when_its_answer_comes(phones: Phones) -> None:
    phone = phones()
    phone.open("/rules/canadian/ruling")
    expect(phone.button("Clear")).to_be_in_viewport(ratio=1)
    places = set()
    for pressed in ("trump H", "tap AS", "tap JD", "tap KS", "tap QS", "tap QS", "clear 1"):
        choose(phone, *pressed.split())
        box = key_of(phone, "7C").bounding_box()
        assert box is not None
        places.add(box["y"])
    assert len(places) == 1


# On paper


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rulebook_is_one_sheet_of_paper(hall: Hall, phones: Phones, language: str) -> None:
    laptop = phones(width=1_280, height=800, locale=language)
    event = hall.a_night(ruleset=CANADIAN)
    pages = {}
    for path in (*(f"/rules/{key}" for key in RULESETS), f"/e/{event.short}/rules"):
        laptop.open(path)
        for paper in ("Letter", "A4"):
            pages[path, paper] = sheets(laptop, paper)
    assert set(pages.values()) == {1}, pages


def sheets(laptop: Phone, paper: str) -> int:
    """Return how many sheets of this paper a page takes."""
    return len(re.findall(rb"/Type\s*/Page\b", laptop.page.pdf(format=paper)))
