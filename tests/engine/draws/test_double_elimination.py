"""Double elimination: two losses, the drop orders, the second final.

The chance of a rematch, if both sides of each match are equally likely to win, is computed exactly: winner and
loser of a slot move through the bracket independently until they meet again.
"""

import doctest
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import DrawInput, EntryId, ReasonCode, draw
from engine.draws.brackets import structure as brackets
from engine.draws.brackets.structure import Bracket, Seed, SlotWinner, Source
from engine.draws.formats import double_elimination
from engine.draws.formats.double_elimination import build_elimination_bracket, drop_order, get_double_elimination_places
from errors import Refusal
from tests.rules.sheets import property_settings

from .bracket_events import (
    Event,
    fields_with_absentees,
    has_all_places,
    play,
    play_next_round,
    random_result,
    start,
    underdog_wins,
)

PUBLISHED_ORDERS = json.loads(
    (Path(__file__).parents[2] / "vectors" / "draws" / "drop_orders.json").read_text(encoding="utf-8")
)


def format_source(source: Source) -> str:
    if isinstance(source, Seed):
        return str(source.number)
    return f"{'W' if isinstance(source, SlotWinner) else 'L'} {source.slot}"


def count_rematches(bracket: Bracket) -> dict[int, Fraction]:
    """Return by round the mean number of rematches before the final, if every match is a toss-up."""
    next_of = {format_source(source): slot.key for slot in bracket.slots if slot.key != "F2" for source in slot.sources}
    round_of = {slot.key: slot.round for slot in bracket.slots}

    def get_visit_chances(way: str) -> dict[str, Fraction]:
        found: defaultdict[str, Fraction] = defaultdict(Fraction)
        ways = [(way, Fraction(1))]
        while ways:
            way, chance = ways.pop()
            if (slot := next_of.get(way)) is not None:
                found[slot] += chance
                ways += [(f"W {slot}", chance / 2), (f"L {slot}", chance / 2)]
        return found

    found: defaultdict[int, Fraction] = defaultdict(Fraction)
    for slot in bracket.slots:
        if slot.key.startswith("W"):
            winners, losers = get_visit_chances(f"W {slot.key}"), get_visit_chances(f"L {slot.key}")
            for again in (winners.keys() & losers.keys()) - {"F1"}:
                found[round_of[again]] += winners[again] * losers[again]
    return dict(found)


def count_with_drops(
    monkeypatch: pytest.MonkeyPatch, entrants: int, order: Callable[[int, int], list[int]]
) -> dict[int, Fraction]:
    with monkeypatch.context() as patched:
        patched.setattr(double_elimination, "drop_order", order)
        return count_rematches(build_elimination_bracket.__wrapped__(entrants))


def flip_digits(turned: Sequence[int], matches: int, number: int) -> list[int]:
    return [place ^ turned[number - 2] for place in range(matches)]


def iter_digit_orders(entrants: int) -> Iterator[Callable[[int, int], list[int]]]:
    """Yield every drop order that flips binary digits of the position, with a choice for each round."""
    rounds = (entrants - 1).bit_length()
    for turned in product(*(range(2 ** (rounds - number)) for number in range(2, rounds + 1))):
        yield partial(flip_digits, turned)


def build_published_order(names: Sequence[str]) -> Callable[[int, int], list[int]]:
    def order(matches: int, number: int) -> list[int]:
        places = list(range(matches))
        half = matches // 2
        orders = {
            "natural": places,
            "reverse": places[::-1],
            "half_shift": places[half:] + places[:half],
            "reverse_half_shift": places[:half][::-1] + places[half:][::-1],
            "pair_flip": [place ^ 1 if matches > 1 else place for place in places],
        }
        return orders[names[number - 1]]

    return order


def test_bracket_of_eight_matches_the_published_one() -> None:
    bracket = build_elimination_bracket(8, second_final=False)
    slots = {slot.key: [format_source(source) for source in slot.sources] for slot in bracket.slots}
    assert slots == PUBLISHED_ORDERS["eight"]["slots"]


@pytest.mark.parametrize("module", [brackets, double_elimination])
def test_module_doctest_examples_pass(module: ModuleType) -> None:
    examples = doctest.testmod(module)
    assert examples.attempted > 0
    assert examples.failed == 0


def test_winners_bracket_rounds_keep_pace_with_the_losers_bracket() -> None:
    rounds = {slot.key: slot.round for slot in build_elimination_bracket(16).slots if slot.key.endswith("-1")}
    assert [rounds[f"W{number}-1"] for number in (1, 2, 3, 4)] == [1, 2, 4, 6]
    assert [rounds[f"L{number}-1"] for number in range(1, 7)] == [2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("entrants", range(2, 65))
def test_bracket_has_two_matches_per_entrant_minus_two(entrants: int) -> None:
    assert len(build_elimination_bracket(entrants, second_final=False).slots) == 2 * entrants - 2
    assert len(build_elimination_bracket(entrants).slots) == 2 * entrants - 1


@pytest.mark.parametrize("matches", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_every_loser_drops_exactly_once(matches: int, number: int) -> None:
    assert sorted(drop_order(matches, number)) == list(range(matches))


@pytest.mark.slow
@pytest.mark.parametrize("entrants", [*range(3, 18), 24, 32])
def test_no_digit_drop_order_delays_the_first_rematch_longer(entrants: int, monkeypatch: pytest.MonkeyPatch) -> None:
    others = (count_with_drops(monkeypatch, entrants, order) for order in iter_digit_orders(entrants))
    assert min(count_rematches(build_elimination_bracket(entrants))) == max(min(other) for other in others)


@pytest.mark.slow
@pytest.mark.parametrize("entrants", [*range(3, 18), 24, 32])
def test_no_digit_drop_order_has_clearly_fewer_rematches(entrants: int, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = sum(count_rematches(build_elimination_bracket(entrants)).values())
    least = min(sum(count_with_drops(monkeypatch, entrants, order).values()) for order in iter_digit_orders(entrants))
    assert ours == least if entrants <= 17 else ours < least * Fraction(102, 100)


@pytest.mark.parametrize("entrants", [int(entrants) for entrants in PUBLISHED_ORDERS["orders"]])
def test_rematches_are_no_more_frequent_or_earlier_than_published(
    entrants: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = count_with_drops(monkeypatch, entrants, build_published_order(PUBLISHED_ORDERS["orders"][str(entrants)]))
    ours = count_rematches(build_elimination_bracket(entrants))
    assert sum(ours.values()) <= sum(theirs.values())
    assert min(ours) >= min(theirs)


@pytest.mark.slow
@given(fields_with_absentees(), st.booleans(), st.integers())
@property_settings
def test_bracket_gives_every_entry_a_place_despite_absences(before: DrawInput, second_final: bool, seed: int) -> None:
    before = replace(before, settings={"second_final": second_final})
    event = play("double_elimination", before, random_result(seed), rounds=14)
    assert not event.draws[-1].tables
    assert has_all_places(before, get_double_elimination_places(event.draw_input).final)


@pytest.mark.slow
@given(st.integers(2, 40), st.booleans(), st.integers())
@property_settings
def test_every_entry_but_the_winner_loses_twice(entrants: int, second_final: bool, seed: int) -> None:
    event = play("double_elimination", start(entrants, second_final=second_final), random_result(seed), rounds=14)
    places = get_double_elimination_places(event.draw_input).final
    losses = {
        place: {event.count_losses(entry) for entry in places if places[entry] == place} for place in {*places.values()}
    }
    assert all(lost == {2} for place, lost in losses.items() if place > 2)
    assert losses[1] <= {0, 1}
    assert losses[2] == {2} if second_final else losses[2] <= {1, 2}


def test_second_final_is_played_only_after_an_upset() -> None:
    beaten = play("double_elimination", start(4))
    assert "F2" not in beaten.meetings
    event = Event(start(2))
    assert [table.slot for table in play_next_round(event, "double_elimination", lambda a, b: a < b).tables] == ["W1-1"]
    assert [table.slot for table in play_next_round(event, "double_elimination", underdog_wins).tables] == ["F1"]
    assert [table.slot for table in play_next_round(event, "double_elimination", underdog_wins).tables] == ["F2"]
    assert get_double_elimination_places(event.draw_input).final == {2: 1, 1: 2}


@pytest.mark.long
@pytest.mark.parametrize("entrants", range(2, 41))
def test_best_two_seeds_meet_in_the_final_when_favourites_win(entrants: int) -> None:
    event = play("double_elimination", start(entrants), rounds=12)
    assert event.meetings["F1"] == (1, 2)
    assert [get_double_elimination_places(event.draw_input).final[EntryId(entry)] for entry in (1, 2)] == [1, 2]


def test_rematch_reason_names_the_earlier_round() -> None:
    event = play("double_elimination", start(2), rounds=1)
    reasons = {reason.code: reason.details for reason in draw("double_elimination", event.draw_input).tables[0].reasons}
    assert reasons[ReasonCode.MET_BEFORE] == {"rounds": (1,)}


def test_waiting_entry_learns_its_next_match() -> None:
    event = play("double_elimination", start(4), rounds=2)
    drawn = draw("double_elimination", event.draw_input)
    assert [(bye.entry, bye.slot, bye.reasons[0].details) for bye in drawn.byes] == [(1, "", {"slot": "F1"})]


@pytest.mark.parametrize("away", [{2}, {2, 5}])
def test_missed_round_costs_one_match(away: set[int]) -> None:
    event = play("double_elimination", start(6, {entry: {"absent": {2}} for entry in away}), rounds=3)
    assert event.meetings["L2-1"] == (2, 5)
    assert next(bye.slot for bye in event.draws[1].byes if bye.entry == 3) == "W2-2"
    older = replace(start(6, {2: {"absent": {2}}}), version=10)
    assert "L2-1" not in play("double_elimination", older, rounds=3).meetings


def test_absent_entry_continues_in_the_losers_bracket() -> None:
    event = play("double_elimination", start(4, {1: {"absent": {1}}}), rounds=2)
    assert event.meetings["L1-1"][0] == EntryId(1)


@pytest.mark.parametrize(
    ("settings", "code"), [({"second_final": "yes"}, "no_such_choice"), ({"places": 1}, "no_such_setting")]
)
def test_double_elimination_rejects_invalid_settings(settings: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal, match=code):
        draw("double_elimination", replace(start(4), settings=settings))
