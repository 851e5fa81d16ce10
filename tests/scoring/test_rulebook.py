"""The rules as pages say them: everything from the ruleset's value, house rules included."""

from typing import Any

import pytest
from django.template.loader import render_to_string

from rules import RULESETS, DecidedBy, MatchFormat, Ruleset, house_rules_between, with_house_rules
from scoring.rulebook import rulebook_of
from tests.builders import TWO_GAMES, an_event
from tests.support.browser import Browser, Page
from tests.support.hall import Hall

pytestmark = pytest.mark.django_db

every_ruleset = pytest.mark.parametrize("key", RULESETS)


def rules(key: str, *, language: str = "en") -> Page:
    return Browser(language=language).open(f"/rules/{key}")


def rules_by(key: str, **difference: Any) -> Page:
    """The page of an event that is played by these house rules."""
    event = an_event(ruleset=with_house_rules(RULESETS[key], difference))
    return Browser().open(f"/e/{event.short}/rules")


def ladder(page: Page) -> list[tuple[str, ...]]:
    """The contracts with what they pay, low to high."""
    (table,) = page.every("table")
    return [
        (row.one("th").one("b").text, *(cell.text for cell in row.every("td")))
        for row in table.one("tbody").every("tr")
    ]


def drawn(page: Page, place: int) -> list[str]:
    """The cards of one of the drawn rows: high trumps, low trumps, another suit."""
    rows = [*page.every("ul", class_="lying"), *page.every("ul", class_="fan")]
    return [
        next(card.every("span", class_="unseen")).text for card in rows[place].every(class_="playing-card")
    ]


def test_the_list_offers_every_built_in_system_with_who_plays_it() -> None:
    page = Browser().open("/rules")
    links = [link.attrs["href"] for link in page.every("a") if link.attrs["href"].startswith("/rules/")]
    assert links == [f"/rules/{key}" for key in RULESETS]
    assert "Eastern Canada:" in page.text
    assert "Madawaska" in page.text


def test_of_rules_that_nobody_knows_there_is_no_page() -> None:
    assert rules("euchre").status == 404
    assert Browser().open("/rules/euchre/ruling").status == 404


@every_ruleset
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_system_has_a_page_in_both_languages(key: str, language: str) -> None:
    page = rules(key, language=language)
    assert page.status == 200
    assert page.one("html").attrs["lang"][:2] == language
    assert len(ladder(page)) >= 5


class TestTheCards:
    def test_with_jokers_both_lie_above_the_jacks(self) -> None:
        page = rules("canadian")
        assert drawn(page, 0) == ["high Joker", "low Joker", "jack of hearts", "jack of diamonds"]
        assert drawn(page, 1)[0] == "ace of hearts"
        assert "nine of hearts" in drawn(page, 1)
        assert "34 cards" in page.text

    def test_without_jokers_the_nine_lies_above_the_jacks(self) -> None:
        page = rules("maine")
        assert drawn(page, 0) == ["nine of hearts", "jack of hearts", "jack of diamonds"]
        assert "nine of hearts" not in drawn(page, 1)
        assert "32 cards" in page.text
        assert "Joker" not in page.one("main").text

    @every_ruleset
    def test_trumps_and_another_suit_are_all_there_once(self, key: str) -> None:
        page = rules(key)
        trumps = drawn(page, 0) + drawn(page, 1)
        assert len(set(trumps)) == len(trumps) == (11 if RULESETS[key].has_jokers else 9)
        assert len(set(drawn(page, 2))) == 8


class TestTheLadder:
    def test_p_of_the_canadian_game(self) -> None:
        assert ladder(rules("canadian")) == [
            ("5 to 8", "5 to 8", "5 to 8"),
            ("Mulot", "15", "7"),
            ("Charlemagne", "16", "8"),
            ("Gros Mulot", "30", "15"),
            ("Gros Charlemagne", "32", "16"),
        ]

    def test_p_of_maine_has_no_eight_and_bids_that_inform(self) -> None:
        assert ladder(rules("maine")) == [
            ("1 to 4", "–", "–"),
            ("5 to 7", "5 to 7", "5 to 7"),
            ("Le Petit", "8", "8"),
            ("High Card No Trump", "8", "8"),
            ("Charlemagne", "wins or loses the game"),
        ]

    def test_numbers_that_pay_otherwise_have_a_row_of_their_own(self) -> None:
        page = rules_by("canadian", contracts={"6": {"failed": 12}})
        assert ladder(page)[:3] == [("5", "5", "5"), ("6", "6", "12"), ("7 to 8", "7 to 8", "7 to 8")]

    def test_a_number_left_out_parts_the_others(self) -> None:
        keys = [key for key in RULESETS["canadian"].ladder if key != "6"]
        assert [row[0] for row in ladder(rules_by("canadian", ladder=keys))][:2] == ["5", "7 to 8"]

    def test_low_bids_that_a_club_plays_are_rows_like_others(self) -> None:
        page = rules_by("bas-saint-laurent", plays_low_bids=True)
        assert ladder(page)[0] == ("1 to 8", "1 to 8", "1 to 8")
        assert "not played" not in page.text


SAID = [
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
    ("maine", "Bids below 5 only inform. If nobody bids higher, the dealer must bid at least 5."),
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


@pytest.mark.parametrize(("key", "sentence"), SAID, ids=[f"{key}: {said[:40]}" for key, said in SAID])
def test_a_page_says(key: str, sentence: str) -> None:
    assert sentence in rules(key).text


NOT_SAID = [
    ("canadian", ("réserve", "name trump with the bid", "over Charlemagne", "ends the game")),
    ("maine", ("kitty", "réserve", "Joker", "over Charlemagne", "All pass")),
    ("bas-saint-laurent", ("kitty", "réserve", "Joker", "dealer must bid")),
    ("two-player", ("partner", "alone", "at a time")),
]


@pytest.mark.parametrize(("key", "words"), NOT_SAID, ids=[key for key, _ in NOT_SAID])
def test_a_page_says_nothing_of_what_the_system_does_not_have(key: str, words: tuple[str, ...]) -> None:
    text = rules(key).one("main").text
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
def test_a_page_says_what_a_club_has_changed(key: str, difference: dict[str, Any], sentence: str) -> None:
    page = rules_by(key, **difference)
    assert sentence in page.text
    assert page.one(class_="chip").text == "house rules"


def test_house_rules_begin_with_what_is_different_from_the_built_in_ones() -> None:
    page = rules_by("canadian", target=21, contracts={"mulot": {"made": 10}})
    changed = page.one("section", class_="changed")
    assert "Based on: Canadian. Differences:" in changed.text
    assert len(list(changed.every("li"))) == 2
    assert not rules("canadian").every("section", class_="changed")


def test_without_counter_charlemagne_nobody_bids_over_it() -> None:
    assert "An opponent may still bid" not in rules_by("bas-saint-laurent", counter_charlemagne=False).text


def test_a_game_of_mulots_alone_has_no_order_of_trump() -> None:
    page = rules_by("canadian", ladder=["mulot", "gros_mulot"])
    assert [row[0] for row in ladder(page)] == ["Mulot", "Gros Mulot"]
    assert not page.every(class_="fan")
    assert "little jack" not in page.one("main").text


LENGTHS = [
    (MatchFormat(hands=8), "A match is 8 hands. Games won decide; if tied, total points."),
    (MatchFormat(hands=8, decided_by=DecidedBy.POINTS), "Total points decide."),
    (MatchFormat(minutes=50), "A match lasts 50 minutes."),
    (MatchFormat(games_to_win=2, minutes=50), "First to 2 games wins the match. A match lasts 50 minutes."),
]


@pytest.mark.snapshot
@pytest.mark.parametrize(("length", "sentence"), LENGTHS, ids=[said for _, said in LENGTHS])
def test_an_event_says_how_long_its_matches_are(length: MatchFormat, sentence: str) -> None:
    event = an_event(match_format=length)
    assert sentence in Browser().open(f"/e/{event.short}/rules").text


@pytest.mark.slow
@pytest.mark.snapshot
def test_an_evening_that_has_begun_says_that_its_rules_are_fixed() -> None:
    preparing = an_event(match_format=TWO_GAMES)
    assert "no changes during play" not in Browser().open(f"/e/{preparing.short}/rules").text
    hall = Hall()
    page = hall.phone().open(f"/e/{hall.event.short}/rules")
    assert "Set for November 17, 2026: no changes during play." in page.text
    assert page.link("Who wins the trick?") == f"/e/{hall.event.short}/ruling"


@pytest.mark.slow
def test_the_rules_are_found_from_wherever_somebody_wants_them() -> None:
    hall = Hall()
    assert (
        hall.phone().open(f"/e/{hall.event.short}").link("Canadian rules") == f"/e/{hall.event.short}/rules"
    )
    for table, browser in ((hall.table, hall.phone()), (hall.ruled, hall.desk)):
        more = browser.open(table)
        assert browser.open(more.link("See the rules")).one("h1").text == "Rules · Canadian"
        assert browser.open(more.link("Who wins the trick?")).one("h1").text == "Who wins the trick?"
    assert hall.desk.open(f"/e/{hall.event.short}/desk").link("Who wins the trick?")
    assert hall.desk.open(f"/club/{hall.event.club.slug}/new").link("See all rules") == "/rules"


def test_the_page_shows_every_change_that_a_club_can_make() -> None:
    """Any house rule that is set changes some sentence or figure of the built-in page."""
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
    built_in = said_of(base)
    for name, value in changes.items():
        changed = with_house_rules(base, {name: value})
        assert house_rules_between(base, changed), name
        assert said_of(changed) != built_in, name


def said_of(ruleset: Ruleset) -> str:
    return render_to_string("scoring/rulebook_body.html", {"rulebook": rulebook_of(ruleset)})
