"""Double elimination: two losses, the drop orders, the second final.

How likely a rematch is, when every match is won with the same chance by either side, is counted exactly: the
winner of a slot and its loser each go their way through the bracket, independently until they meet again.
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
from engine.draws.brackets.structure import Bracket, Seed, Source, WinnerOf
from engine.draws.formats import double_elimination
from engine.draws.formats.double_elimination import (
    double_elimination_bracket,
    double_elimination_places,
    drop_order,
)
from errors import Refusal
from tests.rules.sheets import law

from .bracket_events import (
    Event,
    by_chance,
    everybody_there_has_a_place,
    fields_with_absentees,
    next_round,
    play,
    start,
    upsets,
)

PUBLISHED = json.loads(
    (Path(__file__).parents[2] / "vectors" / "draws" / "drop_orders.json").read_text(encoding="utf-8")
)


def written(source: Source) -> str:
    if isinstance(source, Seed):
        return str(source.number)
    return f"{'W' if isinstance(source, WinnerOf) else 'L'} {source.slot}"


def rematches(bracket: Bracket) -> dict[int, Fraction]:
    """By round before the final: how many rematches there are on average if every match is a toss-up."""
    next_of = {
        written(source): slot.key for slot in bracket.slots if slot.key != "F2" for source in slot.sources
    }
    round_of = {slot.key: slot.round for slot in bracket.slots}

    def visits(way: str) -> dict[str, Fraction]:
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
            winners, losers = visits(f"W {slot.key}"), visits(f"L {slot.key}")
            for again in (winners.keys() & losers.keys()) - {"F1"}:
                found[round_of[again]] += winners[again] * losers[again]
    return dict(found)


def with_drops(
    monkeypatch: pytest.MonkeyPatch, entrants: int, order: Callable[[int, int], list[int]]
) -> dict[int, Fraction]:
    with monkeypatch.context() as patched:
        patched.setattr(double_elimination, "drop_order", order)
        return rematches(double_elimination_bracket.__wrapped__(entrants))


def turned_over(turned: Sequence[int], matches: int, number: int) -> list[int]:
    return [place ^ turned[number - 2] for place in range(matches)]


def digit_orders(entrants: int) -> Iterator[Callable[[int, int], list[int]]]:
    """Every way to turn over digits of the position, each round by itself."""
    rounds = (entrants - 1).bit_length()
    for turned in product(*(range(2 ** (rounds - number)) for number in range(2, rounds + 1))):
        yield partial(turned_over, turned)


def published(names: Sequence[str]) -> Callable[[int, int], list[int]]:
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


def test_the_bracket_of_eight_is_as_published() -> None:
    bracket = double_elimination_bracket(8, second_final=False)
    slots = {slot.key: [written(source) for source in slot.sources] for slot in bracket.slots}
    assert slots == PUBLISHED["eight"]["slots"]


@pytest.mark.parametrize("module", [brackets, double_elimination])
def test_the_examples_are_right(module: ModuleType) -> None:
    examples = doctest.testmod(module)
    assert examples.attempted > 0
    assert examples.failed == 0


def test_rounds_of_the_winners_bracket_are_just_in_time_for_the_losers_bracket() -> None:
    rounds = {
        slot.key: slot.round for slot in double_elimination_bracket(16).slots if slot.key.endswith("-1")
    }
    assert [rounds[f"W{number}-1"] for number in (1, 2, 3, 4)] == [1, 2, 4, 6]
    assert [rounds[f"L{number}-1"] for number in range(1, 7)] == [2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("entrants", range(2, 65))
def test_there_are_two_matches_for_every_entrant_but_two_and_the_second_final(entrants: int) -> None:
    assert len(double_elimination_bracket(entrants, second_final=False).slots) == 2 * entrants - 2
    assert len(double_elimination_bracket(entrants).slots) == 2 * entrants - 1


@pytest.mark.parametrize("matches", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_every_loser_drops_once(matches: int, number: int) -> None:
    assert sorted(drop_order(matches, number)) == list(range(matches))


@pytest.mark.slow
@pytest.mark.parametrize("entrants", [*range(3, 18), 24, 32])
def test_no_drop_order_by_digits_puts_the_first_rematch_later(
    entrants: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = (with_drops(monkeypatch, entrants, order) for order in digit_orders(entrants))
    assert min(rematches(double_elimination_bracket(entrants))) == max(min(other) for other in others)


@pytest.mark.slow
@pytest.mark.parametrize("entrants", [*range(3, 18), 24, 32])
def test_no_drop_order_by_digits_has_two_in_a_hundred_rematches_less(
    entrants: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = sum(rematches(double_elimination_bracket(entrants)).values())
    least = min(sum(with_drops(monkeypatch, entrants, order).values()) for order in digit_orders(entrants))
    assert ours == least if entrants <= 17 else ours < least * Fraction(102, 100)


@pytest.mark.parametrize("entrants", [int(entrants) for entrants in PUBLISHED["orders"]])
def test_rematches_are_neither_more_nor_earlier_than_in_published_orders(
    entrants: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = with_drops(monkeypatch, entrants, published(PUBLISHED["orders"][str(entrants)]))
    ours = rematches(double_elimination_bracket(entrants))
    assert sum(ours.values()) <= sum(theirs.values())
    assert min(ours) >= min(theirs)


@pytest.mark.slow
@given(fields_with_absentees(), st.booleans(), st.integers())
@law
def test_whoever_stays_away_it_ends_with_a_place_for_everybody(
    before: DrawInput, second_final: bool, seed: int
) -> None:
    before = replace(before, settings={"second_final": second_final})
    event = play("double_elimination", before, by_chance(seed), rounds=14)
    assert not event.drawn[-1].tables
    assert everybody_there_has_a_place(before, double_elimination_places(event.after).final)


@pytest.mark.slow
@given(st.integers(2, 40), st.booleans(), st.integers())
@law
def test_without_absentees_losses_are_two_but_for_the_winner(
    entrants: int, second_final: bool, seed: int
) -> None:
    event = play("double_elimination", start(entrants, second_final=second_final), by_chance(seed), rounds=14)
    places = double_elimination_places(event.after).final
    losses = {
        place: {event.losses(entry) for entry in places if places[entry] == place}
        for place in {*places.values()}
    }
    assert all(lost == {2} for place, lost in losses.items() if place > 2)
    assert losses[1] <= {0, 1}
    assert losses[2] == {2} if second_final else losses[2] <= {1, 2}


def test_the_second_final_is_played_only_after_an_upset_in_the_first() -> None:
    beaten = play("double_elimination", start(4))
    assert "F2" not in beaten.meetings
    event = Event(start(2))
    assert [table.slot for table in next_round(event, "double_elimination", lambda a, b: a < b).tables] == [
        "W1-1"
    ]
    assert [table.slot for table in next_round(event, "double_elimination", upsets).tables] == ["F1"]
    assert [table.slot for table in next_round(event, "double_elimination", upsets).tables] == ["F2"]
    assert double_elimination_places(event.after).final == {2: 1, 1: 2}


@pytest.mark.parametrize("entrants", range(2, 41))
def test_with_favourites_winning_the_final_is_between_the_best_two(entrants: int) -> None:
    event = play("double_elimination", start(entrants), rounds=12)
    assert event.meetings["F1"] == (1, 2)
    assert [double_elimination_places(event.after).final[EntryId(entry)] for entry in (1, 2)] == [1, 2]


def test_a_rematch_is_told() -> None:
    event = play("double_elimination", start(2), rounds=1)
    reasons = {
        reason.code: reason.details for reason in draw("double_elimination", event.after).tables[0].reasons
    }
    assert reasons[ReasonCode.MET_BEFORE] == {"rounds": (1,)}


def test_who_waits_for_the_other_bracket_is_told_for_which_match() -> None:
    event = play("double_elimination", start(4), rounds=2)
    drawn = draw("double_elimination", event.after)
    assert [(bye.entry, bye.slot, bye.reasons[0].details) for bye in drawn.byes] == [(1, "", {"slot": "F1"})]


def test_an_absentee_of_one_round_goes_on_among_the_losers() -> None:
    event = play("double_elimination", start(4, {1: {"absent": {1}}}), rounds=2)
    assert event.meetings["L1-1"][0] == EntryId(1)


@pytest.mark.parametrize(
    ("settings", "code"), [({"second_final": "yes"}, "no_such_choice"), ({"places": 1}, "no_such_setting")]
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal, match=code):
        draw("double_elimination", replace(start(4), settings=settings))
