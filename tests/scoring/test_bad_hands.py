"""Hands that cannot be: each gets a sentence in the reader's language, and nothing is written."""

from typing import Any

import pytest

from rules import BAS_SAINT_LAURENT, CANADIAN, MAINE, Ruleset
from scoring.models import Mark
from tests.builders import fresh, mark, next_round, play_round, score, statuses, win
from tests.support.hall import Hall, post, tap, typed_hand

pytestmark = pytest.mark.django_db

IMPOSSIBLE: list[tuple[Ruleset, dict[str, Any], str]] = [
    (CANADIAN, {"tricks": "9"}, "There are eight tricks. Enter 0 to 8."),
    (CANADIAN, {"tricks": "-1"}, "There are eight tricks. Enter 0 to 8."),
    (CANADIAN, {"tricks": "huit"}, "“huit” is not a whole number. Use digits."),
    (CANADIAN, {"tricks": "1_0"}, "“1_0” is not a whole number. Use digits."),
    (CANADIAN, {"tricks": ""}, "Enter the tricks won, or whether the contract was made."),
    (MAINE, {"contract": "8", "tricks": "8"}, "Unknown bid “8”. Choose one of: 5, 6, 7,"),
    (CANADIAN, {"contract": "mulot", "tricks": "0", "trump": "H"}, "This contract has no trump."),
    (CANADIAN, {"trump": "X"}, "“X” is not a suit. Choose S, H, D or C."),
    (CANADIAN, {"declarer": "1"}, "The declarer is not on the side that bid."),
    (CANADIAN, {"declarer": "4"}, "Choose one of the 4 seats, numbered from 0."),
    (CANADIAN, {"side": ""}, "Choose the side that bid."),
    (CANADIAN, {"side": "north"}, "Choose a side, A or B."),
    (CANADIAN, {"contract": ""}, "Choose the bid."),
    (CANADIAN, {"outcome": "failed"}, "Tricks (7) and result do not match. Correct one of them."),
    (CANADIAN, {"mode": "alone"}, "This contract is not played that way."),
    (CANADIAN, {"kind": "resigned"}, "Choose played, passed out, misdealt or void."),
    (MAINE, {"kind": "passed_out"}, "The dealer must bid 5 or more. Enter the bid."),
    (CANADIAN, {"kind": "totals", "points_a": "40", "points_b": "40"}, "Only one side can reach 32"),
    (CANADIAN, {"kind": "totals", "points_a": "9999", "points_b": "4"}, "A total is from 0 to"),
    (CANADIAN, {"kind": "totals", "points_a": "12"}, "Enter the total."),
    (CANADIAN, {"match": "x"}, "“x” is not a whole number. Use digits."),
    (CANADIAN, {"match": "0"}, "This match no longer exists. Open the table again."),
    (CANADIAN, {"match": "9" * 15}, "This match no longer exists. Open the table again."),
    (CANADIAN, {"number": "3"}, "Record hand 1 first."),
    (CANADIAN, {"number": "9" * 15}, "Record hand 1 first."),
    (CANADIAN, {"number": "-1"}, "“-1” is not a whole number. Use digits."),
    (CANADIAN, {"entry_key": "five"}, "Send a unique key with each hand: a UUID as entry_key."),
    (CANADIAN, {"supersedes": "9" * 15}, "This hand has changed. Check it again."),
    (CANADIAN, {"kind": "undone"}, "This hand has changed. Check it again."),
    (CANADIAN, {"awarded": "1"}, "Only the director can do this. Ask the director."),
    (CANADIAN, {"kind": "time_called"}, "Only the director can do this. Ask the director."),
]


@pytest.mark.parametrize(("ruleset", "said", "sentence"), IMPOSSIBLE)
def test_an_impossible_hand_is_refused_with_a_sentence_and_nothing_is_written(
    ruleset: Ruleset, said: dict[str, Any], sentence: str
) -> None:
    hall = Hall(ruleset=ruleset)
    page = post(hall.phone(), hall.table, typed_hand(hall.match, **said))
    assert 400 <= page.status < 500
    assert sentence in page.alert
    assert "Who bid, and what?" in page.text
    assert not Mark.objects.exists()
    assert fresh(hall.match).revision == 0


@pytest.mark.parametrize(("ruleset", "said", "sentence"), IMPOSSIBLE)
def test_the_desk_is_refused_the_same_but_for_what_only_a_director_may(
    ruleset: Ruleset, said: dict[str, Any], sentence: str
) -> None:
    hall = Hall(ruleset=ruleset)
    page = post(hall.desk, hall.ruled, typed_hand(hall.match, **said) | {"reason": "I saw it"})
    if sentence.startswith("Only the director"):
        assert page.status == 200
    else:
        assert 400 <= page.status < 500
        assert sentence in page.alert
        assert not Mark.objects.exists()


def test_the_sentence_is_in_the_language_of_the_reader() -> None:
    hall = Hall()
    english = post(hall.phone(), hall.table, typed_hand(hall.match, tricks="9"))
    french = post(hall.phone(language="fr-CA"), hall.table, typed_hand(hall.match, tricks="9"))
    assert french.one("html").attrs["lang"] == "fr-CA"
    assert french.alert
    assert french.alert != english.alert


def test_a_hand_after_the_match_is_over_is_refused_and_the_result_stands() -> None:
    hall = Hall()
    win(hall.match)
    page = post(hall.phone(), hall.table, typed_hand(hall.match))
    assert page.status == 409
    assert "The match is over." in page.alert
    assert fresh(hall.match).summary["games"] == [{"points": [32, 6], "winner": "A", "by": "points"}]


@pytest.mark.slow
def test_a_hand_from_a_page_of_the_round_before_is_refused_when_its_round_is_closed() -> None:
    hall = Hall()
    old = typed_hand(hall.match)
    play_round(hall.event)
    next_round(hall.event)
    page = post(hall.phone(), hall.table, old | {"number": "3"})
    assert page.status == 409
    assert "round 2" in page.one("h1").text
    assert "Round closed: corrections at the desk." in page.alert


@pytest.mark.slow
def test_a_hand_of_another_table_is_refused() -> None:
    hall, other = Hall(), Hall()
    page = post(hall.phone(), hall.table, typed_hand(other.match))
    assert page.status == 404
    assert "This match no longer exists." in page.alert
    assert not Mark.objects.exists()


def test_the_same_submission_twice_is_one_hand() -> None:
    hall = Hall()
    phone = hall.phone()
    hand = typed_hand(hall.match)
    answers = [post(phone, hall.table, hand, follow=False) for _ in range(3)]
    assert [answer.status for answer in answers] == [302, 302, 302]
    assert statuses(hall.match) == [(1, "current")]
    assert score(hall.match) == [6, 0]


def test_the_same_submission_with_other_values_is_refused() -> None:
    hall = Hall()
    phone, hand = hall.phone(), typed_hand(hall.match)
    post(phone, hall.table, hand)
    page = post(phone, hall.table, hand | {"tricks": "5"})
    assert page.status == 409
    assert "This was already sent with other values." in page.alert
    assert score(hall.match) == [6, 0]


class TestTwoPhones:
    @pytest.mark.slow
    def test_that_mark_the_same_write_one_hand(self) -> None:
        hall = Hall()
        phones = [hall.phone(), hall.phone()]
        pages = [phone.open(hall.table) for phone in phones]
        for phone, page in zip(phones, pages, strict=True):
            assert tap(phone, page, "A-6-7").status == 200
        assert score(hall.match) == [6, 0]

    @pytest.mark.slow
    def test_that_differ_lose_nothing_and_the_table_is_asked(self) -> None:
        hall = Hall()
        phones = [hall.phone(), hall.phone()]
        pages = [phone.open(hall.table) for phone in phones]
        tap(phones[0], pages[0], "A-6-7")
        page = tap(phones[1], pages[1], "A-7-7")
        assert page.status == 200
        assert "Hand 1: two different scores" in page.alert
        choices = page.every("form", action=hall.table)
        kept = [page.text for page in choices if "phone" in page.text]
        assert len(kept) == 2
        assert "another phone" in kept[0]
        assert "this phone" in kept[1]
        assert score(hall.match) == [0, 0]

    def test_that_differ_are_asked_with_what_each_mark_brings(self) -> None:
        hall = Hall(ruleset=MAINE)
        mark(hall.match, "B charlemagne failed")
        mark(hall.match, "A 6 made", number=1)
        page = hall.phone().open(hall.table)
        first, second = (form.text for form in page.every("form", action=hall.table) if "phone" in form.text)
        assert "win the game" in first
        assert "+0" not in first
        assert "+6" in second

    def test_settle_it_by_choosing(self) -> None:
        hall = Hall()
        mark(hall.match, "A 6 7", device="another")
        mark(hall.match, "A 7 7", number=1, device="third")
        phone = hall.phone()
        page = phone.open(hall.table)
        chosen = page.one("section", class_="contested").every("form")
        page = phone.send(page, list(chosen)[1])
        assert page.alert == ""
        assert score(hall.match) == [7, 0]
        assert statuses(hall.match) == [(1, "superseded"), (1, "superseded"), (1, "current")]


@pytest.mark.slow
def test_a_charlemagne_is_asked_before_it_is_written() -> None:
    hall = Hall(ruleset=BAS_SAINT_LAURENT)
    phone = hall.phone()
    asked = tap(phone, phone.open(hall.table), "A-charlemagne-failed")
    assert asked.status == 200
    assert "bid Charlemagne and failed" in asked.one(role="alertdialog").text
    assert not Mark.objects.exists()
