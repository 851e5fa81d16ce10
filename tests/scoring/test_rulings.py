"""Marks that only a director may make, and actions that need a reason."""

from uuid import uuid4

import pytest

from scoring.services.matches import close_matches, reopen_matches
from tests.builders import (
    FIFTY_MINUTES,
    build_account,
    build_match,
    get_refusal,
    get_refusal_code,
    get_score,
    list_statuses,
    mark,
    reload_match,
    win,
)

pytestmark = pytest.mark.django_db


class TestAward:
    @pytest.mark.parametrize("text", ["A 6 made awarded", "A 6 failed awarded", "totals 20 12 B awarded"])
    def test_award_requires_a_director(self, text: str) -> None:
        match = build_match()
        assert get_refusal_code(mark, match, text) == "director_only"
        assert mark(match, text, director=build_account()).status == "current"

    def test_award_requires_a_reason(self) -> None:
        match, director = build_match(), build_account()
        assert get_refusal_code(mark, match, "A 6 made awarded", director=director, reason=" ") == "reason_required"
        ruling = mark(match, "A 6 made awarded", director=director, reason="  Renege,\n side B. ")
        assert ruling.reason == "Renege, side B."

    def test_award_ends_the_match_for_its_side(self) -> None:
        match = build_match()
        mark(match, "totals 20 12 B awarded", director=build_account())
        assert reload_match(match).summary["games"] == [{"points": [20, 12], "winner": "B", "by": "awarded"}]


class TestDirectorMark:
    @pytest.mark.parametrize("text", ["undone", "A 6 failed", "void"])
    def test_table_cannot_replace_a_director_mark(self, text: str) -> None:
        match = build_match()
        ruling = mark(match, "A 6 made awarded", director=build_account())
        assert get_refusal_code(mark, match, text, replaced=ruling) == "director_only"
        assert get_score(match) == [6, 0]

    def test_director_can_replace_a_director_mark(self) -> None:
        match, director = build_match(), build_account()
        ruling = mark(match, "A 6 made awarded", director=director)
        mark(match, "undone", replaced=ruling, director=director)
        assert get_score(match) == [0, 0]

    def test_late_table_mark_waits_for_the_director(self) -> None:
        match, director = build_match(), build_account()
        mark(match, "A 6 made", director=director)
        late = mark(match, "A 7 made", number=1)
        assert late.status == "rival"
        assert get_refusal_code(mark, match, "A 7 made", replaced=late) == "director_only"
        mark(match, "A 6 made", replaced=late, director=director)
        assert get_score(match) == [6, 0]

    def test_table_can_repeat_a_director_mark(self) -> None:
        match = build_match()
        mark(match, "A 6 made", director=build_account())
        assert mark(match, "A 6 made", number=1).status == "echo"

    def test_table_can_mark_after_a_director_undo(self) -> None:
        match, director = build_match(), build_account()
        mark(match, "undone", replaced=mark(match, "A 6 made"), director=director)
        assert mark(match, "A 7 made").status == "current"


class TestTimeCall:
    def test_table_calls_time_in_a_timed_match(self) -> None:
        match = build_match(match_format=FIFTY_MINUTES)
        mark(match, "A 6 made")
        mark(match, "time_called")
        match = reload_match(match)
        assert match.is_over
        assert (match.summary["winner"], match.summary["points"]) == ("A", [6, 0])

    def test_director_calls_time_in_a_match_without_a_clock(self) -> None:
        match = build_match()
        mark(match, "A 6 made")
        assert get_refusal_code(mark, match, "time_called") == "director_only"
        mark(match, "time_called", director=build_account())
        assert reload_match(match).is_over

    def test_early_time_call_can_be_undone(self) -> None:
        match = build_match(match_format=FIFTY_MINUTES)
        mark(match, "undone", replaced=mark(match, "time_called"))
        assert mark(match, "A 6 made").number == 1

    def test_time_call_at_a_tie_leaves_no_winner(self) -> None:
        match = build_match(match_format=FIFTY_MINUTES)
        mark(match, "time_called")
        assert (reload_match(match).is_over, reload_match(match).summary["winner"]) == (True, None)


class TestClosedMatch:
    def test_closed_match_refuses_the_table(self) -> None:
        match = build_match()
        first = mark(match, "A 6 made")
        close_matches(match_ids=[match.pk])
        for text, replacing in (("A 6 made", None), ("A 7 made", first), ("undone", first)):
            assert get_refusal_code(mark, match, text, replaced=replacing) == "match_closed"
        assert get_refusal_code(mark, match, "A 8 made", number=1) == "match_closed"
        assert list_statuses(match) == [(1, "current")]

    def test_closed_match_accepts_a_director_correction(self) -> None:
        match = build_match()
        first = mark(match, "A 6 made")
        close_matches(match_ids=[match.pk])
        mark(match, "A 7 made", replaced=first, director=build_account())
        assert get_score(match) == [7, 0]

    def test_closed_match_answers_a_repeated_request(self) -> None:
        match, key = build_match(), uuid4()
        written = mark(match, "A 6 made", key=key, number=1)
        close_matches(match_ids=[match.pk])
        assert mark(match, "A 6 made", key=key, number=1) == written

    def test_closed_match_accepts_a_late_echo(self) -> None:
        match = build_match()
        mark(match, "A 6 made")
        close_matches(match_ids=[match.pk])
        assert mark(match, "A 6 made", number=1).status == "echo"

    def test_reopened_match_accepts_hands_again(self) -> None:
        match = build_match()
        close_matches(match_ids=[match.pk])
        reopen_matches(match_ids=[match.pk])
        assert mark(match, "A 6 made").status == "current"


def test_finished_match_accepts_no_hand_from_a_director() -> None:
    match = build_match()
    win(match)
    assert get_refusal_code(mark, match, "A 6 made", director=build_account()) == "match_over"


def test_overlong_reason_is_refused() -> None:
    match, director = build_match(), build_account()
    refusal = get_refusal(mark, match, "A 6 made", director=director, reason="x" * 201)
    assert (refusal.code, refusal.field, refusal.details) == ("reason_too_long", "reason", {"most": 200})
    assert mark(match, "A 6 made", director=director, reason="x" * 200).reason == "x" * 200


def test_reason_of_invisible_characters_is_refused() -> None:
    match, director = build_match(), build_account()
    assert get_refusal_code(mark, match, "A 6 made", director=director, reason="\x00\u200b\n") == "reason_required"


def test_unstorable_characters_are_removed_from_reason_and_device() -> None:
    written = mark(build_match(), "A 6 made", reason="a\x00b\ud800", device="phone\x00" + "1" * 50)
    written.refresh_from_db()
    assert (written.reason, written.device) == ("ab", "phone" + "1" * 35)
