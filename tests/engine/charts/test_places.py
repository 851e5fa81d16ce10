"""Names of matches by pool, bracket round or clubs, in both languages."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine.charts import MatchPlace, build_structure
from engine.draws import Draw
from engine.draws.stages import draw_stage, parse_stage_plan
from tests.engine.draws.bracket_events import start
from tests.engine.draws.test_stages import GROUPS, POOLS_THEN_KNOCKOUT, SWISS_THEN_KNOCKOUT, build_next_input
from tournaments.rounds.place_labels import draw_button, place_name, round_title

Plan = Sequence[Mapping[str, Any]]
CLUBS = ("Rimouski", "Matane", "Mont-Joli")


def draw_rounds(plan_data: Plan, entrants: int, *, away: Any = None) -> list[tuple[Draw, list[MatchPlace | None]]]:
    """Play all rounds, won by the better seed; return each draw with the places of its tables.

    Check that the places at the time of the draw are unchanged at the end.
    """
    plan, before = parse_stage_plan(plan_data), start(entrants, away)
    standings = [[entrant.id for entrant in before.entrants]] * len(plan)
    rounds = []
    while (drawn := draw_stage(plan, before, standings)).tables:
        structure = build_structure(plan, before.entrants, before.history, standings)
        rounds.append((drawn, [structure.get_place(table.slot) for table in drawn.tables]))
        before = build_next_input(before, drawn)
    at_the_end = build_structure(plan, before.entrants, before.history, standings)
    for drawn, places in rounds:
        assert [at_the_end.get_place(table.slot) for table in drawn.tables] == places
    return rounds


def list_titles(plan_data: Plan, entrants: int, **more: Any) -> list[str]:
    return [round_title(places) for _, places in draw_rounds(plan_data, entrants, **more)]


def list_buttons(plan_data: Plan, entrants: int) -> list[str]:
    return [draw_button(drawn.round, places) for drawn, places in draw_rounds(plan_data, entrants)]


def build_knockout(**settings: Any) -> Plan:
    return ({"format": "knockout", "settings": settings},)


DOUBLE = ({"format": "double_elimination"},)


@pytest.mark.parametrize(
    ("entrants", "expected"),
    [
        (2, ["Final"]),
        (3, ["Semifinals", "Final"]),
        (8, ["Quarter-finals", "Semifinals", "Final"]),
        (9, ["Round of 16", "Quarter-finals", "Semifinals", "Final"]),
        (33, ["", "Round of 32", "Round of 16", "Quarter-finals", "Semifinals", "Final"]),
    ],
)
def test_knockout_rounds_are_named_by_distance_from_the_final(entrants: int, expected: list[str]) -> None:
    assert list_titles(build_knockout(), entrants) == expected


def test_absence_in_the_first_round_changes_no_round_name() -> None:
    away = {3: {"absent": frozenset({1})}, 6: {"absent": frozenset({1})}}
    assert list_titles(build_knockout(), 9, away=away) == list_titles(build_knockout(), 9)


def test_third_place_match_accompanies_the_final() -> None:
    (_, places) = draw_rounds(build_knockout(places="third"), 4)[-1]
    assert sorted(map(place_name, places)) == ["Final", "Third-place match"]
    assert list_titles(build_knockout(places="third"), 4)[-1] == "Final"
    assert list_buttons(build_knockout(places="third"), 4)[-1] == "Draw the final and the third-place match"


def test_playing_out_all_places_names_the_places_of_each_match() -> None:
    last, before = (
        draw_rounds(build_knockout(places="all"), 8)[-1][1],
        draw_rounds(build_knockout(places="all"), 8)[-2][1],
    )
    assert {*map(place_name, before)} == {"Semifinal", "For places 5 to 8"}
    names = {"Final", "Third-place match", "For places 5 to 8", "For places 7 to 8"}
    assert {*map(place_name, last)} == names
    assert round_title(last) == "Final"


@pytest.mark.slow
def test_double_elimination_names_its_two_brackets() -> None:
    rounds = [places for _, places in draw_rounds(DOUBLE, 8)]
    assert {place_name(place) for place in rounds[0]} == {"Winners’ bracket"}
    assert {place_name(place) for place in rounds[1]} == {"Winners’ bracket", "Losers’ bracket"}
    assert place_name(rounds[-1][0]) == "Final"
    assert list_titles(DOUBLE, 8)[:2] == ["Winners’ bracket", ""]
    assert list_buttons(DOUBLE, 8)[1] == "Draw the winners’ bracket and the losers’ bracket"


def test_pools_have_letters_and_the_following_knockout_has_round_names() -> None:
    rounds = [places for _, places in draw_rounds(POOLS_THEN_KNOCKOUT, 8)]
    assert [place_name(place) for place in rounds[0]] == ["Pool A", "Pool A", "Pool B", "Pool B"]
    assert list_titles(POOLS_THEN_KNOCKOUT, 8) == ["", "", "", "Semifinals", "Final"]
    assert list_buttons(POOLS_THEN_KNOCKOUT, 8) == [
        "Draw round 1",
        "Draw round 2",
        "Draw round 3",
        "Draw the semifinals",
        "Draw the final",
    ]


def test_swiss_rounds_have_no_names_but_the_finals_do() -> None:
    assert list_titles(SWISS_THEN_KNOCKOUT, 8) == ["", "", "", "Semifinals", "Final"]


def test_parallel_stage_match_names_its_stage_but_the_round_does_not() -> None:
    _, places = draw_rounds(GROUPS, 8)[2]
    assert [*map(place_name, places)] == ["Semifinal A", "Semifinal A", "Final B", "Final B"]
    assert round_title(places) == ""


def test_interclub_match_names_the_two_clubs_and_no_single_club() -> None:
    structure = build_structure(parse_stage_plan([{"format": "interclub"}]), start(6).entrants, ())
    assert place_name(structure.get_place("1:", ["Rimouski", "Matane"])) == "Matane – Rimouski"
    assert structure.get_place("1:", ["Matane", "Rimouski"]) == structure.get_place("1:", ["Rimouski", "Matane"])
    assert structure.get_place("1:", ["Matane", "Matane"]) is None


def test_table_outside_the_bracket_has_no_place_name() -> None:
    structure = build_structure(parse_stage_plan(build_knockout()), start(8).entrants, ())
    assert structure.get_place("1:") is None
    assert structure.get_place("") is None
    assert place_name(None) == ""
