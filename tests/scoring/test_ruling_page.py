"""Ruling page: a form of plain buttons; the address holds the question, the page shows the answer.

``tests/vectors/rulings.json`` holds rulings worked out by hand from the rules, for the server and the phone.
A case of ``winners`` gives the ruleset by key, the trump (a suit, or the first contract that is played so)
and the cards in the order of play. It expects the winner's ``place``, from 0, and the reason in ``by``.
A case of ``plays`` gives the trick so far and a hand. It expects the ``legal`` cards and the rule in ``by``.
"""

import json
import random
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from rules import RULESETS, TRICKS, Card, apply_house_rules, get_pack
from scoring.rulings.answers import PlayRule, WinReason, find_legal_cards, find_winner, list_trump_choices
from tests.builders import build_event
from tests.every_page.test_hostile_values import NASTY
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.support.markup import Element, list_form_fields

pytestmark = pytest.mark.django_db

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parent.parent / "vectors" / "rulings.json").read_text(encoding="utf-8")
)


def parametrize_cases(kind: str) -> pytest.MarkDecorator:
    named = [pytest.param(case, id=f"{case['ruleset']} {case['trump']}: {case['name']}") for case in VECTORS[kind]]
    return pytest.mark.parametrize("case", named)


def order_of(case: dict[str, Any]) -> Any:
    (choice,) = [one for one in list_trump_choices(RULESETS[case["ruleset"]]) if one.key == case["trump"]]
    return choice.order


@parametrize_cases("winners")
def test_trick_winners_match_the_vectors(case: dict[str, Any]) -> None:
    assert find_winner(order_of(case), case["trick"]) == (case["place"], case["by"])


@parametrize_cases("plays")
def test_legal_cards_match_the_vectors(case: dict[str, Any]) -> None:
    assert find_legal_cards(order_of(case), case["trick"], case["hand"]) == (case["by"], tuple(case["legal"]))


def test_vectors_cover_every_reason_rule_and_ruleset() -> None:
    assert {case["by"] for case in VECTORS["winners"]} == set(WinReason)
    assert {case["by"] for case in VECTORS["plays"]} == set(PlayRule)
    assert {case["ruleset"] for kind in VECTORS.values() for case in kind} == set(RULESETS)


def test_phone_card_order_matches_the_rules() -> None:
    for ruleset in RULESETS.values():
        for choice in list_trump_choices(ruleset):
            suits = choice.plain()["suits"]
            assert {card: suit for suit, cards in suits.items() for card in cards} == choice.order.suits
            for cards in suits.values():
                strengths = [choice.order.strengths[card] for card in cards]
                assert strengths == sorted(strengths, reverse=True)


# The page


def ask_ruling(path: str = "/rules/canadian/ruling", **query: str) -> Page:
    return Browser().open(f"{path}?{urlencode(query)}")


def press(page: Page, name: str, value: str) -> Page:
    """Press a button of the form like a browser without scripts: the button's value is sent last."""
    form = page.find_one("form", id="ruling")
    assert form.attrs["method"] == "get"
    fields = [*list_form_fields(page.document, form), (name, form.find_one("button", name=name, value=value).value)]
    return Browser().open(f"{page.path}?{urlencode(fields)}")


def answer(page: Page) -> str:
    return page.find_one(id="answer").text


def list_tray_items(page: Page, name: str) -> list[Element]:
    return list(page.find_one("section", class_=name).find_all("li"))


def list_names(items: list[Element]) -> list[str]:
    return [next(item.find_all("span", class_="visually-hidden")).text for item in items]


@pytest.mark.long
def test_trick_is_entered_card_by_card_and_explained() -> None:
    page = ask_ruling()
    assert answer(page) == "Choose trump first."
    page = press(page, "trump", "H")
    assert answer(page) == "Tap the cards in the order played."
    page = press(page, "tap", "AS")
    assert answer(page) == "One card so far: ace of spades. Tap the next."
    page = press(page, "tap", "KS")
    assert answer(page) == "Card 1 (ace of spades) wins: spades led, no trump, highest card."
    page = press(page, "tap", "JD")
    assert answer(page) == "Card 3 (jack of diamonds) wins: the only trump."
    page = press(page, "tap", "9H")
    assert answer(page) == "Card 3 (jack of diamonds) wins: the highest trump."
    assert [place for place, item in enumerate(list_tray_items(page, "trick")) if "wins" in item.attrs["class"]] == [2]


def test_little_jack_and_jokers_show_their_suit() -> None:
    page = ask_ruling(trump="H", trick="JD-X1-JH-AS")
    belonging = [list(item.find_all("span", class_="assigned-suit")) for item in list_tray_items(page, "trick")]
    shown = [[badge.text for badge in badges if "hidden" not in badge.attrs] for badges in belonging]
    assert shown == [["counts as hearts"], ["counts as hearts"], [], []]
    assert "Little jack: jack of diamonds counts as hearts. So do the Jokers." in page.text


def test_jokers_are_a_separate_suit_in_mulot() -> None:
    page = ask_ruling(trump="mulot", trick="X2-AS")
    assert "counts as hearts" not in " ".join(item.text for item in list_tray_items(page, "trick"))
    assert answer(page) == "Card 1 (low Joker) wins: the only trump."


@pytest.mark.slow
def test_hand_shows_playable_cards_and_the_rule() -> None:
    page = press(ask_ruling(trump="H", trick="AD"), "ask", "play")
    page = press(page, "tray", "hand")
    for card in ("JD", "7D", "AH"):
        page = press(page, "tap", card)
    assert answer(page) == "Follow suit: diamonds."
    assert ["not allowed" in item.text for item in list_tray_items(page, "hand")] == [True, False, True]
    page = press(page, "tap", "7D")
    assert list_names(list_tray_items(page, "hand")) == ["jack of diamonds", "ace of hearts"]
    assert answer(page) == "Cannot follow suit: play any card."


def test_cards_can_be_undone_removed_and_cleared() -> None:
    page = ask_ruling(trump="S", trick="AS-KS-QS")
    assert list_names(list_tray_items(press(page, "undo", "1"), "trick")) == ["ace of spades", "king of spades"]
    assert list_names(list_tray_items(press(page, "tap", "KS"), "trick")) == ["ace of spades", "queen of spades"]
    cleared = press(page, "clear", "1")
    assert list_tray_items(cleared, "trick") == []
    assert cleared.find_one("button", name="trump", value="S").attrs["aria-pressed"] == "true"


@pytest.mark.slow
def test_full_trick_accepts_no_more_cards() -> None:
    full = ask_ruling(trump="S", trick="AS-KS-QS-JS")
    assert full.find_one("button", value="7D").attrs["aria-disabled"] == "true"
    assert "hidden" not in full.find_one(id="full").attrs
    assert len(list_tray_items(press(full, "tap", "7D"), "trick")) == 4
    ruling_page = press(full, "ask", "play")
    assert answer(ruling_page) == "Trick complete. Remove the last card or clear."
    three = ask_ruling(trump="S", ask="play", trick="AS-KS-QS")
    assert len(list_tray_items(press(three, "tap", "7D"), "trick")) == 3, "the fourth is the one in question"


def test_two_player_trick_has_two_cards() -> None:
    page = ask_ruling("/rules/two-player/ruling", trump="H", trick="AS-KS-QS")
    assert list_names(list_tray_items(page, "trick")) == ["ace of spades", "king of spades"]


@pytest.mark.long
def test_trump_choices_follow_the_contracts() -> None:
    def choices(page: Page) -> list[str]:
        return [button.text for button in page.find_all("button", name="trump")]

    suits = ["spades", "hearts", "diamonds", "clubs"]
    assert choices(ask_ruling()) == [*suits, "Mulot and Gros Mulot"]
    assert choices(ask_ruling("/rules/maine/ruling")) == [*suits, "Le Petit and High Card No Trump"]
    assert choices(ask_ruling("/rules/bas-saint-laurent-jokers/ruling")) == [
        *suits,
        "Le Petit",
        "High Card No Trump",
    ]
    mulots = apply_house_rules(RULESETS["canadian"], {"ladder": ["mulot"]})
    assert choices(ask_ruling(f"/e/{build_event(ruleset=mulots).short}/ruling")) == ["Mulot"]


@pytest.mark.parametrize("key", RULESETS)
def test_every_card_of_the_pack_is_a_named_key(key: str) -> None:
    keys = ask_ruling(f"/rules/{key}/ruling").find_all("button", name="tap")
    assert [one.value for one in keys] == list(get_pack(RULESETS[key].trump_order))
    assert len({next(one.find_all("span", class_="visually-hidden")).text for one in keys}) == len(keys)


@pytest.mark.parametrize("nasty", NASTY.values(), ids=list(NASTY))
@pytest.mark.parametrize("name", ["trump", "ask", "tray", "trick", "hand", "tap", "undo", "clear"])
def test_malformed_address_still_shows_the_page(name: str, nasty: str) -> None:
    page = ask_ruling(**{"trump": "H", "trick": "AS", "ask": "play", "hand": "KS"} | {name: nasty})
    assert page.status == 200
    assert answer(page)
    assert "<script>alert" not in page.html


def test_unknown_and_repeated_cards_are_ignored() -> None:
    page = ask_ruling(trump="H", ask="play", trick="AS-AS-X9-10H", hand="AS-KS-KS")
    assert list_names(list_tray_items(page, "trick")) == ["ace of spades", "ten of hearts"]
    assert list_names(list_tray_items(page, "hand")) == ["king of spades"]
    maine = ask_ruling("/rules/maine/ruling", trump="H", trick="X1-AS")
    assert list_names(list_tray_items(maine, "trick")) == ["ace of spades"]


@pytest.mark.long
def test_ruling_page_uses_the_rules_of_its_place() -> None:
    hall = Hall(ruleset=RULESETS["maine"])
    ways = {
        f"/e/{hall.event.short}/ruling": hall.add_phone(),
        f"{hall.table}/ruling": hall.add_phone(),
        f"{hall.desk_match}/ruling": hall.desk,
    }
    for path, browser in ways.items():
        page = browser.open(f"{path}?trump=H&trick=JH-9H")
        assert answer(page) == "Card 2 (nine of hearts) wins: the highest trump."
        assert page.find_link("See the rules")


@pytest.mark.long
def test_marked_cards_always_match_the_rules() -> None:
    """For random cards, the page marks exactly the cards that ``find_legal_cards`` allows."""
    chance = random.Random(1)
    for ruleset in RULESETS.values():
        for choice in list_trump_choices(ruleset):
            cards = chance.sample(get_pack(ruleset.trump_order), ruleset.seats - 1 + TRICKS)
            trick, hand = cards[: ruleset.seats - 1], cards[ruleset.seats - 1 :]
            query = {"trump": choice.key, "ask": "play", "trick": "-".join(trick), "hand": "-".join(hand)}
            page = ask_ruling(f"/rules/{ruleset.key}/ruling", **query)
            legal = [Card(card) for card in find_legal_cards(choice.order, trick, hand).cards]
            marked = [item.attrs["class"] == "may" for item in list_tray_items(page, "hand")]
            assert marked == [card in legal for card in hand]
