"""Somebody leaves a round robin: who is left over plays in as few rounds as possible."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import DrawInput, Entrant, EntryId, PlayedPairing, draw
from engine.draws.schedules.fewest_rounds import fewest_rounds

from .events import byes, pairs, played

Pairs = list[tuple[int, int]]


def needed(owed: Pairs) -> int:
    """The fewest rounds for these meetings, by trying them all."""
    rounds = max(Counter(entry for pair in owed for entry in pair).values(), default=0)
    while not _fits(owed, [set() for _ in range(rounds)]):
        rounds += 1
    return rounds


def _fits(owed: Pairs, rounds: list[set[int]]) -> bool:
    if not owed:
        return True
    for place, seated in enumerate(rounds):
        if seated.isdisjoint(owed[0]):
            seated.update(owed[0])
            if _fits(owed[1:], rounds):
                return True
            seated.difference_update(owed[0])
            if not any(rounds[place:]):
                break
    return False


@st.composite
def meetings(draw: st.DrawFn) -> Pairs:
    possible = list(combinations(range(draw(st.integers(2, 7))), 2)) * draw(st.integers(1, 2))
    return sorted(draw(st.lists(st.sampled_from(possible), max_size=12)))


@given(meetings())
def test_no_other_order_of_the_meetings_takes_fewer_rounds(owed: Pairs) -> None:
    rounds = fewest_rounds([(EntryId(one), EntryId(other)) for one, other in owed])
    assert sorted(pair for each in rounds for pair in each) == owed
    assert all(len({*sum(each, ())}) == 2 * len(each) for each in rounds)
    assert len(rounds) == needed(owed)


@pytest.mark.slow
def test_a_round_robin_of_a_hundred_that_somebody_leaves_is_scheduled() -> None:
    owed = [(EntryId(one), EntryId(other)) for one, other in combinations(range(102), 2)]
    assert len(fewest_rounds(owed)) == 101


@given(meetings(), st.sets(st.integers(0, 6), max_size=3))
def test_who_is_away_misses_the_first_round_only(owed: Pairs, away: set[int]) -> None:
    rounds = fewest_rounds(
        [(EntryId(one), EntryId(other)) for one, other in owed], frozenset(map(EntryId, away))
    )
    assert sorted(pair for each in rounds for pair in each) == owed
    assert away.isdisjoint(entry for pair in (*rounds, [])[0] for entry in pair)


def play_on(before: DrawInput, rounds: int, format_key: str = "round_robin") -> list[PlayedPairing]:
    """All that was played after so many rounds more."""
    history = list(before.history)
    for number in range(before.round, before.round + rounds):
        drawn = draw(format_key, replace(before, round=number, history=tuple(history)))
        history += played(drawn)
    return history


def met(history: list[PlayedPairing]) -> Counter[frozenset[int]]:
    return Counter(frozenset((*table.a, *table.b)) for table in history if table.b)


@st.composite
def left_over(draw: st.DrawFn) -> DrawInput:
    """A round robin that some have left, before its next round."""
    count, legs = draw(st.integers(3, 9)), draw(st.sampled_from([1, 1, 2]))
    entrants = tuple(Entrant(id=EntryId(number), number=number) for number in range(1, count + 1))
    last = draw(st.integers(1, (count - 1) * legs))
    begun = DrawInput(round=1, entrants=entrants, settings={"legs": legs})
    gone = draw(st.sets(st.integers(1, count), min_size=1, max_size=2))
    return replace(
        begun,
        round=last + 1,
        entrants=tuple(
            replace(each, leaves_after=last) if each.number in gone else each for each in entrants
        ),
        history=tuple(play_on(begun, last)),
    )


def owed_after(state: DrawInput) -> Pairs:
    had = met(list(state.history))
    here = [entrant.id for entrant in state.entrants if not entrant.has_left(state.round)]
    times = state.settings["legs"]
    return [pair for pair in combinations(sorted(here), 2) for _ in range(times - had[frozenset(pair)])]


@given(left_over())
def test_the_others_meet_everybody_in_as_few_rounds_as_possible(state: DrawInput) -> None:
    owed = owed_after(state)
    rounds = len(fewest_rounds([(EntryId(one), EntryId(other)) for one, other in owed]))
    history = play_on(state, rounds)
    assert owed_after(replace(state, history=tuple(history))) == []
    after = draw("round_robin", replace(state, round=state.round + rounds, history=tuple(history)))
    assert (after.tables, after.byes) == ((), ())


@given(left_over())
def test_nobody_sits_out_beside_somebody_to_be_met(state: DrawInput) -> None:
    idle = byes(draw("round_robin", state))
    owed = {frozenset(pair) for pair in owed_after(state)}
    assert not any(frozenset(pair) in owed for pair in combinations(idle, 2))


def five_after_two_rounds(**of_fifth: int) -> DrawInput:
    entrants = [Entrant(id=EntryId(number), number=number) for number in range(1, 6)]
    begun = DrawInput(round=1, entrants=tuple(entrants))
    entrants[4] = replace(entrants[4], **of_fifth)  # type: ignore[arg-type]
    return replace(begun, round=3, entrants=tuple(entrants), history=tuple(play_on(begun, 2)))


def test_four_of_five_who_are_left_need_two_rounds_and_not_three() -> None:
    state = five_after_two_rounds(leaves_after=2)
    first = draw("round_robin", state)
    second = draw("round_robin", replace(state, round=4, history=(*state.history, *played(first))))
    assert [len(drawn.tables) for drawn in (first, second)] == [2, 2]
    assert [*first.byes, *second.byes] == []


def test_an_older_draw_is_drawn_again_with_all_its_rounds() -> None:
    drawn = draw("round_robin", replace(five_after_two_rounds(leaves_after=2), version=6))
    assert len(drawn.tables) == 1


def test_an_absence_changes_nothing_in_the_schedule() -> None:
    before = five_after_two_rounds()
    away = replace(
        before, entrants=(*before.entrants[:4], replace(before.entrants[4], absent=frozenset({3})))
    )
    assert pairs(draw("round_robin", away)) < pairs(draw("round_robin", before))
