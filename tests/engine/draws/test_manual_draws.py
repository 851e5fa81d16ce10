"""The manual draw."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from engine.draws import Draw, DrawInput, EntryId, LockedTable, ReasonCode, draw
from errors import Refusal

from .events import build_field, build_pairing, fields, list_byes

TWO_TABLES = [{"number": 3, "a": [0], "b": [1]}, {"number": 1, "a": [2], "b": [3]}]


def draw_manual(before: DrawInput, **settings: Any) -> Draw:
    return draw("manual", replace(before, settings=settings))


def list_bye_reasons(drawn: Draw) -> dict[int, list[ReasonCode]]:
    return {bye.entry: [reason.code for reason in bye.reasons] for bye in drawn.byes}


def test_manual_draw_has_the_tables_entered() -> None:
    drawn = draw_manual(build_field(0, 1, 2, 3), tables=TWO_TABLES)
    assert [(t.number, t.a, t.b) for t in drawn.tables] == [(1, (2,), (3,)), (3, (0,), (1,))]
    assert all(table.reasons[0].code is ReasonCode.BY_HAND for table in drawn.tables)


def test_present_entry_without_a_table_gets_a_bye_with_a_reason() -> None:
    before = build_field(0, 1, 2, 3, 4, 5)
    entrants = tuple(
        replace(e, absent=frozenset({1} if e.id == 5 else ()), requested_byes=frozenset({1} if e.id == 4 else ()))
        for e in before.entrants
    )
    drawn = draw_manual(replace(before, entrants=entrants), tables=[{"number": 1, "a": [0], "b": [1]}], byes=[2])
    assert list_bye_reasons(drawn) == {
        2: [ReasonCode.BY_HAND],
        3: [ReasonCode.NOT_NAMED],
        4: [ReasonCode.BYE_REQUESTED],
    }


def test_rematch_is_reported_and_priced() -> None:
    drawn = draw_manual(build_field(0, 1, 2, 3, history=[build_pairing(1, 0, 1)]), tables=TWO_TABLES)
    assert [reason.code for reason in drawn.tables[1].reasons] == [ReasonCode.BY_HAND, ReasonCode.MET_BEFORE]
    assert drawn.price["repeats"] == 1


@pytest.mark.slow
@given(fields())
def test_swiss_draw_entered_by_hand_costs_the_same(before: DrawInput) -> None:
    drawn = draw("swiss", before)
    tables = [{"number": t.number, "a": list(t.a), "b": list(t.b)} for t in drawn.tables]
    again = draw_manual(before, tables=tables, byes=list_byes(drawn))
    assert again.price == drawn.price
    assert [(t.number, t.a, t.b) for t in again.tables] == [(t.number, t.a, t.b) for t in drawn.tables]


@pytest.mark.slow
@given(fields())
def test_empty_manual_draw_gives_everyone_a_bye(before: DrawInput) -> None:
    drawn = draw_manual(before)
    assert not drawn.tables
    assert list_byes(drawn) == [entrant.id for entrant in before.entrants]


def test_tables_of_two_against_two_have_no_price() -> None:
    drawn = draw_manual(
        build_field(*range(6)),
        side=2,
        tables=[
            {"number": 1, "a": [0, 1], "b": [2, 3]},
            {"number": 2, "a": [4], "b": [5]},
        ],
    )
    assert [(t.a, t.b) for t in drawn.tables] == [((0, 1), (2, 3)), ((4,), (5,))]
    assert drawn.price == {}


def test_entry_with_a_requested_bye_may_be_seated() -> None:
    before = build_field(0, 1, history=[build_pairing(1, 0, 1)])
    entrants = tuple(replace(e, requested_byes=frozenset({2})) for e in before.entrants)
    drawn = draw_manual(replace(before, entrants=entrants), tables=[{"number": 1, "a": [0], "b": [1]}])
    assert list_byes(drawn) == []
    assert drawn.price["repeats"] == 1


def test_locked_tables_stay_whether_entered_or_not() -> None:
    locked = LockedTable(number=1, a=(EntryId(2),), b=(EntryId(3),))
    before = replace(build_field(0, 1, 2, 3), locked=(locked,))
    for tables in (TWO_TABLES, TWO_TABLES[:1]):
        drawn = draw_manual(before, tables=tables)
        assert [(t.number, t.reasons[0].code) for t in drawn.tables] == [
            (1, ReasonCode.LOCKED),
            (3, ReasonCode.BY_HAND),
        ]
        assert list_byes(drawn) == []


def test_entry_at_a_locked_table_cannot_sit_at_another() -> None:
    locked = LockedTable(number=1, a=(EntryId(2),), b=(EntryId(3),))
    before = replace(build_field(0, 1, 2, 3), locked=(locked,))
    with pytest.raises(Refusal) as refusal:
        draw_manual(before, tables=[{"number": 2, "a": [0], "b": [2]}])
    assert (refusal.value.code, refusal.value.details) == ("drawn_twice", {"entry": 2})


@pytest.mark.parametrize(
    ("settings", "code", "name"),
    [
        ({"rounds": 3}, "no_such_setting", "rounds"),
        ({"side": 3}, "no_such_choice", "side"),
        ({"tables": 3}, "not_a_list", "tables"),
        ({"tables": [[0, 1]]}, "not_a_table", "tables"),
        ({"tables": [{"number": 1, "a": [0]}]}, "not_a_table", "tables"),
        ({"tables": [{"number": 0, "a": [0], "b": [1]}]}, "number_too_small", "tables"),
        ({"tables": [{"number": 1, "a": 0, "b": [1]}]}, "not_a_list", "tables"),
        ({"tables": [{"number": 1, "a": ["0"], "b": [1]}]}, "no_such_entrant", "tables"),
        ({"tables": [{"number": 1, "a": [0, 2], "b": [1, 3]}]}, "side_size", "tables"),
        ({"tables": [{"number": 1, "a": [0], "b": []}]}, "side_size", "tables"),
        ({"tables": [{"number": 1, "a": [0], "b": [9]}]}, "no_such_entrant", "tables"),
        ({"tables": [{"number": 1, "a": [0], "b": [0]}]}, "drawn_twice", "tables"),
        ({"tables": [{"number": 1, "a": [0], "b": [4]}]}, "not_present", "tables"),
        ({"tables": [*TWO_TABLES, {"number": 1, "a": [4], "b": [5]}]}, "table_drawn_twice", "tables"),
        ({"tables": TWO_TABLES, "byes": [0]}, "drawn_twice", "byes"),
        ({"byes": [9]}, "no_such_entrant", "byes"),
        ({"byes": [4]}, "not_present", "byes"),
        ({"byes": {"0": 1}}, "not_a_list", "byes"),
    ],
    ids=lambda value: str(value) if isinstance(value, str) else "",
)
def test_manual_draw_rejects_invalid_settings(settings: dict[str, Any], code: str, name: str) -> None:
    before = build_field(0, 1, 2, 3, 4)
    entrants = tuple(replace(e, absent=frozenset({1} if e.id == 4 else ())) for e in before.entrants)
    with pytest.raises(Refusal) as refusal:
        draw_manual(replace(before, entrants=entrants), **settings)
    assert (refusal.value.code, refusal.value.field) == (code, name)


def test_refusal_of_table_number_zero_states_the_minimum() -> None:
    with pytest.raises(Refusal) as refusal:
        draw_manual(build_field(0, 1), tables=[{"number": 0, "a": [0], "b": [1]}])
    assert refusal.value.details["least"] == 1
