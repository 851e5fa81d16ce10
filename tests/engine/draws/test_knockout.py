"""Knockout: the order of seeds, byes, places and walkovers."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import Bond, Draw, DrawInput, EntryId, LockedTable, PlayedPairing, ReasonCode, draw
from engine.draws.brackets.structure import Seed, list_seed_lines
from engine.draws.formats.knockout import PLACES, build_knockout_bracket, get_knockout_places
from errors import Refusal
from rules import Side
from tests.rules.sheets import property_settings

from .bracket_events import (
    Event,
    favourite_wins,
    fields_with_absentees,
    has_all_places,
    play,
    play_next_round,
    play_on,
    random_result,
    start,
    underdog_wins,
)

SEED_ORDERS = json.loads(
    (Path(__file__).parents[2] / "vectors" / "draws" / "seed_orders.json").read_text(encoding="utf-8")
)


def add_clubs(before: DrawInput, **clubs: tuple[int, ...]) -> DrawInput:
    return replace(
        before,
        entrants=tuple(
            replace(
                entrant,
                bonds=frozenset(Bond("club", name) for name, members in clubs.items() if entrant.id in members),
            )
            for entrant in before.entrants
        ),
    )


def list_meetings(drawn: Draw) -> set[tuple[int, int]]:
    return {(min(*table.a, *table.b), max(*table.a, *table.b)) for table in drawn.tables}


def test_drawn_sides_match_those_of_an_older_version() -> None:
    """Stored draws are reproduced years later and must not change."""
    drawn = draw("knockout", replace(start(8), seed=0)).tables
    assert [(*table.a, *table.b) for table in drawn] == [(8, 1), (4, 5), (7, 2), (6, 3)]


def draw_first_round(before: DrawInput) -> set[tuple[int, int]]:
    return list_meetings(draw("knockout", before))


def split_bracket(lines: list[int], size: int) -> set[frozenset[int]]:
    """Return the parts of a bracket with this number of lines; one entry comes out of each."""
    return {frozenset(lines[place : place + size]) for place in range(0, len(lines), size)}


@pytest.mark.parametrize("entrants", [int(entrants) for entrants in SEED_ORDERS["lines"]])
def test_possible_meetings_match_the_published_seed_order(entrants: int) -> None:
    ours = [line.number for line in list_seed_lines(entrants) if isinstance(line, Seed)]
    for size in (2**power for power in range(1, entrants.bit_length())):
        published = split_bracket(SEED_ORDERS["lines"][str(entrants)], size)
        assert split_bracket(ours, size) == published
    assert draw_first_round(start(entrants)) == {(min(pair), max(pair)) for pair in split_bracket(ours, 2)}


def test_top_seeds_receive_the_byes() -> None:
    drawn = draw("knockout", start(11))
    assert sorted(bye.entry for bye in drawn.byes) == [1, 2, 3]
    assert {reason.code for bye in drawn.byes for reason in bye.reasons} == {ReasonCode.WAITS}


@pytest.mark.parametrize("entrants", range(2, 41))
def test_best_seeds_remain_when_favourites_win(entrants: int) -> None:
    event = play("knockout", start(entrants))
    levels = (entrants - 1).bit_length()
    for level in range(2, levels + 1):
        matches = [meeting for slot, meeting in event.meetings.items() if slot.startswith(f"W{level}-")]
        still_in = sorted(entry for meeting in matches for entry in meeting)
        assert still_in == list(range(1, 2 ** (levels - level + 1) + 1))
    assert event.meetings[f"W{levels}-1"] == (1, 2)


@pytest.mark.slow
@given(fields_with_absentees(), st.sampled_from(PLACES), st.integers())
@property_settings
def test_knockout_ends_on_schedule_with_a_place_for_every_entry(before: DrawInput, places: str, seed: int) -> None:
    before = replace(before, settings={"places": places})
    event = play("knockout", before, random_result(seed), rounds=8)
    rounds = build_knockout_bracket(len(before.entrants), places=places).rounds
    assert not any(drawn.tables or drawn.byes for drawn in event.draws[rounds:])
    found = get_knockout_places(event.draw_input).final
    assert has_all_places(before, found)
    if places == "all":
        assert sorted(found.values()) == list(range(1, len(found) + 1))


@pytest.mark.slow
@given(fields_with_absentees(), st.integers())
@property_settings
def test_no_entry_sits_twice_or_plays_while_absent(before: DrawInput, seed: int) -> None:
    event = play("knockout", before, random_result(seed), rounds=7)
    entrants = {entrant.id: entrant for entrant in before.entrants}
    for drawn in event.draws:
        seated = [entry for table in drawn.tables for entry in (*table.a, *table.b)]
        seated += [bye.entry for bye in drawn.byes]
        assert len(set(seated)) == len(seated)
        assert all(entrants[entry].is_present(drawn.round) for entry in seated)


@pytest.mark.parametrize("entrants", range(2, 34))
@pytest.mark.parametrize(("places", "matches"), [("winner", -1), ("third", 0)])
def test_knockout_has_one_match_less_than_entrants(entrants: int, places: str, matches: int) -> None:
    has_third = entrants >= 4
    assert len(build_knockout_bracket(entrants, places=places).slots) == entrants + (matches if has_third else -1)


@pytest.mark.slow
def test_playing_out_all_places_matches_the_seeding_when_favourites_win() -> None:
    for entrants in (2, 3, 6, 8, 13, 16):
        event = play("knockout", start(entrants, places="all"), favourite_wins)
        assert get_knockout_places(event.draw_input).final == {number: number for number in range(1, entrants + 1)}


def test_places_not_played_out_are_shared() -> None:
    event = play("knockout", start(8))
    assert get_knockout_places(event.draw_input).final == {1: 1, 2: 2, 3: 3, 4: 3, 5: 5, 6: 5, 7: 5, 8: 5}


def test_eliminated_entry_has_a_place_while_others_play() -> None:
    event = play("knockout", start(8), rounds=1)
    assert get_knockout_places(event.draw_input).final == {5: 5, 6: 5, 7: 5, 8: 5}


def test_absent_entry_loses_by_walkover_and_the_bracket_continues() -> None:
    event = Event(start(4, {4: {"leaves_after": 0, "absent": {1, 2}}}))
    drawn = play_next_round(event, "knockout", favourite_wins)
    assert [(bye.entry, bye.slot) for bye in drawn.byes] == [(1, "W1-1")]
    assert [reason.code for reason in drawn.byes[0].reasons] == [
        ReasonCode.OPPONENT_MISSING,
        ReasonCode.BRACKET,
    ]
    assert [table.slot for table in play_next_round(event, "knockout", favourite_wins).tables] == ["W2-1"]


def test_recorded_walkover_counts_even_if_the_absentee_returns() -> None:
    history = (
        PlayedPairing(round=1, a=(EntryId(4),), slot="W1-1"),
        PlayedPairing(round=1, a=(EntryId(2),), b=(EntryId(3),), slot="W1-2", winner=Side.A),
    )
    drawn = draw("knockout", replace(start(4), round=2, history=history))
    assert {*drawn.tables[0].a, *drawn.tables[0].b} == {4, 2}


def test_two_absent_opponents_are_out_and_their_next_opponent_advances() -> None:
    away = {number: {"leaves_after": 1} for number in (1, 4)}
    event = play("knockout", start(8, away))
    assert [table.slot for table in event.draws[1].tables] == ["W2-2"]
    assert not event.draws[2].tables
    places = get_knockout_places(event.draw_input)
    assert places.final[EntryId(2)] == 1
    assert places.best.keys().isdisjoint({1, 4})


def test_absent_entry_advances_if_its_opponent_has_left_for_good() -> None:
    away: dict[int, dict[str, Any]] = {1: {"leaves_after": 1}, 4: {"absent": frozenset({2})}}
    event = play("knockout", start(8, away))
    assert event.meetings["W3-1"] == (2, 4)
    assert not play("knockout", replace(start(8, away), version=9)).meetings.get("W3-1")


def test_older_version_advances_the_better_of_two_absentees() -> None:
    away = {number: {"leaves_after": 1} for number in (1, 4)}
    event = play("knockout", replace(start(8, away), version=5))
    assert [(bye.entry, bye.slot) for bye in event.draws[2].byes] == [(2, "W3-1")]


@pytest.mark.parametrize("places", PLACES)
def test_double_forfeit_eliminates_both_and_the_waiting_entry_advances(places: str) -> None:
    """Neither entry gets a place, whatever places are played out."""
    event = play("knockout", start(8, places=places), rounds=1)
    nobody_came = [
        replace(table, winner=None, is_forfeit=True) if table.slot == "W1-1" else table for table in event.history
    ]
    event.draw_input = replace(event.draw_input, history=tuple(nobody_came))
    event = play_on(event, "knockout")
    final = get_knockout_places(event.draw_input).final
    assert {1, 8}.isdisjoint({entry for table in event.history if table.round > 1 for entry in table.a})
    assert final.keys() == {2, 3, 4, 5, 6, 7}
    assert final[EntryId(2)] == 1


def test_match_without_a_result_blocks_the_next_round() -> None:
    event = play("knockout", start(4), rounds=1)
    first, *others = event.history
    undecided = replace(event.draw_input, history=(replace(first, winner=None), *others))
    with pytest.raises(Refusal) as caught:
        draw("knockout", undecided)
    assert (caught.value.code, caught.value.details) == ("winner_missing", {"slot": first.slot})


def test_match_without_a_result_blocks_only_the_matches_that_need_it() -> None:
    event = play("knockout", start(8, places="all"), rounds=2)
    for table in event.history:
        if table.slot.startswith("P5."):
            undecided = replace(table, winner=None)
            history = tuple(undecided if each == table else each for each in event.history)
            with pytest.raises(Refusal):
                draw("knockout", replace(event.draw_input, history=history))
    event = play("knockout", start(6, places="third"), rounds=1)
    assert len(draw("knockout", event.draw_input).tables) == 2


def test_played_match_counts_despite_a_missing_earlier_result() -> None:
    event = play("knockout", start(8), rounds=2)
    history = tuple(table for table in event.history if table.slot != "W1-1")
    assert list_meetings(draw("knockout", replace(event.draw_input, history=history))) == {(1, 2)}


def test_a_late_entry_has_no_place_in_the_bracket() -> None:
    event = play("knockout", start(4), rounds=1)
    late = replace(event.draw_input.entrants[0], id=EntryId(9), number=5, arrives=2)
    assert draw("knockout", replace(event.draw_input, entrants=(*event.draw_input.entrants, late))) == draw(
        "knockout", event.draw_input
    )


def test_locked_table_changes_the_meeting_and_its_winner_advances() -> None:
    locked = (LockedTable(number=7, a=(EntryId(2),), b=(EntryId(1),)),)
    event = Event(replace(start(4), locked=locked))
    drawn = play_next_round(event, "knockout", underdog_wins)
    assert event.meetings == {"W1-1": (3, 4), "W1-2": (1, 2)}
    assert drawn.tables[0].number == 7
    event.draw_input = replace(event.draw_input, locked=())
    play_next_round(event, "knockout", underdog_wins)
    assert event.meetings["W2-1"] == (2, 4)


def test_locked_table_outside_the_bracket_gives_a_walkover() -> None:
    locked = (LockedTable(number=1, a=(EntryId(3),), b=(EntryId(1),)),)
    drawn = draw("knockout", replace(start(3), locked=locked))
    assert [table.slot for table in drawn.tables] == [""]
    assert [(bye.entry, bye.slot) for bye in drawn.byes] == [(2, "W1-2")]


@pytest.mark.slow
@given(
    st.sampled_from(["knockout", "double_elimination", "consolation", "progressive"]),
    st.integers(2, 16),
    st.data(),
)
@property_settings
def test_locked_tables_never_seat_an_entry_twice(key: str, entrants: int, data: st.DataObject) -> None:
    event = Event(start(entrants))
    for _ in range(14):
        order = data.draw(st.permutations(range(1, entrants + 1)))
        count = data.draw(st.integers(0, min(2, entrants // 2))) if len(event.draws) < 6 else 0
        locked = tuple(
            LockedTable(number=2 * k + 1, a=(EntryId(order[2 * k]),), b=(EntryId(order[2 * k + 1]),))
            for k in range(count)
        )
        event.draw_input = replace(event.draw_input, locked=locked)
        drawn = play_next_round(event, key, favourite_wins)
        seated = [entry for table in drawn.tables for entry in (*table.a, *table.b)]
        seated += [bye.entry for bye in drawn.byes]
        assert len(set(seated)) == len(seated)
        assert {(table.number, table.a, table.b) for table in locked} <= {
            (table.number, table.a, table.b) for table in drawn.tables
        }
    assert key == "progressive" or not event.draws[-1].tables


def test_clubmates_are_separated_in_the_first_round() -> None:
    before = add_clubs(start(8, separate=["club"]), rimouski=(1, 8), matane=(4, 5))
    drawn = draw_first_round(before)
    assert not drawn & {(1, 8), (4, 5)}
    assert {pair[0] for pair in drawn} == {1, 2, 3, 4}


def test_separating_clubmates_uses_the_smallest_moves() -> None:
    before = add_clubs(start(16, separate=["club"]), rimouski=(1, 16))
    moved = draw_first_round(before) - draw_first_round(start(16))
    assert moved == {(1, 15), (2, 16)}


def test_tables_report_clubmates_that_cannot_be_separated() -> None:
    drawn = draw("knockout", add_clubs(start(4, separate=["club"]), rimouski=(1, 2, 3, 4)))
    reason_codes = [{reason.code for reason in table.reasons} for table in drawn.tables]
    assert all(ReasonCode.BOND_UNAVOIDABLE in codes for codes in reason_codes)


@pytest.mark.slow
@given(fields_with_absentees(most=12), st.integers(0, 3), st.integers())
@property_settings
def test_draw_does_not_depend_on_ids_or_history_order(before: DrawInput, rounds: int, seed: int) -> None:
    event = play("knockout", before, random_result(seed), rounds=rounds)
    renamed = {entrant.id: EntryId(1000 - entrant.id) for entrant in before.entrants}

    def other(entries: tuple[EntryId, ...]) -> tuple[EntryId, ...]:
        return tuple(renamed[entry] for entry in entries)

    twin = replace(
        event.draw_input,
        entrants=tuple(replace(entrant, id=renamed[entrant.id]) for entrant in event.draw_input.entrants),
        history=tuple(replace(table, a=other(table.a), b=other(table.b)) for table in event.history[::-1]),
    )
    drawn, drawn_twin = draw("knockout", event.draw_input), draw("knockout", twin)
    assert [(other(table.a), other(table.b), table.slot) for table in drawn.tables] == [
        (table.a, table.b, table.slot) for table in drawn_twin.tables
    ]
    assert [renamed[bye.entry] for bye in drawn.byes] == [bye.entry for bye in drawn_twin.byes]


@pytest.mark.parametrize(
    ("settings", "code", "name"),
    [
        ({"places": "four"}, "no_such_choice", "places"),
        ({"reseed": True}, "no_such_setting", "reseed"),
        ({"separate": "club"}, "not_a_list", "separate"),
    ],
)
def test_knockout_rejects_invalid_settings(settings: dict[str, Any], code: str, name: str) -> None:
    with pytest.raises(Refusal) as caught:
        draw("knockout", replace(start(4), settings=settings))
    assert (caught.value.code, caught.value.field) == (code, name)
