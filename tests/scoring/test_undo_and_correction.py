"""Undo and correction of hands: the log keeps every mark, and the score follows."""

import pytest

from scoring.models import Mark
from tests.builders import (
    build_account,
    build_match,
    get_refusal,
    get_refusal_code,
    get_score,
    list_statuses,
    mark,
    play,
    reload_match,
    win,
)

pytestmark = pytest.mark.django_db


class TestUndo:
    def test_undone_last_hand_frees_its_number(self) -> None:
        match = build_match()
        _, last = play(match, "A 6 made", "B 7 made")
        undo = mark(match, "undone", replaced=last)
        assert undo.status == "current"
        assert get_score(match) == [6, 0]
        assert reload_match(match).summary["next"] == 2

    def test_earlier_hand_cannot_be_undone(self) -> None:
        match = build_match()
        first, _ = play(match, "A 6 made", "B 7 made")
        refusal = get_refusal(mark, match, "undone", replaced=first)
        assert (refusal.code, refusal.details) == ("not_last_hand", {"last": 2})

    def test_unseen_earlier_hand_cannot_be_undone(self) -> None:
        match = build_match()
        play(match, "A 6 made", "B 7 made")
        assert get_refusal_code(mark, match, "undone", number=1) == "not_last_hand"
        assert not reload_match(match).has_rivals

    def test_successive_undos_return_to_the_beginning(self) -> None:
        match = build_match()
        for written in reversed(play(match, "A 6 made", "B 7 made", "A 5 made")):
            mark(match, "undone", replaced=written)
        assert get_score(match) == [0, 0]
        assert reload_match(match).summary["next"] == 1

    def test_two_phones_undo_one_hand_once(self) -> None:
        match = build_match()
        _, last = play(match, "A 6 made", "B 7 made")
        mark(match, "undone", replaced=last)
        assert mark(match, "undone", replaced=last).status == "echo"
        assert get_score(match) == [6, 0]

    def test_undo_without_a_mark_is_refused(self) -> None:
        assert get_refusal_code(mark, build_match(), "undone") == "no_such_mark"

    def test_undone_winning_hand_reopens_the_match(self) -> None:
        match = build_match()
        mark(match, "undone", replaced=win(match)[-1])
        assert not reload_match(match).is_over
        assert get_score(match) == [0, 6]

    def test_undo_of_a_corrected_hand_is_a_rival(self) -> None:
        match = build_match()
        first = mark(match, "A 6 made")
        mark(match, "A 7 made", replaced=first)
        late = mark(match, "undone", replaced=first)
        assert late.status == "rival"
        assert reload_match(match).has_rivals

    def test_rival_undo_can_be_chosen(self) -> None:
        match = build_match()
        first = mark(match, "A 6 made")
        second = mark(match, "A 7 made", replaced=first)
        mark(match, "undone", replaced=first)
        mark(match, "undone", replaced=second)
        assert not reload_match(match).has_rivals
        assert reload_match(match).summary["next"] == 1
        assert "rival" not in [status for _, status in list_statuses(match)]

    def test_rival_undo_can_be_rejected(self) -> None:
        match = build_match()
        first = mark(match, "A 6 made")
        mark(match, "A 7 made", replaced=first)
        undo = mark(match, "undone", replaced=first)
        mark(match, "A 7 made", replaced=undo)
        assert not reload_match(match).has_rivals
        assert get_score(match) == [7, 0]

    def test_rival_undo_cannot_be_chosen_after_later_hands(self) -> None:
        match = build_match()
        first = mark(match, "A 6 made")
        second = mark(match, "A 7 made", replaced=first)
        mark(match, "undone", replaced=first)
        mark(match, "B 5 made")
        assert get_refusal_code(mark, match, "undone", replaced=second) == "not_last_hand"

    def test_undo_of_a_conflicting_mark_drops_neither(self) -> None:
        match = build_match()
        first = mark(match, "A 6 made")
        mark(match, "A 7 made", number=1)
        assert mark(match, "undone", replaced=first).status == "rival"
        assert [status for _, status in list_statuses(match)] == ["current", "rival", "rival"]


class TestUndoneHand:
    def test_undone_hand_can_be_restored(self) -> None:
        match = build_match()
        _, last = play(match, "A 6 made", "B 7 made")
        undo = mark(match, "undone", replaced=last)
        again = mark(match, "B 7 made", replaced=undo)
        assert again.status == "current"
        assert get_score(match) == [6, 7]

    def test_another_hand_can_replace_an_undone_one(self) -> None:
        match = build_match()
        last = mark(match, "A 6 made")
        mark(match, "undone", replaced=last)
        mark(match, "B 5 made")
        assert get_score(match) == [0, 5]
        assert list_statuses(match) == [(1, "superseded"), (1, "superseded"), (1, "current")]

    def test_second_undo_removes_the_new_hand(self) -> None:
        match = build_match()
        mark(match, "undone", replaced=mark(match, "A 6 made"))
        mark(match, "undone", replaced=mark(match, "B 5 made"))
        assert get_score(match) == [0, 0]

    def test_number_after_an_undone_hand_is_refused(self) -> None:
        match = build_match()
        written = play(match, "A 6 made", "B 7 made")
        for taken_back in reversed(written):
            mark(match, "undone", replaced=taken_back)
        assert get_refusal_code(mark, match, "B 7 made", number=2) == "number_skips"

    def test_different_replacements_become_rivals(self) -> None:
        match = build_match()
        undo = mark(match, "undone", replaced=mark(match, "A 6 made"))
        mark(match, "A 7 made", replaced=undo)
        assert mark(match, "A 8 made", replaced=undo).status == "rival"


class TestCorrection:
    def test_correction_supersedes_the_hand_and_keeps_it(self) -> None:
        match = build_match()
        first = mark(match, "A 6 made")
        corrected = mark(match, "A 6 failed", replaced=first)
        assert (corrected.status, corrected.supersedes) == ("current", first)
        assert list_statuses(match) == [(1, "superseded"), (1, "current")]
        assert get_score(match) == [0, 6]

    def test_earlier_correction_changes_all_later_totals(self) -> None:
        match = build_match()
        first, *_ = play(match, "A 6 made", "A 7 made", "B 5 made")
        mark(match, "B 8 made", replaced=first)
        assert get_score(match) == [7, 13]

    def test_identical_correction_changes_nothing(self) -> None:
        match = build_match()
        first = mark(match, "A 6 made")
        assert mark(match, "A 6 made", replaced=first).status == "echo"
        assert first.status == "current"

    def test_correction_that_ends_the_match_makes_later_hands_surplus(self) -> None:
        match = build_match()
        first, *_ = play(match, "A mulot made", "A 6 made", "B 7 made")
        mark(match, "A gros_charlemagne made", replaced=first)
        match = reload_match(match)
        assert match.is_over
        assert match.summary["points"] == [32, 0]
        assert match.summary["next"] == 4

    def test_correction_can_make_surplus_hands_count_again(self) -> None:
        match = build_match()
        first, *_ = play(match, "A mulot made", "A 6 made", "B 7 made")
        ended = mark(match, "A gros_charlemagne made", replaced=first)
        mark(match, "A mulot made", replaced=ended)
        assert not reload_match(match).is_over
        assert get_score(match) == [21, 7]

    def test_correction_can_reopen_a_finished_match(self) -> None:
        match = build_match()
        first, winning = win(match)
        mark(match, "B 8 made", replaced=first)
        assert reload_match(match).is_over
        mark(match, "A gros_charlemagne failed", replaced=winning)
        assert not reload_match(match).is_over
        assert get_score(match) == [0, 24]

    def test_correction_to_void_removes_the_points_only(self) -> None:
        match = build_match()
        first, _ = play(match, "A 6 made", "B 7 made")
        mark(match, "void", replaced=first)
        assert get_score(match) == [0, 7]
        assert reload_match(match).summary["next"] == 3

    def test_correction_can_itself_be_corrected(self) -> None:
        match = build_match()
        written = mark(match, "A 5 made")
        for text in ("A 6 made", "A 7 made", "A 8 made"):
            written = mark(match, text, replaced=written)
        assert get_score(match) == [8, 0]
        assert Mark.objects.filter(status="superseded").count() == 3

    def test_invalid_correction_leaves_the_hand_unchanged(self) -> None:
        match = build_match()
        first = mark(match, "A 6 made")
        assert get_refusal_code(mark, match, "A 6 9", replaced=first) == "tricks_out_of_range"
        assert list_statuses(match) == [(1, "current")]


def test_history_keeps_every_mark_with_author_and_reason() -> None:
    match, director = build_match(), build_account("Denise Roy")
    first = mark(match, "A 6 made", device="phone 1")
    mark(match, "A 6 failed", replaced=first, device="phone 2", reason="Wrong side")
    last = match.marks.get(status="current")
    mark(match, "void", replaced=last, director=director, reason="A renege.")
    marks = match.marks.order_by("pk")
    assert [(each.device, each.account, each.reason) for each in marks] == [
        ("phone 1", None, ""),
        ("phone 2", None, "Wrong side"),
        ("", director, "A renege."),
    ]
    assert [each.record_data["kind"] for each in marks] == ["hand", "hand", "void"]
    assert [each.created_at for each in marks] == sorted(each.created_at for each in marks)
