"""Recording of hands by one phone, by two phones, and in repeated requests."""

from uuid import uuid4

import pytest

from rules import BAS_SAINT_LAURENT, MAINE
from scoring.models import Mark
from scoring.services.marks import record_hand
from tests.builders import (
    TWO_GAMES,
    build_match,
    get_refusal,
    get_refusal_code,
    get_score,
    list_statuses,
    mark,
    parse_hand,
    play,
    reload_match,
    win,
)

pytestmark = pytest.mark.django_db


class TestHand:
    def test_recorded_hand_counts_at_once(self) -> None:
        match = build_match()
        written = mark(match, "A 6 7")
        assert (written.number, written.status) == (1, "current")
        assert written.record_data == {
            "kind": "hand",
            "side": "A",
            "contract": "6",
            "outcome": "made",
            "tricks": 7,
        }
        assert get_score(match) == [6, 0]

    def test_next_hand_takes_the_next_number(self) -> None:
        match = build_match()
        play(match, "A 6 made", "B 5 failed", "B mulot made")
        assert get_score(match) == [11, 15]
        assert reload_match(match).summary["next"] == 4

    def test_match_remembers_when_it_was_last_marked(self) -> None:
        match = build_match()
        assert reload_match(match).last_marked_at is None
        mark(match, "A 6 made")
        assert reload_match(match).last_marked_at is not None

    def test_hand_that_reaches_the_target_ends_the_game(self) -> None:
        match = build_match()
        win(match, "B")
        match = reload_match(match)
        assert match.is_over
        assert match.summary["games"] == [{"points": [6, 32], "winner": "B", "by": "points"}]
        assert (match.summary["winner"], match.summary["games_won"]) == ("B", [0, 1])

    def test_charlemagne_ends_the_game_at_any_score(self) -> None:
        match = build_match(BAS_SAINT_LAURENT, TWO_GAMES)
        play(match, "A 6 made", "B charlemagne made")
        assert reload_match(match).summary["games"] == [{"points": [6, 0], "winner": "B", "by": "charlemagne"}]
        assert not reload_match(match).is_over
        assert get_score(match) == [0, 0]

    def test_hand_stores_the_requested_details(self) -> None:
        match = build_match()
        hand_data = parse_hand("A 6 7") | {"trump": "H", "declarer": "2", "mode": "kitty", "dealer": "3"}
        written = record_hand(match_id=match.pk, entry_key=uuid4(), number=1, hand=hand_data)
        assert written.record_data["trump"] == "H"
        assert written.record_data["declarer"] == 2

    @pytest.mark.parametrize("text", ["passed_out", "misdeal", "void"])
    def test_hand_without_a_score_takes_a_number(self, text: str) -> None:
        match = build_match()
        play(match, "A 6 made", text, "B 7 made")
        assert get_score(match) == [6, 7]
        assert reload_match(match).summary["next"] == 4

    def test_sheet_totals_can_end_the_game(self) -> None:
        match = build_match()
        mark(match, "totals 34 12")
        assert reload_match(match).summary["games"] == [{"points": [34, 12], "winner": "A", "by": "points"}]
        assert reload_match(match).is_over

    def test_sheet_totals_can_start_an_unfinished_game(self) -> None:
        match = build_match()
        play(match, "totals 20 12", "B 7 made")
        assert get_score(match) == [20, 19]


class TestInvalidHand:
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
    def test_invalid_hand_is_refused_and_not_recorded(self, text: str, code: str) -> None:
        match = build_match()
        assert get_refusal_code(mark, match, text) == code
        assert not Mark.objects.exists()
        assert reload_match(match).revision == 0

    def test_bid_outside_the_ruleset_is_refused(self) -> None:
        assert get_refusal_code(mark, build_match(MAINE), "A 8 made") == "no_such_bid"

    def test_skipped_number_is_refused_with_the_next_one(self) -> None:
        match = build_match()
        mark(match, "A 6 made")
        refusal = get_refusal(mark, match, "A 6 made", number=3)
        assert (refusal.code, refusal.details) == ("number_skips", {"expected": 2})

    @pytest.mark.parametrize("number", [0, -1, 10**15])
    def test_impossible_number_is_refused(self, number: int) -> None:
        assert get_refusal_code(mark, build_match(), "A 6 made", number=number) == "number_skips"

    def test_finished_match_accepts_no_hand(self) -> None:
        match = build_match()
        win(match)
        assert get_refusal_code(mark, match, "A 6 made") == "match_over"

    def test_unknown_match_accepts_no_hand(self) -> None:
        match = build_match()
        match.pk += 1
        assert get_refusal_code(mark, match, "A 6 made", number=1) == "no_such_match"


class TestRepeatedRequest:
    def test_repeated_request_returns_the_first_mark(self) -> None:
        match, key = build_match(), uuid4()
        written = mark(match, "A 6 made", key=key, number=1)
        before = reload_match(match)
        assert mark(match, "A 6 made", key=key, number=1) == written
        assert Mark.objects.count() == 1
        assert reload_match(match).revision == before.revision

    def test_equivalent_request_counts_as_a_repeat(self) -> None:
        match, key = build_match(), uuid4()
        written = mark(match, "A 6 7", key=key, number=1)
        hand_data = {"kind": "hand", "side": "A", "contract": "6", "tricks": 7, "outcome": "made", "trump": ""}
        assert record_hand(match_id=match.pk, entry_key=key, number=1, hand=hand_data) == written

    def test_repeated_request_does_not_undo_a_correction(self) -> None:
        match, key = build_match(), uuid4()
        written = mark(match, "A 6 made", key=key, number=1)
        mark(match, "A 7 made", replaced=written)
        assert mark(match, "A 6 made", key=key, number=1) == written
        assert get_score(match) == [7, 0]
        assert list_statuses(match) == [(1, "superseded"), (1, "current")]

    def test_repeated_request_works_after_the_match(self) -> None:
        match, key = build_match(), uuid4()
        written = mark(match, "A gros_charlemagne made", key=key, number=1)
        assert mark(match, "A gros_charlemagne made", key=key, number=1) == written

    @pytest.mark.parametrize(("text", "number"), [("A 7 made", 1), ("B 6 made", 1), ("A 6 7", 1), ("A 6 made", 2)])
    def test_reused_key_with_another_body_is_refused(self, text: str, number: int) -> None:
        match, key = build_match(), uuid4()
        mark(match, "A 6 made", key=key, number=1)
        assert get_refusal_code(mark, match, text, key=key, number=number) == "entry_key_reused"
        assert get_score(match) == [6, 0]

    def test_reused_key_for_another_match_is_refused(self) -> None:
        key = uuid4()
        mark(build_match(), "A 6 made", key=key)
        assert get_refusal_code(mark, build_match(), "A 6 made", key=key) == "entry_key_reused"

    def test_reused_key_for_another_correction_is_refused(self) -> None:
        match, key = build_match(), uuid4()
        first = mark(match, "A 6 made")
        second = mark(match, "A 7 made", replaced=first, key=key)
        assert get_refusal_code(mark, match, "A 7 made", replaced=second, key=key) == "entry_key_reused"


class TestTwoPhones:
    def test_phones_that_agree_record_one_hand(self) -> None:
        match = build_match()
        mark(match, "A 6 made", device="one")
        echo = mark(match, "A 6 made", number=1, device="other")
        assert echo.status == "echo"
        assert get_score(match) == [6, 0]
        assert reload_match(match).summary["next"] == 2

    def test_echo_does_not_raise_the_revision(self) -> None:
        match = build_match()
        mark(match, "A 6 made")
        before = reload_match(match)
        mark(match, "A 6 made", number=1)
        assert (reload_match(match).revision, reload_match(match).last_marked_at) == (
            before.revision,
            before.last_marked_at,
        )

    def test_conflicting_marks_do_not_count(self) -> None:
        match = build_match()
        mark(match, "A 6 made")
        rival = mark(match, "A 7 made", number=1)
        assert rival.status == "rival"
        assert reload_match(match).has_rivals
        assert get_score(match) == [0, 0]
        assert list_statuses(match) == [(1, "current"), (1, "rival")]

    def test_conflicting_marks_do_not_block_later_hands(self) -> None:
        match = build_match()
        mark(match, "A 6 made")
        mark(match, "A 7 made", number=1)
        mark(match, "B 5 made")
        assert get_score(match) == [0, 5]

    def test_conflict_on_the_winning_hand_keeps_the_match_open(self) -> None:
        match = build_match()
        win(match)
        mark(match, "A gros_charlemagne failed", number=2)
        assert not reload_match(match).is_over

    def test_third_agreeing_mark_does_not_settle_a_conflict(self) -> None:
        match = build_match()
        mark(match, "A 6 made")
        mark(match, "A 7 made", number=1)
        assert mark(match, "A 7 made", number=1).status == "echo"
        assert mark(match, "A 6 made", number=1).status == "echo"

    @pytest.mark.parametrize(("chosen", "total"), [("A 6 made", 6), ("A 7 made", 7)])
    def test_conflict_is_settled_by_choosing_a_mark(self, chosen: str, total: int) -> None:
        match = build_match()
        mark(match, "A 6 made")
        newest = mark(match, "A 7 made", number=1)
        choice = mark(match, chosen, replaced=newest)
        assert choice.status == "current"
        assert not reload_match(match).has_rivals
        assert get_score(match) == [total, 0]
        assert list_statuses(match) == [(1, "superseded"), (1, "superseded"), (1, "current")]

    def test_repeating_the_first_mark_does_not_settle_a_conflict(self) -> None:
        match = build_match()
        first = mark(match, "A 6 made")
        mark(match, "A 7 made", number=1)
        assert mark(match, "A 6 made", replaced=first).status == "rival"
        assert reload_match(match).has_rivals

    def test_informed_third_mark_settles_a_conflict(self) -> None:
        match = build_match()
        mark(match, "A 6 made")
        rival = mark(match, "A 7 made", number=1)
        assert mark(match, "A 8 made", replaced=rival).status == "current"
        assert get_score(match) == [8, 0]

    def test_uninformed_correction_does_not_settle_a_conflict(self) -> None:
        match = build_match()
        first = mark(match, "A 6 made")
        mark(match, "A 7 made", number=1)
        assert mark(match, "A 8 made", replaced=first).status == "rival"
        assert reload_match(match).has_rivals

    def test_correction_of_a_superseded_mark_is_a_rival(self) -> None:
        match = build_match()
        first = mark(match, "A 6 made")
        mark(match, "A 7 made", replaced=first)
        assert mark(match, "A 8 made", replaced=first).status == "rival"
        assert get_score(match) == [0, 0]

    def test_identical_correction_changes_nothing(self) -> None:
        match = build_match()
        first = mark(match, "A 6 made")
        before = reload_match(match).revision
        assert mark(match, "A 6 made", replaced=first).status == "echo"
        assert reload_match(match).revision == before
        assert get_score(match) == [6, 0]

    def test_correction_of_an_echo_is_accepted(self) -> None:
        match = build_match()
        mark(match, "A 6 made")
        echo = mark(match, "A 6 made", number=1)
        assert mark(match, "A 7 made", replaced=echo).status == "current"
        assert get_score(match) == [7, 0]

    def test_correction_of_an_unknown_mark_is_refused(self) -> None:
        match, other = build_match(), build_match()
        mark(match, "A 6 made")
        elsewhere = mark(other, "A 6 made")
        refusal = get_refusal(mark, match, "A 7 made", replaced=elsewhere)
        assert (refusal.code, refusal.field) == ("no_such_mark", "supersedes")
        elsewhere.pk += 1_000
        assert get_refusal_code(mark, match, "A 7 made", replaced=elsewhere) == "no_such_mark"
        assert get_score(match) == [6, 0]

    def test_correction_under_another_number_is_refused(self) -> None:
        match = build_match()
        first, _ = play(match, "A 6 made", "A 7 made")
        assert get_refusal_code(mark, match, "A 8 made", number=2, replaced=first) == "no_such_mark"
