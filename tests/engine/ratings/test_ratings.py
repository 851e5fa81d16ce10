"""Ratings: a function of the matches in order, and of nothing else."""

from __future__ import annotations

import datetime
import doctest
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import ratings as face
from engine.ratings import LEAST_MATCHES, ranks_of, ratings_of, steps_from_json, steps_to_json
from engine.records import PersonId, Players, RecordedMatch
from rules import Side

JEAN, LISE, MARC, RITA = PEOPLE = tuple(map(PersonId, (1, 2, 3, 4)))
TUESDAY = datetime.date(2026, 9, 8)


def met(a: Players, b: Players, winner: Side | None = Side.A, *, event: int = 1) -> RecordedMatch:
    return RecordedMatch(event=event, held_on=TUESDAY, sides=(a, b), winner=winner)


@st.composite
def evenings(draw: st.DrawFn) -> list[RecordedMatch]:
    """Up to twenty matches between six people, in up to four events."""
    found = []
    for event in range(1, draw(st.integers(1, 4)) + 1):
        for _ in range(draw(st.integers(1, 5))):
            a, b, c, d = draw(st.permutations([*PEOPLE, PersonId(5), PersonId(6)]))[:4]
            winner = draw(st.sampled_from([Side.A, Side.B, None]))
            found.append(met((a, b), (c, d), winner, event=event))
    return found


def test_the_examples_of_the_face_are_true() -> None:
    examples = doctest.testmod(face)
    assert examples.attempted
    assert not examples.failed


def test_a_first_match_goes_by_the_formula_of_weng_and_lin() -> None:
    sigma, beta, tau = 25 / 3, 25 / 6, 25 / 300
    team = 2 * (sigma**2 + tau**2)
    c = math.sqrt(2 * team + 2 * beta**2)
    omega = team / c * (1 - 0.5)
    delta = math.sqrt(team) / c * team / c**2 * 0.25
    found = ratings_of([met((JEAN, LISE), (MARC, RITA))])
    assert found[JEAN].mu == pytest.approx(25 + omega / 2)
    assert found[MARC].mu == pytest.approx(25 - omega / 2)
    assert found[JEAN].sigma == pytest.approx(math.sqrt((sigma**2 + tau**2) * (1 - delta / 2)))


def test_everybody_begins_at_1500_and_a_drawn_first_match_changes_only_how_well_that_is_known() -> None:
    found = ratings_of([met((JEAN, LISE), (MARC, RITA), None)])
    assert [one.display for one in found.values()] == [1500] * 4
    assert all(one.margin < 250 for one in found.values())


def test_a_draw_brings_the_weaker_side_up_and_the_stronger_one_down() -> None:
    before = [met((JEAN, LISE), (MARC, RITA))] * 3
    after = ratings_of([*before, met((JEAN, LISE), (MARC, RITA), None)])
    now = ratings_of(before)
    assert after[JEAN].mu < now[JEAN].mu
    assert after[MARC].mu > now[MARC].mu


def test_who_beats_a_stronger_side_gains_more() -> None:
    strong = [met((JEAN,), (LISE,))] * 5
    of_the_strong = ratings_of([*strong, met((MARC,), (JEAN,))])
    of_the_weak = ratings_of([*strong, met((MARC,), (LISE,))])
    assert of_the_strong[MARC].mu > of_the_weak[MARC].mu


def test_the_stronger_come_out_above_whoever_their_partners_were() -> None:
    nights = [
        met((JEAN, LISE), (MARC, RITA)),
        met((JEAN, MARC), (LISE, RITA)),
        met((JEAN, RITA), (LISE, MARC)),
    ]
    found = ratings_of(nights * 10)
    assert max(found, key=lambda person: found[person].mu) == JEAN


@pytest.mark.slow
@given(evenings())
def test_the_winners_never_lose_and_nobody_else_moves(played: list[RecordedMatch]) -> None:
    *before, last = played
    then, now = ratings_of(before), ratings_of(played)
    for person, rating in now.items():
        mu = then[person].mu if person in then else 25.0
        if last.winner is not None and person in last.sides[last.winner]:
            assert rating.mu > mu
        elif last.winner is not None and person in last.sides[last.winner.other]:
            assert rating.mu < mu
        elif person not in last.sides[0] + last.sides[1]:
            assert rating == then[person]


@pytest.mark.slow
@given(evenings())
def test_what_came_first_is_the_same_whatever_comes_after(played: list[RecordedMatch]) -> None:
    first = [meeting for meeting in played if meeting.event == 1]
    steps = {person: rating.steps for person, rating in ratings_of(played).items()}
    for person, rating in ratings_of(first).items():
        assert steps[person][: len(rating.steps)] == rating.steps


@pytest.mark.slow
@given(evenings())
def test_neither_the_sides_nor_the_numbers_of_people_matter(played: list[RecordedMatch]) -> None:
    turned = [
        met(
            tuple(PersonId(100 - person) for person in meeting.sides[1]),
            tuple(PersonId(100 - person) for person in meeting.sides[0]),
            None if meeting.winner is None else meeting.winner.other,
            event=meeting.event,
        )
        for meeting in played
    ]
    others = ratings_of(turned)
    for person, rating in ratings_of(played).items():
        assert others[PersonId(100 - person)].mu == pytest.approx(rating.mu)
        assert others[PersonId(100 - person)].sigma == pytest.approx(rating.sigma)


def test_a_step_is_kept_for_each_event() -> None:
    found = ratings_of(
        [met((JEAN,), (LISE,), event=1), met((JEAN,), (LISE,), event=1), met((JEAN,), (MARC,), event=2)]
    )
    steps = found[JEAN].steps
    assert [(step.event, step.matches) for step in steps] == [(1, 2), (2, 3)]
    assert (steps[-1].rating, steps[-1].margin) == (found[JEAN].display, found[JEAN].margin)
    assert steps_from_json(steps_to_json(steps)) == steps


class TestRanks:
    def test_are_for_those_who_played_often_enough(self) -> None:
        assert ranks_of(ratings_of([met((JEAN,), (LISE,))] * (LEAST_MATCHES - 1))) == {}
        assert ranks_of(ratings_of([met((JEAN,), (LISE,))] * LEAST_MATCHES)) == {JEAN: 1, LISE: 2}

    def test_are_shared_by_equals(self) -> None:
        found = ratings_of([met((JEAN, LISE), (MARC, RITA))] * LEAST_MATCHES)
        assert ranks_of(found) == {JEAN: 1, LISE: 1, MARC: 3, RITA: 3}

    def test_leave_nobody_a_gap_where_somebody_is_left_out(self) -> None:
        found = ratings_of([met((JEAN,), (LISE,))] * LEAST_MATCHES)
        assert ranks_of(found, left_out={JEAN}) == {LISE: 1}
