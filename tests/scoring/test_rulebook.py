"""Rules pages: every sentence follows from the ruleset, including a club's house rules."""

from typing import Any

import pytest
from django.template.loader import render_to_string

from rules import RULESETS, MatchCriterion, MatchFormat, Ruleset, apply_house_rules, diff_house_rules
from scoring.rulebook import build_rulebook
from tests.builders import TWO_GAMES, build_event
from tests.support.browser import Browser, Page
from tests.support.hall import Hall

pytestmark = pytest.mark.django_db

parametrize_rulesets = pytest.mark.parametrize("key", RULESETS)


def open_rules(key: str, *, language: str = "en") -> Page:
    return Browser(language=language).open(f"/rules/{key}")


def open_house_rules(key: str, **difference: Any) -> Page:
    """Open the rules page of an event that is played with these house rules."""
    event = build_event(ruleset=apply_house_rules(RULESETS[key], difference))
    return Browser().open(f"/e/{event.short}/rules")


def list_contracts(page: Page) -> list[tuple[str, ...]]:
    """Return each contract with its points, from low to high."""
    (table,) = page.find_all("table")
    return [
        (row.find_one("th").find_one("b").text, *(cell.text for cell in row.find_all("td")))
        for row in table.find_one("tbody").find_all("tr")
    ]


def list_cards(page: Page, place: int) -> list[str]:
    """Return the cards of a row on the page: 0 the high trumps, 1 the low trumps, 2 another suit."""
    rows = [*page.find_all("ul", class_="card-row"), *page.find_all("ul", class_="fan")]
    return [
        next(card.find_all("span", class_="visually-hidden")).text
        for card in rows[place].find_all(class_="playing-card")
    ]


def test_rules_list_offers_every_built_in_ruleset() -> None:
    page = Browser().open("/rules")
    links = [link.attrs["href"] for link in page.find_all("a") if link.attrs["href"].startswith("/rules/")]
    assert links == [f"/rules/{key}" for key in RULESETS]
    assert "Eastern Canada:" in page.text
    assert "Madawaska" in page.text


def test_unknown_rules_have_no_page() -> None:
    assert open_rules("euchre").status == 404
    assert Browser().open("/rules/euchre/ruling").status == 404


@parametrize_rulesets
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_ruleset_has_a_page_in_both_languages(key: str, language: str) -> None:
    page = open_rules(key, language=language)
    assert page.status == 200
    assert page.find_one("html").attrs["lang"][:2] == language
    assert len(list_contracts(page)) >= 5


class TestCardOrder:
    def test_jokers_rank_above_the_jacks(self) -> None:
        page = open_rules("canadian")
        assert list_cards(page, 0) == ["high Joker", "low Joker", "jack of hearts", "jack of diamonds"]
        assert list_cards(page, 1)[0] == "ace of hearts"
        assert "nine of hearts" in list_cards(page, 1)
        assert "34 cards" in page.text

    def test_nine_ranks_above_the_jacks_without_jokers(self) -> None:
        page = open_rules("maine")
        assert list_cards(page, 0) == ["nine of hearts", "jack of hearts", "jack of diamonds"]
        assert "nine of hearts" not in list_cards(page, 1)
        assert "32 cards" in page.text
        assert "Joker" not in page.find_one("main").text

    @parametrize_rulesets
    def test_card_rows_contain_each_card_once(self, key: str) -> None:
        page = open_rules(key)
        trumps = list_cards(page, 0) + list_cards(page, 1)
        assert len(set(trumps)) == len(trumps) == (11 if RULESETS[key].has_jokers else 9)
        assert len(set(list_cards(page, 2))) == 8


class TestContractTable:
    def test_canadian_contracts_are_listed_with_their_points(self) -> None:
        assert list_contracts(open_rules("canadian")) == [
            ("5 to 8", "5 to 8", "5 to 8"),
            ("Mulot", "15", "7"),
            ("Charlemagne", "16", "8"),
            ("Gros Mulot", "30", "15"),
            ("Gros Charlemagne", "32", "16"),
        ]

    def test_maine_contracts_omit_eight_and_list_low_bids(self) -> None:
        assert list_contracts(open_rules("maine")) == [
            ("1 to 4", "–", "–"),
            ("5 to 7", "5 to 7", "5 to 7"),
            ("Le Petit", "8", "8"),
            ("High Card No Trump", "8", "8"),
            ("Charlemagne", "wins or loses the game"),
        ]

    @pytest.mark.long
    def test_contract_with_other_points_has_its_own_row(self) -> None:
        page = open_house_rules("canadian", contracts={"6": {"failed": 12}})
        assert list_contracts(page)[:3] == [("5", "5", "5"), ("6", "6", "12"), ("7 to 8", "7 to 8", "7 to 8")]

    def test_missing_contract_splits_the_row(self) -> None:
        keys = [key for key in RULESETS["canadian"].ladder if key != "6"]
        assert [row[0] for row in list_contracts(open_house_rules("canadian", ladder=keys))][:2] == ["5", "7 to 8"]

    def test_low_bids_in_play_are_listed_as_rows(self) -> None:
        page = open_house_rules("bas-saint-laurent", plays_low_bids=True)
        assert list_contracts(page)[0] == ("1 to 8", "1 to 8", "1 to 8")
        assert "not played" not in page.text


EXPECTED_TEXTS = [
    ("canadian", "2 at a time. Meanwhile, two cards go face down: the kitty."),
    ("canadian", "The bidder names trump once the hand is complete."),
    ("canadian", "If all pass, nobody scores: the next player deals."),
    ("canadian", "On number bids, the player left of the bidder leads;"),
    ("canadian", "alone, takes the kitty, gets a card of partner’s choice, then discards 3"),
    ("canadian", "alone, kitty stays face down, hand laid open after the first trick"),
    ("canadian", "alone, takes the kitty, then discards 2 or alone, gets a card of partner’s choice"),
    ("canadian", "Mulot and Gros Mulot: if unable to follow suit, play your Joker."),
    ("canadian", "The first side to 32 points wins the game. Gros Charlemagne, if made, wins it"),
    ("maine", "4 at a time."),
    ("maine", "Number bids and Charlemagne: name trump with the bid."),
    ("maine", "Bids below 5 only give information. If nobody bids higher, the dealer must bid at least 5."),
    ("maine", "The bidder leads first."),
    ("maine", "then discards 1, opponents also pass a card; one plays"),
    ("maine", "Charlemagne ends the game: made, the bidders win; failed, their opponents."),
    ("maine", "A match is 1 game."),
    ("bas-saint-laurent", "first to cut a spade deals."),
    (
        "bas-saint-laurent",
        "Bids below 5 are not played. If nobody bids higher, nobody scores: the same dealer",
    ),
    ("bas-saint-laurent", "An opponent may still bid Charlemagne over Charlemagne"),
    ("bas-saint-laurent", "or alone, against one opponent"),
    ("bas-saint-laurent", "First to 2 games wins the match."),
    ("bas-saint-laurent-jokers", "Set two cards aside first: the réserve."),
    ("bas-saint-laurent-jokers", "The bidder may take the réserve and discard two cards"),
    ("bas-saint-laurent-jokers", "Le Petit: if unable to follow suit, play your Joker."),
    ("two-player", "In turn, starting with the dealer’s opponent, look at the top card."),
    ("two-player", "Two players."),
    ("two-player", "Each player bids once; the dealer is last."),
    ("two-player-jokers", "Set aside the top two cards: the réserve."),
]


@pytest.mark.parametrize(
    ("key", "sentence"), EXPECTED_TEXTS, ids=[f"{key}: {text[:40]}" for key, text in EXPECTED_TEXTS]
)
def test_rules_page_contains_the_expected_sentence(key: str, sentence: str) -> None:
    assert sentence in open_rules(key).text


ABSENT_TEXTS = [
    ("canadian", ("réserve", "name trump with the bid", "over Charlemagne", "ends the game")),
    ("maine", ("kitty", "réserve", "Joker", "over Charlemagne", "All pass")),
    ("bas-saint-laurent", ("kitty", "réserve", "Joker", "dealer must bid")),
    ("two-player", ("partner", "alone", "at a time")),
]


@pytest.mark.parametrize(("key", "words"), ABSENT_TEXTS, ids=[key for key, _ in ABSENT_TEXTS])
def test_rules_page_omits_what_the_ruleset_lacks(key: str, words: tuple[str, ...]) -> None:
    text = open_rules(key).find_one("main").text
    assert [word for word in words if word in text] == []


HOUSE_RULES: list[tuple[str, dict[str, Any], str]] = [
    ("canadian", {"target": 21}, "The first side to 21 points wins the game."),
    (
        "canadian",
        {"target": 16},
        "Charlemagne, Gros Mulot and Gros Charlemagne, if made, win it at any score.",
    ),
    ("canadian", {"all_pass": "dealer_must_bid"}, "If all others pass, the dealer must bid at least 5."),
    ("canadian", {"number_bid_leader": "declarer"}, "The bidder leads first."),
    ("canadian", {"contracts": {"gros_charlemagne": {"modes": ["card"]}}}, "kitty stays face down"),
    (
        "bas-saint-laurent",
        {"contracts": {"charlemagne": {"modes": ["partner"]}}},
        "all 8 tricks with the partner",
    ),
    (
        "bas-saint-laurent-jokers",
        {"contracts": {"petite": {"modes": ["alone"]}}},
        "alone, without the réserve",
    ),
    (
        "bas-saint-laurent-jokers",
        {"contracts": {"petite": {"modes": ["reserve+alone"]}}},
        "takes the réserve",
    ),
    ("maine", {"forced_bid": 6}, "the dealer must bid at least 6."),
]


@pytest.mark.parametrize(
    ("key", "difference", "sentence"), HOUSE_RULES, ids=[f"{key} {change}" for key, change, _ in HOUSE_RULES]
)
def test_rules_page_states_each_house_rule(key: str, difference: dict[str, Any], sentence: str) -> None:
    page = open_house_rules(key, **difference)
    assert sentence in page.text
    assert page.find_one(class_="chip").text == "house rules"


@pytest.mark.long
def test_house_rules_page_starts_with_the_differences() -> None:
    page = open_house_rules("canadian", target=21, contracts={"mulot": {"made": 10}})
    changed = page.find_one("section", class_="changed")
    assert "Based on: Canadian. Differences:" in changed.text
    assert len(list(changed.find_all("li"))) == 2
    assert not open_rules("canadian").find_all("section", class_="changed")


def test_page_omits_counter_bids_without_counter_charlemagne() -> None:
    assert "An opponent may still bid" not in open_house_rules("bas-saint-laurent", counter_charlemagne=False).text


def test_mulot_only_game_has_no_trump_order() -> None:
    page = open_house_rules("canadian", ladder=["mulot", "gros_mulot"])
    assert [row[0] for row in list_contracts(page)] == ["Mulot", "Gros Mulot"]
    assert not page.find_all(class_="fan")
    assert "little jack" not in page.find_one("main").text


LENGTHS = [
    (MatchFormat(hands=8), "A match is 8 hands. Games won decide; if tied, total points."),
    (MatchFormat(hands=8, decided_by=MatchCriterion.POINTS), "Total points decide."),
    (MatchFormat(minutes=50), "A match lasts 50 minutes."),
    (MatchFormat(games_to_win=2, minutes=50), "First to 2 games wins the match. A match lasts 50 minutes."),
]


@pytest.mark.slow
@pytest.mark.snapshot
@pytest.mark.parametrize(("length", "sentence"), LENGTHS, ids=[text for _, text in LENGTHS])
def test_event_rules_state_the_match_length(length: MatchFormat, sentence: str) -> None:
    event = build_event(match_format=length)
    assert sentence in Browser().open(f"/e/{event.short}/rules").text


@pytest.mark.long
@pytest.mark.snapshot
def test_running_event_says_its_rules_are_fixed() -> None:
    preparing = build_event(match_format=TWO_GAMES)
    assert "no changes during play" not in Browser().open(f"/e/{preparing.short}/rules").text
    hall = Hall()
    page = hall.add_phone().open(f"/e/{hall.event.short}/rules")
    assert "Rules fixed for November 17, 2026." in page.text
    assert page.find_link("Who wins the trick?") == f"/e/{hall.event.short}/ruling"


@pytest.mark.slow
def test_rules_are_linked_from_table_desk_and_event() -> None:
    hall = Hall()
    assert hall.add_phone().open(f"/e/{hall.event.short}").find_link("Canadian rules") == f"/e/{hall.event.short}/rules"
    for table, browser in ((hall.table, hall.add_phone()), (hall.desk_match, hall.desk)):
        more = browser.open(table)
        assert browser.open(more.find_link("See the rules")).find_one("h1").text == "Rules · Canadian"
        assert browser.open(more.find_link("Who wins the trick?")).find_one("h1").text == "Who wins the trick?"
    assert hall.desk.open(f"/e/{hall.event.short}/desk").find_link("Who wins the trick?")
    assert hall.desk.open(f"/club/{hall.event.club.slug}/new").find_link("See all rules") == "/rules"


def test_every_house_rule_changes_the_page() -> None:
    """Each house rule changes a sentence or a figure of the built-in page."""
    changes: dict[str, Any] = {
        "target": 17,
        "games_to_win": 3,
        "all_pass": "next_dealer",
        "plays_low_bids": True,
        "counter_charlemagne": False,
        "number_bid_leader": "left_of_declarer",
        "ladder": ["5", "6", "petite"],
        "contracts": {"grosse": {"made": 10}},
    }
    base = RULESETS["bas-saint-laurent"]
    built_in = render_rulebook(base)
    for name, value in changes.items():
        changed = apply_house_rules(base, {name: value})
        assert diff_house_rules(base, changed), name
        assert render_rulebook(changed) != built_in, name


def render_rulebook(ruleset: Ruleset) -> str:
    return render_to_string("scoring/rulebook/body.html", {"rulebook": build_rulebook(ruleset)})
