"""Sections: separate fields that play side by side in one hall."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.charts.cross_tables import build_round_robin_tables
from engine.draws import (
    FORMATS,
    Draw,
    DrawInput,
    Entrant,
    EntryId,
    LockedTable,
    PlayedPairing,
    ReasonCode,
    certificate_from_json,
    certificate_to_json,
    draw,
)
from engine.draws.pairing_cost.comparison import PRICED_FORMATS, is_optimal
from engine.draws.stages import build_section_fields, draw_stage, list_next_slots, parse_stage_plan
from errors import Refusal
from rules import Side
from tests.long_runs import choose_count

from .events import play_round

SEPARATING_FORMATS = sorted(key for key, draw_format in FORMATS.items() if draw_format.separates_sections)
INDIVIDUAL_FORMATS = {key for key in SEPARATING_FORMATS if FORMATS[key].side == 2}
NAMES = ("A", "B", None)


def build_field(sizes: Mapping[str | None, int], **more: Any) -> DrawInput:
    """Build the first round of sections of these sizes, with starting numbers in turn."""
    places = sorted((place, name) for name, size in sizes.items() for place in range(size) if name)
    order = [name for _, name in places] + [None] * sizes.get(None, 0)
    entrants = tuple(
        Entrant(id=EntryId(100 + number), number=number, section=name) for number, name in enumerate(order, start=1)
    )
    return DrawInput(round=1, entrants=entrants, **more)


def plan_of(key: str, **wanted: Any) -> Any:
    return parse_stage_plan([{"format": key, "settings": wanted}])


def build_next_input(before: DrawInput, drawn: Draw, chance: Random) -> DrawInput:
    """Return the input of the next round, after random results."""
    tables = play_round(drawn, winner=lambda: chance.choice(list(Side)))
    won = Counter(e for table in tables for e in (table.b if table.winner is Side.B else table.a))
    entrants = [replace(each, score=each.score + 2 * won[each.id]) for each in before.entrants]
    entrants.sort(key=lambda entrant: -entrant.score)
    history = (*before.history, *tables)
    return replace(before, round=before.round + 1, entrants=tuple(entrants), history=history, seed=before.seed + 1)


def keep_section(before: DrawInput, section: str | None) -> DrawInput:
    """Return the input as if this section were the whole event."""
    members = [entrant for entrant in before.entrants if entrant.section == section]
    numbers = sorted(entrant.number for entrant in members)
    entries = {entrant.id for entrant in members}
    return replace(
        before,
        entrants=tuple(replace(each, section=None, number=1 + numbers.index(each.number)) for each in members),
        history=tuple(table for table in before.history if {*table.a, *table.b} <= entries),
        section_tables={},
        table_count=None,
    )


def list_sections(before: DrawInput, entries: tuple[EntryId, ...]) -> set[str | None]:
    of = {entrant.id: entrant.section for entrant in before.entrants}
    return {of[entry] for entry in entries}


SIZES = st.fixed_dictionaries({name: st.integers(0, 9) for name in NAMES})


@pytest.mark.slow
@pytest.mark.parametrize("key", SEPARATING_FORMATS)
@settings(max_examples=choose_count(12, long=400))
@given(sizes=SIZES, seed=st.integers(0, 9_999), rounds=st.integers(1, 4), has_ranges=st.booleans())
def test_each_section_is_drawn_as_if_alone(
    key: str, sizes: dict[str | None, int], seed: int, rounds: int, has_ranges: bool
) -> None:
    chance, plan = Random(seed), plan_of(key)
    ranges = {"A": (5, 8), "B": (1, 4)} if has_ranges else {}
    before = build_field(
        sizes, seed=seed, section_tables=ranges, table_count=12 if has_ranges else sum(sizes.values()) // 2
    )
    for _ in range(rounds):
        drawn = draw_stage(plan, before)
        assert drawn == draw_stage(plan, before)
        assert {table.slot for table in drawn.tables} <= list_next_slots(plan, before)
        idle = Counter[str | None]()
        for bye in drawn.byes:
            idle.update(list_sections(before, (bye.entry,)))
        for table in drawn.tables:
            (section,) = list_sections(before, (*table.a, *table.b))
            first, last = ranges.get(section or "", (1, 12)) if has_ranges else (1, before.table_count or 0)
            assert first <= table.number <= last
            assert not has_ranges or section or table.number > 8
        numbers = [table.number for table in drawn.tables]
        assert len(set(numbers)) == len(numbers)
        for section, size in sizes.items():
            own = draw_stage(plan, keep_section(before, section))
            here = [t for t in drawn.tables if list_sections(before, t.a) == {section}]
            assert [(t.a, t.b, t.slot) for t in here] == [(t.a, t.b, t.slot) for t in own.tables]
            assert [b.entry for b in own.byes] == [
                b.entry for b in drawn.byes if list_sections(before, (b.entry,)) == {section}
            ]
            assert idle[section] <= (size % 4 if key in INDIVIDUAL_FORMATS else size % 2)
        before = build_next_input(before, drawn, chance)


@pytest.mark.long
@pytest.mark.parametrize("key", sorted(PRICED_FORMATS))
@settings(max_examples=choose_count(12, long=400))
@given(sizes=SIZES, seed=st.integers(0, 9_999), rounds=st.integers(1, 4))
def test_each_section_has_its_own_certificate_and_bye_turn(
    key: str, sizes: dict[str | None, int], seed: int, rounds: int
) -> None:
    chance, plan = Random(seed), plan_of(key)
    before = build_field(sizes, seed=seed)
    byes: Counter[EntryId] = Counter()
    for _ in range(rounds):
        drawn = draw_stage(plan, before)
        if drawn.certificate is None:
            assert not before.entrants or {e.section for e in before.entrants} == {None}
            return
        assert certificate_from_json(certificate_to_json(drawn.certificate)) == drawn.certificate
        fields = build_section_fields(FORMATS[key], before)
        for each, proof in zip(fields, drawn.certificate.sections or [drawn.certificate], strict=True):
            members = {entrant.id for entrant in each.entrants}
            tables = [table for table in drawn.tables if members & {*table.a}]
            assert is_optimal(each, key, tables, proof)
            assert proof.prices.keys() - {None} == members
            byes.update(bye.entry for bye in drawn.byes if bye.entry in members)
            had = [byes[entry] for entry in members]
            assert max(had, default=0) - min(had, default=0) <= 1
        assert drawn.price == {
            name: sum(draw_stage(plan, keep_section(before, section)).price.get(name, 0) for section in NAMES)
            for name in drawn.price
        }
        before = build_next_input(before, drawn, chance)


@pytest.mark.parametrize("sizes", [{"A": 5, "B": 3}, {"A": 31, "B": 29}])
def test_two_odd_sections_each_have_a_bye(sizes: dict[str | None, int]) -> None:
    before = build_field(sizes, table_count=sum(sizes.values()) // 2)
    for number in range(6):
        drawn = draw_stage(plan_of("swiss"), before)
        assert sorted(s for bye in drawn.byes for s in list_sections(before, (bye.entry,)) if s) == ["A", "B"]
        assert drawn.price["forbidden"] == 0
        before = build_next_input(before, drawn, Random(number))


class TestSectionAcceleration:
    def test_the_upper_half_of_each_section_has_a_head_start(self) -> None:
        before = build_field({"A": 8, "B": 8})
        drawn = draw_stage(plan_of("swiss", accelerated_rounds=2), before)
        for name in "AB":
            in_order = [entrant.id for entrant in before.entrants if entrant.section == name]
            upper = {*in_order[:4]}
            here = [table for table in drawn.tables if list_sections(before, table.a) == {name}]
            assert all(len(upper & {*table.a, *table.b}) != 1 for table in here)

    def test_head_start_applies_when_the_stronger_section_comes_first(self) -> None:
        entrants = tuple(Entrant(id=EntryId(n), number=n, section="A" if n <= 8 else "B") for n in range(1, 17))
        drawn = draw_stage(plan_of("swiss", accelerated_rounds=2), DrawInput(round=1, entrants=entrants))
        assert {frozenset((*table.a, *table.b)) for table in drawn.tables} == {
            frozenset((start + one, start + one + 2)) for start in (0, 4, 8, 12) for one in (1, 2)
        }


class TestSectionTables:
    def test_sections_without_a_range_take_free_tables_in_turn(self) -> None:
        before = build_field({"A": 4, "B": 4, None: 4}, section_tables={"B": (2, 3)}, table_count=6)
        assert _group_tables_by_section(before) == {"A": [1, 4], "B": [2, 3], None: [5, 6]}

    @pytest.mark.parametrize(
        ("sizes", "ranges", "hall", "code", "details"),
        [
            ({"A": 6, "B": 2}, {"A": (1, 2)}, 9, "section_tables_short", {"section": "A", "needed": 3}),
            ({"A": 4, "B": 2}, {"A": (3, 6)}, 4, None, {"A": [3, 4], "B": [1]}),
            ({"A": 6, "B": 2}, {"A": (3, 6)}, 4, "section_tables_short", {"section": "A", "needed": 3}),
            ({"A": 2, "B": 4}, {"A": (1, 3)}, 4, "section_tables_short", {"section": "B", "needed": 2}),
            ({"A": 2, None: 4}, {"A": (1, 3)}, 4, "other_tables_short", {"needed": 2}),
            ({"A": 4, "B": 4}, {}, 3, "too_few_tables", {"needed": 4, "tables": 3}),
        ],
    )
    def test_section_outside_its_range_or_the_hall_is_refused(
        self,
        sizes: dict[str | None, int],
        ranges: dict[str, tuple[int, int]],
        hall: int,
        code: str | None,
        details: dict[str, Any],
    ) -> None:
        before = build_field(sizes, section_tables=ranges, table_count=hall)
        if code is None:
            assert _group_tables_by_section(before) == details
            return
        with pytest.raises(Refusal) as refused:
            _group_tables_by_section(before)
        assert (refused.value.code, refused.value.details) == (code, details)

    def test_mixed_sections_use_all_free_tables(self) -> None:
        before = build_field({"A": 6, "B": 2}, section_tables={"A": (1, 1), "B": (2, 9)}, table_count=4)
        drawn = draw_stage(plan_of("swiss", mixes_sections=True), before)
        assert sorted(table.number for table in drawn.tables) == [1, 2, 3, 4]

    def test_locked_table_across_sections_stays(self) -> None:
        before = build_field({"A": 5, "B": 3})
        one, other = (next(e.id for e in before.entrants if e.section == name) for name in "AB")
        held = LockedTable(number=2, a=(one,), b=(other,))
        drawn = draw_stage(plan_of("swiss"), replace(before, locked=(held,)))
        assert [table.number for table in drawn.tables] == [1, 2, 3, 4]
        assert [table.reasons[0].code for table in drawn.tables if table.number == 2] == [ReasonCode.LOCKED]
        assert not drawn.byes


def _group_tables_by_section(before: DrawInput) -> dict[str | None, list[int]]:
    found: dict[str | None, list[int]] = {}
    for table in draw_stage(plan_of("swiss"), before).tables:
        (section,) = list_sections(before, (*table.a, *table.b))
        found.setdefault(section, []).append(table.number)
    return found


def test_reasons_state_that_they_compare_within_the_section() -> None:
    before = build_field({"A": 5, "B": 3})
    for drawn in (draw_stage(plan_of("swiss"), each) for each in (before, replace(before, version=5))):
        reasons = [reason for bye in drawn.byes for reason in bye.reasons]
        assert [reason.details.get("of_section") for reason in reasons] == [True] * len(drawn.byes)


@pytest.mark.parametrize("key", SEPARATING_FORMATS)
def test_draw_before_version_6_is_reproduced(key: str) -> None:
    before = build_field({"A": 7, "B": 5}, version=5)
    together = replace(before, version=6)
    drawn = draw_stage(plan_of(key), before)
    then = draw(key, together)
    assert [(t.number, t.a, t.b) for t in drawn.tables] == [(t.number, t.a, t.b) for t in then.tables]
    assert (drawn.price, drawn.certificate) == (then.price, then.certificate)


@pytest.mark.parametrize("key", SEPARATING_FORMATS)
def test_mixed_sections_form_one_field(key: str) -> None:
    before = build_field({"A": 7, "B": 5})
    drawn = draw_stage(plan_of(key, mixes_sections=True), before)
    one = replace(before, entrants=tuple(replace(each, section=None) for each in before.entrants))
    assert [(t.a, t.b) for t in drawn.tables] == [(t.a, t.b) for t in draw_stage(plan_of(key), one).tables]


def test_round_robin_continues_until_the_largest_section_finishes() -> None:
    before, plan = build_field({"A": 5, "B": 3}), plan_of("round_robin")
    tables = []
    while list_next_slots(plan, before):
        drawn = draw_stage(plan, before)
        tables.append(len(drawn.tables))
        before = build_next_input(before, drawn, Random(1))
    assert tables == [3, 3, 3, 2, 2]


@pytest.mark.parametrize("is_old", [False, True])
def test_cross_table_expects_no_meetings_across_sections(is_old: bool) -> None:
    before = build_field({"A": 4, "B": 3})
    a, b = (next(e.id for e in before.entrants if e.section == name) for name in "AB")
    history = (PlayedPairing(round=1, a=(a,), b=(b,), winner=Side.A),) if is_old else ()
    (table,) = build_round_robin_tables({}, before.entrants, history)
    met = [(row.entry, cell.opponent) for row in table.rows for cell in row.cells if cell.meetings]
    across = [pair for pair in met if len(list_sections(before, pair)) > 1]
    assert (len(met), len(across)) == ((7 * 6, 4 * 3 * 2) if is_old else (4 * 3 + 3 * 2, 0))
