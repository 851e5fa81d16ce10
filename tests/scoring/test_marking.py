"""Marking a hand: what one phone, two phones, and a phone that repeats itself write down."""

from uuid import uuid4

import pytest

from rules import BAS_SAINT_LAURENT, MAINE
from scoring.models import Mark
from scoring.services import record_hand
from tests.builders import (
    TWO_GAMES,
    a_match,
    code_of,
    fresh,
    hand,
    mark,
    play,
    refusal_of,
    score,
    statuses,
    win,
)

pytestmark = pytest.mark.django_db


class TestAHand:
    def test_counts_at_once(self) -> None:
        match = a_match()
        written = mark(match, "A 6 7")
        assert (written.number, written.status) == (1, "current")
        assert written.record_data == {
            "kind": "hand",
            "side": "A",
            "contract": "6",
            "outcome": "made",
            "tricks": 7,
        }
        assert score(match) == [6, 0]

    def test_moves_on_to_the_next_place(self) -> None:
        match = a_match()
        play(match, "A 6 made", "B 5 failed", "B mulot made")
        assert score(match) == [11, 15]
        assert fresh(match).summary["next"] == 4

    def test_says_when_the_table_was_last_heard_of(self) -> None:
        match = a_match()
        assert fresh(match).last_marked_at is None
        mark(match, "A 6 made")
        assert fresh(match).last_marked_at is not None

    def test_that_reaches_the_target_ends_the_game(self) -> None:
        match = a_match()
        win(match, "B")
        match = fresh(match)
        assert match.is_over
        assert match.summary["games"] == [{"points": [6, 32], "winner": "B", "by": "points"}]
        assert (match.summary["winner"], match.summary["games_won"]) == ("B", [0, 1])

    def test_of_charlemagne_ends_the_game_whatever_the_points(self) -> None:
        match = a_match(BAS_SAINT_LAURENT, TWO_GAMES)
        play(match, "A 6 made", "B charlemagne made")
        assert fresh(match).summary["games"] == [{"points": [6, 0], "winner": "B", "by": "charlemagne"}]
        assert not fresh(match).is_over
        assert score(match) == [0, 0]

    def test_carries_the_detail_that_the_event_asks_for(self) -> None:
        match = a_match()
        said = hand("A 6 7") | {"trump": "H", "declarer": "2", "mode": "kitty", "dealer": "3"}
        written = record_hand(match_id=match.pk, entry_key=uuid4(), number=1, hand=said)
        assert written.record_data["trump"] == "H"
        assert written.record_data["declarer"] == 2

    @pytest.mark.parametrize("text", ["passed_out", "misdeal", "void"])
    def test_without_a_score_takes_a_place_all_the_same(self, text: str) -> None:
        match = a_match()
        play(match, "A 6 made", text, "B 7 made")
        assert score(match) == [6, 7]
        assert fresh(match).summary["next"] == 4

    def test_may_be_the_totals_of_a_paper_sheet(self) -> None:
        match = a_match()
        mark(match, "totals 34 12")
        assert fresh(match).summary["games"] == [{"points": [34, 12], "winner": "A", "by": "points"}]
        assert fresh(match).is_over

    def test_may_be_the_totals_of_a_game_that_goes_on(self) -> None:
        match = a_match()
        play(match, "totals 20 12", "B 7 made")
        assert score(match) == [20, 19]


class TestAHandThatCannotBe:
    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("A 6 9", "tricks_out_of_range"),
            ("A 4 4", "below_minimum"),
            ("C 6 made", "no_such_side"),
            ("A 6 won", "no_such_outcome"),
            ("resigned", "no_such_kind"),
            ("totals 40 40", "totals_both_reach_target"),
        ],
    )
    def test_is_refused_and_nothing_is_written(self, text: str, code: str) -> None:
        match = a_match()
        assert code_of(mark, match, text) == code
        assert not Mark.objects.exists()
        assert fresh(match).revision == 0

    def test_by_the_rules_of_the_evening_is_refused(self) -> None:
        assert code_of(mark, a_match(MAINE), "A 8 made") == "no_such_bid"

    def test_in_a_place_that_skips_one_is_refused_with_the_place_that_comes_next(self) -> None:
        match = a_match()
        mark(match, "A 6 made")
        refusal = refusal_of(mark, match, "A 6 made", number=3)
        assert (refusal.code, refusal.details) == ("number_skips", {"expected": 2})

    @pytest.mark.parametrize("number", [0, -1, 10**15])
    def test_in_no_place_at_all_is_refused(self, number: int) -> None:
        assert code_of(mark, a_match(), "A 6 made", number=number) == "number_skips"

    def test_after_the_match_is_over_is_refused(self) -> None:
        match = a_match()
        win(match)
        assert code_of(mark, match, "A 6 made") == "match_over"

    def test_of_a_match_that_does_not_exist_is_refused(self) -> None:
        match = a_match()
        match.pk += 1
        assert code_of(mark, match, "A 6 made", number=1) == "no_such_match"


class TestTheSameCallAgain:
    def test_returns_the_mark_that_the_first_one_wrote_and_writes_nothing(self) -> None:
        match, key = a_match(), uuid4()
        written = mark(match, "A 6 made", key=key, number=1)
        before = fresh(match)
        assert mark(match, "A 6 made", key=key, number=1) == written
        assert Mark.objects.count() == 1
        assert fresh(match).revision == before.revision

    def test_says_the_same_in_other_words_and_is_still_a_repeat(self) -> None:
        match, key = a_match(), uuid4()
        written = mark(match, "A 6 7", key=key, number=1)
        said = {"kind": "hand", "side": "A", "contract": "6", "tricks": 7, "outcome": "made", "trump": ""}
        assert record_hand(match_id=match.pk, entry_key=key, number=1, hand=said) == written

    def test_is_repeated_after_the_hand_was_corrected_and_does_not_undo_the_correction(self) -> None:
        match, key = a_match(), uuid4()
        written = mark(match, "A 6 made", key=key, number=1)
        mark(match, "A 7 made", replacing=written)
        assert mark(match, "A 6 made", key=key, number=1) == written
        assert score(match) == [7, 0]
        assert statuses(match) == [(1, "superseded"), (1, "current")]

    def test_is_repeated_after_the_match_is_over(self) -> None:
        match, key = a_match(), uuid4()
        written = mark(match, "A gros_charlemagne made", key=key, number=1)
        assert mark(match, "A gros_charlemagne made", key=key, number=1) == written

    @pytest.mark.parametrize(
        ("text", "number"), [("A 7 made", 1), ("B 6 made", 1), ("A 6 7", 1), ("A 6 made", 2)]
    )
    def test_with_the_same_key_and_another_body_is_refused(self, text: str, number: int) -> None:
        match, key = a_match(), uuid4()
        mark(match, "A 6 made", key=key, number=1)
        assert code_of(mark, match, text, key=key, number=number) == "entry_key_reused"
        assert score(match) == [6, 0]

    def test_with_the_same_key_for_another_match_is_refused(self) -> None:
        key = uuid4()
        mark(a_match(), "A 6 made", key=key)
        assert code_of(mark, a_match(), "A 6 made", key=key) == "entry_key_reused"

    def test_with_the_same_key_for_another_correction_is_refused(self) -> None:
        match, key = a_match(), uuid4()
        first = mark(match, "A 6 made")
        second = mark(match, "A 7 made", replacing=first, key=key)
        assert code_of(mark, match, "A 7 made", replacing=second, key=key) == "entry_key_reused"


class TestTwoPhones:
    def test_that_mark_the_same_hand_mark_it_once(self) -> None:
        match = a_match()
        mark(match, "A 6 made", device="one")
        echo = mark(match, "A 6 made", number=1, device="other")
        assert echo.status == "echo"
        assert score(match) == [6, 0]
        assert fresh(match).summary["next"] == 2

    def test_an_echo_changes_nothing_that_anybody_watches(self) -> None:
        match = a_match()
        mark(match, "A 6 made")
        before = fresh(match)
        mark(match, "A 6 made", number=1)
        assert (fresh(match).revision, fresh(match).last_marked_at) == (
            before.revision,
            before.last_marked_at,
        )

    def test_that_differ_make_the_place_wait(self) -> None:
        match = a_match()
        mark(match, "A 6 made")
        rival = mark(match, "A 7 made", number=1)
        assert rival.status == "rival"
        assert fresh(match).has_rivals
        assert score(match) == [0, 0]
        assert statuses(match) == [(1, "current"), (1, "rival")]

    def test_that_differ_hold_up_no_later_hand(self) -> None:
        match = a_match()
        mark(match, "A 6 made")
        mark(match, "A 7 made", number=1)
        mark(match, "B 5 made")
        assert score(match) == [0, 5]

    def test_that_differ_on_the_winning_hand_leave_the_match_open(self) -> None:
        match = a_match()
        win(match)
        mark(match, "A gros_charlemagne failed", number=2)
        assert not fresh(match).is_over

    def test_of_which_a_third_agrees_with_one_are_still_two_marks(self) -> None:
        match = a_match()
        mark(match, "A 6 made")
        mark(match, "A 7 made", number=1)
        assert mark(match, "A 7 made", number=1).status == "echo"
        assert mark(match, "A 6 made", number=1).status == "echo"

    @pytest.mark.parametrize(("chosen", "total"), [("A 6 made", 6), ("A 7 made", 7)])
    def test_are_settled_by_choosing_either_mark(self, chosen: str, total: int) -> None:
        match = a_match()
        mark(match, "A 6 made")
        newest = mark(match, "A 7 made", number=1)
        choice = mark(match, chosen, replacing=newest)
        assert choice.status == "current"
        assert not fresh(match).has_rivals
        assert score(match) == [total, 0]
        assert statuses(match) == [(1, "superseded"), (1, "superseded"), (1, "current")]

    def test_are_not_settled_by_somebody_who_repeats_the_only_one_that_was_there(self) -> None:
        match = a_match()
        first = mark(match, "A 6 made")
        mark(match, "A 7 made", number=1)
        assert mark(match, "A 6 made", replacing=first).status == "rival"
        assert fresh(match).has_rivals

    def test_are_settled_by_a_third_mark_of_somebody_who_saw_both(self) -> None:
        match = a_match()
        mark(match, "A 6 made")
        rival = mark(match, "A 7 made", number=1)
        assert mark(match, "A 8 made", replacing=rival).status == "current"
        assert score(match) == [8, 0]

    def test_are_not_settled_by_the_correction_of_somebody_who_saw_only_the_first(self) -> None:
        match = a_match()
        first = mark(match, "A 6 made")
        mark(match, "A 7 made", number=1)
        assert mark(match, "A 8 made", replacing=first).status == "rival"
        assert fresh(match).has_rivals

    def test_a_correction_of_a_mark_that_counts_no_more_is_a_rival(self) -> None:
        match = a_match()
        first = mark(match, "A 6 made")
        mark(match, "A 7 made", replacing=first)
        assert mark(match, "A 8 made", replacing=first).status == "rival"
        assert score(match) == [0, 0]

    def test_who_says_again_what_stands_there_changes_nothing(self) -> None:
        match = a_match()
        first = mark(match, "A 6 made")
        before = fresh(match).revision
        assert mark(match, "A 6 made", replacing=first).status == "echo"
        assert fresh(match).revision == before
        assert score(match) == [6, 0]

    def test_a_correction_of_ones_own_echo_is_a_correction(self) -> None:
        match = a_match()
        mark(match, "A 6 made")
        echo = mark(match, "A 6 made", number=1)
        assert mark(match, "A 7 made", replacing=echo).status == "current"
        assert score(match) == [7, 0]

    def test_a_correction_of_a_mark_that_was_never_made_is_refused(self) -> None:
        match, other = a_match(), a_match()
        mark(match, "A 6 made")
        elsewhere = mark(other, "A 6 made")
        refusal = refusal_of(mark, match, "A 7 made", replacing=elsewhere)
        assert (refusal.code, refusal.field) == ("no_such_mark", "supersedes")
        elsewhere.pk += 1_000
        assert code_of(mark, match, "A 7 made", replacing=elsewhere) == "no_such_mark"
        assert score(match) == [6, 0]

    def test_a_correction_of_a_mark_in_another_place_is_refused(self) -> None:
        match = a_match()
        first, _ = play(match, "A 6 made", "A 7 made")
        assert code_of(mark, match, "A 8 made", number=2, replacing=first) == "no_such_mark"
