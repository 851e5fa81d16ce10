"""Every match has a name: its pool, its round of a bracket, its two clubs. In words, in either language."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine.charts import MatchPlace, structure_of
from engine.draws import Draw
from engine.draws.stages import draw_stage, stage_plan
from tests.engine.draws.bracket_events import start
from tests.engine.draws.test_stages import GROUPS, POOLS_THEN_KNOCKOUT, SWISS_THEN_KNOCKOUT, after_round
from wording.labels.places import draw_button, place_name, round_title

Plan = Sequence[Mapping[str, Any]]
CLUBS = ("Rimouski", "Matane", "Mont-Joli")


def drawn_rounds(
    plain: Plan, entrants: int, *, away: Any = None
) -> list[tuple[Draw, list[MatchPlace | None]]]:
    """Every round, in which the better seed wins, with the places of its tables: asked for when it is drawn,
    and the same when all is over."""
    plan, before = stage_plan(plain), start(entrants, away)
    standings = [[entrant.id for entrant in before.entrants]] * len(plan)
    rounds = []
    while (drawn := draw_stage(plan, before, standings)).tables:
        structure = structure_of(plan, before.entrants, before.history, standings)
        rounds.append((drawn, [structure.place_of(table.slot) for table in drawn.tables]))
        before = after_round(before, drawn)
    at_the_end = structure_of(plan, before.entrants, before.history, standings)
    for drawn, places in rounds:
        assert [at_the_end.place_of(table.slot) for table in drawn.tables] == places
    return rounds


def titles(plain: Plan, entrants: int, **more: Any) -> list[str]:
    return [round_title(places) for _, places in drawn_rounds(plain, entrants, **more)]


def buttons(plain: Plan, entrants: int) -> list[str]:
    return [draw_button(drawn.round, places) for drawn, places in drawn_rounds(plain, entrants)]


def knockout(**settings: Any) -> Plan:
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
def test_the_rounds_of_a_knockout_are_called_by_how_far_the_final_is(
    entrants: int, expected: list[str]
) -> None:
    assert titles(knockout(), entrants) == expected


def test_somebody_away_from_the_first_round_changes_no_name() -> None:
    away = {3: {"absent": frozenset({1})}, 6: {"absent": frozenset({1})}}
    assert titles(knockout(), 9, away=away) == titles(knockout(), 9)


def test_the_match_for_third_place_stands_beside_the_final() -> None:
    (_, places) = drawn_rounds(knockout(places="third"), 4)[-1]
    assert sorted(map(place_name, places)) == ["Final", "Third-place match"]
    assert titles(knockout(places="third"), 4)[-1] == "Final"
    assert buttons(knockout(places="third"), 4)[-1] == "Draw the final and the third-place match"


def test_where_every_place_is_played_out_each_match_says_for_which() -> None:
    last, before = (
        drawn_rounds(knockout(places="all"), 8)[-1][1],
        drawn_rounds(knockout(places="all"), 8)[-2][1],
    )
    assert {*map(place_name, before)} == {"Semifinal", "For places 5 to 8"}
    names = {"Final", "Third-place match", "For places 5 to 8", "For places 7 to 8"}
    assert {*map(place_name, last)} == names
    assert round_title(last) == "Final"


def test_a_double_elimination_tells_its_two_brackets_apart() -> None:
    rounds = [places for _, places in drawn_rounds(DOUBLE, 8)]
    assert {place_name(place) for place in rounds[0]} == {"Winners’ bracket"}
    assert {place_name(place) for place in rounds[1]} == {"Winners’ bracket", "Losers’ bracket"}
    assert place_name(rounds[-1][0]) == "Final"
    assert titles(DOUBLE, 8)[:2] == ["Winners’ bracket", ""]
    assert buttons(DOUBLE, 8)[1] == "Draw the winners’ bracket and the losers’ bracket"


def test_pools_have_their_letters_and_the_knockout_after_them_its_rounds() -> None:
    rounds = [places for _, places in drawn_rounds(POOLS_THEN_KNOCKOUT, 8)]
    assert [place_name(place) for place in rounds[0]] == ["Pool A", "Pool A", "Pool B", "Pool B"]
    assert titles(POOLS_THEN_KNOCKOUT, 8) == ["", "", "", "Semifinals", "Final"]
    assert buttons(POOLS_THEN_KNOCKOUT, 8) == [
        "Draw round 1",
        "Draw round 2",
        "Draw round 3",
        "Draw the semifinals",
        "Draw the final",
    ]


def test_a_swiss_has_no_names_and_its_finals_have() -> None:
    assert titles(SWISS_THEN_KNOCKOUT, 8) == ["", "", "", "Semifinals", "Final"]


def test_beside_other_stages_a_match_says_its_own_with_its_letter_and_the_round_nothing() -> None:
    _, places = drawn_rounds(GROUPS, 8)[2]
    assert [*map(place_name, places)] == ["Semifinal A", "Semifinal A", "Group B", "Group B"]
    assert round_title(places) == ""


def test_clubs_that_meet_are_named_and_partners_of_one_club_are_not() -> None:
    structure = structure_of(stage_plan([{"format": "interclub"}]), start(6).entrants, ())
    assert place_name(structure.place_of("1:", ["Rimouski", "Matane"])) == "Matane – Rimouski"
    assert structure.place_of("1:", ["Matane", "Rimouski"]) == structure.place_of(
        "1:", ["Rimouski", "Matane"]
    )
    assert structure.place_of("1:", ["Matane", "Matane"]) is None


def test_a_table_that_the_director_set_beside_the_bracket_has_no_place() -> None:
    structure = structure_of(stage_plan(knockout()), start(8).entrants, ())
    assert structure.place_of("1:") is None
    assert structure.place_of("") is None
    assert place_name(None) == ""
