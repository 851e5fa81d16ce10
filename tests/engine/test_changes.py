"""Changes after which a draw, standings or qualifiers are out of date, with the reasons."""

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.changes import Changes, compare_draw, compare_standings, find_changed_nights, redraw_pairings
from engine.draws import Bond, Draw, Entrant, EntryId
from engine.draws.stages import parse_stage_plan
from engine.ranking import RankingRules, ResultAdjustment
from engine.results import (
    EventRules,
    EventSnapshot,
    Orders,
    PlayedTable,
    build_draw_input,
    draw_next_round,
    get_bye_reason,
    snapshot_to_json,
)
from engine.standings import find_all_contradictions, standings_to_json
from errors import Refusal
from tests.long_runs import choose_count

SEED = 5
PLANS: dict[str, list[dict[str, Any]]] = {
    "swiss": [{"format": "swiss", "settings": {"must_not": ["family"]}}],
    "knockout": [{"format": "knockout"}],
    "progressive": [{"format": "progressive"}],
    "round robin": [{"format": "round_robin"}],
    "swiss, then a final": [
        {"format": "swiss", "rounds": 2},
        {"format": "knockout", "takes": "top", "count": 4},
    ],
}


def build_event(plan: str, count: int) -> EventSnapshot:
    return EventSnapshot(
        basis=EventRules(plan=parse_stage_plan(PLANS[plan]), rules=RankingRules()),
        entrants=tuple(Entrant(id=EntryId(100 + n), number=n) for n in range(1, count + 1)),
    )


def draw_next(snapshot: EventSnapshot) -> Draw:
    return draw_next_round(snapshot, build_draw_input(snapshot, seed=SEED))


def play_next_round(snapshot: EventSnapshot, chance: Random) -> EventSnapshot:
    """Return the snapshot after the next round, with random results."""
    draw = draw_next(snapshot)
    tables = [
        PlayedTable(
            round=draw.round,
            a=table.a,
            b=table.b,
            table=table.number,
            slot=table.slot,
            outcome={"winner": chance.choice("AB"), "points": [chance.randint(10, 32), 9]},
        )
        for table in draw.tables
    ]
    byes = [
        PlayedTable(
            round=draw.round,
            a=(bye.entry,),
            slot=bye.slot,
            bye_reason=get_bye_reason(reason.code.value for reason in bye.reasons),
        )
        for bye in draw.byes
    ]
    return replace(snapshot, tables=(*snapshot.tables, *tables, *byes), orders=add_order(snapshot, draw))


def add_order(snapshot: EventSnapshot, draw: Draw) -> Orders:
    order = [each.id for each in build_draw_input(snapshot, seed=SEED).entrants]
    begins = any(table.slot.startswith("2:") for table in draw.tables) and len(snapshot.orders) == 0
    return {**snapshot.orders, draw.round: order} if begins else dict(snapshot.orders)


def get_source(snapshot: EventSnapshot) -> dict[str, Any]:
    order = [each.id for each in build_draw_input(snapshot, seed=SEED).entrants]
    source: dict[str, Any] = json.loads(json.dumps(snapshot_to_json(snapshot, order)))
    return source


def list_sides(draw: Draw) -> list[tuple[int, ...]]:
    return [(table.number, *table.a, *table.b) for table in draw.tables] + [(bye.entry,) for bye in draw.byes]


def change_result(snapshot: EventSnapshot, chance: Random) -> EventSnapshot:
    place = chance.choice([place for place, sat in enumerate(snapshot.tables) if sat.b])
    sat = list(snapshot.tables)
    outcome = {"winner": chance.choice("AB"), "points": [chance.randint(10, 32), 9]}
    sat[place] = replace(sat[place], outcome=outcome)
    return replace(snapshot, tables=tuple(sat))


def add_adjustment(snapshot: EventSnapshot, chance: Random) -> EventSnapshot:
    entry = chance.choice(snapshot.entrants).id
    given = ResultAdjustment(entry=entry, metric="points_for", amount=chance.randint(-9, 9), round=1)
    return replace(snapshot, adjustments=(*snapshot.adjustments, given))


def change_entrant(snapshot: EventSnapshot, chance: Random) -> EventSnapshot:
    place = chance.randrange(len(snapshot.entrants))
    details: list[dict[str, Any]] = [
        {"table": chance.choice([None, 1, 2])},
        {"requested_byes": frozenset({chance.randint(1, 4)})},
        {"absent": frozenset({chance.randint(1, 2)})},
        {"bonds": frozenset({Bond("club", "Matane")})},
        {"bonds": frozenset({Bond("family", "Roy", chance.choice([None, 1, 3]))})},
    ]
    entrants = list(snapshot.entrants)
    entrants[place] = replace(entrants[place], **chance.choice(details))
    return replace(snapshot, entrants=tuple(entrants))


def change_rules(snapshot: EventSnapshot, chance: Random) -> EventSnapshot:
    order = tuple(chance.sample(["match_wins", "difference", "points_for", "lots"], 3))
    return replace(snapshot, basis=replace(snapshot.basis, rules=RankingRules(order=order)))


CHANGES: tuple[Callable[[EventSnapshot, Random], EventSnapshot], ...] = (
    change_result,
    change_result,
    add_adjustment,
    change_entrant,
    change_entrant,
    change_rules,
)


@pytest.mark.slow
@pytest.mark.parametrize("plan", PLANS)
@settings(max_examples=choose_count(12, long=600))
@given(
    seed=st.integers(0, 9_999),
    rounds=st.integers(1, 3),
    changes=st.lists(st.sampled_from(CHANGES), min_size=1, max_size=3),
)
def test_valid_draw_is_reproduced_by_a_new_one(
    plan: str, seed: int, rounds: int, changes: list[Callable[[EventSnapshot, Random], EventSnapshot]]
) -> None:
    chance = Random(seed)
    snapshot = build_event(plan, 8)
    for _ in range(rounds):
        snapshot = play_next_round(snapshot, chance)
    before = draw_next(snapshot)
    now = snapshot
    for make_change in changes:
        now = make_change(now, chance)
    present = {entrant.id for entrant in now.entrants if entrant.is_present(before.round)}
    if len(present) < len(now.entrants):
        return  # absent entries are reported separately
    difference = compare_draw(get_source(snapshot), now, seed=SEED)
    try:
        after = draw_next(now)
    except Refusal:
        assert difference is not None
        return
    if difference is None:
        assert list_sides(after) == list_sides(before)


def change_points(snapshot: EventSnapshot) -> EventSnapshot:
    """Return the snapshot with the same winners but very different points."""
    sat = [
        replace(each, outcome={**(each.outcome or {}), "points": [40 * place, 0]})
        for place, each in enumerate(snapshot.tables)
    ]
    return replace(snapshot, tables=tuple(sat))


def build_round_of_four() -> tuple[EventSnapshot, EventSnapshot]:
    """Return a round that side A won at every table, and a copy that side B won at table 1."""
    snapshot = play_next_round(build_event("knockout", 4), Random(1))
    sat = [replace(each, outcome={"winner": "A", "points": [32, 9]}) for each in snapshot.tables]
    other = replace(sat[0], outcome={"winner": "B", "points": [9, 32]})
    return replace(snapshot, tables=tuple(sat)), replace(snapshot, tables=(other, *sat[1:]))


class TestDrawChanges:
    def test_changed_result_names_its_table_and_the_new_pairing(self) -> None:
        snapshot, now = build_round_of_four()
        numbers = snapshot.numbers
        before = draw_next(snapshot).tables[0]
        changes = compare_draw(get_source(snapshot), now, seed=SEED)
        assert changes is not None
        assert changes.tables == ((1, now.tables[0].table),)
        sides = tuple(tuple(numbers[entry] for entry in side) for side in (before.a, before.b))
        (final,) = redraw_pairings(now, SEED, [(sides[0], sides[1])])
        assert numbers[now.tables[0].b[0]] in {*final[0], *final[1]}

    def test_unchanged_results_leave_the_draw_valid(self) -> None:
        snapshot, _ = build_round_of_four()
        assert compare_draw(get_source(snapshot), snapshot, seed=SEED) is None

    def test_bracket_draw_stays_valid_if_only_points_change(self) -> None:
        snapshot, _ = build_round_of_four()
        sat = (replace(snapshot.tables[0], outcome={"winner": "A", "points": [32, 31]}), *snapshot.tables[1:])
        assert compare_draw(get_source(snapshot), replace(snapshot, tables=sat), seed=SEED) is None

    def test_scheduled_draw_stays_valid_whatever_the_results(self) -> None:
        snapshot = play_next_round(build_event("round robin", 5), Random(1))
        undecided = replace(snapshot, tables=tuple(replace(each, outcome=None) for each in snapshot.tables))
        assert compare_draw(get_source(undecided), snapshot, seed=SEED) is None

    def test_swiss_draw_shows_pairings_changed_by_points(self) -> None:
        snapshot = play_next_round(build_event("swiss", 8), Random(1))
        changed = change_points(snapshot)
        changes = compare_draw(get_source(snapshot), changed, seed=SEED)
        assert changes == Changes(order=True)
        assert set(redraw_pairings(changed, SEED, ())) == {
            tuple(tuple(snapshot.numbers[entry] for entry in side) for side in (table.a, table.b))
            for table in draw_next(changed).tables
        }

    def test_new_keep_apart_rule_outdates_the_draw(self) -> None:
        snapshot = play_next_round(build_event("swiss", 6), Random(1))
        one, two, *others = snapshot.entrants
        bond = frozenset({Bond("apart", "1")})
        apart = (replace(one, bonds=bond), replace(two, bonds=bond), *others)
        changes = compare_draw(get_source(snapshot), replace(snapshot, entrants=apart), seed=SEED)
        assert changes == Changes(settings=True)

    def test_older_version_draw_ignores_keep_apart_changes(self) -> None:
        snapshot = play_next_round(build_event("swiss", 6), Random(1))
        source = {name: value for name, value in get_source(snapshot).items() if name != "apart"}
        bond = frozenset({Bond("apart", "1")})
        apart = tuple(replace(each, bonds=bond) for each in snapshot.entrants)
        assert compare_draw(source, replace(snapshot, entrants=apart), seed=SEED) is None


class TestStandingsChanges:
    def test_standings_name_the_changed_ranks(self) -> None:
        snapshot, now = build_round_of_four()
        then, after = (standings_to_json(each, (), manual_slots=set()) for each in (snapshot, now))
        changes = compare_standings(then["rows"], after["rows"], then["counted"], after["counted"])
        assert changes is not None
        ranks = {row["entry"]: row["rank"] for row in after["rows"]}
        assert all(move.after == ranks[move.entry] != move.before for move in changes.ranks)
        assert changes.ranks

    def test_changed_meetings_alone_outdate_the_standings(self) -> None:
        snapshot, _ = build_round_of_four()
        standings = standings_to_json(snapshot, (), manual_slots=set())
        other = json.loads(json.dumps(standings["counted"]))
        other["entry_1"]["rounds"][0]["opponents"] = [3]
        changes = compare_standings(standings["rows"], standings["rows"], standings["counted"], other)
        assert changes == Changes()

    def test_older_version_names_of_missed_rounds_stay_valid(self) -> None:
        rows: list[dict[str, Any]] = [{"entry": 1, "rank": 1}]
        then, now = (
            {"entry_1": {"rounds": [{"round": 1, "outcome": "lost", "kind": kind}], "parts": {}}}
            for kind in ("missed", "absent")
        )
        assert compare_standings(rows, rows, then, now) is None  # type: ignore[arg-type]

    def test_metric_that_an_older_version_did_not_store_is_no_change(self) -> None:
        rows = [{"rank": 1, "entry": 1, "match_wins": 2}, {"rank": 2, "entry": 2, "match_wins": 1}]
        now = [{**row, "left_pool": 0} for row in rows]
        assert compare_standings(rows, now, {}, {}) is None
        now[1]["match_wins"] = 0
        assert compare_standings(rows, now, {}, {}) is not None


def test_night_changes_by_its_scores_and_not_by_membership() -> None:
    then = [{"line_1": [[7, 1, 1, 8, 10, 1], [8, 1, 2, 8, 8, 1]], "line_2": [[7, 2, 2, 8, 8, 1]]}]
    now = [{"line_1": [[7, 1, 2, 8, 8, 1], [8, 1, 2, 8, 8, 1]], "line_3": [[8, 3, 1, 8, 10, 1]]}]
    assert find_changed_nights(then, now) == (7,)
    assert find_changed_nights(then, then) == ()


class TestQualifierChanges:
    def build_snapshot(self) -> EventSnapshot:
        chance = Random(3)
        snapshot = build_event("swiss, then a final", 8)
        for _ in range(3):
            snapshot = play_next_round(snapshot, chance)
        return snapshot

    def test_qualifiers_match_unchanged_results(self) -> None:
        assert find_all_contradictions(self.build_snapshot(), manual_slots=set()) == ()

    def test_corrected_result_reports_different_qualifiers(self) -> None:
        snapshot = self.build_snapshot()
        in_final = {entry for sat in snapshot.tables if sat.slot.startswith("2:") for entry in (*sat.a, *sat.b)}
        lost = {"winner": "A", "points": [32, 0]}
        sat = tuple(
            replace(each, outcome=lost if each.a[0] not in in_final else {**lost, "winner": "B"})
            if each.slot.startswith("1:")
            else each
            for each in snapshot.tables
        )
        (found,) = [
            each
            for each in find_all_contradictions(replace(snapshot, tables=sat), manual_slots=set())
            if each.slot == "2:"
        ]
        assert (found.round, found.table) == (3, None)
        assert set(found.seated) <= in_final
        assert not set(found.expected) & in_final
        assert len(found.seated) == len(found.expected) > 0
