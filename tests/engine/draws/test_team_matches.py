"""Team matches over several boards, and the line-ups of their captains."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.draws import Draw, DrawInput, EntryId, LockedTable, PlayedPairing, ReasonCode, draw
from engine.draws.bonds import get_club
from engine.draws.formats import interclub
from engine.draws.lineups import Lineup, build_lineup
from engine.draws.team_lineups import list_team_matches, seat_team_lineups
from errors import Refusal

from .events import list_byes, list_pairs, play_round
from .test_interclub import build_clubs

TEAM_SIZES = st.lists(st.integers(1, 4), min_size=2, max_size=5)


def draw_all_rounds(before: DrawInput, *, late_entries: Collection[int] = (), late_round: int = 1) -> list[Draw]:
    """Draw all rounds; the late entries are on the list from the late round on."""
    history: list[PlayedPairing] = []
    drawn: list[Draw] = []
    while not drawn or drawn[-1].tables or list_forfeits(drawn[-1]):
        number = len(drawn) + 1
        entrants = tuple(each for each in before.entrants if number >= late_round or each.id not in late_entries)
        drawn.append(draw("teams", replace(before, round=number, history=tuple(history), entrants=entrants)))
        history += play_round(drawn[-1])
    return drawn[:-1]


def list_forfeits(drawn: Draw) -> list[EntryId]:
    """Return the entries that win a board because the whole other team is absent."""
    return [bye.entry for bye in drawn.byes for reason in bye.reasons if "entry" in reason.details]


def get_teams(before: DrawInput) -> dict[EntryId, str]:
    return {entrant.id: get_club(entrant) for entrant in before.entrants}


def _list_team_pairs(drawn: Draw, teams: dict[EntryId, str]) -> list[tuple[str, str]]:
    return [(teams[table.a[0]], teams[table.b[0]]) for table in drawn.tables]


@pytest.mark.slow
@given(TEAM_SIZES, st.integers(2, 4), st.sampled_from((1, 2)))
def test_every_two_teams_meet_once_a_leg_on_as_many_boards_as_both_can_fill(
    sizes: list[int], boards: int, legs: int
) -> None:
    before = build_clubs(*sizes, boards=boards, legs=legs)
    drawn = draw_all_rounds(before)
    expected = {
        (chr(65 + one), chr(65 + other)): min(sizes[one], sizes[other], boards)
        for one, other in combinations(range(len(sizes)), 2)
    }
    teams = get_teams(before)
    met: Counter[tuple[str, str]] = Counter()
    for each in drawn:
        boards_met = Counter((min(pair), max(pair)) for pair in _list_team_pairs(each, teams))
        met.update(boards_met.keys())
        assert all(count == expected[pair] for pair, count in boards_met.items())
        seats = Counter([entry for table in each.tables for entry in (*table.a, *table.b)] + list_byes(each))
        assert seats == Counter(teams.keys())
    assert met == dict.fromkeys(expected, legs)


@pytest.mark.slow
@settings(max_examples=30)
@given(TEAM_SIZES, st.integers(2, 4), st.data())
def test_line_ups_count_once_both_captains_gave_theirs(sizes: list[int], boards: int, data: st.DataObject) -> None:
    before = build_clubs(*sizes, boards=boards)
    teams, drawn = get_teams(before), build_lineup(draw("teams", before))
    matches = list_team_matches(drawn, teams)
    chosen = {
        team: data.draw(st.permutations(match.available[team]))[: len(match.players[team])]
        for match in matches
        for team in match.teams
    }
    for match in matches:
        for team in match.teams:
            assert len(match.players[team]) == min(boards, sizes[ord(team) - 65])
            assert set(match.available[team]) == {entry for entry, name in teams.items() if name == team}
            alone = seat_team_lineups(drawn, teams, {team: chosen[team]})
            assert alone == drawn
    seated = seat_team_lineups(drawn, teams, chosen)
    assert seat_team_lineups(seated, teams, chosen) == seated
    assert seated.entries == drawn.entries
    assert [table.number for table in seated.tables] == [table.number for table in drawn.tables]
    for match in list_team_matches(seated, teams):
        assert {team: list(entries) for team, entries in match.players.items()} == {
            team: list(chosen[team]) for team in match.teams
        }
        for board, table in enumerate(match.tables):
            assert {*table.a, *table.b} == {chosen[team][board] for team in match.teams}


def test_a_board_that_one_team_cannot_fill_is_won_without_play() -> None:
    drawn = draw("teams", build_clubs(1, 3))
    assert list_pairs(drawn) == {frozenset({101, 201})}
    assert [(bye.entry, bye.reasons[0].code, dict(bye.reasons[0].details)) for bye in drawn.byes] == [
        (202, ReasonCode.UNOPPOSED, {"board": 2, "club": "A"}),
        (203, ReasonCode.SUBSTITUTE, {}),
    ]


def list_home_matches(drawn: Iterable[Draw]) -> list[tuple[str, str]]:
    """Return the matches in order, home team first, from the reasons of their tables."""
    return [
        home_match
        for each in drawn
        for home_match in dict.fromkeys(tuple(table.reasons[0].details["clubs"]) for table in each.tables)
    ]


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.integers(2, 16), st.sampled_from((1, 2)))
def test_matches_at_home_and_away_differ_by_one_and_return_matches_swap(teams: int, legs: int) -> None:
    matches = list_home_matches(draw_all_rounds(build_clubs(*[2] * teams, legs=legs, home=True)))
    homes, aways = (Counter(match[place] for match in matches) for place in (0, 1))
    assert len(matches) == len(set(matches)) == legs * teams * (teams - 1) // 2
    assert all(abs(homes[team] - aways[team]) <= 2 - legs for team in {*homes, *aways})
    if legs == 2:
        assert set(matches) == {(away, home) for home, away in matches}


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.integers(4, 8), st.sampled_from((1, 2)), st.data())
def test_a_return_match_swaps_the_home_team_after_a_team_came_late(teams: int, legs: int, data: st.DataObject) -> None:
    before = build_clubs(*[2] * teams, legs=legs, home=True)
    late_entries = [each.id for each in before.entrants if each.id > 100 * teams]
    late_round = data.draw(st.integers(2, legs * (teams - 2)))
    matches = list_home_matches(draw_all_rounds(before, late_entries=late_entries, late_round=late_round))
    assert len(matches) == len(set(matches)) == legs * teams * (teams - 1) // 2


@pytest.mark.slow
@given(TEAM_SIZES, st.integers(2, 4), st.data())
def test_a_team_wholly_away_loses_every_board_and_does_not_play_the_match_later(
    sizes: list[int], boards: int, data: st.DataObject
) -> None:
    before = build_clubs(*sizes, boards=boards)
    teams, team = get_teams(before), data.draw(st.sampled_from([chr(65 + place) for place in range(len(sizes))]))
    absent = frozenset({data.draw(st.integers(1, len(sizes)))})
    entrants = tuple(
        replace(entrant, absent=absent) if get_club(entrant) == team else entrant for entrant in before.entrants
    )
    met: Counter[frozenset[str]] = Counter()
    for drawn in draw_all_rounds(replace(before, entrants=entrants)):
        forfeits = [
            (teams[bye.entry], reason.details["club"], teams[reason.details["entry"]])
            for bye in drawn.byes
            for reason in bye.reasons
            if "entry" in reason.details
        ]
        met.update({frozenset(pair) for pair in _list_team_pairs(drawn, teams)})
        met.update({frozenset(forfeit[:2]) for forfeit in forfeits})
        for winner, loser, losing_team in forfeits:
            assert (loser, losing_team, drawn.round) == (team, team, *absent)
            won = min(sizes[ord(winner) - 65], boards)
            assert len(forfeits) == min(won, sizes[ord(team) - 65])
    assert met == {frozenset(pair): 1 for pair in combinations(sorted(set(teams.values())), 2)}


@pytest.mark.parametrize(
    ("chosen", "code"), [((101,), "boards_empty"), ((101, 101), "chosen_twice"), ((101, 201), "not_of_the_team")]
)
def test_a_line_up_names_each_board_once_and_only_own_entries(chosen: tuple[EntryId, ...], code: str) -> None:
    before = build_clubs(3, 2)
    (match,) = list_team_matches(build_lineup(draw("teams", before)), get_teams(before))
    with pytest.raises(Refusal, match=code):
        match.check_team_lineup("A", chosen)


def test_a_line_up_with_somebody_who_left_no_longer_counts() -> None:
    before = build_clubs(3, 2)
    teams, chosen = get_teams(before), {"A": [EntryId(103), EntryId(101)], "B": [EntryId(202), EntryId(201)]}
    left = replace(
        before, entrants=(*before.entrants[:2], replace(before.entrants[2], leaves_after=0), *before.entrants[3:])
    )
    drawn: Lineup = build_lineup(draw("teams", left))
    assert seat_team_lineups(drawn, teams, chosen) == drawn


def test_a_locked_table_is_one_of_the_boards() -> None:
    before = build_clubs(3, 3)
    locked = LockedTable(number=1, a=(EntryId(103),), b=(EntryId(201),))
    drawn = draw("teams", replace(before, locked=(locked,)))
    assert list_pairs(drawn) == {frozenset({103, 201}), frozenset({101, 202})}


@given(st.lists(st.booleans(), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_home_team_does_not_depend_on_the_order_of_the_boards(is_first_home: list[bool], chance: Random) -> None:
    sides = [((EntryId(1),), (EntryId(2),)) if each else ((EntryId(2),), (EntryId(1),)) for each in is_first_home]
    history = [PlayedPairing(round=1, a=a, b=b) for a, b in sides]
    shuffled = chance.sample(history, len(history))
    teams = {EntryId(1): 0, EntryId(2): 1}
    of_shuffled = interclub.list_home_matches(shuffled, teams)
    assert of_shuffled == interclub.list_home_matches(history, teams)
