"""The forecast of a plan: figures over all its simulated runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from statistics import fmean


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedRun:
    """One simulated tournament. ``kendall`` is the rank correlation of its final ranking with skill: 1 the
    same order, 0 none, −1 reversed; matches, byes and opponents are counted by entry."""

    minutes: float
    rounds: int
    strongest_won: bool
    kendall: float
    matches: Sequence[int]
    byes: Sequence[int]
    opponents: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """Figures over all runs.

    ``finishing`` holds the finishing time of each run, in whole minutes from the start, ascending. Byes and
    matches are of an entry: the fewest and the most over all entries and runs, or the mean (``mean_…``). The most
    matches are 0 in older forecasts.
    """

    finishing: tuple[int, ...]
    rounds: int
    strongest_won: int
    kendall: float
    fewest_byes: int
    most_byes: int
    fewest_matches: int
    mean_matches: float
    mean_opponents: float
    most_matches: int = 0

    @property
    def runs(self) -> int:
        return len(self.finishing)

    @property
    def median(self) -> int:
        return self.get_percentile(50)

    @property
    def ninety(self) -> int:
        """The time by which nine runs in ten were over."""
        return self.get_percentile(90)

    @property
    def strongest(self) -> float:
        """The share of runs in which the strongest won, 0 to 1."""
        return self.strongest_won / self.runs

    def get_percentile(self, percent: int) -> int:
        """Return the time by which so many percent of the runs were over, in minutes from the start."""
        return self.finishing[max(0, ceil(self.runs * percent / 100) - 1)]


def compute_forecast(runs: Sequence[SimulatedRun]) -> Forecast:
    """Return the figures over these runs, at least one."""
    return Forecast(
        finishing=tuple(sorted(ceil(run.minutes) for run in runs)),
        rounds=max(run.rounds for run in runs),
        strongest_won=sum(run.strongest_won for run in runs),
        kendall=round(fmean(run.kendall for run in runs), 4),
        fewest_byes=min(min(run.byes) for run in runs),
        most_byes=max(max(run.byes) for run in runs),
        most_matches=max(max(run.matches) for run in runs),
        fewest_matches=min(min(run.matches) for run in runs),
        mean_matches=round(fmean(fmean(run.matches) for run in runs), 2),
        mean_opponents=round(fmean(fmean(run.opponents) for run in runs), 2),
    )
