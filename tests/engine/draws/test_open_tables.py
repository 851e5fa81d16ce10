"""Open tables: entries are seated in order of arrival, without an immediate rematch if others play."""

from dataclasses import replace

import pytest

from engine.draws import DrawInput, EntryId, LockedTable, ReasonCode, draw
from errors import Refusal

from .events import build_bye, build_field, build_pairing, list_pairs


def lock_table(*entries: int) -> LockedTable:
    return LockedTable(number=1, a=(EntryId(entries[0]),), b=(EntryId(entries[1]),))


def free(*line: int, of: int = 8) -> DrawInput:
    return build_field(*range(of), free=list(line))


def test_entries_are_seated_in_order_of_arrival() -> None:
    assert list_pairs(draw("open_tables", free(5, 2, 7, 0))) == {frozenset({5, 2}), frozenset({7, 0})}


def test_last_arrival_waits_without_a_bye() -> None:
    drawn = draw("open_tables", free(5, 2, 7))
    assert list_pairs(drawn) == {frozenset({5, 2})}
    assert drawn.byes == ()


def test_entries_that_just_met_are_separated_if_others_are_free() -> None:
    before = replace(free(0, 1, 2, 3), round=2, history=(build_pairing(1, 0, 1), build_pairing(1, 2, 3)))
    assert list_pairs(draw("open_tables", before)) == {frozenset({0, 2}), frozenset({1, 3})}


def test_entries_that_just_met_wait_while_others_play() -> None:
    before = replace(free(0, 1), round=2, history=(build_pairing(1, 0, 1),), locked=(lock_table(2, 3),))
    drawn = draw("open_tables", before)
    assert [table.reasons[0].code for table in drawn.tables] == [ReasonCode.LOCKED]


def test_entries_that_just_met_play_again_if_no_one_else_comes() -> None:
    drawn = draw("open_tables", replace(free(0, 1), round=2, history=(build_pairing(1, 0, 1),)))
    assert [reason.code for reason in drawn.tables[0].reasons] == [ReasonCode.IN_LINE, ReasonCode.MET_BEFORE]


def test_older_meeting_does_not_prevent_a_rematch() -> None:
    history = (build_pairing(1, 0, 1), build_pairing(2, 0, 2), build_pairing(2, 1, 3))
    before = replace(free(0, 1), round=3, history=history, locked=(lock_table(2, 3),))
    assert frozenset({0, 1}) in list_pairs(draw("open_tables", before))


def test_bye_since_the_meeting_does_not_allow_a_rematch() -> None:
    history = (build_pairing(1, 0, 1), build_bye(2, 0), build_bye(2, 1))
    before = replace(free(0, 1), round=3, history=history, locked=(lock_table(2, 3),))
    assert frozenset({0, 1}) not in list_pairs(draw("open_tables", before))


def test_playing_or_absent_entry_is_skipped() -> None:
    before = replace(free(0, 1, 2, 3), locked=(lock_table(0, 5),))
    away = tuple(replace(e, absent=frozenset({1})) if e.id == 2 else e for e in before.entrants)
    drawn = draw("open_tables", replace(before, entrants=away))
    assert list_pairs(drawn) == {frozenset({0, 5}), frozenset({1, 3})}
    assert [table.number for table in drawn.tables] == [1, 2]


def test_all_present_entries_are_free_by_default() -> None:
    assert list_pairs(draw("open_tables", build_field(0, 1, 2, 3))) == {frozenset({0, 1}), frozenset({2, 3})}


@pytest.mark.parametrize(
    ("settings", "code"),
    [({"free": 3}, "not_a_list"), ({"free": [1, 1]}, "drawn_twice"), ({"line": []}, "no_such_setting")],
)
def test_open_tables_reject_invalid_settings(settings: dict[str, object], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        draw("open_tables", replace(build_field(0, 1), settings=settings))
    assert refused.value.code == code
