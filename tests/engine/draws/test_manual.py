"""The draw made by hand."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from engine.draws import Draw, DrawInput, EntryId, LockedTable, ReasonCode, draw
from errors import Refusal

from .events import byes, field, fields, met

TWO_TABLES = [{"number": 3, "a": [0], "b": [1]}, {"number": 1, "a": [2], "b": [3]}]


def typed(before: DrawInput, **settings: Any) -> Draw:
    return draw("manual", replace(before, settings=settings))


def reasons(drawn: Draw) -> dict[int, list[ReasonCode]]:
    return {bye.entry: [reason.code for reason in bye.reasons] for bye in drawn.byes}


def test_the_tables_are_those_typed_by_number() -> None:
    drawn = typed(field(0, 1, 2, 3), tables=TWO_TABLES)
    assert [(t.number, t.a, t.b) for t in drawn.tables] == [(1, (2,), (3,)), (3, (0,), (1,))]
    assert all(table.reasons[0].code is ReasonCode.BY_HAND for table in drawn.tables)


def test_whoever_is_present_and_not_named_has_a_bye_and_each_bye_says_why() -> None:
    before = field(0, 1, 2, 3, 4, 5)
    entrants = tuple(
        replace(e, absent=frozenset({1} if e.id == 5 else ()), byes_asked=frozenset({1} if e.id == 4 else ()))
        for e in before.entrants
    )
    drawn = typed(replace(before, entrants=entrants), tables=[{"number": 1, "a": [0], "b": [1]}], byes=[2])
    assert reasons(drawn) == {
        2: [ReasonCode.BY_HAND],
        3: [ReasonCode.NOT_NAMED],
        4: [ReasonCode.BYE_ASKED],
    }


def test_a_meeting_that_was_before_is_told_and_priced() -> None:
    drawn = typed(field(0, 1, 2, 3, history=[met(1, 0, 1)]), tables=TWO_TABLES)
    assert [reason.code for reason in drawn.tables[1].reasons] == [ReasonCode.BY_HAND, ReasonCode.MET_BEFORE]
    assert drawn.price["repeats"] == 1


@pytest.mark.slow
@given(fields())
def test_a_swiss_draw_typed_again_costs_the_same(before: DrawInput) -> None:
    drawn = draw("swiss", before)
    tables = [{"number": t.number, "a": list(t.a), "b": list(t.b)} for t in drawn.tables]
    again = typed(before, tables=tables, byes=byes(drawn))
    assert again.price == drawn.price
    assert [(t.number, t.a, t.b) for t in again.tables] == [(t.number, t.a, t.b) for t in drawn.tables]


@given(fields())
def test_nothing_typed_is_a_round_of_byes(before: DrawInput) -> None:
    drawn = typed(before)
    assert not drawn.tables
    assert byes(drawn) == [entrant.id for entrant in before.entrants]


def test_people_play_in_twos_against_twos_without_a_price() -> None:
    drawn = typed(
        field(*range(6)),
        side=2,
        tables=[
            {"number": 1, "a": [0, 1], "b": [2, 3]},
            {"number": 2, "a": [4], "b": [5]},
        ],
    )
    assert [(t.a, t.b) for t in drawn.tables] == [((0, 1), (2, 3)), ((4,), (5,))]
    assert drawn.price == {}


def test_who_asked_for_a_bye_may_be_seated_and_is_priced() -> None:
    before = field(0, 1, history=[met(1, 0, 1)])
    entrants = tuple(replace(e, byes_asked=frozenset({2})) for e in before.entrants)
    drawn = typed(replace(before, entrants=entrants), tables=[{"number": 1, "a": [0], "b": [1]}])
    assert byes(drawn) == []
    assert drawn.price["repeats"] == 1


def test_locked_tables_stay_typed_or_not() -> None:
    locked = LockedTable(number=1, a=(EntryId(2),), b=(EntryId(3),))
    before = replace(field(0, 1, 2, 3), locked=(locked,))
    for tables in (TWO_TABLES, TWO_TABLES[:1]):
        drawn = typed(before, tables=tables)
        assert [(t.number, t.reasons[0].code) for t in drawn.tables] == [
            (1, ReasonCode.LOCKED),
            (3, ReasonCode.BY_HAND),
        ]
        assert byes(drawn) == []


def test_whoever_sits_at_a_locked_table_sits_at_no_other() -> None:
    locked = LockedTable(number=1, a=(EntryId(2),), b=(EntryId(3),))
    before = replace(field(0, 1, 2, 3), locked=(locked,))
    with pytest.raises(Refusal) as refusal:
        typed(before, tables=[{"number": 2, "a": [0], "b": [2]}])
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
def test_refuses_what_cannot_be(settings: dict[str, Any], code: str, name: str) -> None:
    before = field(0, 1, 2, 3, 4)
    entrants = tuple(replace(e, absent=frozenset({1} if e.id == 4 else ())) for e in before.entrants)
    with pytest.raises(Refusal) as refusal:
        typed(replace(before, entrants=entrants), **settings)
    assert (refusal.value.code, refusal.value.field) == (code, name)


def test_refuses_a_table_without_number_and_says_which_is_the_first_there_is() -> None:
    with pytest.raises(Refusal) as refusal:
        typed(field(0, 1), tables=[{"number": 0, "a": [0], "b": [1]}])
    assert refusal.value.details["least"] == 1
