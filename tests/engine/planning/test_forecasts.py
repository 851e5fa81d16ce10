"""Forecasts of a plan: equal for equal seeds, and in line with known properties of the formats."""

import pytest

from engine.planning import Forecast, PlanQuestion, Proposal, simulate
from engine.planning.running_standings import compute_kendall
from rules import MatchFormat

FIELD = PlanQuestion(people=64, tables=16, minutes=600, ruleset="maine")
TWO_GAMES = MatchFormat(games_to_win=2)


def simulate_forecast(key: str, rounds: int | None, question: PlanQuestion = FIELD, **more: float) -> Forecast:
    stage = {"format": key} if rounds is None else {"format": key, "rounds": rounds}
    proposal = Proposal(key=key, stages=(stage,), match_format=TWO_GAMES, rounds=rounds or 5)
    wanted = {"runs": 150, "seed": 1, **more}
    return simulate(
        proposal,
        question,
        runs=int(wanted["runs"]),
        seed=int(wanted["seed"]),
        progress=lambda done, of: None,
        spread=wanted.get("spread", 1.0),
    )


@pytest.mark.slow
def test_seed_determines_the_forecast() -> None:
    first = simulate_forecast("swiss", 4, runs=5, seed=7)
    assert first == simulate_forecast("swiss", 4, runs=5, seed=7)
    assert first.finishing != simulate_forecast("swiss", 4, runs=5, seed=8).finishing


@pytest.mark.slow
def test_forecast_is_the_same_on_every_machine() -> None:
    found = simulate_forecast("swiss", 4, runs=5, seed=7)
    assert (found.finishing, found.strongest_won, found.kendall) == ((353, 356, 359, 368, 369), 1, 0.4887)


@pytest.mark.long
@pytest.mark.parametrize(
    ("key", "rounds", "strongest", "correlation"),
    [
        ("swiss", 5, 0.35, 0.55),
        ("knockout", None, 0.38, 0.32),
        pytest.param(
            "double_elimination", None, 0.46, 0.46, marks=pytest.mark.long("has twice the matches of a knockout")
        ),
    ],
)
def test_formats_find_the_strongest_as_often_as_measured(
    key: str, rounds: int | None, strongest: float, correlation: float
) -> None:
    """Expected values for 32 entries of normal skill, measured independently; 150 runs are accurate to 0.04, 0.01."""
    found = simulate_forecast(key, rounds)
    assert found.strongest == pytest.approx(strongest, abs=0.08)
    assert found.kendall == pytest.approx(correlation, abs=0.04)


@pytest.mark.long
def test_equal_entries_win_equally_often() -> None:
    eight = PlanQuestion(people=16, tables=4, minutes=600, ruleset="maine")
    found = simulate_forecast("swiss", 3, eight, runs=400, spread=0)
    assert found.strongest_won == 54, "one in eight of 400, to within the noise"
    assert found.kendall == pytest.approx(0, abs=0.05)


def test_simulation_reports_progress_and_can_be_stopped() -> None:
    class StoppedError(Exception):
        pass

    progress_reports: list[tuple[int, int]] = []

    def progress(done: int, of: int) -> None:
        progress_reports.append((done, of))
        if done == 3:
            raise StoppedError

    stage = {"format": "swiss", "rounds": 3}
    proposal = Proposal(key="swiss", stages=(stage,), match_format=TWO_GAMES, rounds=3)
    with pytest.raises(StoppedError):
        simulate(proposal, FIELD, runs=100, seed=1, progress=progress)
    assert progress_reports == [(1, 100), (2, 100), (3, 100)]


@pytest.mark.slow
def test_swiss_avoids_rematches_and_knockout_eliminates_half() -> None:
    swiss, knockout = simulate_forecast("swiss", 5, runs=3), simulate_forecast("knockout", None, runs=3)
    assert (swiss.fewest_matches, swiss.mean_opponents, swiss.most_byes) == (5, 5.0, 0)
    assert (knockout.fewest_matches, knockout.mean_matches) == (1, 1.94)


def test_an_odd_field_sits_out_in_turn() -> None:
    odd = PlanQuestion(people=18, tables=4, minutes=600, ruleset="maine")
    found = simulate_forecast("swiss", 5, odd, runs=3)
    assert (found.fewest_byes, found.most_byes, found.fewest_matches) == (0, 1, 4)


@pytest.mark.slow
def test_median_and_ninety_percent_come_from_the_sorted_runs() -> None:
    found = simulate_forecast("knockout", None, runs=10)
    assert (found.median, found.ninety) == (found.finishing[4], found.finishing[8])


def test_rank_correlation_counts_the_pairs_that_agree() -> None:
    assert compute_kendall([4, 3, 2, 1]) == 1
    assert compute_kendall([3, 4, 2, 1]) == pytest.approx(4 / 6)
    assert compute_kendall([1, 2, 3, 4]) == -1
