"""Ratings depend on the matches in their order, and on nothing else."""

from __future__ import annotations

import datetime
import doctest
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import ratings as face
from engine.ratings import MIN_MATCHES, compute_ranks, compute_ratings, steps_from_json, steps_to_json
from engine.records import PersonId, Players, RecordedMatch
from rules import Side

JEAN, LISE, MARC, RITA = PEOPLE = tuple(map(PersonId, (1, 2, 3, 4)))
TUESDAY = datetime.date(2026, 9, 8)


def build_match(a: Players, b: Players, winner: Side | None = Side.A, *, event: int = 1) -> RecordedMatch:
    return RecordedMatch(event=event, held_on=TUESDAY, sides=(a, b), winner=winner)


@st.composite
def evenings(draw: st.DrawFn) -> list[RecordedMatch]:
    """Generate up to twenty matches between six people, in up to four events."""
    found = []
    for event in range(1, draw(st.integers(1, 4)) + 1):
        for _ in range(draw(st.integers(1, 5))):
            a, b, c, d = draw(st.permutations([*PEOPLE, PersonId(5), PersonId(6)]))[:4]
            winner = draw(st.sampled_from([Side.A, Side.B, None]))
            found.append(build_match((a, b), (c, d), winner, event=event))
    return found


def test_package_doctest_examples_pass() -> None:
    examples = doctest.testmod(face)
    assert examples.attempted
    assert not examples.failed


def test_first_match_follows_the_weng_lin_formula() -> None:
    sigma, beta, tau = 25 / 3, 25 / 6, 25 / 300
    team = 2 * (sigma**2 + tau**2)
    c = math.sqrt(2 * team + 2 * beta**2)
    omega = team / c * (1 - 0.5)
    delta = math.sqrt(team) / c * team / c**2 * 0.25
    found = compute_ratings([build_match((JEAN, LISE), (MARC, RITA))])
    assert found[JEAN].mu == pytest.approx(25 + omega / 2)
    assert found[MARC].mu == pytest.approx(25 - omega / 2)
    assert found[JEAN].sigma == pytest.approx(math.sqrt((sigma**2 + tau**2) * (1 - delta / 2)))


def test_everyone_starts_at_1500_and_a_draw_only_reduces_the_margin() -> None:
    found = compute_ratings([build_match((JEAN, LISE), (MARC, RITA), None)])
    assert [one.display for one in found.values()] == [1500] * 4
    assert all(one.margin < 250 for one in found.values())


def test_draw_raises_the_weaker_side_and_lowers_the_stronger() -> None:
    before = [build_match((JEAN, LISE), (MARC, RITA))] * 3
    after = compute_ratings([*before, build_match((JEAN, LISE), (MARC, RITA), None)])
    now = compute_ratings(before)
    assert after[JEAN].mu < now[JEAN].mu
    assert after[MARC].mu > now[MARC].mu


def test_win_against_a_stronger_side_gains_more() -> None:
    strong = [build_match((JEAN,), (LISE,))] * 5
    of_the_strong = compute_ratings([*strong, build_match((MARC,), (JEAN,))])
    of_the_weak = compute_ratings([*strong, build_match((MARC,), (LISE,))])
    assert of_the_strong[MARC].mu > of_the_weak[MARC].mu


def test_stronger_player_rates_highest_with_any_partner() -> None:
    nights = [
        build_match((JEAN, LISE), (MARC, RITA)),
        build_match((JEAN, MARC), (LISE, RITA)),
        build_match((JEAN, RITA), (LISE, MARC)),
    ]
    found = compute_ratings(nights * 10)
    assert max(found, key=lambda person: found[person].mu) == JEAN


@pytest.mark.slow
@given(evenings())
def test_winners_never_lose_rating_and_others_do_not_move(played: list[RecordedMatch]) -> None:
    *before, last = played
    then, now = compute_ratings(before), compute_ratings(played)
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
def test_later_matches_do_not_change_earlier_steps(played: list[RecordedMatch]) -> None:
    first = [meeting for meeting in played if meeting.event == 1]
    steps = {person: rating.steps for person, rating in compute_ratings(played).items()}
    for person, rating in compute_ratings(first).items():
        assert steps[person][: len(rating.steps)] == rating.steps


@pytest.mark.slow
@given(evenings())
def test_ratings_do_not_depend_on_sides_or_ids(played: list[RecordedMatch]) -> None:
    turned = [
        build_match(
            tuple(PersonId(100 - person) for person in meeting.sides[1]),
            tuple(PersonId(100 - person) for person in meeting.sides[0]),
            None if meeting.winner is None else meeting.winner.other,
            event=meeting.event,
        )
        for meeting in played
    ]
    others = compute_ratings(turned)
    for person, rating in compute_ratings(played).items():
        assert others[PersonId(100 - person)].mu == pytest.approx(rating.mu)
        assert others[PersonId(100 - person)].sigma == pytest.approx(rating.sigma)


def test_each_event_has_one_step() -> None:
    found = compute_ratings(
        [
            build_match((JEAN,), (LISE,), event=1),
            build_match((JEAN,), (LISE,), event=1),
            build_match((JEAN,), (MARC,), event=2),
        ]
    )
    steps = found[JEAN].steps
    assert [(step.event, step.matches) for step in steps] == [(1, 2), (2, 3)]
    assert (steps[-1].rating, steps[-1].margin) == (found[JEAN].display, found[JEAN].margin)
    assert steps_from_json(steps_to_json(steps)) == steps


class TestRatingRanks:
    def test_only_regular_players_are_ranked(self) -> None:
        assert compute_ranks(compute_ratings([build_match((JEAN,), (LISE,))] * (MIN_MATCHES - 1))) == {}
        assert compute_ranks(compute_ratings([build_match((JEAN,), (LISE,))] * MIN_MATCHES)) == {JEAN: 1, LISE: 2}

    def test_equal_ratings_share_a_rank(self) -> None:
        found = compute_ratings([build_match((JEAN, LISE), (MARC, RITA))] * MIN_MATCHES)
        assert compute_ranks(found) == {JEAN: 1, LISE: 1, MARC: 3, RITA: 3}

    def test_excluded_player_leaves_no_gap(self) -> None:
        found = compute_ratings([build_match((JEAN,), (LISE,))] * MIN_MATCHES)
        assert compute_ranks(found, excluded={JEAN}) == {LISE: 1}
