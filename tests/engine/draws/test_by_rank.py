"""The draw of individuals by rank."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import DrawInput, PlayedPairing, ReasonCode, draw
from errors import Refusal

from .events import build_bye, build_field, list_byes
from .people import build_pairing_of_four, list_sides, make_sides, people_fields


@pytest.mark.slow
@given(people_fields())
def test_draw_seats_neighbouring_ranks_together(before: DrawInput) -> None:
    drawn = draw("by_rank", before)
    place = {e.id: number for number, e in enumerate(e for e in before.entrants if e.id not in list_byes(drawn))}
    for number, table in enumerate(drawn.tables):
        first, second = sorted(sorted(place[entry] for entry in side) for side in (table.a, table.b))
        assert (first, second) == ([4 * number, 4 * number + 3], [4 * number + 1, 4 * number + 2])


@pytest.mark.slow
@given(people_fields(), st.sampled_from(["bye", "two_player_table"]), st.booleans())
def test_every_person_plays_or_sits_out_once(before: DrawInput, odd: str, avoid: bool) -> None:
    settings = {"odd": odd, "avoid_repeats": avoid}
    drawn = draw(
        "by_rank",
        DrawInput(round=before.round, entrants=before.entrants, history=before.history, settings=settings),
    )
    seated = [entry for table in drawn.tables for entry in (*table.a, *table.b)]
    assert sorted([*seated, *list_byes(drawn)]) == sorted(e.id for e in before.entrants)


def test_ranks_one_and_four_play_two_and_three_every_round() -> None:
    before = build_field(*range(8), history=[build_pairing_of_four(1, (0, 3), (1, 2))])
    drawn = draw("by_rank", before)
    assert list_sides(drawn) == {make_sides((0, 3), (1, 2)), make_sides((4, 7), (5, 6))}
    codes = [reason.code for reason in drawn.tables[0].reasons]
    assert codes == [ReasonCode.BY_RANK, *[ReasonCode.PARTNERED_BEFORE] * 2, *[ReasonCode.MET_BEFORE] * 4]
    assert sorted(drawn.tables[1].reasons[0].details["places"]) == [(5, 8), (6, 7)]


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        ([], make_sides((0, 3), (1, 2))),
        ([build_pairing_of_four(1, (0, 3), (1, 2))], make_sides((0, 2), (1, 3))),
        (
            [build_pairing_of_four(1, (0, 3), (1, 2)), build_pairing_of_four(2, (0, 2), (1, 3))],
            make_sides((0, 1), (2, 3)),
        ),
        (
            [build_pairing_of_four(1, (0, 3), (8, 9)), build_pairing_of_four(2, (0, 8), (1, 9))],
            make_sides((0, 1), (2, 3)),
        ),
        (
            [
                build_pairing_of_four(1, (0, 3), (8, 9)),
                build_pairing_of_four(2, (0, 8), (1, 9)),
                build_pairing_of_four(3, (0, 1), (8, 9)),
            ],
            make_sides((0, 2), (1, 3)),
        ),
        (
            [
                build_pairing_of_four(1, (0, 3), (1, 2)),
                build_pairing_of_four(2, (0, 2), (1, 3)),
                build_pairing_of_four(3, (0, 1), (2, 3)),
            ],
            make_sides((0, 3), (1, 2)),
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
def test_avoiding_repeats_changes_the_partners_of_four(history: list[PlayedPairing], expected: object) -> None:
    assert list_sides(draw("by_rank", build_field(*range(4), history=history, avoid_repeats=True))) == {expected}


def test_lowest_rank_with_fewest_byes_sits_out() -> None:
    assert list_byes(draw("by_rank", build_field(*range(5)))) == [4]
    assert list_byes(draw("by_rank", build_field(*range(5), history=[build_bye(1, 4)]))) == [3]
    assert list_sides(draw("by_rank", build_field(*range(5), history=[build_bye(1, 4)]))) == {
        make_sides((0, 4), (1, 2))
    }


@pytest.mark.parametrize(
    ("people", "tables", "out"), [(0, 0, 0), (1, 0, 1), (2, 1, 0), (3, 1, 1), (5, 1, 1), (6, 2, 0), (7, 2, 1)]
)
def test_last_two_people_play_each_other(people: int, tables: int, out: int) -> None:
    drawn = draw("by_rank", build_field(*range(people), odd="two_player_table"))
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
def test_draw_rejects_unknown_settings(name: str, value: Any, code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        draw("by_rank", build_field(0, 1, 2, 3, **{name: value}))
    assert (refusal.value.code, refusal.value.field) == (code, name)
