"""The ruling page as a form of plain buttons: what is asked stands in the address, what follows on the page.

``tests/vectors/rulings.json`` holds rulings worked out by hand from the rules, for server and phone. Of
``winners``, each gives the ruleset by key, what is trump (a suit, or the first contract that is played so),
the cards in the order of play, and expects the ``place`` of the winner, from 0, and ``by`` which reason. Of
``plays``, each gives the trick so far and a hand, and expects the ``legal`` cards and ``by`` which rule.
"""

import json
import random
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from rules import RULESETS, TRICKS, Card, pack_of, with_house_rules
from scoring.rulings import Binds, WinsBy, may_play, trump_choices, winner
from tests.builders import an_event
from tests.every_page.test_nasty_values import NASTY
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.support.markup import Element, fields_of

pytestmark = pytest.mark.django_db

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parent.parent / "vectors" / "rulings.json").read_text(encoding="utf-8")
)


def cases(kind: str) -> pytest.MarkDecorator:
    named = [
        pytest.param(case, id=f"{case['ruleset']} {case['trump']}: {case['name']}") for case in VECTORS[kind]
    ]
    return pytest.mark.parametrize("case", named)


def order_of(case: dict[str, Any]) -> Any:
    (choice,) = [one for one in trump_choices(RULESETS[case["ruleset"]]) if one.key == case["trump"]]
    return choice.order


@cases("winners")
def test_a_trick_is_won_as_worked_out_by_hand(case: dict[str, Any]) -> None:
    assert winner(order_of(case), case["trick"]) == (case["place"], case["by"])


@cases("plays")
def test_what_may_be_played_is_as_worked_out_by_hand(case: dict[str, Any]) -> None:
    assert may_play(order_of(case), case["trick"], case["hand"]) == (case["by"], tuple(case["legal"]))


def test_the_vectors_have_every_reason_every_rule_and_every_system() -> None:
    assert {case["by"] for case in VECTORS["winners"]} == set(WinsBy)
    assert {case["by"] for case in VECTORS["plays"]} == set(Binds)
    assert {case["ruleset"] for kind in VECTORS.values() for case in kind} == set(RULESETS)


def test_the_order_given_to_the_phone_is_the_order_of_the_rules() -> None:
    for ruleset in RULESETS.values():
        for choice in trump_choices(ruleset):
            suits = choice.plain()["suits"]
            assert {card: suit for suit, cards in suits.items() for card in cards} == choice.order.suits
            for cards in suits.values():
                strengths = [choice.order.strengths[card] for card in cards]
                assert strengths == sorted(strengths, reverse=True)


# The page


def ask(path: str = "/rules/canadian/ruling", **asked: str) -> Page:
    return Browser().open(f"{path}?{urlencode(asked)}")


def press(page: Page, name: str, value: str) -> Page:
    """One of the form's buttons, as a browser without scripts sends it: the button's value comes last."""
    form = page.one("form", id="ruling")
    assert form.attrs["method"] == "get"
    fields = [*fields_of(page.document, form), (name, form.one("button", name=name, value=value).value)]
    return Browser().open(f"{page.path}?{urlencode(fields)}")


def answer(page: Page) -> str:
    return page.one(id="answer").text


def tray(page: Page, name: str) -> list[Element]:
    return list(page.one("section", class_=name).every("li"))


def names(items: list[Element]) -> list[str]:
    return [next(item.every("span", class_="unseen")).text for item in items]


def test_a_trick_is_laid_a_card_at_a_time_and_the_page_says_who_wins_and_why() -> None:
    page = ask()
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
    assert [place for place, item in enumerate(tray(page, "trick")) if "wins" in item.attrs["class"]] == [2]


def test_the_little_jack_and_the_jokers_show_the_suit_that_they_belong_to() -> None:
    page = ask(trump="H", trick="JD-X1-JH-AS")
    belonging = [list(item.every("span", class_="counts-as")) for item in tray(page, "trick")]
    shown = [[badge.text for badge in badges if "hidden" not in badge.attrs] for badges in belonging]
    assert shown == [["counts as hearts"], ["counts as hearts"], [], []]
    assert "Little jack: jack of diamonds counts as hearts. So do the Jokers." in page.text


def test_in_mulot_the_jokers_are_a_suit_of_their_own() -> None:
    page = ask(trump="mulot", trick="X2-AS")
    assert "counts as hearts" not in " ".join(item.text for item in tray(page, "trick"))
    assert answer(page) == "Card 1 (low Joker) wins: the only trump."


def test_a_hand_shows_what_may_be_played_and_which_rule_says_so() -> None:
    page = press(ask(trump="H", trick="AD"), "ask", "play")
    page = press(page, "tray", "hand")
    for card in ("JD", "7D", "AH"):
        page = press(page, "tap", card)
    assert answer(page) == "Follow suit: diamonds."
    assert ["not allowed" in item.text for item in tray(page, "hand")] == [True, False, True]
    page = press(page, "tap", "7D")
    assert names(tray(page, "hand")) == ["jack of diamonds", "ace of hearts"]
    assert answer(page) == "Cannot follow suit: play any card."


def test_the_last_card_is_taken_back_a_second_tap_takes_any_and_clear_takes_all() -> None:
    page = ask(trump="S", trick="AS-KS-QS")
    assert names(tray(press(page, "undo", "1"), "trick")) == ["ace of spades", "king of spades"]
    assert names(tray(press(page, "tap", "KS"), "trick")) == ["ace of spades", "queen of spades"]
    cleared = press(page, "clear", "1")
    assert tray(cleared, "trick") == []
    assert cleared.one("button", name="trump", value="S").attrs["aria-pressed"] == "true"


def test_a_full_trick_takes_no_more_and_says_so() -> None:
    full = ask(trump="S", trick="AS-KS-QS-JS")
    assert full.one("button", value="7D").attrs["aria-disabled"] == "true"
    assert "hidden" not in full.one(id="full").attrs
    assert len(tray(press(full, "tap", "7D"), "trick")) == 4
    asked = press(full, "ask", "play")
    assert answer(asked) == "Trick complete. Remove the last card or clear."
    three = ask(trump="S", ask="play", trick="AS-KS-QS")
    assert len(tray(press(three, "tap", "7D"), "trick")) == 3, "the fourth is the one in question"


def test_between_two_players_two_cards_are_a_trick() -> None:
    page = ask("/rules/two-player/ruling", trump="H", trick="AS-KS-QS")
    assert names(tray(page, "trick")) == ["ace of spades", "king of spades"]


def test_the_choices_of_trump_are_those_of_the_ladder() -> None:
    def choices(page: Page) -> list[str]:
        return [button.text for button in page.every("button", name="trump")]

    suits = ["spades", "hearts", "diamonds", "clubs"]
    assert choices(ask()) == [*suits, "Mulot and Gros Mulot"]
    assert choices(ask("/rules/maine/ruling")) == [*suits, "Le Petit and High Card No Trump"]
    assert choices(ask("/rules/bas-saint-laurent-jokers/ruling")) == [
        *suits,
        "Le Petit",
        "High Card No Trump",
    ]
    mulots = with_house_rules(RULESETS["canadian"], {"ladder": ["mulot"]})
    assert choices(ask(f"/e/{an_event(ruleset=mulots).short}/ruling")) == ["Mulot"]


@pytest.mark.parametrize("key", RULESETS)
def test_every_card_of_the_pack_is_a_key_with_a_name(key: str) -> None:
    keys = ask(f"/rules/{key}/ruling").every("button", name="tap")
    assert [one.value for one in keys] == list(pack_of(RULESETS[key].trump_order))
    assert len({next(one.every("span", class_="unseen")).text for one in keys}) == len(keys)


@pytest.mark.parametrize("nasty", NASTY.values(), ids=list(NASTY))
@pytest.mark.parametrize("name", ["trump", "ask", "tray", "trick", "hand", "tap", "undo", "clear"])
def test_whatever_stands_in_the_address_the_page_is_shown(name: str, nasty: str) -> None:
    page = ask(**{"trump": "H", "trick": "AS", "ask": "play", "hand": "KS"} | {name: nasty})
    assert page.status == 200
    assert answer(page)
    assert "<script>alert" not in page.html


def test_what_is_no_card_or_lies_there_twice_is_left_out() -> None:
    page = ask(trump="H", ask="play", trick="AS-AS-X9-10H", hand="AS-KS-KS")
    assert names(tray(page, "trick")) == ["ace of spades", "ten of hearts"]
    assert names(tray(page, "hand")) == ["king of spades"]
    maine = ask("/rules/maine/ruling", trump="H", trick="X1-AS")
    assert names(tray(maine, "trick")) == ["ace of spades"]


def test_every_way_to_the_page_rules_by_the_rules_of_its_place() -> None:
    hall = Hall(ruleset=RULESETS["maine"])
    ways = {
        f"/e/{hall.event.short}/ruling": hall.phone(),
        f"{hall.table}/ruling": hall.phone(),
        f"{hall.ruled}/ruling": hall.desk,
    }
    for path, browser in ways.items():
        page = browser.open(f"{path}?trump=H&trick=JH-9H")
        assert answer(page) == "Card 2 (nine of hearts) wins: the highest trump."
        assert page.link("See the rules")


@pytest.mark.slow
def test_no_address_makes_the_page_contradict_the_rules() -> None:
    """For random cards, the marked ones are those of the core."""
    chance = random.Random(1)
    for ruleset in RULESETS.values():
        for choice in trump_choices(ruleset):
            cards = chance.sample(pack_of(ruleset.trump_order), ruleset.seats - 1 + TRICKS)
            trick, hand = cards[: ruleset.seats - 1], cards[ruleset.seats - 1 :]
            asked = {"trump": choice.key, "ask": "play", "trick": "-".join(trick), "hand": "-".join(hand)}
            page = ask(f"/rules/{ruleset.key}/ruling", **asked)
            legal = [Card(card) for card in may_play(choice.order, trick, hand).cards]
            marked = [item.attrs["class"] == "may" for item in tray(page, "hand")]
            assert marked == [card in legal for card in hand]
