"""Taking back and putting right: the log keeps everything, and the fold follows."""

import pytest

from scoring.models import Mark
from tests.builders import (
    a_match,
    an_account,
    code_of,
    fresh,
    mark,
    play,
    refusal_of,
    score,
    statuses,
    win,
)

pytestmark = pytest.mark.django_db


class TestUndo:
    def test_of_the_last_hand_frees_its_place(self) -> None:
        match = a_match()
        _, last = play(match, "A 6 made", "B 7 made")
        undo = mark(match, "undone", replacing=last)
        assert undo.status == "current"
        assert score(match) == [6, 0]
        assert fresh(match).summary["next"] == 2

    def test_of_an_earlier_hand_is_refused(self) -> None:
        match = a_match()
        first, _ = play(match, "A 6 made", "B 7 made")
        refusal = refusal_of(mark, match, "undone", replacing=first)
        assert (refusal.code, refusal.details) == ("not_last_hand", {"last": 2})

    def test_of_an_earlier_hand_is_refused_also_to_somebody_who_did_not_see_it(self) -> None:
        match = a_match()
        play(match, "A 6 made", "B 7 made")
        assert code_of(mark, match, "undone", number=1) == "not_last_hand"
        assert not fresh(match).has_rivals

    def test_one_after_the_other_goes_back_to_the_beginning(self) -> None:
        match = a_match()
        for written in reversed(play(match, "A 6 made", "B 7 made", "A 5 made")):
            mark(match, "undone", replacing=written)
        assert score(match) == [0, 0]
        assert fresh(match).summary["next"] == 1

    def test_by_two_phones_takes_back_one_hand(self) -> None:
        match = a_match()
        _, last = play(match, "A 6 made", "B 7 made")
        mark(match, "undone", replacing=last)
        assert mark(match, "undone", replacing=last).status == "echo"
        assert score(match) == [6, 0]

    def test_where_nothing_was_marked_is_refused(self) -> None:
        assert code_of(mark, a_match(), "undone") == "no_such_mark"

    def test_of_the_winning_hand_opens_the_match_again(self) -> None:
        match = a_match()
        mark(match, "undone", replacing=win(match)[-1])
        assert not fresh(match).is_over
        assert score(match) == [0, 6]

    def test_of_a_hand_that_was_corrected_meanwhile_asks_the_table(self) -> None:
        match = a_match()
        first = mark(match, "A 6 made")
        mark(match, "A 7 made", replacing=first)
        late = mark(match, "undone", replacing=first)
        assert late.status == "rival"
        assert fresh(match).has_rivals

    def test_that_the_table_is_asked_about_may_be_chosen(self) -> None:
        match = a_match()
        first = mark(match, "A 6 made")
        second = mark(match, "A 7 made", replacing=first)
        mark(match, "undone", replacing=first)
        mark(match, "undone", replacing=second)
        assert not fresh(match).has_rivals
        assert fresh(match).summary["next"] == 1
        assert "rival" not in [status for _, status in statuses(match)]

    def test_that_the_table_is_asked_about_may_be_turned_down(self) -> None:
        match = a_match()
        first = mark(match, "A 6 made")
        mark(match, "A 7 made", replacing=first)
        undo = mark(match, "undone", replacing=first)
        mark(match, "A 7 made", replacing=undo)
        assert not fresh(match).has_rivals
        assert score(match) == [7, 0]

    def test_that_the_table_is_asked_about_cannot_be_chosen_once_hands_follow(self) -> None:
        match = a_match()
        first = mark(match, "A 6 made")
        second = mark(match, "A 7 made", replacing=first)
        mark(match, "undone", replacing=first)
        mark(match, "B 5 made")
        assert code_of(mark, match, "undone", replacing=second) == "not_last_hand"

    def test_of_a_mark_that_has_a_rival_nobody_saw_drops_neither(self) -> None:
        match = a_match()
        first = mark(match, "A 6 made")
        mark(match, "A 7 made", number=1)
        assert mark(match, "undone", replacing=first).status == "rival"
        assert [status for _, status in statuses(match)] == ["current", "rival", "rival"]


class TestAfterAnUndo:
    def test_the_hand_may_be_put_back(self) -> None:
        match = a_match()
        _, last = play(match, "A 6 made", "B 7 made")
        undo = mark(match, "undone", replacing=last)
        again = mark(match, "B 7 made", replacing=undo)
        assert again.status == "current"
        assert score(match) == [6, 7]

    def test_another_hand_may_be_marked(self) -> None:
        match = a_match()
        last = mark(match, "A 6 made")
        mark(match, "undone", replacing=last)
        mark(match, "B 5 made")
        assert score(match) == [0, 5]
        assert statuses(match) == [(1, "superseded"), (1, "superseded"), (1, "current")]

    def test_undone_again_the_second_hand_is_gone_too(self) -> None:
        match = a_match()
        mark(match, "undone", replacing=mark(match, "A 6 made"))
        mark(match, "undone", replacing=mark(match, "B 5 made"))
        assert score(match) == [0, 0]

    def test_a_place_further_on_skips(self) -> None:
        match = a_match()
        written = play(match, "A 6 made", "B 7 made")
        for taken_back in reversed(written):
            mark(match, "undone", replacing=taken_back)
        assert code_of(mark, match, "B 7 made", number=2) == "number_skips"

    def test_two_phones_that_mark_it_anew_differently_make_it_wait(self) -> None:
        match = a_match()
        undo = mark(match, "undone", replacing=mark(match, "A 6 made"))
        mark(match, "A 7 made", replacing=undo)
        assert mark(match, "A 8 made", replacing=undo).status == "rival"


class TestACorrection:
    def test_takes_the_place_of_the_hand_and_keeps_it(self) -> None:
        match = a_match()
        first = mark(match, "A 6 made")
        corrected = mark(match, "A 6 failed", replacing=first)
        assert (corrected.status, corrected.supersedes) == ("current", first)
        assert statuses(match) == [(1, "superseded"), (1, "current")]
        assert score(match) == [0, 6]

    def test_of_an_earlier_hand_changes_everything_that_follows_from_it(self) -> None:
        match = a_match()
        first, *_ = play(match, "A 6 made", "A 7 made", "B 5 made")
        mark(match, "B 8 made", replacing=first)
        assert score(match) == [7, 13]

    def test_that_says_the_same_changes_nothing(self) -> None:
        match = a_match()
        first = mark(match, "A 6 made")
        assert mark(match, "A 6 made", replacing=first).status == "echo"
        assert first.status == "current"

    def test_that_ends_the_match_earlier_leaves_the_later_hands_as_surplus(self) -> None:
        match = a_match()
        first, *_ = play(match, "A mulot made", "A 6 made", "B 7 made")
        mark(match, "A gros_charlemagne made", replacing=first)
        match = fresh(match)
        assert match.is_over
        assert match.summary["points"] == [32, 0]
        assert match.summary["next"] == 4

    def test_of_surplus_hands_brings_them_back(self) -> None:
        match = a_match()
        first, *_ = play(match, "A mulot made", "A 6 made", "B 7 made")
        ended = mark(match, "A gros_charlemagne made", replacing=first)
        mark(match, "A mulot made", replacing=ended)
        assert not fresh(match).is_over
        assert score(match) == [21, 7]

    def test_after_the_match_is_over_may_open_it_again(self) -> None:
        match = a_match()
        first, winning = win(match)
        mark(match, "B 8 made", replacing=first)
        assert fresh(match).is_over
        mark(match, "A gros_charlemagne failed", replacing=winning)
        assert not fresh(match).is_over
        assert score(match) == [0, 24]

    def test_to_void_takes_the_points_and_keeps_the_place(self) -> None:
        match = a_match()
        first, _ = play(match, "A 6 made", "B 7 made")
        mark(match, "void", replacing=first)
        assert score(match) == [0, 7]
        assert fresh(match).summary["next"] == 3

    def test_may_itself_be_corrected(self) -> None:
        match = a_match()
        written = mark(match, "A 5 made")
        for text in ("A 6 made", "A 7 made", "A 8 made"):
            written = mark(match, text, replacing=written)
        assert score(match) == [8, 0]
        assert Mark.objects.filter(status="superseded").count() == 3

    def test_to_something_that_cannot_be_leaves_the_hand_as_it_was(self) -> None:
        match = a_match()
        first = mark(match, "A 6 made")
        assert code_of(mark, match, "A 6 9", replacing=first) == "tricks_out_of_range"
        assert statuses(match) == [(1, "current")]


def test_history_keeps_every_mark_with_who_when_from_which_device_and_why() -> None:
    match, director = a_match(), an_account("Denise Roy")
    first = mark(match, "A 6 made", device="phone 1")
    mark(match, "A 6 failed", replacing=first, device="phone 2", reason="Wrong side")
    last = match.marks.get(status="current")
    mark(match, "void", replacing=last, director=director, reason="A renege.")
    kept = match.marks.order_by("pk")
    assert [(each.device, each.account, each.reason) for each in kept] == [
        ("phone 1", None, ""),
        ("phone 2", None, "Wrong side"),
        ("", director, "A renege."),
    ]
    assert [each.record_data["kind"] for each in kept] == ["hand", "hand", "void"]
    assert [each.created_at for each in kept] == sorted(each.created_at for each in kept)
