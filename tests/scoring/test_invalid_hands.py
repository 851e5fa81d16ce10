"""Invalid hands are refused in the reader's language, and nothing is recorded."""

from typing import Any

import pytest

from rules import BAS_SAINT_LAURENT, CANADIAN, MAINE, Ruleset
from scoring.models import Mark
from tests.builders import get_score, list_statuses, mark, play_round, reload_match, start_next_round, win
from tests.support.hall import Hall, build_hand_form, post_form, tap

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


@pytest.mark.parametrize(("ruleset", "hand_values", "sentence"), IMPOSSIBLE)
def test_impossible_hand_is_refused_and_not_recorded(
    ruleset: Ruleset, hand_values: dict[str, Any], sentence: str
) -> None:
    hall = Hall(ruleset=ruleset)
    page = post_form(hall.add_phone(), hall.table, build_hand_form(hall.match, **hand_values))
    assert 400 <= page.status < 500
    assert sentence in page.alert
    assert "Who bid, and what?" in page.text
    assert not Mark.objects.exists()
    assert reload_match(hall.match).revision == 0


@pytest.mark.long
@pytest.mark.parametrize(("ruleset", "hand_values", "sentence"), IMPOSSIBLE)
def test_desk_refuses_the_same_impossible_hands(ruleset: Ruleset, hand_values: dict[str, Any], sentence: str) -> None:
    hall = Hall(ruleset=ruleset)
    page = post_form(hall.desk, hall.desk_match, build_hand_form(hall.match, **hand_values) | {"reason": "I saw it"})
    if sentence.startswith("Only the director"):
        assert page.status == 200
    else:
        assert 400 <= page.status < 500
        assert sentence in page.alert
        assert not Mark.objects.exists()


@pytest.mark.long
def test_refusal_uses_the_reader_language() -> None:
    hall = Hall()
    english = post_form(hall.add_phone(), hall.table, build_hand_form(hall.match, tricks="9"))
    french = post_form(hall.add_phone(language="fr-CA"), hall.table, build_hand_form(hall.match, tricks="9"))
    assert french.find_one("html").attrs["lang"] == "fr-CA"
    assert french.alert
    assert french.alert != english.alert


def test_finished_match_accepts_no_hand() -> None:
    hall = Hall()
    win(hall.match)
    page = post_form(hall.add_phone(), hall.table, build_hand_form(hall.match))
    assert page.status == 409
    assert "The match is over." in page.alert
    assert reload_match(hall.match).summary["games"] == [{"points": [32, 6], "winner": "A", "by": "points"}]


@pytest.mark.long
def test_outdated_page_cannot_mark_a_closed_round() -> None:
    hall = Hall()
    old = build_hand_form(hall.match)
    play_round(hall.event)
    start_next_round(hall.event)
    page = post_form(hall.add_phone(), hall.table, old | {"number": "3"})
    assert page.status == 409
    assert "round 2" in page.find_one("h1").text
    assert "Round closed: corrections at the desk." in page.alert


@pytest.mark.long
def test_hand_of_another_table_is_refused() -> None:
    hall, other = Hall(), Hall()
    page = post_form(hall.add_phone(), hall.table, build_hand_form(other.match))
    assert page.status == 404
    assert "This match no longer exists." in page.alert
    assert not Mark.objects.exists()


def test_resubmitted_hand_is_recorded_once() -> None:
    hall = Hall()
    phone = hall.add_phone()
    hand = build_hand_form(hall.match)
    answers = [post_form(phone, hall.table, hand, follow=False) for _ in range(3)]
    assert [answer.status for answer in answers] == [302, 302, 302]
    assert list_statuses(hall.match) == [(1, "current")]
    assert get_score(hall.match) == [6, 0]


@pytest.mark.long
def test_resubmitted_hand_with_other_values_is_refused() -> None:
    hall = Hall()
    phone, hand = hall.add_phone(), build_hand_form(hall.match)
    post_form(phone, hall.table, hand)
    page = post_form(phone, hall.table, hand | {"tricks": "5"})
    assert page.status == 409
    assert "This was already sent with other values." in page.alert
    assert get_score(hall.match) == [6, 0]


class TestTwoPhones:
    @pytest.mark.long
    def test_phones_that_agree_record_one_hand(self) -> None:
        hall = Hall()
        phones = [hall.add_phone(), hall.add_phone()]
        pages = [phone.open(hall.table) for phone in phones]
        for phone, page in zip(phones, pages, strict=True):
            assert tap(phone, page, "A-6-7").status == 200
        assert get_score(hall.match) == [6, 0]

    @pytest.mark.long
    def test_phones_that_differ_ask_the_table(self) -> None:
        hall = Hall()
        phones = [hall.add_phone(), hall.add_phone()]
        pages = [phone.open(hall.table) for phone in phones]
        tap(phones[0], pages[0], "A-6-7")
        page = tap(phones[1], pages[1], "A-7-7")
        assert page.status == 200
        assert "Hand 1: two different scores" in page.alert
        choices = page.find_all("form", action=hall.table)
        choice_texts = [page.text for page in choices if "phone" in page.text]
        assert len(choice_texts) == 2
        assert "another phone" in choice_texts[0]
        assert "this phone" in choice_texts[1]
        assert get_score(hall.match) == [0, 0]

    def test_conflicting_marks_show_their_points(self) -> None:
        hall = Hall(ruleset=MAINE)
        mark(hall.match, "B charlemagne failed")
        mark(hall.match, "A 6 made", number=1)
        page = hall.add_phone().open(hall.table)
        first, second = (form.text for form in page.find_all("form", action=hall.table) if "phone" in form.text)
        assert "win the game" in first
        assert "+0" not in first
        assert "+6" in second

    @pytest.mark.slow
    def test_table_settles_conflicting_marks_by_choosing(self) -> None:
        hall = Hall()
        mark(hall.match, "A 6 7", device="another")
        mark(hall.match, "A 7 7", number=1, device="third")
        phone = hall.add_phone()
        page = phone.open(hall.table)
        chosen = page.find_one("section", class_="mark-conflict").find_all("form")
        page = phone.send(page, list(chosen)[1])
        assert page.alert == ""
        assert get_score(hall.match) == [7, 0]
        assert list_statuses(hall.match) == [(1, "superseded"), (1, "superseded"), (1, "current")]


@pytest.mark.slow
def test_charlemagne_requires_confirmation_before_recording() -> None:
    hall = Hall(ruleset=BAS_SAINT_LAURENT)
    phone = hall.add_phone()
    confirmation = tap(phone, phone.open(hall.table), "A-charlemagne-failed")
    assert confirmation.status == 200
    assert "bid Charlemagne and failed" in confirmation.find_one(role="alertdialog").text
    assert not Mark.objects.exists()
