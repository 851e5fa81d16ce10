"""The random draw, compared with brute force over every round of a small field."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import Draw, DrawInput, EntryId, Reason, ReasonCode, draw

from .events import (
    Counts,
    build_bye,
    build_field,
    build_pairing,
    fields,
    list_byes,
    list_pairs,
    play_round,
    simulate_event,
)

LOT_REASON = (Reason(code=ReasonCode.BY_LOT),)


def count_repeats(drawn: Draw, before: DrawInput) -> int:
    counts = Counts.from_history(before.history)
    return sum(counts.meetings[pair] ** 2 for pair in list_pairs(drawn))


def find_fewest_repeats(before: DrawInput) -> int:
    """Return the least sum of squared repeats of any draw with a fair bye, by brute force."""
    counts = Counts.from_history(before.history)

    @cache
    def find_least(entries: tuple[int, ...]) -> int:
        if not entries:
            return 0
        first, *others = entries
        return min(
            counts.meetings[frozenset((first, other))] ** 2 + find_least(tuple(e for e in others if e != other))
            for other in others
        )

    entries = [entrant.id for entrant in before.entrants]
    if len(entries) % 2 == 0:
        return find_least(tuple(entries))
    fewest = min(counts.byes[entry] for entry in entries)
    return min(find_least(tuple(e for e in entries if e != bye)) for bye in entries if counts.byes[bye] == fewest)


class TestRandomDrawProperties:
    @pytest.mark.slow
    @given(fields())
    def test_every_entry_is_drawn_exactly_once(self, before: DrawInput) -> None:
        drawn = draw("random", before)
        seated = [entry for table in drawn.tables for entry in (*table.a, *table.b)]
        assert sorted(seated + list_byes(drawn)) == sorted(entrant.id for entrant in before.entrants)
        assert len(list_byes(drawn)) == len(before.entrants) % 2

    @pytest.mark.slow
    @given(fields())
    def test_no_draw_with_a_fair_bye_has_fewer_rematches(self, before: DrawInput) -> None:
        drawn = draw("random", before)
        assert count_repeats(drawn, before) == find_fewest_repeats(before) == drawn.price["repeats"]

    @pytest.mark.slow
    @given(fields())
    def test_bye_goes_to_an_entry_with_the_fewest_byes(self, before: DrawInput) -> None:
        had = Counts.from_history(before.history).byes
        fewest = min((had[entrant.id] for entrant in before.entrants), default=0)
        assert all(had[bye] == fewest for bye in list_byes(draw("random", before)))

    @pytest.mark.slow
    @given(fields())
    def test_side_a_goes_to_the_entry_with_the_lower_balance(self, before: DrawInput) -> None:
        lean: Counter[int] = Counter()
        for table in before.history:
            lean.update(dict.fromkeys(table.a, 1 if table.b else 0))
            lean.subtract(dict.fromkeys(table.b, 1))
        for drawn in draw("random", before).tables:
            assert lean[drawn.a[0]] <= lean[drawn.b[0]]

    @pytest.mark.slow
    @given(fields())
    def test_rematch_table_states_when_they_met_and_why(self, before: DrawInput) -> None:
        for table in draw("random", before).tables:
            together = {*table.a, *table.b}
            rounds = sorted(t.round for t in before.history if {*t.a, *t.b} == together)
            again = (
                Reason(code=ReasonCode.MET_BEFORE, details={"rounds": tuple(rounds)}),
                Reason(code=ReasonCode.REPEATS_UNAVOIDABLE),
            )
            assert table.reasons == (again if rounds else LOT_REASON)

    @pytest.mark.slow
    @given(fields(), st.permutations(range(10)), st.integers(1, 10**9))
    def test_renamed_entries_get_the_same_draw(self, before: DrawInput, names: list[int], step: int) -> None:
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
        assert list_byes(again) == [*renamed(bye.entry for bye in drawn.byes)]

    @pytest.mark.slow
    @given(fields(), st.randoms(use_true_random=False))
    def test_history_order_does_not_change_the_draw(self, before: DrawInput, chance: Random) -> None:
        history = list(before.history)
        chance.shuffle(history)
        assert draw("random", replace(before, history=tuple(history))) == draw("random", before)


class TestSmallFields:
    def test_empty_field_has_no_tables(self) -> None:
        drawn = draw("random", build_field())
        assert (drawn.tables, drawn.byes) == ((), ())

    def test_single_entry_has_a_bye_every_round(self) -> None:
        first, second = (drawn for _, drawn in simulate_event("random", 1, 2, seed=1))
        assert (first.tables, list_byes(first)) == ((), [0])
        assert second.byes[0].reasons[0].details == {"rounds": (1,)}

    def test_two_entries_meet_again_and_alternate_sides(self) -> None:
        tables = [table for _, drawn in simulate_event("random", 2, 6, seed=1) for table in drawn.tables]
        assert all(odd.a == even.b for odd, even in zip(tables[::2], tables[1::2], strict=True))
        assert tables[2].reasons[0].details == {"rounds": (1, 2)}

    def test_three_entries_sit_out_in_turn_and_all_meet(self) -> None:
        rounds = [drawn for _, drawn in simulate_event("random", 3, 3, seed=1)]
        assert sorted(bye for drawn in rounds for bye in list_byes(drawn)) == [0, 1, 2]
        assert all(table.reasons == LOT_REASON for drawn in rounds for table in drawn.tables)


class TestManyRounds:
    @pytest.mark.parametrize("entries", [4, 5, 6, 7, 8, 9, 10])
    def test_draw_has_the_fewest_possible_rematches(self, entries: int) -> None:
        for seed in range(6):
            for before, drawn in simulate_event("random", entries, entries - 1 + entries % 2, seed=seed):
                assert count_repeats(drawn, before) == find_fewest_repeats(before)

    @pytest.mark.parametrize("entries", [5, 6, 8, 10, 12, 16])
    def test_dead_end_is_still_drawn(self, entries: int) -> None:
        rounds = entries - 1 + entries % 2
        events = (simulate_event("random", entries, rounds, seed=seed) for seed in range(60))
        assert any(count_repeats(drawn, before) for every in events for before, drawn in every)

    def test_every_entry_has_a_bye_before_any_has_two(self) -> None:
        out = [bye for _, drawn in simulate_event("random", 7, 21, seed=1) for bye in list_byes(drawn)]
        assert all(set(out[start : start + 7]) == set(range(7)) for start in (0, 7, 14))

    def test_unavoidable_rematches_are_spread_evenly(self) -> None:
        before, drawn = simulate_event("random", 4, 9, seed=1)[-1]
        assert sorted(Counts.from_history([*before.history, *play_round(drawn)]).meetings.values()) == [3] * 6

    @pytest.mark.parametrize("seed", range(20))
    def test_two_second_meetings_beat_one_third_meeting(self, seed: int) -> None:
        times_met = {(0, 1): 2, (2, 3): 0, (0, 2): 1, (1, 3): 1, (0, 3): 2, (1, 2): 2}
        history = [build_pairing(number, a, b) for (a, b), times in times_met.items() for number in range(1, times + 1)]
        drawn = draw("random", build_field(0, 1, 2, 3, history=history, seed=seed))
        assert list_pairs(drawn) == {frozenset((0, 2)), frozenset((1, 3))}

    @pytest.mark.slow
    def test_sides_stay_balanced_over_nine_rounds(self) -> None:
        for seed in range(10):
            before, drawn = simulate_event("random", 16, 9, seed=seed)[-1]
            on_a = Counter(table.a[0] for table in [*before.history, *play_round(drawn)])
            assert all(3 <= on_a[EntryId(entry)] <= 6 for entry in range(16))

    @pytest.mark.long
    def test_thousand_entries_play_nine_rounds_without_a_rematch(self) -> None:
        assert all(not drawn.price["repeats"] for _, drawn in simulate_event("random", 1000, 9, seed=1))


class TestLateAndWithdrawnEntries:
    def test_a_late_entry_is_drawn_with_the_others(self) -> None:
        first = draw("random", build_field(0, 1, 2, 3))
        second = draw("random", build_field(0, 1, 2, 3, 4, history=play_round(first)))
        assert all(table.reasons == LOT_REASON for table in second.tables)

    @pytest.mark.parametrize("rounds", range(1, 7))
    def test_missed_rounds_of_a_late_entry_count_like_byes(self, rounds: int) -> None:
        history = [t for _, drawn in simulate_event("random", 3, rounds, seed=1) for t in play_round(drawn)]
        before = build_field(0, 1, 2, 8, 9, history=history)
        late = [replace(entrant, arrives=rounds + 1) for entrant in before.entrants[3:]]
        (bye,) = list_byes(draw("random", replace(before, entrants=(*before.entrants[:3], *late))))
        assert bye in {0, 1, 2}

    def test_entry_that_missed_a_round_gets_no_bye_in_the_next(self) -> None:
        history = [build_pairing(1, 0, 1), build_pairing(1, 2, 3)]
        before = build_field(0, 1, 2, 3, 4, history=history)
        back = replace(before.entrants[4], absent=frozenset({1}))
        (bye,) = list_byes(draw("random", replace(before, entrants=(*before.entrants[:4], back))))
        assert bye in {0, 1, 2, 3}

    def test_returning_entry_keeps_its_opponent_history(self) -> None:
        history = [build_pairing(1, 0, 1), build_pairing(1, 2, 3)]
        (bye,) = list_byes(draw("random", build_field(0, 1, 2, history=history)))
        assert bye in {0, 1}  # if 2 sat out, 0 and 1 would meet again
        returned = draw("random", build_field(0, 1, 2, 3, history=history))
        assert all(table.reasons == LOT_REASON for table in returned.tables)

    def test_bye_reason_names_the_earlier_byes(self) -> None:
        history = [build_bye(1, 0), build_bye(2, 0)]
        assert draw("random", build_field(0, history=history)).byes[0].reasons == (
            Reason(code=ReasonCode.FEWEST_BYES, details={"rounds": (1, 2)}),
        )


class TestRandomness:
    @pytest.mark.slow
    def test_every_round_is_equally_likely(self) -> None:
        draws = (draw("random", build_field(0, 1, 2, 3, 4, seed=seed)) for seed in range(1500))
        seen = Counter(frozenset(list_pairs(drawn)) for drawn in draws)
        assert len(seen) == 15
        assert all(70 <= count <= 130 for count in seen.values())  # 100 on average, ± three standard deviations

    def test_either_entry_may_sit_on_side_a_first(self) -> None:
        side_a = Counter(draw("random", build_field(0, 1, seed=seed)).tables[0].a[0] for seed in range(200))
        assert all(70 <= side_a[entry] <= 130 for entry in (EntryId(0), EntryId(1)))

    @pytest.mark.slow
    def test_dead_end_is_drawn_at_random_too(self) -> None:
        everybody_met = [build_pairing(1, a, b) for a in range(4) for b in range(a)]
        draws = (draw("random", build_field(0, 1, 2, 3, history=everybody_met, seed=seed)) for seed in range(300))
        seen = Counter(frozenset(list_pairs(drawn)) for drawn in draws)
        assert len(seen) == 3
        assert all(70 <= count <= 130 for count in seen.values())

    def test_seed_gives_the_same_draw_on_every_machine(self) -> None:
        assert [
            " ".join(f"{table.a[0]}-{table.b[0]}" for table in drawn.tables) + f" bye {list_byes(drawn)[0]}"
            for _, drawn in simulate_event("random", 7, 8, seed=4)
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
