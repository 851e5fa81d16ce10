"""Rights of directors alone, and deeds that need a reason."""

from uuid import uuid4

import pytest

from scoring.services import close_matches, reopen_matches
from tests.builders import (
    BY_THE_CLOCK,
    a_match,
    an_account,
    code_of,
    fresh,
    mark,
    refusal_of,
    score,
    statuses,
    win,
)

pytestmark = pytest.mark.django_db


class TestAnAward:
    @pytest.mark.parametrize("text", ["A 6 made awarded", "A 6 failed awarded", "totals 20 12 B awarded"])
    def test_is_for_the_director(self, text: str) -> None:
        match = a_match()
        assert code_of(mark, match, text) == "director_only"
        assert mark(match, text, director=an_account()).status == "current"

    def test_needs_a_reason_that_is_kept(self) -> None:
        match, director = a_match(), an_account()
        assert code_of(mark, match, "A 6 made awarded", director=director, reason=" ") == "reason_required"
        ruling = mark(match, "A 6 made awarded", director=director, reason="  Renege,\n side B. ")
        assert ruling.reason == "Renege, side B."

    def test_ends_the_match_for_the_side_it_goes_to(self) -> None:
        match = a_match()
        mark(match, "totals 20 12 B awarded", director=an_account())
        assert fresh(match).summary["games"] == [{"points": [20, 12], "winner": "B", "by": "awarded"}]


class TestWhatADirectorWrote:
    @pytest.mark.parametrize("text", ["undone", "A 6 failed", "void"])
    def test_is_not_replaced_by_a_table(self, text: str) -> None:
        match = a_match()
        ruling = mark(match, "A 6 made awarded", director=an_account())
        assert code_of(mark, match, text, replacing=ruling) == "director_only"
        assert score(match) == [6, 0]

    def test_is_replaced_by_a_director(self) -> None:
        match, director = a_match(), an_account()
        ruling = mark(match, "A 6 made awarded", director=director)
        mark(match, "undone", replacing=ruling, director=director)
        assert score(match) == [0, 0]

    def test_and_a_late_mark_of_the_table_are_both_kept_for_the_director_to_choose(self) -> None:
        match, director = a_match(), an_account()
        mark(match, "A 6 made", director=director)
        late = mark(match, "A 7 made", number=1)
        assert late.status == "rival"
        assert code_of(mark, match, "A 7 made", replacing=late) == "director_only"
        mark(match, "A 6 made", replacing=late, director=director)
        assert score(match) == [6, 0]

    def test_may_be_said_again_by_the_table(self) -> None:
        match = a_match()
        mark(match, "A 6 made", director=an_account())
        assert mark(match, "A 6 made", number=1).status == "echo"

    def test_and_took_back_leaves_the_place_to_the_table(self) -> None:
        match, director = a_match(), an_account()
        mark(match, "undone", replacing=mark(match, "A 6 made"), director=director)
        assert mark(match, "A 7 made").status == "current"


class TestTime:
    def test_is_called_by_the_table_where_the_match_has_a_clock(self) -> None:
        match = a_match(match_format=BY_THE_CLOCK)
        mark(match, "A 6 made")
        mark(match, "time_called")
        match = fresh(match)
        assert match.is_over
        assert (match.summary["winner"], match.summary["points"]) == ("A", [6, 0])

    def test_is_called_by_the_director_where_it_has_none(self) -> None:
        match = a_match()
        mark(match, "A 6 made")
        assert code_of(mark, match, "time_called") == "director_only"
        mark(match, "time_called", director=an_account())
        assert fresh(match).is_over

    def test_called_too_early_is_taken_back(self) -> None:
        match = a_match(match_format=BY_THE_CLOCK)
        mark(match, "undone", replacing=mark(match, "time_called"))
        assert mark(match, "A 6 made").number == 1

    def test_leaves_a_match_without_a_winner_where_all_is_equal(self) -> None:
        match = a_match(match_format=BY_THE_CLOCK)
        mark(match, "time_called")
        assert (fresh(match).is_over, fresh(match).summary["winner"]) == (True, None)


class TestAClosedMatch:
    def test_refuses_the_table(self) -> None:
        match = a_match()
        first = mark(match, "A 6 made")
        close_matches(match_ids=[match.pk])
        for text, replacing in (("A 6 made", None), ("A 7 made", first), ("undone", first)):
            assert code_of(mark, match, text, replacing=replacing) == "match_closed"
        assert code_of(mark, match, "A 8 made", number=1) == "match_closed"
        assert statuses(match) == [(1, "current")]

    def test_takes_the_directors_correction(self) -> None:
        match = a_match()
        first = mark(match, "A 6 made")
        close_matches(match_ids=[match.pk])
        mark(match, "A 7 made", replacing=first, director=an_account())
        assert score(match) == [7, 0]

    def test_answers_the_repeat_of_a_mark_that_it_has(self) -> None:
        match, key = a_match(), uuid4()
        written = mark(match, "A 6 made", key=key, number=1)
        close_matches(match_ids=[match.pk])
        assert mark(match, "A 6 made", key=key, number=1) == written

    def test_takes_the_echo_of_a_second_phone_that_was_late(self) -> None:
        match = a_match()
        mark(match, "A 6 made")
        close_matches(match_ids=[match.pk])
        assert mark(match, "A 6 made", number=1).status == "echo"

    def test_marks_again_once_it_is_reopened(self) -> None:
        match = a_match()
        close_matches(match_ids=[match.pk])
        reopen_matches(match_ids=[match.pk])
        assert mark(match, "A 6 made").status == "current"


def test_nobody_adds_a_hand_to_a_match_that_is_over_not_even_the_director() -> None:
    match = a_match()
    win(match)
    assert code_of(mark, match, "A 6 made", director=an_account()) == "match_over"


def test_a_reason_has_an_end() -> None:
    match, director = a_match(), an_account()
    refusal = refusal_of(mark, match, "A 6 made", director=director, reason="x" * 201)
    assert (refusal.code, refusal.field, refusal.details) == ("reason_too_long", "reason", {"most": 200})
    assert mark(match, "A 6 made", director=director, reason="x" * 200).reason == "x" * 200


def test_a_reason_of_invisible_characters_is_none() -> None:
    match, director = a_match(), an_account()
    assert code_of(mark, match, "A 6 made", director=director, reason="\x00\u200b\n") == "reason_required"


def test_what_no_database_takes_is_left_out_of_a_reason_and_of_a_device() -> None:
    written = mark(a_match(), "A 6 made", reason="a\x00b\ud800", device="phone\x00" + "1" * 50)
    written.refresh_from_db()
    assert (written.reason, written.device) == ("ab", "phone" + "1" * 35)
