"""Open tables: first come, first seated, and not twice in a row against the same opponent."""

from dataclasses import replace

import pytest

from engine.draws import DrawInput, EntryId, LockedTable, ReasonCode, draw
from errors import Refusal

from .events import field, met, pairs, sat_out


def busy(*entries: int) -> LockedTable:
    return LockedTable(number=1, a=(EntryId(entries[0]),), b=(EntryId(entries[1]),))


def free(*line: int, of: int = 8) -> DrawInput:
    return field(*range(of), free=list(line))


def test_they_sit_down_in_the_order_in_which_they_come() -> None:
    assert pairs(draw("open_tables", free(5, 2, 7, 0))) == {frozenset({5, 2}), frozenset({7, 0})}


def test_who_comes_last_waits_and_that_is_no_bye() -> None:
    drawn = draw("open_tables", free(5, 2, 7))
    assert pairs(drawn) == {frozenset({5, 2})}
    assert drawn.byes == ()


def test_two_who_have_just_met_are_kept_apart_if_others_are_free() -> None:
    before = replace(free(0, 1, 2, 3), round=2, history=(met(1, 0, 1), met(1, 2, 3)))
    assert pairs(draw("open_tables", before)) == {frozenset({0, 2}), frozenset({1, 3})}


def test_two_who_have_just_met_wait_while_others_are_at_play() -> None:
    before = replace(free(0, 1), round=2, history=(met(1, 0, 1),), locked=(busy(2, 3),))
    drawn = draw("open_tables", before)
    assert [table.reasons[0].code for table in drawn.tables] == [ReasonCode.LOCKED]


def test_two_who_have_just_met_play_again_if_nobody_else_will_come() -> None:
    drawn = draw("open_tables", replace(free(0, 1), round=2, history=(met(1, 0, 1),)))
    assert [reason.code for reason in drawn.tables[0].reasons] == [ReasonCode.IN_LINE, ReasonCode.MET_BEFORE]


def test_a_meeting_before_the_last_one_is_no_hindrance() -> None:
    history = (met(1, 0, 1), met(2, 0, 2), met(2, 1, 3))
    before = replace(free(0, 1), round=3, history=history, locked=(busy(2, 3),))
    assert frozenset({0, 1}) in pairs(draw("open_tables", before))


def test_who_has_sat_out_since_is_kept_apart_all_the_same() -> None:
    history = (met(1, 0, 1), sat_out(2, 0), sat_out(2, 1))
    before = replace(free(0, 1), round=3, history=history, locked=(busy(2, 3),))
    assert frozenset({0, 1}) not in pairs(draw("open_tables", before))


def test_who_is_at_play_or_away_is_passed_over() -> None:
    before = replace(free(0, 1, 2, 3), locked=(busy(0, 5),))
    away = tuple(replace(e, absent=frozenset({1})) if e.id == 2 else e for e in before.entrants)
    drawn = draw("open_tables", replace(before, entrants=away))
    assert pairs(drawn) == {frozenset({0, 5}), frozenset({1, 3})}
    assert [table.number for table in drawn.tables] == [1, 2]


def test_if_nobody_is_named_everybody_present_is_free() -> None:
    assert pairs(draw("open_tables", field(0, 1, 2, 3))) == {frozenset({0, 1}), frozenset({2, 3})}


@pytest.mark.parametrize(
    ("settings", "code"),
    [({"free": 3}, "not_a_list"), ({"free": [1, 1]}, "drawn_twice"), ({"line": []}, "no_such_setting")],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, object], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        draw("open_tables", replace(field(0, 1), settings=settings))
    assert refused.value.code == code
