"""The draw by lot, beside a brute force that tries every round there is (small fields only)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import Draw, DrawInput, EntryId, Reason, ReasonCode, draw

from .events import Counts, byes, event, field, fields, met, pairs, played, sat_out

BY_LOT = (Reason(code=ReasonCode.BY_LOT),)


def repeats_of(drawn: Draw, before: DrawInput) -> int:
    counts = Counts.of(before.history)
    return sum(counts.met[pair] ** 2 for pair in pairs(drawn))


def fewest_repeats(before: DrawInput) -> int:
    """The least that any draw of this field with a fair bye repeats: every one of them is tried."""
    counts = Counts.of(before.history)

    @cache
    def least(entries: tuple[int, ...]) -> int:
        if not entries:
            return 0
        first, *others = entries
        return min(
            counts.met[frozenset((first, other))] ** 2 + least(tuple(e for e in others if e != other))
            for other in others
        )

    entries = [entrant.id for entrant in before.entrants]
    if len(entries) % 2 == 0:
        return least(tuple(entries))
    fewest = min(counts.byes[entry] for entry in entries)
    return min(least(tuple(e for e in entries if e != bye)) for bye in entries if counts.byes[bye] == fewest)


class TestOfAnyFieldAfterAnyHistory:
    @given(fields())
    def test_everybody_is_drawn_exactly_once(self, before: DrawInput) -> None:
        drawn = draw("random", before)
        seated = [entry for table in drawn.tables for entry in (*table.a, *table.b)]
        assert sorted(seated + byes(drawn)) == sorted(entrant.id for entrant in before.entrants)
        assert len(byes(drawn)) == len(before.entrants) % 2

    @pytest.mark.slow
    @given(fields())
    def test_no_draw_with_a_fair_bye_repeats_less(self, before: DrawInput) -> None:
        drawn = draw("random", before)
        assert repeats_of(drawn, before) == fewest_repeats(before) == drawn.price["repeats"]

    @pytest.mark.slow
    @given(fields())
    def test_nobody_has_another_bye_while_somebody_has_had_fewer(self, before: DrawInput) -> None:
        had = Counts.of(before.history).byes
        fewest = min((had[entrant.id] for entrant in before.entrants), default=0)
        assert all(had[bye] == fewest for bye in byes(draw("random", before)))

    @given(fields())
    def test_side_a_is_for_whoever_has_leaned_less_to_it(self, before: DrawInput) -> None:
        lean: Counter[int] = Counter()
        for table in before.history:
            lean.update(dict.fromkeys(table.a, 1 if table.b else 0))
            lean.subtract(dict.fromkeys(table.b, 1))
        for drawn in draw("random", before).tables:
            assert lean[drawn.a[0]] <= lean[drawn.b[0]]

    @given(fields())
    def test_a_table_of_two_who_have_met_says_when_and_that_it_had_to_be(self, before: DrawInput) -> None:
        for table in draw("random", before).tables:
            together = {*table.a, *table.b}
            rounds = sorted(t.round for t in before.history if {*t.a, *t.b} == together)
            again = (
                Reason(code=ReasonCode.MET_BEFORE, details={"rounds": tuple(rounds)}),
                Reason(code=ReasonCode.REPEATS_UNAVOIDABLE),
            )
            assert table.reasons == (again if rounds else BY_LOT)

    @pytest.mark.slow
    @given(fields(), st.permutations(range(10)), st.integers(1, 10**9))
    def test_other_names_for_the_entries_give_the_same_draw_in_those_names(
        self, before: DrawInput, names: list[int], step: int
    ) -> None:
        def renamed(entries: Iterable[EntryId]) -> tuple[EntryId, ...]:
            return tuple(EntryId(names[entry] * step) for entry in entries)

        drawn = draw("random", before)
        after = replace(
            before,
            entrants=tuple(replace(e, id=renamed([e.id])[0]) for e in before.entrants),
            history=tuple(replace(t, a=renamed(t.a), b=renamed(t.b)) for t in before.history),
        )
        again = draw("random", after)
        assert [(t.a, t.b) for t in again.tables] == [(renamed(t.a), renamed(t.b)) for t in drawn.tables]
        assert byes(again) == [*renamed(bye.entry for bye in drawn.byes)]

    @pytest.mark.slow
    @given(fields(), st.randoms(use_true_random=False))
    def test_history_may_be_told_in_any_order(self, before: DrawInput, chance: Random) -> None:
        history = list(before.history)
        chance.shuffle(history)
        assert draw("random", replace(before, history=tuple(history))) == draw("random", before)


class TestInASmallField:
    def test_nobody_no_tables(self) -> None:
        drawn = draw("random", field())
        assert (drawn.tables, drawn.byes) == ((), ())

    def test_one_alone_has_a_bye_every_time(self) -> None:
        first, second = (drawn for _, drawn in event("random", 1, 2, seed=1))
        assert (first.tables, byes(first)) == ((), [0])
        assert second.byes[0].reasons[0].details == {"rounds": (1,)}

    def test_two_meet_again_and_have_changed_sides_after_every_other_round(self) -> None:
        tables = [table for _, drawn in event("random", 2, 6, seed=1) for table in drawn.tables]
        assert all(odd.a == even.b for odd, even in zip(tables[::2], tables[1::2], strict=True))
        assert tables[2].reasons[0].details == {"rounds": (1, 2)}

    def test_three_sit_out_in_turn_and_everybody_meets_everybody(self) -> None:
        rounds = [drawn for _, drawn in event("random", 3, 3, seed=1)]
        assert sorted(bye for drawn in rounds for bye in byes(drawn)) == [0, 1, 2]
        assert all(table.reasons == BY_LOT for drawn in rounds for table in drawn.tables)


class TestTowardsTheLastPossibleRoundAndBeyond:
    @pytest.mark.parametrize("entries", [4, 5, 6, 7, 8, 9, 10])
    def test_repeats_are_the_fewest(self, entries: int) -> None:
        for seed in range(6):
            for before, drawn in event("random", entries, entries - 1 + entries % 2, seed=seed):
                assert repeats_of(drawn, before) == fewest_repeats(before)

    @pytest.mark.parametrize("entries", [5, 6, 8, 10, 12, 16])
    def test_dead_ends_are_met_and_drawn(self, entries: int) -> None:
        rounds = entries - 1 + entries % 2
        events = (event("random", entries, rounds, seed=seed) for seed in range(60))
        assert any(repeats_of(drawn, before) for every in events for before, drawn in every)

    def test_in_an_odd_field_everybody_has_had_a_bye_before_anybody_has_two(self) -> None:
        out = [bye for _, drawn in event("random", 7, 21, seed=1) for bye in byes(drawn)]
        assert all(set(out[start : start + 7]) == set(range(7)) for start in (0, 7, 14))

    def test_with_more_rounds_than_opponents_repeats_are_spread_evenly(self) -> None:
        before, drawn = event("random", 4, 9, seed=1)[-1]
        assert sorted(Counts.of([*before.history, *played(drawn)]).met.values()) == [3] * 6

    @pytest.mark.parametrize("seed", range(20))
    def test_two_second_meetings_are_better_than_one_third(self, seed: int) -> None:
        times_met = {(0, 1): 2, (2, 3): 0, (0, 2): 1, (1, 3): 1, (0, 3): 2, (1, 2): 2}
        history = [met(number, a, b) for (a, b), times in times_met.items() for number in range(1, times + 1)]
        drawn = draw("random", field(0, 1, 2, 3, history=history, seed=seed))
        assert pairs(drawn) == {frozenset((0, 2)), frozenset((1, 3))}

    @pytest.mark.slow
    def test_sides_stay_balanced_over_nine_rounds(self) -> None:
        for seed in range(10):
            before, drawn = event("random", 16, 9, seed=seed)[-1]
            on_a = Counter(table.a[0] for table in [*before.history, *played(drawn)])
            assert all(3 <= on_a[EntryId(entry)] <= 6 for entry in range(16))

    @pytest.mark.slow
    def test_a_thousand_entries_play_nine_rounds_without_a_repeat(self) -> None:
        assert all(not drawn.price["repeats"] for _, drawn in event("random", 1000, 9, seed=1))


class TestWhoComesAndGoes:
    def test_a_late_entry_is_drawn_with_the_others(self) -> None:
        first = draw("random", field(0, 1, 2, 3))
        second = draw("random", field(0, 1, 2, 3, 4, history=played(first)))
        assert all(table.reasons == BY_LOT for table in second.tables)

    @pytest.mark.parametrize("rounds", range(1, 7))
    def test_a_late_entry_sits_out_once_all_others_have_done_so_as_often_as_it_has_missed_rounds(
        self, rounds: int
    ) -> None:
        history = [t for _, drawn in event("random", 3, rounds, seed=1) for t in played(drawn)]
        before = field(0, 1, 2, 8, 9, history=history)
        late = [replace(entrant, arrives=rounds + 1) for entrant in before.entrants[3:]]
        (bye,) = byes(draw("random", replace(before, entrants=(*before.entrants[:3], *late))))
        assert bye in {0, 1, 2}

    def test_who_missed_a_round_does_not_sit_out_the_next_one(self) -> None:
        history = [met(1, 0, 1), met(1, 2, 3)]
        before = field(0, 1, 2, 3, 4, history=history)
        back = replace(before.entrants[4], absent=frozenset({1}))
        (bye,) = byes(draw("random", replace(before, entrants=(*before.entrants[:4], back))))
        assert bye in {0, 1, 2, 3}

    def test_whoever_has_left_is_not_drawn_and_whoever_returns_has_not_forgotten(self) -> None:
        history = [met(1, 0, 1), met(1, 2, 3)]
        (bye,) = byes(draw("random", field(0, 1, 2, history=history)))
        assert bye in {0, 1}  # or 0 and 1 would meet again
        returned = draw("random", field(0, 1, 2, 3, history=history))
        assert all(table.reasons == BY_LOT for table in returned.tables)

    def test_a_bye_says_which_ones_it_follows(self) -> None:
        history = [sat_out(1, 0), sat_out(2, 0)]
        assert draw("random", field(0, history=history)).byes[0].reasons == (
            Reason(code=ReasonCode.FEWEST_BYES, details={"rounds": (1, 2)}),
        )


class TestChance:
    @pytest.mark.slow
    def test_makes_every_round_as_likely_as_any_other(self) -> None:
        draws = (draw("random", field(0, 1, 2, 3, 4, seed=seed)) for seed in range(1500))
        seen = Counter(frozenset(pairs(drawn)) for drawn in draws)
        assert len(seen) == 15
        assert all(70 <= count <= 130 for count in seen.values())  # 100 each, give or take three deviations

    def test_seats_either_on_side_a_in_a_first_round(self) -> None:
        side_a = Counter(draw("random", field(0, 1, seed=seed)).tables[0].a[0] for seed in range(200))
        assert all(70 <= side_a[entry] <= 130 for entry in (EntryId(0), EntryId(1)))

    def test_draws_a_dead_end_too(self) -> None:
        everybody_met = [met(1, a, b) for a in range(4) for b in range(a)]
        draws = (draw("random", field(0, 1, 2, 3, history=everybody_met, seed=seed)) for seed in range(300))
        seen = Counter(frozenset(pairs(drawn)) for drawn in draws)
        assert len(seen) == 3
        assert all(70 <= count <= 130 for count in seen.values())

    def test_is_the_same_on_every_machine(self) -> None:
        assert [
            " ".join(f"{table.a[0]}-{table.b[0]}" for table in drawn.tables) + f" bye {byes(drawn)[0]}"
            for _, drawn in event("random", 7, 8, seed=4)
        ] == [
            "1-2 0-4 3-5 bye 6",
            "3-0 5-2 4-6 bye 1",
            "2-0 4-3 6-1 bye 5",
            "0-5 1-3 2-6 bye 4",
            "5-1 6-0 2-4 bye 3",
            "0-1 5-4 6-3 bye 2",
            "5-6 3-2 4-1 bye 0",
            "0-5 6-2 1-3 bye 4",
        ]
