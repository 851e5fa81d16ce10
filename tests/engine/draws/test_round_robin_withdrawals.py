"""Withdrawals from a round robin: the remaining entries play in as few rounds as possible."""

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.draws import DrawInput, Entrant, EntryId, PlayedPairing, draw
from engine.draws.schedules.fewest_rounds import schedule_fewest_rounds

from .events import list_byes, list_pairs, play_round

Pairs = list[tuple[int, int]]


def count_needed_rounds(owed: Pairs) -> int:
    """Return the fewest rounds for these meetings, by brute force."""
    rounds = max(Counter(entry for pair in owed for entry in pair).values(), default=0)
    while not _can_fit(owed, [set() for _ in range(rounds)]):
        rounds += 1
    return rounds


def _can_fit(owed: Pairs, rounds: list[set[int]]) -> bool:
    if not owed:
        return True
    for place, seated in enumerate(rounds):
        if seated.isdisjoint(owed[0]):
            seated.update(owed[0])
            if _can_fit(owed[1:], rounds):
                return True
            seated.difference_update(owed[0])
            if not any(rounds[place:]):
                break
    return False


@st.composite
def meetings(draw: st.DrawFn) -> Pairs:
    possible = list(combinations(range(draw(st.integers(2, 7))), 2)) * draw(st.integers(1, 2))
    return sorted(draw(st.lists(st.sampled_from(possible), max_size=12)))


@pytest.mark.slow
@given(meetings())
def test_no_other_schedule_takes_fewer_rounds(owed: Pairs) -> None:
    rounds = schedule_fewest_rounds([(EntryId(one), EntryId(other)) for one, other in owed])
    assert sorted(pair for each in rounds for pair in each) == owed
    assert all(len({*sum(each, ())}) == 2 * len(each) for each in rounds)
    assert len(rounds) == count_needed_rounds(owed)


@pytest.mark.slow
def test_round_robin_of_a_hundred_is_rescheduled_after_a_withdrawal() -> None:
    owed = [(EntryId(one), EntryId(other)) for one, other in combinations(range(102), 2)]
    assert len(schedule_fewest_rounds(owed)) == 101


@given(meetings(), st.sets(st.integers(0, 6), max_size=3))
def test_absent_entry_misses_only_the_first_round(owed: Pairs, away: set[int]) -> None:
    rounds = schedule_fewest_rounds(
        [(EntryId(one), EntryId(other)) for one, other in owed], frozenset(map(EntryId, away))
    )
    assert sorted(pair for each in rounds for pair in each) == owed
    assert away.isdisjoint(entry for pair in (*rounds, [])[0] for entry in pair)


def play_on(before: DrawInput, rounds: int, format_key: str = "round_robin") -> list[PlayedPairing]:
    """Return the history after this number of further rounds."""
    history = list(before.history)
    for number in range(before.round, before.round + rounds):
        drawn = draw(format_key, replace(before, round=number, history=tuple(history)))
        history += play_round(drawn)
    return history


def count_meetings(history: list[PlayedPairing]) -> Counter[frozenset[int]]:
    return Counter(frozenset((*table.a, *table.b)) for table in history if table.b)


def build_left_over(count: int, *, legs: int, rounds: int, gone: Collection[int]) -> DrawInput:
    """Return a round robin before its next round, after some entries left."""
    entrants = tuple(Entrant(id=EntryId(number), number=number) for number in range(1, count + 1))
    begun = DrawInput(round=1, entrants=entrants, settings={"legs": legs})
    return replace(
        begun,
        round=rounds + 1,
        entrants=tuple(replace(each, leaves_after=rounds) if each.number in gone else each for each in entrants),
        history=tuple(play_on(begun, rounds)),
    )


@st.composite
def left_over(draw: st.DrawFn) -> DrawInput:
    count, legs = draw(st.integers(3, 9)), draw(st.sampled_from([1, 1, 2]))
    gone = draw(st.sets(st.integers(1, count), min_size=1, max_size=2))
    return build_left_over(count, legs=legs, rounds=draw(st.integers(1, (count - 1) * legs)), gone=gone)


def list_owed_meetings(state: DrawInput) -> Pairs:
    had = count_meetings(list(state.history))
    here = [entrant.id for entrant in state.entrants if not entrant.has_left(state.round)]
    times = state.settings["legs"]
    return [pair for pair in combinations(sorted(here), 2) for _ in range(times - had[frozenset(pair)])]


@pytest.mark.slow
@given(left_over())
def test_remaining_entries_meet_in_the_fewest_rounds(state: DrawInput) -> None:
    owed = list_owed_meetings(state)
    rounds = len(schedule_fewest_rounds([(EntryId(one), EntryId(other)) for one, other in owed]))
    history = play_on(state, rounds)
    assert list_owed_meetings(replace(state, history=tuple(history))) == []
    after = draw("round_robin", replace(state, round=state.round + rounds, history=tuple(history)))
    assert (after.tables, after.byes) == ((), ())


@pytest.mark.slow
@given(left_over())
@example(build_left_over(7, legs=1, rounds=4, gone={1}))  # a new schedule would save no round
def test_no_two_idle_entries_still_owe_each_other_a_match(state: DrawInput) -> None:
    idle = list_byes(draw("round_robin", state))
    owed = {frozenset(pair) for pair in list_owed_meetings(state)}
    assert not any(frozenset(pair) in owed for pair in combinations(idle, 2))


def build_five_after_two(**of_fifth: int) -> DrawInput:
    entrants = [Entrant(id=EntryId(number), number=number) for number in range(1, 6)]
    begun = DrawInput(round=1, entrants=tuple(entrants))
    entrants[4] = replace(entrants[4], **of_fifth)  # type: ignore[arg-type]
    return replace(begun, round=3, entrants=tuple(entrants), history=tuple(play_on(begun, 2)))


def test_four_remaining_entries_need_two_rounds() -> None:
    state = build_five_after_two(leaves_after=2)
    first = draw("round_robin", state)
    second = draw("round_robin", replace(state, round=4, history=(*state.history, *play_round(first))))
    assert [len(drawn.tables) for drawn in (first, second)] == [2, 2]
    assert [*first.byes, *second.byes] == []


def test_older_version_redraws_with_all_its_rounds() -> None:
    drawn = draw("round_robin", replace(build_five_after_two(leaves_after=2), version=6))
    assert len(drawn.tables) == 1


def test_absence_does_not_change_the_schedule() -> None:
    before = build_five_after_two()
    away = replace(before, entrants=(*before.entrants[:4], replace(before.entrants[4], absent=frozenset({3}))))
    assert list_pairs(draw("round_robin", away)) < list_pairs(draw("round_robin", before))
