"""Head to head in pools: ties in one pool do not affect another pool."""

from dataclasses import replace
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from engine.draws import VERSION, EntryId
from engine.draws.stages import parse_stage_plan
from engine.ranking import NO_PLACE, AcrossPools, Outcome, RankingRules, Result, Row, build_ranked_field, rank_field
from engine.results import (
    EventRules,
    EventSnapshot,
    PlayedTable,
    build_counted_field,
    build_draw_input,
    draw_next_round,
    entrant_from_json,
)

from .events import OPPOSITE_OUTCOMES
from .round_texts import get_values, list_places, rank_text

ORDER = ("match_wins", "head_to_head", "difference")
POOLS = {EntryId(number): "A" if number <= 4 else "B" for number in range(1, 9)}
ROUNDS = """
1>2 20:19 / 4>3 20:19 / 5>6 20:10 / 7>8 20:10
3>1 30:10 / 2>4 30:10 / 5>7 20:10 / 6>8 20:10
1>4 20:19 / 2>3 30:10 / 5>8 20:10 / 6>7 20:10
"""
"""Two wins: 1, 2 and (in pool B) 6. One win: 3, 4 and (in pool B) 7."""


def test_head_to_head_ignores_ties_in_another_pool() -> None:
    rows = rank_text(ROUNDS, *ORDER, pools=POOLS)
    assert list_places(rows) == [
        (1, 5, None),
        (2, 6, "match_wins"),
        (3, 1, "difference"),  # of different pools: 6 has +10 and 1 has -18
        (4, 2, "head_to_head"),
        (5, 7, "match_wins"),
        (6, 4, "difference"),
        (7, 3, "head_to_head"),
        (8, 8, "match_wins"),
    ]
    assert get_values(rows, "head_to_head") == {1: 1, 2: 0, 6: 1, 3: 0, 4: 1, 7: 1, 5: None, 8: None}
    assert [meeting.opponent for row in rows for meeting in row.meetings] == [2, 1, 3, 4]


def build_pools_snapshot(rounds: str, *, version: int) -> EventSnapshot:
    """Build a snapshot of these rounds of two pools, the first of which advance to a final."""
    plan = parse_stage_plan(
        [
            {"format": "pools", "settings": {"pools": 2}, "rounds": 3},
            {"format": "knockout", "takes": "pool_top", "count": 1},
        ]
    )
    tables = [
        (number, table, *map(int, match.split()[0].split(">")))
        for number, line in enumerate(rounds.split("\n")[1:-1], start=1)
        for table, match in enumerate(line.split(" / "), start=1)
    ]
    return EventSnapshot(
        basis=EventRules(plan=plan, rules=RankingRules(order=ORDER), version=version),
        entrants=tuple(entrant_from_json({"number": number}) for number in POOLS),
        tables=tuple(
            PlayedTable(
                round=number,
                table=table,
                a=(EntryId(winner),),
                b=(EntryId(loser),),
                slot=f"1:{POOLS[EntryId(winner)]}",
                outcome={"winner": "A", "games_won": (1, 0), "points": (20, 20 - winner)},
            )
            for number, table, winner, loser in tables
        ),
    )


def list_finalists(snapshot: EventSnapshot) -> set[int]:
    (final,) = draw_next_round(snapshot, build_draw_input(snapshot, seed=1)).tables
    return {*final.a, *final.b}


def test_pool_place_stays_after_the_winners_advance() -> None:
    snapshot = build_pools_snapshot(ROUNDS, version=VERSION)
    rules = replace(snapshot.basis.rules, across_pools=AcrossPools.RATES)
    snapshot = replace(snapshot, basis=replace(snapshot.basis, rules=rules))
    final = replace(snapshot.tables[0], round=4, a=(EntryId(1),), b=(EntryId(5),), slot="2:W1-1")
    after = replace(snapshot, tables=(*snapshot.tables, final))
    expected = {row.entry: row.values["pool_place"] for row in rank_field(build_counted_field(snapshot))}
    found = {row.entry: row.values["pool_place"] for row in rank_field(build_counted_field(after))}
    assert found == {**expected, EntryId(1): NO_PLACE, EntryId(5): NO_PLACE}
    assert [found[EntryId(entry)] for entry in (2, 3, 4)] == [2, 4, 3]


def test_head_to_head_winner_of_the_pool_reaches_the_final() -> None:
    assert list_finalists(build_pools_snapshot(ROUNDS, version=4)) == {1, 5}


def test_final_drawn_by_an_older_version_is_reproduced() -> None:
    # In version 3, the tie with 6 made the difference decide: 1 won twice by one point, 2 by two.
    assert list_finalists(build_pools_snapshot(ROUNDS, version=3)) == {2, 5}


@st.composite
def played_in_pools(draw: st.DrawFn) -> dict[EntryId, tuple[str, list[Result]]]:
    """Generate two or three pools, with a result for every two entries of a pool."""
    ids = iter(range(1, 99))
    found: dict[EntryId, tuple[str, list[Result]]] = {}
    for pool in draw(st.sampled_from(["AB", "ABC"])):
        members = [EntryId(next(ids)) for _ in range(draw(st.integers(1, 4)))]
        found |= {entry: (pool, []) for entry in members}
        for number, (one, other) in enumerate(combinations(members, 2), start=1):
            outcome, points = draw(st.sampled_from(Outcome)), draw(st.integers(0, 3))
            for entry, opponent, how, made in (
                (one, other, outcome, points),
                (other, one, OPPOSITE_OUTCOMES[outcome], -points),
            ):
                result = Result(round=number, opponents=(opponent,), outcome=how, points_for=made)
                found[entry][1].append(result)
    return found


def rank_results(played: dict[EntryId, tuple[str, list[Result]]]) -> tuple[Row, ...]:
    field = build_ranked_field(
        {entry: int(entry) for entry in played},
        {entry: results for entry, (_, results) in played.items()},
        RankingRules(order=ORDER),
    )
    return rank_field(replace(field, pools={entry: pool for entry, (pool, _) in played.items()}))


@given(played_in_pools())
def test_every_pool_is_ranked_as_if_alone(
    played: dict[EntryId, tuple[str, list[Result]]],
) -> None:
    together = rank_results(played)
    for pool in {pool for pool, _ in played.values()}:
        alone = rank_results({entry: those for entry, those in played.items() if those[0] == pool})
        here = [row for row in together if played[row.entry][0] == pool]
        assert [row.entry for row in here] == [row.entry for row in alone]
        for one, other in combinations(range(len(here)), 2):
            assert (here[one].rank == here[other].rank) == (alone[one].rank == alone[other].rank)
