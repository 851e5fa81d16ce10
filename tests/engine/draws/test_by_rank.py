"""The draw of people by rank."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import DrawInput, PlayedPairing, ReasonCode, draw
from errors import Refusal

from .events import byes, field, sat_out
from .people import against, four, people_fields, sides


@given(people_fields())
def test_those_who_meet_stand_next_to_each_other_whatever_was_before(before: DrawInput) -> None:
    drawn = draw("by_rank", before)
    place = {e.id: number for number, e in enumerate(e for e in before.entrants if e.id not in byes(drawn))}
    for number, table in enumerate(drawn.tables):
        first, second = sorted(sorted(place[entry] for entry in side) for side in (table.a, table.b))
        assert (first, second) == ([4 * number, 4 * number + 3], [4 * number + 1, 4 * number + 2])


@given(people_fields(), st.sampled_from(["bye", "two_player_table"]), st.booleans())
def test_everybody_plays_or_sits_out_once(before: DrawInput, odd: str, avoid: bool) -> None:
    settings = {"odd": odd, "avoid_repeats": avoid}
    drawn = draw(
        "by_rank",
        DrawInput(round=before.round, entrants=before.entrants, history=before.history, settings=settings),
    )
    seated = [entry for table in drawn.tables for entry in (*table.a, *table.b)]
    assert sorted([*seated, *byes(drawn)]) == sorted(e.id for e in before.entrants)


def test_1_and_4_play_2_and_3_again_and_again() -> None:
    before = field(*range(8), history=[four(1, (0, 3), (1, 2))])
    drawn = draw("by_rank", before)
    assert sides(drawn) == {against((0, 3), (1, 2)), against((4, 7), (5, 6))}
    codes = [reason.code for reason in drawn.tables[0].reasons]
    assert codes == [ReasonCode.BY_RANK, *[ReasonCode.PARTNERED_BEFORE] * 2, *[ReasonCode.MET_BEFORE] * 4]
    assert sorted(drawn.tables[1].reasons[0].details["places"]) == [(5, 8), (6, 7)]


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        ([], against((0, 3), (1, 2))),
        ([four(1, (0, 3), (1, 2))], against((0, 2), (1, 3))),
        ([four(1, (0, 3), (1, 2)), four(2, (0, 2), (1, 3))], against((0, 1), (2, 3))),
        ([four(1, (0, 3), (8, 9)), four(2, (0, 8), (1, 9))], against((0, 1), (2, 3))),
        (
            [four(1, (0, 3), (8, 9)), four(2, (0, 8), (1, 9)), four(3, (0, 1), (8, 9))],
            against((0, 2), (1, 3)),
        ),
        (
            [four(1, (0, 3), (1, 2)), four(2, (0, 2), (1, 3)), four(3, (0, 1), (2, 3))],
            against((0, 3), (1, 2)),
        ),
    ],
    ids=[
        "at first",
        "the second way",
        "the third way",
        "then the fewest opponents",
        "first the fewest partners",
        "all ways once",
    ],
)
def test_if_repeats_are_avoided_four_play_another_way(history: list[PlayedPairing], expected: object) -> None:
    assert sides(draw("by_rank", field(*range(4), history=history, avoid_repeats=True))) == {expected}


def test_the_lowest_who_has_had_the_fewest_byes_sits_out() -> None:
    assert byes(draw("by_rank", field(*range(5)))) == [4]
    assert byes(draw("by_rank", field(*range(5), history=[sat_out(1, 4)]))) == [3]
    assert sides(draw("by_rank", field(*range(5), history=[sat_out(1, 4)]))) == {against((0, 4), (1, 2))}


@pytest.mark.parametrize(
    ("people", "tables", "out"), [(0, 0, 0), (1, 0, 1), (2, 1, 0), (3, 1, 1), (5, 1, 1), (6, 2, 0), (7, 2, 1)]
)
def test_two_who_are_left_play_each_other(people: int, tables: int, out: int) -> None:
    drawn = draw("by_rank", field(*range(people), odd="two_player_table"))
    assert (len(drawn.tables), len(drawn.byes)) == (tables, out)
    if people in {2, 3, 6, 7}:
        assert drawn.tables[-1].reasons[0].code is ReasonCode.TWO_LEFT


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("odd", "robot", "no_such_choice"),
        ("avoid_repeats", "yes", "no_such_choice"),
        ("criteria", [], "no_such_setting"),
    ],
)
def test_refuses_settings_it_does_not_know(name: str, value: Any, code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        draw("by_rank", field(0, 1, 2, 3, **{name: value}))
    assert (refusal.value.code, refusal.value.field) == (code, name)
