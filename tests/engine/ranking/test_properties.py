"""Property tests of standings."""

from dataclasses import replace
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.draws import EntryId
from engine.ranking import (
    METRICS,
    MISSED_KINDS,
    Direction,
    Outcome,
    OutcomeKind,
    RankingRules,
    Row,
    break_down_metric,
    rank_entries,
)
from engine.standings import rank_by_section

from .events import Event, Results, events, orders, played
from .round_texts import serialize_rows

pytestmark = pytest.mark.slow

SUMS = [key for key, metric in METRICS.items() if metric.scope == "own"]


def is_better(one: Row, other: Row, order: tuple[str, ...]) -> bool:
    """Return whether one row ranks ahead of the other, judged by their values alone."""
    for key in order:
        mine, its = one.values[key], other.values[key]
        if mine != its:
            assert mine is not None
            assert its is not None
            return (mine > its) == (METRICS[key].better is Direction.HIGHER)
    return False


# Ranks


@given(events, st.randoms(use_true_random=False))
def test_standings_do_not_depend_on_input_order(event: Event, chance: Random) -> None:
    entries = chance.sample(list(event.results_by_entry), len(event.results_by_entry))
    shuffled = {
        entry: chance.sample(event.results_by_entry[entry], len(event.results_by_entry[entry])) for entry in entries
    }
    assert event._replace(results_by_entry=shuffled).rows == event.rows


@given(events, st.permutations(range(101, 108)))
def test_standings_do_not_depend_on_entry_ids(event: Event, ids: list[int]) -> None:
    new = {entry: EntryId(ids[entry - 1]) for entry in map(EntryId, range(1, 8))}
    by_entry = {
        new[entry]: [
            replace(
                each,
                opponents=tuple(new[other] for other in each.opponents),
                partners=tuple(new[other] for other in each.partners),
            )
            for each in those
        ]
        for entry, those in event.results_by_entry.items()
    }
    moved = [replace(each, entry=new[each.entry]) for each in event.adjustments]
    numbers = {new[entry]: number for entry, number in event.numbers.items()}
    again = rank_entries(numbers, by_entry, event.rules, seed=event.seed, games_to_win=2, adjustments=moved)
    assert [(row.rank, row.entry, row.values) for row in again] == [
        (row.rank, new[row.entry], row.values) for row in event.rows
    ]


@given(events)
def test_rank_is_one_more_than_the_number_of_better_entries(event: Event) -> None:
    rows = event.rows
    assert sorted(row.entry for row in rows) == sorted(event.results_by_entry)
    for row in rows:
        assert row.rank == 1 + sum(is_better(other, row, event.rules.order) for other in rows)


@given(events)
def test_rows_are_sorted_by_rank_then_number(event: Event) -> None:
    rows = event.rows
    assert list(rows) == sorted(rows, key=lambda row: (row.rank, row.entry))
    for row in rows:
        assert row.equals == tuple(other.entry for other in rows if other.rank == row.rank)


@given(events)
def test_deciding_metric_is_the_first_that_differs(event: Event) -> None:
    rows = event.rows
    assert all(row.decided_by is None for row in rows[:1])
    for above, row in pairwise(rows):
        assert (row.decided_by is None) == (row.rank == above.rank)
        for key in event.rules.order:
            if key == row.decided_by:
                assert row.values[key] != above.values[key]
                break
            assert row.values[key] == above.values[key]


@given(events)
def test_dropping_the_last_metric_only_merges_ranks(event: Event) -> None:
    assume(len(event.rules.order) > 1)
    event = event._replace(rules=replace(event.rules, dropped=0))
    shorter = replace(event.rules, order=event.rules.order[:-1])
    before = {row.entry: row.rank for row in event.rows}
    for above, row in pairwise(event._replace(rules=shorter).rows):
        if above.rank < row.rank:
            assert before[above.entry] < before[row.entry]


@given(events)
def test_lots_leave_no_entries_tied(event: Event) -> None:
    order = (*(key for key in event.rules.order if key != "lots"), "lots")
    rows = event._replace(rules=replace(event.rules, order=order)).rows
    assert [row.rank for row in rows] == list(range(1, len(rows) + 1))


@given(events, st.lists(st.sampled_from(["", "club", "mixed"]), min_size=7, max_size=7))
def test_a_section_keeps_the_order_and_counts_its_own_ranks(event: Event, chosen: list[str]) -> None:
    section_of = {entry: section for entry, section in enumerate(chosen, start=1) if section}
    order, overall = event.rules.order, serialize_rows(event.rows)
    sections = rank_by_section(overall, section_of, order)
    found = {row["entry"]: name for name, rows in sections.items() for row in rows}
    assert found == {entry: name for entry, name in section_of.items() if entry in event.results_by_entry}
    rank_in_all = {row["entry"]: row["rank"] for row in overall}
    for rows in sections.values():
        for row in rows:
            better = [other for other in rows if rank_in_all[other["entry"]] < rank_in_all[row["entry"]]]
            assert row["rank"] == 1 + len(better)


# Values


@given(events, st.data())
def test_win_instead_of_a_loss_never_lowers_the_rank(event: Event, data: st.DataObject) -> None:
    lost = [
        (entry, place)
        for entry, those in event.results_by_entry.items()
        for place, each in enumerate(those)
        if each.kind is OutcomeKind.PLAYED and each.outcome is Outcome.LOST
    ]
    assume(lost)
    entry, place = data.draw(st.sampled_from(lost))
    before = event._replace(rules=RankingRules(order=("match_wins",)))
    after = [*event.results_by_entry[entry]]
    after[place] = replace(after[place], outcome=Outcome.WON)
    ranks, ranks_after = (
        {row.entry: row.rank for row in each.rows}
        for each in (before, before._replace(results_by_entry={**event.results_by_entry, entry: after}))
    )
    assert ranks_after[entry] <= ranks[entry]
    assert all(ranks_after[other] >= ranks[other] for other in ranks if other != entry)


@given(played(size=1), orders)
def test_points_for_and_against_balance_over_the_field(by_entry: Results, order: tuple[str, ...]) -> None:
    rows = Event(by_entry, RankingRules(order=order), 0, []).rows
    made, given_away = (sum(row.values[key] or 0 for row in rows) for key in ("points_for", "points_against"))
    assert made == given_away
    assert sum(row.values["difference"] or 0 for row in rows) == 0


@given(events)
def test_value_equals_its_parts_plus_adjustments(event: Event) -> None:
    counted = event.field
    for row in event.rows:
        for key in set(event.rules.order) - {"head_to_head", "lots", "pool_place", "play_off"}:
            parts = [part.value for part in break_down_metric(counted, row.entry, key) if part.is_counted]
            if METRICS[key].is_mean:
                assert row.values[key] == (sum(parts) // len(parts) if parts else 0)
            elif key == "half_wins":
                assert row.values[key] == sum(parts) + 2 * row.adjustments.get("match_wins", 0)
            elif key not in {"progressive", "difference", "capped_difference"}:
                assert row.values[key] == sum(parts) + row.adjustments.get(key, 0)


@given(events)
def test_dropped_rounds_are_the_best_choice(event: Event) -> None:
    """Compared by the metrics of the order alone; missed rounds are dropped first."""
    own = tuple(key for key in event.rules.order if key in SUMS and key != "progressive")
    assume(own)
    counted = event._replace(rules=replace(event.rules, order=own), adjustments=[])
    everything = counted._replace(rules=replace(counted.rules, dropped=0))
    for row in counted.rows:
        present = [each for each in event.results_by_entry[row.entry] if each.kind not in MISSED_KINDS]
        missed = [each for each in event.results_by_entry[row.entry] if each.kind in MISSED_KINDS]
        still = [each for each in missed if each.round not in row.dropped]
        counted_results = [each for each in present if each.round not in row.dropped]
        assert not still or counted_results == present
        for others in combinations(present, len(counted_results)):
            instead = {**event.results_by_entry, row.entry: [*others, *still]}
            found = {each.entry: each for each in everything._replace(results_by_entry=instead).rows}
            assert not is_better(found[row.entry], row, own)


@given(events)
def test_every_entry_has_equally_many_counted_rounds(event: Event) -> None:
    rounds = {each.round for those in event.results_by_entry.values() for each in those}
    most = max(1, len(rounds) - event.rules.dropped)
    for row in event.rows:
        those = {each.round for each in event.results_by_entry[row.entry]}
        assert len(those - set(row.dropped)) == min(most, len(those))


@given(events)
def test_dropping_more_rounds_never_raises_a_total(event: Event) -> None:
    won = ("match_wins", "match_points", "games_won", "points_for", "contracts_made", "charlemagnes")
    before, after = (
        {row.entry: row.values for row in event._replace(rules=each).rows}
        for each in (
            replace(event.rules, order=won),
            replace(event.rules, order=won, dropped=event.rules.dropped + 1),
        )
    )
    for entry, values in after.items():
        assert all((values[key] or 0) <= (before[entry][key] or 0) for key in won)
