"""Bracket charts: seats, feeding matches, byes, walkovers, and matches that are not played."""

import doctest
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine.charts
from engine.charts import PartKind, RoundKind, SlotState, build_bracket_chart, build_structure
from engine.draws import FORMATS, DrawInput, EntryId, PlayedPairing, draw
from engine.draws.stages import Stage
from rules import Side
from tests.engine.draws.bracket_events import Result, fields_with_absentees, play, random_result, start
from tests.rules.sheets import property_settings

from .events import build_chart, chart_after, format_board, list_pairings, list_slots

BRACKETS = ("knockout", "double_elimination", "consolation")


def build_upset_result() -> Result:
    """Let favourites win, except that seed 2 beats seed 1 at their second meeting."""
    met: Counter[frozenset[int]] = Counter()

    def is_first_winner(one: int, other: int) -> bool:
        pair = frozenset((one, other))
        met[pair] += 1
        is_upset = pair == {1, 2} and met[pair] == 2
        return (one < other) is not is_upset

    return is_first_winner


def test_package_doctest_examples_pass() -> None:
    examples = doctest.testmod(engine.charts)
    assert examples.attempted > 0
    assert examples.failed == 0


@pytest.mark.parametrize("key", sorted(set(FORMATS) - set(BRACKETS)))
def test_format_without_a_bracket_has_no_bracket_chart(key: str) -> None:
    assert build_bracket_chart(key, {}, start(8).entrants, ()) is None


@pytest.mark.parametrize("key", BRACKETS)
@pytest.mark.parametrize("entrants", [0, 1])
def test_bracket_of_zero_or_one_entry_is_empty(key: str, entrants: int) -> None:
    assert chart_after(key, entrants).parts == ()


def test_undrawn_bracket_shows_seeds_and_names_feeding_matches() -> None:
    assert format_board(build_chart("knockout", start(5))) == {
        "W1-1": ("1", "-"),
        "W1-2": ("4", "5"),
        "W1-3": ("2", "-"),
        "W1-4": ("3", "-"),
        "W2-1": ("1", "winner 1"),
        "W2-2": ("2", "3"),
        "W3-1": ("winner 3", "winner 2"),
    }


def test_knockout_of_six_shows_its_played_matches() -> None:
    assert format_board(chart_after("knockout", 6)) == {
        "W1-1": ("1", "-"),
        "W1-2": ("4!", "5"),
        "W1-3": ("2", "-"),
        "W1-4": ("3!", "6"),
        "W2-1": ("1!", "4"),
        "W2-2": ("2!", "3"),
        "W3-1": ("1!", "2"),
    }


def test_last_knockout_rounds_have_names() -> None:
    (part,) = chart_after("knockout", 12).parts
    assert [(column.kind, column.round) for column in part.rounds] == [
        (RoundKind.ROUND_OF_16, 1),
        (RoundKind.QUARTER_FINAL, 2),
        (RoundKind.SEMI_FINAL, 3),
        (RoundKind.FINAL, 4),
    ]


def test_matches_are_numbered_in_order_of_play_and_byes_are_not() -> None:
    chart = build_chart("double_elimination", start(6))
    matches = [slot for slot in list_slots(chart) if slot.number is not None]
    in_turn = sorted(matches, key=lambda slot: slot.number or 0)
    assert [slot.number for slot in in_turn] == list(range(1, len(matches) + 1))
    assert [slot.round for slot in in_turn] == sorted(slot.round for slot in matches)
    assert {slot.state for slot in list_slots(chart) if slot.number is None} == {SlotState.BYE}


def test_semifinal_losers_play_for_third_place() -> None:
    _, third = build_chart("knockout", start(8, places="third")).parts
    assert (third.kind, third.first_place, third.last_place) == (PartKind.PLACES, 3, 4)
    assert [[slot.key for slot in column.slots] for column in third.rounds] == [["P3.3-1"]]
    assert format_board(build_chart("knockout", start(8, places="third")))["P3.3-1"] == ("loser 5", "loser 6")
    assert format_board(chart_after("knockout", 8, places="third"))["P3.3-1"] == ("4", "3!")


def test_playing_out_all_places_labels_each_part_with_its_places() -> None:
    parts = build_chart("knockout", start(8, places="all")).parts
    assert [(part.first_place, part.last_place) for part in parts[1:]] == [(3, 4), (5, 8), (7, 8)]


def test_double_elimination_has_winners_losers_and_finals_parts() -> None:
    chart = build_chart("double_elimination", start(6))
    assert [part.kind for part in chart.parts] == [PartKind.WINNERS, PartKind.LOSERS, PartKind.FINAL]
    found = format_board(chart)
    assert found["L2-1"] == ("loser 4", "loser 1")
    assert found["F1"] == ("winner 5", "winner 9")
    (finals,) = (part for part in chart.parts if part.kind is PartKind.FINAL)
    assert [column.kind for column in finals.rounds] == [RoundKind.FINAL, RoundKind.SECOND_FINAL]


def test_second_final_is_unneeded_unless_the_first_is_an_upset() -> None:
    states = {slot.key: slot.state for slot in list_slots(build_chart("double_elimination", start(8)))}
    assert (states["F1"], states["F2"]) == (SlotState.EXPECTED, SlotState.IF_NEEDED)
    states = {slot.key: slot.state for slot in list_slots(chart_after("double_elimination", 8))}
    assert (states["F1"], states["F2"]) == (SlotState.PLAYED, SlotState.NOT_NEEDED)


def test_needed_second_final_is_charted_like_any_match() -> None:
    chart = chart_after("double_elimination", 8, build_upset_result())
    found = format_board(chart)
    assert (found["F1"], found["F2"]) == (("1", "2!"), ("1!", "2"))


def test_second_final_is_expected_after_an_upset_in_the_first() -> None:
    chart = chart_after("double_elimination", 8, build_upset_result(), rounds=6)
    final = next(slot for slot in list_slots(chart) if slot.key == "F2")
    assert final.state is SlotState.EXPECTED


def test_consolation_has_two_groups_and_losers_drop() -> None:
    chart = build_chart("consolation", start(8))
    assert [part.kind for part in chart.parts] == [PartKind.GROUP_A, PartKind.GROUP_B]
    assert format_board(chart)["L1-1"] == ("loser 1", "loser 2")


@pytest.mark.parametrize(
    ("entrants", "settings", "named"),
    [
        (8, {}, {"L1-1": "semi_final", "L1-2": "semi_final", "L2-1": "final"}),
        (8, {"feed_in": 2}, {"L1-1": "quarter_final", "L2-1": "semi_final", "L3-1": "final"}),
        (9, {}, {"L1-1": "quarter_final", "L2-1": "semi_final", "L2-2": "semi_final", "L3-1": "final"}),
    ],
    ids=["eight", "the losers of two rounds drop", "nine: a match is played a round late"],
)
def test_last_rounds_of_group_b_have_names_like_group_a(
    entrants: int, settings: dict[str, Any], named: dict[str, str]
) -> None:
    structure = build_structure((Stage(format="consolation", settings=settings),), start(entrants).entrants, ())
    found = {key: place.round for key, place in structure.brackets[0].items() if key in named}
    assert found == named


def test_column_is_a_level_and_may_include_earlier_matches() -> None:
    (_, group_b) = build_chart("consolation", start(9)).parts
    assert [slot.key for slot in group_b.rounds[0].slots] == ["L1-1"]
    assert {slot.key: slot.round for slot in group_b.rounds[1].slots} == {"L2-1": 4, "L2-2": 2}
    assert [column.kind for column in group_b.rounds] == ["quarter_final", "semi_final", "final"]


def test_loser_of_a_later_match_does_not_drop() -> None:
    chart = chart_after("consolation", 5)
    slot = next(slot for slot in list_slots(chart) if slot.key == "L1-1")
    assert (slot.state, format_board(chart)["L1-1"]) == (SlotState.BYE, ("5!", "-"))


def test_late_walkover_names_the_absent_entry() -> None:
    before = start(4, {1: {"leaves_after": 1}})
    event = play("knockout", before)
    slot = next(slot for slot in list_slots(build_chart("knockout", before, event.history)) if slot.key == "W2-1")
    assert (slot.state, slot.table) == (SlotState.WALKOVER, None)
    assert [(side.entry, side.has_won) for side in slot.sides] == [(1, False), (2, True)]


def test_forfeit_at_a_table_shows_as_walkover() -> None:
    before = start(2)
    forfeit = PlayedPairing(
        round=1, table=3, slot="W1-1", a=(EntryId(2),), b=(EntryId(1),), winner=Side.B, is_forfeit=True
    )
    (slot,) = list_slots(build_chart("knockout", before, [forfeit]))
    assert (slot.state, slot.table, format_board(build_chart("knockout", before, [forfeit]))) == (
        SlotState.WALKOVER,
        3,
        {"W1-1": ("1!", "2")},
    )


def test_seated_match_has_no_winner_yet() -> None:
    before = start(4)
    published = list_pairings(draw("knockout", before))
    chart = build_chart("knockout", before, published)
    assert [(slot.key, slot.state, slot.table) for slot in list_slots(chart)] == [
        ("W1-1", SlotState.SEATED, 1),
        ("W1-2", SlotState.SEATED, 2),
        ("W2-1", SlotState.EXPECTED, None),
    ]


def test_decided_match_keeps_its_result_when_seated_again() -> None:
    decided = PlayedPairing(round=1, table=1, slot="W1-1", a=(EntryId(1),), b=(EntryId(2),), winner=Side.A)
    again = replace(decided, round=2, winner=None)
    chart = build_chart("knockout", start(2), [decided, again])
    assert format_board(chart) == {"W1-1": ("1!", "2")}


def test_manually_seated_entries_appear_where_they_sat() -> None:
    history = [
        PlayedPairing(round=1, table=1, slot="W1-1", a=(EntryId(1),), b=(EntryId(3),), winner=Side.A),
        PlayedPairing(round=1, table=2, slot="W1-2", a=(EntryId(2),), b=(EntryId(4),), winner=Side.B),
    ]
    assert format_board(build_chart("knockout", start(4), history)) == {
        "W1-1": ("1!", "3"),
        "W1-2": ("2", "4!"),
        "W2-1": ("1", "4"),
    }


def test_corrected_semifinal_leaves_first_round_and_byes_unchanged() -> None:
    event = play("knockout", start(6), rounds=2)
    final = list_pairings(draw("knockout", event.draw_input))
    corrected = [
        replace(table, winner=table.winner.other) if table.slot == "W2-1" and table.winner else table
        for table in event.history
    ]
    assert format_board(build_chart("knockout", start(6), [*corrected, *final])) == {
        "W1-1": ("1", "-"),
        "W1-2": ("4!", "5"),
        "W1-3": ("2", "-"),
        "W1-4": ("3!", "6"),
        "W2-1": ("1", "4!"),
        "W2-2": ("2!", "3"),
        "W3-1": ("1", "2"),
    }


@pytest.mark.slow
@given(st.sampled_from(BRACKETS), fields_with_absentees(most=20), st.integers(), st.integers(1, 12))
@property_settings
def test_every_table_appears_once_with_its_entries(key: str, before: DrawInput, seed: int, rounds: int) -> None:
    event = play(key, before, random_result(seed), rounds=rounds)
    history = [*event.history, *list_pairings(draw(key, event.draw_input))]
    chart = build_chart(key, event.draw_input, history)
    in_chart = Counter(slot.key for slot in list_slots(chart))
    assert set(in_chart.values()) <= {1}
    by_key = {slot.key: slot for slot in list_slots(chart)}
    for table in history:
        if not table.b:
            continue
        slot = by_key[table.slot]
        assert {side.entry for side in slot.sides} == {*table.a, *table.b}
        assert (slot.table, slot.round) == (table.table, table.round)
        winners = [side.entry for side in slot.sides if side.has_won]
        assert winners == ([] if table.winner is None else list((table.a, table.b)[table.winner]))


@pytest.mark.slow
@given(st.sampled_from(BRACKETS), fields_with_absentees(most=20), st.integers(), st.integers(0, 8))
@property_settings
def test_next_tables_match_those_the_chart_expects(key: str, before: DrawInput, seed: int, rounds: int) -> None:
    event = play(key, before, random_result(seed), rounds=rounds)
    chart = build_chart(key, event.draw_input, event.history)
    by_key = {slot.key: slot for slot in list_slots(chart)}
    for table in draw(key, event.draw_input).tables:
        assert {side.entry for side in by_key[table.slot].sides} == {*table.a, *table.b}


@pytest.mark.slow
@given(st.sampled_from(BRACKETS), st.integers(2, 70))
@property_settings
def test_matches_of_a_round_never_overlap(key: str, entrants: int) -> None:
    for part in build_chart(key, start(entrants)).parts:
        for column in part.rounds:
            rows = [row for slot in column.slots for row in range(slot.top, slot.top + slot.rows)]
            assert len(rows) == len(set(rows))
            assert set(rows) <= set(range(part.rows))


def test_chart_rounds_are_offset_by_earlier_rounds_of_the_event() -> None:
    event = play("knockout", start(4))
    chart = build_bracket_chart("knockout", {}, event.draw_input.entrants, event.history, round_offset=3)
    assert chart is not None
    assert [(column.round, {slot.round for slot in column.slots}) for column in chart.parts[0].rounds] == [
        (4, {4}),
        (5, {5}),
    ]
