"""Season standings: the figures of a night, the nights that count, and the ranks."""

from __future__ import annotations

import datetime
import doctest
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import ladders as face
from engine.ladders import (
    Eligibility,
    Ladder,
    LadderFigure,
    LadderNight,
    LadderPerson,
    LadderRow,
    LadderUnit,
    NightResult,
    PersonId,
    compute_ladder_standings,
    get_row_figures,
    ladder_from_json,
    ladder_to_json,
    ladders_from_json,
    rows_to_json,
    scores_from_json,
    scores_to_json,
    split_figures,
)
from errors import Refusal

if TYPE_CHECKING:
    from engine.standings import CountJson, RoundJson

FIRST_TUESDAY = datetime.date(2026, 9, 8)
JEAN, LISE, MARC, RITA = map(PersonId, (1, 2, 3, 4))


def build_night(number: int, *entries: tuple[tuple[PersonId, ...], int]) -> LadderNight:
    """Build the night of the ``number``-th Tuesday: players and points of each entry, ranked by points."""
    in_order = sorted(entries, key=lambda entry: -entry[1])
    points = [scored for _, scored in in_order]
    return LadderNight(
        event=number,
        held_on=FIRST_TUESDAY + datetime.timedelta(weeks=number),
        results=tuple(
            NightResult(
                entry=place + 1,
                players=players,
                rank=points.index(scored) + 1,
                figures={"points_for": scored, "match_wins": scored // 32},
            )
            for place, (players, scored) in enumerate(in_order)
        ),
    )


def list_rows(rows: tuple[LadderRow, ...]) -> list[tuple[int | None, tuple[int, ...], int]]:
    return [(row.rank, row.players, row.total) for row in rows]


SEPTEMBER = (
    build_night(0, ((JEAN, LISE), 90), ((MARC, RITA), 60)),
    build_night(1, ((JEAN, MARC), 50), ((LISE, RITA), 70)),
    build_night(2, ((LISE, JEAN), 40)),
)


def test_person_total_sums_nights_with_any_partner() -> None:
    rows = compute_ladder_standings(Ladder(name="General"), SEPTEMBER, {})
    assert list_rows(rows) == [(1, (LISE,), 200), (2, (JEAN,), 180), (3, (RITA,), 130), (4, (MARC,), 110)]


@pytest.mark.parametrize(("counts", "total"), [("points_for", 90 + 60 + 2 * 5), ("rank_points", 3 + 2 + 2 * 5)])
def test_night_played_for_two_entries_counts_once(counts: str, total: int) -> None:
    # Jean left with Lise, and came back with Rita.
    nights = [
        build_night(0, ((JEAN, LISE), 50), ((JEAN, RITA), 40), ((MARC,), 30)),
        build_night(1, ((JEAN,), 60), ((LISE,), 20)),
    ]
    ladder = Ladder(name="x", counts=LadderFigure(counts), best=2, presence=5, least_nights=3)
    row = next(row for row in compute_ladder_standings(ladder, nights, {}) if row.players == (JEAN,))
    assert (row.total, row.nights, row.firsts, row.rank) == (total, 2, 2, None)


def test_pair_total_sums_nights_in_either_order_of_names() -> None:
    rows = compute_ladder_standings(Ladder(name="Pairs", unit=LadderUnit.PAIR), SEPTEMBER, {})
    assert list_rows(rows)[0] == (1, (JEAN, LISE), 130)
    assert rows[0].nights == 2


def test_night_with_drawn_partners_does_not_count_for_pairs() -> None:
    rows = compute_ladder_standings(
        Ladder(name="Pairs", unit=LadderUnit.PAIR), [build_night(0, ((JEAN,), 30), ((LISE,), 20))], {}
    )
    assert rows == ()


def test_best_nights_count_and_the_earlier_of_equal_ones() -> None:
    rows = compute_ladder_standings(
        Ladder(name="General", best=2),
        [build_night(number, ((JEAN,), points)) for number, points in enumerate((40, 60, 40))],
        {},
    )
    assert rows[0].total == 100
    assert [score.is_counted for score in rows[0].scores] == [True, True, False]


def test_attendance_bonus_counts_every_night() -> None:
    nights = [build_night(number, ((JEAN,), 10)) for number in range(3)]
    (row,) = compute_ladder_standings(Ladder(name="General", best=1, presence=2), nights, {})
    assert (row.total, row.bonus) == (16, 6)


def test_person_with_too_few_nights_is_unranked_and_last() -> None:
    rows = compute_ladder_standings(Ladder(name="General", least_nights=3), SEPTEMBER, {})
    assert [row.rank for row in rows] == [1, 2, None, None]


@pytest.mark.parametrize(
    ("points", "brought"),
    [((), [3, 2, 1]), ((10, 5), [10, 5, 0])],
    ids=["one for each entry left behind, and one", "a list"],
)
def test_ranks_earn_the_configured_points(points: tuple[int, ...], brought: list[int]) -> None:
    evening = build_night(0, ((JEAN,), 30), ((LISE,), 20), ((MARC,), 10))
    rows = compute_ladder_standings(
        Ladder(name="Ranks", counts=LadderFigure.RANK_POINTS, rank_points=points), [evening], {}
    )
    assert [row.total for row in rows] == brought


def test_equal_totals_are_ranked_by_nights_won_then_best_night() -> None:
    nights = [
        build_night(0, ((JEAN,), 50), ((LISE,), 40), ((MARC,), 30), ((RITA,), 30)),
        build_night(1, ((JEAN,), 10), ((LISE,), 20), ((MARC,), 30), ((RITA,), 30)),
    ]
    rows = compute_ladder_standings(Ladder(name="General"), nights, {})
    assert list_rows(rows) == [(1, (JEAN,), 60), (2, (MARC,), 60), (2, (RITA,), 60), (4, (LISE,), 60)]


def test_season_standings_can_be_limited_to_members_guests_or_a_group() -> None:
    people = {
        JEAN: LadderPerson(),
        LISE: LadderPerson(labels=frozenset({"Women"})),
        MARC: LadderPerson(is_guest=True),
    }

    def in_it(**settings: object) -> list[int]:
        rows = compute_ladder_standings(Ladder(name="x", **settings), SEPTEMBER, people)  # type: ignore[arg-type]
        return sorted(row.players[0] for row in rows)

    assert in_it(who=Eligibility.MEMBERS) == [JEAN, LISE, RITA]
    assert in_it(who=Eligibility.GUESTS) == [MARC]
    assert in_it(label="Women") == [LISE]


class TestHalfWins:
    ROUNDS: ClassVar[list[RoundJson]] = [
        {"round": 1, "outcome": "won"},
        {"round": 2, "outcome": "drawn"},
        {"round": 3, "outcome": "drawn", "kind": "requested_bye"},
        {"round": 4, "outcome": "drawn", "is_dropped": True},
        {"round": 5, "outcome": "lost"},
    ]
    COUNT: ClassVar[CountJson] = {"rounds": ROUNDS, "parts": {}}

    def test_half_wins_count_two_for_each_win_and_one_for_half(self) -> None:
        row: Any = {"match_wins": 1, "games_won": 2, "points_for": 60, "difference": 4}
        assert get_row_figures(row, self.COUNT)["half_wins"] == 4
        brought = LadderNight(
            event=1,
            held_on=FIRST_TUESDAY,
            results=(NightResult(entry=1, players=(JEAN, LISE), rank=1, figures=get_row_figures(row, self.COUNT)),),
        )
        ladder = Ladder(name="x", counts=LadderFigure.HALF_WINS)
        assert [row.total for row in compute_ladder_standings(ladder, [brought], {})] == [4, 4]

    def test_half_wins_go_to_the_substitute_who_played(self) -> None:
        row: Any = {"match_wins": 1, "games_won": 2, "points_for": 60, "difference": 4}
        figures = get_row_figures(row, self.COUNT)
        shares = split_figures((JEAN, LISE), figures, self.ROUNDS, {2: (JEAN, RITA)})
        assert {share.players: share.figures["half_wins"] for share in shares} == {
            (JEAN, RITA): 1,
            (JEAN, LISE): 3,
        }

    def test_everyone_who_sat_or_had_a_bye_has_a_share_and_nobody_else(self) -> None:
        rounds: list[RoundJson] = [
            {"round": 1, "outcome": "won", "kind": "bye"},
            {"round": 2, "outcome": "won", "is_dropped": True},
            {"round": 3, "outcome": "lost", "kind": "absent"},
        ]
        shares = split_figures((JEAN, LISE), {"match_wins": 1}, rounds, {1: (JEAN, RITA), 2: (JEAN, MARC)})
        assert {share.players: share.figures.get("match_wins", 0) for share in shares} == {
            (JEAN, RITA): 0,
            (JEAN, MARC): 1,
        }

    def test_half_wins_add_up_for_clubs(self) -> None:
        showings = [
            NightResult(
                entry=place,
                players=(person,),
                rank=place,
                figures={"match_wins": 1, "half_wins": 3, "games_won": 1, "points_for": 9, "difference": 1},
                club=7,
            )
            for place, person in enumerate((JEAN, LISE), start=1)
        ]
        night = LadderNight(event=1, held_on=FIRST_TUESDAY, results=tuple(showings))
        ladder = Ladder(name="x", unit=LadderUnit.CLUB, counts=LadderFigure.HALF_WINS)
        assert [row.total for row in compute_ladder_standings(ladder, [night], {})] == [6]


# Properties

ladders = st.builds(
    Ladder,
    name=st.just("x"),
    unit=st.sampled_from(LadderUnit),
    counts=st.sampled_from([LadderFigure.POINTS_FOR, LadderFigure.MATCH_WINS, LadderFigure.RANK_POINTS]),
    rank_points=st.lists(st.integers(0, 20), max_size=4).map(lambda found: tuple(sorted(found, reverse=True))),
    best=st.none() | st.integers(1, 4),
    least_nights=st.integers(0, 3),
    presence=st.integers(0, 5),
)
pairs = st.sampled_from([((JEAN, LISE), (MARC, RITA)), ((JEAN, MARC), (LISE, RITA)), ((RITA, JEAN), (LISE,))])
evenings = st.tuples(pairs, st.integers(0, 96), st.integers(0, 96))


@st.composite
def autumns(draw: st.DrawFn) -> list[LadderNight]:
    played = draw(st.lists(evenings, max_size=6))
    return [build_night(number, (both[0], one), (both[1], other)) for number, (both, one, other) in enumerate(played)]


@given(ladders, autumns())
def test_total_equals_counted_nights_plus_bonus(ladder: Ladder, nights: list[LadderNight]) -> None:
    for row in compute_ladder_standings(ladder, nights, {}):
        counted = [score.gained for score in row.scores if score.is_counted]
        assert row.total == sum(counted) + row.bonus
        assert row.bonus == ladder.presence * row.nights
        assert len(counted) == min(row.nights, ladder.best or row.nights)
        assert all(
            low.gained <= high.gained
            for low in row.scores
            for high in row.scores
            if high.is_counted and not low.is_counted
        )


@given(ladders, autumns())
def test_ranks_follow_totals_regardless_of_night_order(ladder: Ladder, nights: list[LadderNight]) -> None:
    rows = compute_ladder_standings(ladder, nights, {})
    assert rows == compute_ladder_standings(ladder, nights[::-1], {})
    ranked = [row for row in rows if row.rank is not None]
    assert all((row.rank is not None) == (row.nights >= ladder.least_nights) for row in rows)
    assert [row.total for row in ranked] == sorted((row.total for row in ranked), reverse=True)
    assert [row.rank for row in ranked] == [
        1 + sum((o.total, o.firsts, o.highest) > (r.total, r.firsts, r.highest) for o in ranked) for r in ranked
    ]


@given(ladders, autumns())
def test_additional_night_never_lowers_a_total(ladder: Ladder, nights: list[LadderNight]) -> None:
    before = {row.players: row.total for row in compute_ladder_standings(ladder, nights[:-1], {})}
    after = {row.players: row.total for row in compute_ladder_standings(ladder, nights, {})}
    assert all(after[players] >= total for players, total in before.items())


@given(ladders, autumns())
def test_stored_season_standings_survive_a_round_trip(ladder: Ladder, nights: list[LadderNight]) -> None:
    assert ladder_from_json(ladder_to_json(ladder)) == ladder
    rows = compute_ladder_standings(ladder, nights, {})
    scores_json = scores_to_json(rows)
    assert [scores_from_json(scores) for scores in scores_json.values()] == [row.scores for row in rows]
    assert [row["total"] for row in rows_to_json(rows)] == [row.total for row in rows]


@pytest.mark.parametrize(
    ("ladders_json", "code", "field"),
    [
        ([], "ladder_required", "ladders"),
        ([{"name": str(number)} for number in range(9)], "too_many_ladders", "ladders"),
        ([{"name": ""}], "ladder_name_required", "ladders.0.name"),
        ([{"name": "x" * 41}], "name_too_long", "ladders.0.name"),
        ([{"name": "Women"}, {"name": "women"}], "ladder_name_taken", "ladders.1.name"),
        ([{"name": "x", "best": 0}], "number_too_small", "ladders.0.best"),
        ([{"name": "x", "presence": 1_001}], "number_too_large", "ladders.0.presence"),
        ([{"name": "x", "counts": "luck"}], "no_such_choice", "ladders.0.counts"),
        ([{"name": "x", "rank_points": [1, 5]}], "rank_points_disordered", "ladders.0.rank_points"),
        ([{"name": "x", "rank_points": "10"}], "not_a_list", "ladders.0.rank_points"),
        ([{"name": "x", "rank_points": [1] * 101}], "too_many_ranks", "ladders.0.rank_points"),
        ([{"name": "x", "luck": 1}], "no_such_setting", "ladders.0.luck"),
    ],
)
def test_invalid_season_standings_are_refused_at_their_field(
    ladders_json: list[dict[str, object]], code: str, field: str
) -> None:
    with pytest.raises(Refusal) as refused:
        ladders_from_json(ladders_json)
    assert (refused.value.code, refused.value.field) == (code, field)


def test_package_doctest_examples_pass() -> None:
    examples = doctest.testmod(face)
    assert examples.attempted
    assert not examples.failed
