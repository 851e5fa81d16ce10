"""Validity of what was made from results, and the reasons."""

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.changes import Changes, changed_nights, changes_of_draw, changes_of_standings, redraw_pairings
from engine.draws import Bond, Draw, Entrant, EntryId
from engine.draws.stages import stage_plan
from engine.ranking import RankingRules, ResultAdjustment
from engine.results import (
    EventRules,
    EventSnapshot,
    Orders,
    PlayedTable,
    draw_by,
    draw_input_of,
    snapshot_to_json,
    why_sat_out,
)
from engine.standings import all_contradictions, standings_to_json
from errors import Refusal
from tests.long import often

SEED = 5
PLANS: dict[str, list[dict[str, Any]]] = {
    "swiss": [{"format": "swiss", "settings": {"must_not": ["family"]}}],
    "knockout": [{"format": "knockout"}],
    "progressive": [{"format": "progressive"}],
    "swiss, then a final": [
        {"format": "swiss", "rounds": 2},
        {"format": "knockout", "takes": "top", "count": 4},
    ],
}


def event_of_pairs(plan: str, count: int) -> EventSnapshot:
    return EventSnapshot(
        basis=EventRules(plan=stage_plan(PLANS[plan]), rules=RankingRules()),
        entrants=tuple(Entrant(id=EntryId(100 + n), number=n) for n in range(1, count + 1)),
    )


def drawn(known: EventSnapshot) -> Draw:
    return draw_by(known, draw_input_of(known, seed=SEED))


def played(known: EventSnapshot, chance: Random) -> EventSnapshot:
    """With the next round, won by whoever."""
    draw = drawn(known)
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
            sat_out=why_sat_out(reason.code.value for reason in bye.reasons),
        )
        for bye in draw.byes
    ]
    return replace(known, sat=(*known.sat, *tables, *byes), orders=orders_with(known, draw))


def orders_with(known: EventSnapshot, draw: Draw) -> Orders:
    order = [each.id for each in draw_input_of(known, seed=SEED).entrants]
    begins = any(table.slot.startswith("2:") for table in draw.tables) and len(known.orders) == 0
    return {**known.orders, draw.round: order} if begins else dict(known.orders)


def source_of(known: EventSnapshot) -> dict[str, Any]:
    order = [each.id for each in draw_input_of(known, seed=SEED).entrants]
    plain: dict[str, Any] = json.loads(json.dumps(snapshot_to_json(known, order)))
    return plain


def sides(draw: Draw) -> list[tuple[int, ...]]:
    return [(table.number, *table.a, *table.b) for table in draw.tables] + [(bye.entry,) for bye in draw.byes]


def with_result(known: EventSnapshot, chance: Random) -> EventSnapshot:
    place = chance.choice([place for place, sat in enumerate(known.sat) if sat.b])
    sat = list(known.sat)
    outcome = {"winner": chance.choice("AB"), "points": [chance.randint(10, 32), 9]}
    sat[place] = replace(sat[place], outcome=outcome)
    return replace(known, sat=tuple(sat))


def with_adjustment(known: EventSnapshot, chance: Random) -> EventSnapshot:
    entry = chance.choice(known.entrants).id
    given = ResultAdjustment(entry=entry, metric="points_for", amount=chance.randint(-9, 9), round=1)
    return replace(known, adjustments=(*known.adjustments, given))


def with_entrant(known: EventSnapshot, chance: Random) -> EventSnapshot:
    place = chance.randrange(len(known.entrants))
    details: list[dict[str, Any]] = [
        {"table": chance.choice([None, 1, 2])},
        {"byes_asked": frozenset({chance.randint(1, 4)})},
        {"absent": frozenset({chance.randint(1, 2)})},
        {"bonds": frozenset({Bond("club", "Matane")})},
        {"bonds": frozenset({Bond("family", "Roy", chance.choice([None, 1, 3]))})},
    ]
    entrants = list(known.entrants)
    entrants[place] = replace(entrants[place], **chance.choice(details))
    return replace(known, entrants=tuple(entrants))


def with_rules(known: EventSnapshot, chance: Random) -> EventSnapshot:
    order = tuple(chance.sample(["match_wins", "difference", "points_for", "lots"], 3))
    return replace(known, basis=replace(known.basis, rules=RankingRules(order=order)))


DEEDS: tuple[Callable[[EventSnapshot, Random], EventSnapshot], ...] = (
    with_result,
    with_result,
    with_adjustment,
    with_entrant,
    with_entrant,
    with_rules,
)


@pytest.mark.parametrize("plan", PLANS)
@settings(max_examples=often(12, long=600))
@given(
    seed=st.integers(0, 9_999),
    rounds=st.integers(1, 3),
    deeds=st.lists(st.sampled_from(DEEDS), min_size=1, max_size=3),
)
def test_a_draw_is_called_valid_only_if_a_new_one_would_be_the_same(
    plan: str, seed: int, rounds: int, deeds: list[Callable[[EventSnapshot, Random], EventSnapshot]]
) -> None:
    chance = Random(seed)
    known = event_of_pairs(plan, 8)
    for _ in range(rounds):
        known = played(known, chance)
    before = drawn(known)
    now = known
    for deed in deeds:
        now = deed(now, chance)
    present = {entrant.id for entrant in now.entrants if entrant.is_present(before.round)}
    if len(present) < len(now.entrants):
        return  # who is away is told beside it
    changes = changes_of_draw(source_of(known), now, seed=SEED)
    try:
        after = drawn(now)
    except Refusal:
        assert changes is not None
        return
    if changes is None:
        assert sides(after) == sides(before)


def with_points(known: EventSnapshot) -> EventSnapshot:
    """Return the same winners, by quite other points."""
    sat = [
        replace(each, outcome={**(each.outcome or {}), "points": [40 * place, 0]})
        for place, each in enumerate(known.sat)
    ]
    return replace(known, sat=tuple(sat))


def a_round_of_four() -> tuple[EventSnapshot, EventSnapshot]:
    """A round that side A won everywhere; and the same, had side B won at table 1."""
    known = played(event_of_pairs("knockout", 4), Random(1))
    sat = [replace(each, outcome={"winner": "A", "points": [32, 9]}) for each in known.sat]
    other = replace(sat[0], outcome={"winner": "B", "points": [9, 32]})
    return replace(known, sat=tuple(sat)), replace(known, sat=(other, *sat[1:]))


class TestADraw:
    def test_names_the_table_that_changed_and_the_pairing_of_now(self) -> None:
        known, now = a_round_of_four()
        numbers = known.numbers
        before = drawn(known).tables[0]
        changes = changes_of_draw(source_of(known), now, seed=SEED)
        assert changes is not None
        assert changes.tables == ((1, now.sat[0].table),)
        sides = tuple(tuple(numbers[entry] for entry in side) for side in (before.a, before.b))
        (final,) = redraw_pairings(now, SEED, [(sides[0], sides[1])])
        assert numbers[now.sat[0].b[0]] in {*final[0], *final[1]}

    def test_is_valid_again_once_the_result_is_as_it_was(self) -> None:
        known, _ = a_round_of_four()
        assert changes_of_draw(source_of(known), known, seed=SEED) is None

    def test_of_a_bracket_stays_valid_where_only_points_change(self) -> None:
        known, _ = a_round_of_four()
        sat = (replace(known.sat[0], outcome={"winner": "A", "points": [32, 31]}), *known.sat[1:])
        assert changes_of_draw(source_of(known), replace(known, sat=sat), seed=SEED) is None

    def test_of_a_swiss_shows_the_pairings_that_points_change(self) -> None:
        known = played(event_of_pairs("swiss", 8), Random(1))
        changed = with_points(known)
        changes = changes_of_draw(source_of(known), changed, seed=SEED)
        assert changes == Changes(order=True)
        assert set(redraw_pairings(changed, SEED, ())) == {
            tuple(tuple(known.numbers[entry] for entry in side) for side in (table.a, table.b))
            for table in drawn(changed).tables
        }

    def test_knows_who_is_kept_apart_since(self) -> None:
        known = played(event_of_pairs("swiss", 6), Random(1))
        one, two, *others = known.entrants
        bond = frozenset({Bond("apart", "1")})
        apart = (replace(one, bonds=bond), replace(two, bonds=bond), *others)
        changes = changes_of_draw(source_of(known), replace(known, entrants=apart), seed=SEED)
        assert changes == Changes(settings=True)

    def test_of_an_older_program_says_nothing_about_who_is_kept_apart(self) -> None:
        known = played(event_of_pairs("swiss", 6), Random(1))
        source = {name: value for name, value in source_of(known).items() if name != "apart"}
        bond = frozenset({Bond("apart", "1")})
        apart = tuple(replace(each, bonds=bond) for each in known.entrants)
        assert changes_of_draw(source, replace(known, entrants=apart), seed=SEED) is None


class TestStandings:
    def test_tell_whose_rank_would_be_another_one(self) -> None:
        known, now = a_round_of_four()
        then, after = (standings_to_json(each, (), by_hand=set()) for each in (known, now))
        changes = changes_of_standings(then["rows"], after["rows"], then["counted"], after["counted"])
        assert changes is not None
        ranks = {row["entry"]: row["rank"] for row in after["rows"]}
        assert all(move.after == ranks[move.entry] != move.before for move in changes.ranks)
        assert changes.ranks

    def test_are_outdated_where_only_the_matches_behind_them_differ(self) -> None:
        known, _ = a_round_of_four()
        kept = standings_to_json(known, (), by_hand=set())
        other = json.loads(json.dumps(kept["counted"]))
        other["entry_1"]["rounds"][0]["opponents"] = [3]
        changes = changes_of_standings(kept["rows"], kept["rows"], kept["counted"], other)
        assert changes == Changes()

    def test_of_an_older_program_that_named_missed_rounds_otherwise_are_valid(self) -> None:
        rows: list[dict[str, Any]] = [{"entry": 1, "rank": 1}]
        then, now = (
            {"entry_1": {"rounds": [{"round": 1, "outcome": "lost", "kind": kind}], "parts": {}}}
            for kind in ("missed", "absent")
        )
        assert changes_of_standings(rows, rows, then, now) is None  # type: ignore[arg-type]


def test_a_night_counts_as_changed_by_its_scores_and_not_by_who_is_a_member() -> None:
    then = [{"line_1": [[7, 1, 1, 8, 10, 1], [8, 1, 2, 8, 8, 1]], "line_2": [[7, 2, 2, 8, 8, 1]]}]
    now = [{"line_1": [[7, 1, 2, 8, 8, 1], [8, 1, 2, 8, 8, 1]], "line_3": [[8, 3, 1, 8, 10, 1]]}]
    assert changed_nights(then, now) == (7,)
    assert changed_nights(then, then) == ()


class TestWhoQualified:
    def known(self) -> EventSnapshot:
        chance = Random(3)
        known = event_of_pairs("swiss, then a final", 8)
        for _ in range(3):
            known = played(known, chance)
        return known

    def test_follows_from_the_results_until_one_changes(self) -> None:
        assert all_contradictions(self.known(), by_hand=set()) == ()

    def test_is_told_where_a_corrected_result_brings_others(self) -> None:
        known = self.known()
        in_final = {entry for sat in known.sat if sat.slot.startswith("2:") for entry in (*sat.a, *sat.b)}
        lost = {"winner": "A", "points": [32, 0]}
        sat = tuple(
            replace(each, outcome=lost if each.a[0] not in in_final else {**lost, "winner": "B"})
            if each.slot.startswith("1:")
            else each
            for each in known.sat
        )
        (found,) = [
            each for each in all_contradictions(replace(known, sat=sat), by_hand=set()) if each.slot == "2:"
        ]
        assert (found.round, found.table) == (3, None)
        assert set(found.seated) <= in_final
        assert not set(found.expected) & in_final
        assert len(found.seated) == len(found.expected) > 0
