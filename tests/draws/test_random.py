"""The random draw, beside a brute force that tries every round there is (small fields only)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.draws import Draw, DrawInput, EntryId, Meeting, Reason, ReasonCode, draw


def field(*entries: int, history: Iterable[Meeting] = (), seed: int = 1) -> DrawInput:
    return DrawInput(entries=tuple(map(EntryId, entries)), history=tuple(history), seed=seed)


def meetings(drawn: Draw, played_in: int) -> list[Meeting]:
    tables = [Meeting(round=played_in, a=table.side_a, b=table.side_b) for table in drawn.tables]
    byes = [] if drawn.bye is None else [Meeting(round=played_in, a=drawn.bye, b=None)]
    return tables + byes


def event(entries: int, rounds: int, *, seed: int) -> list[tuple[DrawInput, Draw]]:
    """Every round of an event that nobody leaves, with what it was drawn from."""
    history: list[Meeting] = []
    drawn_rounds = []
    for number in range(1, rounds + 1):
        before = field(*range(entries), history=history, seed=1000 * seed + number)
        drawn = draw("random", before)
        drawn_rounds.append((before, drawn))
        history += meetings(drawn, number)
    return drawn_rounds


@dataclass(frozen=True)
class Counts:
    """How often each two met, and how often each had a bye: counted apart from the code under test."""

    met: Counter[frozenset[int]]
    byes: Counter[int]

    @classmethod
    def of(cls, history: Iterable[Meeting]) -> "Counts":
        history = list(history)
        return cls(
            met=Counter(frozenset((meeting.a, meeting.b)) for meeting in history if meeting.b is not None),
            byes=Counter(meeting.a for meeting in history if meeting.b is None),
        )

    def cost(self, one: int, other: int) -> int:
        return self.met[frozenset((one, other))] ** 2


def cost_of(drawn: Draw, before: DrawInput) -> int:
    counts = Counts.of(before.history)
    return sum(counts.cost(table.side_a, table.side_b) for table in drawn.tables)


def least_cost(before: DrawInput) -> int:
    """The least that any draw of this field with a fair bye costs: every one of them is tried."""
    counts = Counts.of(before.history)

    @cache
    def least(entries: tuple[EntryId, ...]) -> int:
        if not entries:
            return 0
        first, *others = entries
        return min(
            counts.cost(first, other) + least(tuple(e for e in others if e != other)) for other in others
        )

    if len(before.entries) % 2 == 0:
        return least(before.entries)
    fewest = min(counts.byes[entry] for entry in before.entries)
    return min(
        least(tuple(e for e in before.entries if e != bye))
        for bye in before.entries
        if counts.byes[bye] == fewest
    )


@st.composite
def fields(draw: st.DrawFn) -> DrawInput:
    """Small fields after any rounds at all: some have left, some come late, some met again and again."""
    everybody = [EntryId(number) for number in range(draw(st.integers(0, 10)))]
    history: list[Meeting] = []
    for number in range(1, draw(st.integers(0, 15)) + 1):
        seats: list[EntryId | None] = [*everybody, *[None] * (len(everybody) // 3)]
        paired = zip(*[iter(draw(st.permutations(seats)))] * 2, strict=False)
        history += [
            Meeting(round=number, a=one, b=other)
            for one, other in (pair if pair[0] is not None else pair[::-1] for pair in paired)
            if one is not None
        ]
    entries = draw(st.permutations(everybody))[draw(st.integers(0, 3)) :]
    return DrawInput(entries=tuple(entries), history=tuple(history), seed=draw(st.integers()))


# The laws


@given(fields())
def test_everybody_is_drawn_exactly_once(before: DrawInput) -> None:
    drawn = draw("random", before)
    seated = [entry for table in drawn.tables for entry in (table.side_a, table.side_b)]
    assert sorted(seated + [entry for entry in (drawn.bye,) if entry is not None]) == sorted(before.entries)
    assert (drawn.bye is not None) == (len(before.entries) % 2 == 1)


@given(fields())
def test_no_draw_with_a_fair_bye_repeats_less(before: DrawInput) -> None:
    assert cost_of(draw("random", before), before) == least_cost(before)


@given(fields())
def test_nobody_has_another_bye_while_somebody_has_had_fewer(before: DrawInput) -> None:
    bye = draw("random", before).bye
    byes = Counts.of(before.history).byes
    assert bye is None or byes[bye] == min(byes[entry] for entry in before.entries)


@given(fields())
def test_side_a_is_for_whoever_has_leaned_less_to_it(before: DrawInput) -> None:
    on_a = Counter(meeting.a for meeting in before.history if meeting.b is not None)
    on_b = Counter(meeting.b for meeting in before.history)
    for table in draw("random", before).tables:
        assert on_a[table.side_a] - on_b[table.side_a] <= on_a[table.side_b] - on_b[table.side_b]


@given(fields())
def test_a_table_of_two_who_have_met_says_when_and_that_it_had_to_be(before: DrawInput) -> None:
    for table in draw("random", before).tables:
        together = {table.side_a, table.side_b}
        rounds = sorted(m.round for m in before.history if {m.a, m.b} == together)
        assert table.reasons == (
            (
                Reason(code=ReasonCode.MET_BEFORE, details={"rounds": tuple(rounds)}),
                Reason(code=ReasonCode.REPEATS_UNAVOIDABLE),
            )
            if rounds
            else ()
        )


@given(fields())
def test_a_bye_says_that_nobody_has_had_fewer_and_which_ones_it_follows(before: DrawInput) -> None:
    drawn = draw("random", before)
    rounds = sorted(m.round for m in before.history if m.b is None and m.a == drawn.bye)
    fewest = Reason(code=ReasonCode.FEWEST_BYES, details={"rounds": tuple(rounds)})
    assert drawn.bye_reasons == (() if drawn.bye is None else (fewest,))


@given(fields(), st.permutations(range(10)), st.integers(1, 10**9))
def test_other_names_for_the_entries_give_the_same_draw_in_those_names(
    before: DrawInput, names: list[int], step: int
) -> None:
    def renamed(entry: EntryId) -> EntryId:
        return EntryId(names[entry] * step)

    def renamed_or_none(entry: EntryId | None) -> EntryId | None:
        return None if entry is None else renamed(entry)

    drawn = draw("random", before)
    after = replace(
        before,
        entries=tuple(map(renamed, before.entries)),
        history=tuple(replace(m, a=renamed(m.a), b=renamed_or_none(m.b)) for m in before.history),
    )
    assert draw("random", after) == replace(
        drawn,
        tables=tuple(
            replace(table, side_a=renamed(table.side_a), side_b=renamed(table.side_b))
            for table in drawn.tables
        ),
        bye=renamed_or_none(drawn.bye),
    )


@given(fields(), st.randoms(use_true_random=False))
def test_history_may_be_told_in_any_order(before: DrawInput, chance: Random) -> None:
    history = list(before.history)
    chance.shuffle(history)
    assert draw("random", replace(before, history=tuple(history))) == draw("random", before)


@given(fields())
def test_a_draw_names_what_it_takes_to_draw_it_again(before: DrawInput) -> None:
    drawn = draw("random", before)
    assert draw(drawn.format, replace(before, seed=drawn.seed)) == drawn


# Small fields


def test_nobody_no_tables() -> None:
    assert draw("random", field()).tables == ()
    assert draw("random", field()).bye is None


def test_one_alone_has_a_bye_every_time() -> None:
    first, second = (drawn for _, drawn in event(1, 2, seed=1))
    assert (first.tables, first.bye) == ((), 0)
    assert second.bye_reasons == (Reason(code=ReasonCode.FEWEST_BYES, details={"rounds": (1,)}),)


def test_two_meet_again_and_have_changed_sides_after_every_other_round() -> None:
    tables = [table for _, drawn in event(2, 6, seed=1) for table in drawn.tables]
    assert all(odd.side_a == even.side_b for odd, even in zip(tables[::2], tables[1::2], strict=True))
    assert tables[2].reasons[0].details == {"rounds": (1, 2)}


def test_three_sit_out_in_turn_and_everybody_meets_everybody() -> None:
    rounds = [drawn for _, drawn in event(3, 3, seed=1)]
    assert {drawn.bye for drawn in rounds} == {0, 1, 2}
    assert not any(table.reasons for drawn in rounds for table in drawn.tables)


# Towards the last possible round, and beyond


@pytest.mark.parametrize("entries", [4, 5, 6, 7, 8, 9, 10, 12])
def test_to_the_last_possible_round_repeats_are_the_fewest(entries: int) -> None:
    for seed in range(6):
        for before, drawn in event(entries, entries - 1 + entries % 2, seed=seed):
            assert cost_of(drawn, before) == least_cost(before)


@pytest.mark.parametrize("entries", [5, 6, 8, 10, 12, 16])
def test_dead_ends_are_met_and_drawn(entries: int) -> None:
    events = (event(entries, entries - 1 + entries % 2, seed=seed) for seed in range(60))
    assert any(cost_of(drawn, before) for rounds in events for before, drawn in rounds)


def test_in_an_odd_field_everybody_has_had_a_bye_before_anybody_has_two() -> None:
    byes = [drawn.bye for _, drawn in event(7, 21, seed=1)]
    assert all(set(byes[start : start + 7]) == set(range(7)) for start in (0, 7, 14))


def test_with_more_rounds_than_opponents_repeats_are_spread_evenly() -> None:
    rounds = event(4, 9, seed=1)
    before, drawn = rounds[-1]
    met = Counts.of([*before.history, *meetings(drawn, 9)]).met
    assert sorted(met.values()) == [3] * 6


@pytest.mark.parametrize("seed", range(20))
def test_two_second_meetings_are_better_than_one_third(seed: int) -> None:
    times_met = {(0, 1): 2, (2, 3): 0, (0, 2): 1, (1, 3): 1, (0, 3): 2, (1, 2): 2}
    history = [
        Meeting(round=number, a=EntryId(a), b=EntryId(b))
        for (a, b), times in times_met.items()
        for number in range(1, times + 1)
    ]
    drawn = draw("random", field(0, 1, 2, 3, history=history, seed=seed))
    assert {frozenset((table.side_a, table.side_b)) for table in drawn.tables} == {
        frozenset((0, 2)),
        frozenset((1, 3)),
    }


def test_sides_stay_balanced_over_nine_rounds() -> None:
    for seed in range(10):
        (before, drawn) = event(16, 9, seed=seed)[-1]
        on_a = Counter(meeting.a for meeting in [*before.history, *meetings(drawn, 9)])
        assert all(3 <= on_a[entry] <= 6 for entry in before.entries)


def test_two_thousand_entries_play_nine_rounds_without_a_repeat() -> None:
    assert all(cost_of(drawn, before) == 0 for before, drawn in event(2000, 9, seed=1))


# Who comes and goes


def test_a_late_entry_is_drawn_with_the_others() -> None:
    first = draw("random", field(0, 1, 2, 3))
    second = draw("random", field(0, 1, 2, 3, 4, history=meetings(first, 1)))
    assert not any(table.reasons for table in second.tables)


def test_a_late_entry_sits_out_when_all_others_have() -> None:
    rounds = enumerate(event(3, 3, seed=1), start=1)
    history = [meeting for number, (_, drawn) in rounds for meeting in meetings(drawn, number)]
    assert draw("random", field(0, 1, 2, 8, 9, history=history)).bye in {8, 9}


def test_whoever_has_left_is_not_drawn_and_whoever_returns_has_not_forgotten() -> None:
    history = [Meeting(round=1, a=EntryId(0), b=EntryId(1)), Meeting(round=1, a=EntryId(2), b=EntryId(3))]
    assert draw("random", field(0, 1, 2, history=history)).bye in {0, 1}  # or 0 and 1 would meet again
    returned = draw("random", field(0, 1, 2, 3, history=history))
    assert not any(table.reasons for table in returned.tables)


# Chance


def test_every_round_is_as_likely_as_any_other() -> None:
    draws = (draw("random", field(0, 1, 2, 3, 4, seed=seed)) for seed in range(1500))
    seen = Counter((d.bye, frozenset(frozenset((t.side_a, t.side_b)) for t in d.tables)) for d in draws)
    assert len(seen) == 15
    assert all(70 <= count <= 130 for count in seen.values())  # 100 each, give or take three deviations


def test_in_a_first_round_either_may_sit_on_side_a() -> None:
    side_a = Counter(draw("random", field(0, 1, seed=seed)).tables[0].side_a for seed in range(200))
    assert all(70 <= side_a[entry] <= 130 for entry in (EntryId(0), EntryId(1)))


def test_a_dead_end_is_drawn_by_lot_too() -> None:
    everybody_met = [Meeting(round=1, a=EntryId(a), b=EntryId(b)) for a in range(4) for b in range(a)]
    draws = (draw("random", field(0, 1, 2, 3, history=everybody_met, seed=seed)) for seed in range(300))
    seen = Counter(frozenset(frozenset((t.side_a, t.side_b)) for t in drawn.tables) for drawn in draws)
    assert len(seen) == 3
    assert all(70 <= count <= 130 for count in seen.values())


# The same everywhere: by trades, from round 5 on by matching, and with repeats in the last three rounds


def test_on_every_machine_this_event_is_drawn_like_this() -> None:
    assert [
        " ".join(f"{table.side_a}-{table.side_b}" for table in drawn.tables) + f" bye {drawn.bye}"
        for _, drawn in event(7, 8, seed=4)
    ] == [
        "2-0 4-5 3-6 bye 1",
        "0-6 5-3 1-2 bye 4",
        "0-4 5-1 6-2 bye 3",
        "1-4 5-0 2-3 bye 6",
        "4-3 6-1 2-5 bye 0",
        "3-4 0-1 6-5 bye 2",
        "3-0 1-6 4-2 bye 5",
        "3-1 2-0 6-4 bye 5",
    ]
