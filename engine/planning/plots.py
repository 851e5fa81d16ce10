"""The geometry of small plots, in whole units of their own: the template draws them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .forecasts import Forecast
from .questions import PlanQuestion

WIDTH, HEIGHT = 300, 48
"""The size of a plot of finishing times, in its units."""

BINS = 30

_STEP = WIDTH // BINS


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar that stands on the line: its left edge, its top, and its height."""

    x: int
    y: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishingPlot:
    """A histogram of finishing times: the bars, and the positions of the median, nine in ten and the end of
    the time."""

    bars: tuple[Bar, ...]
    median: int
    ninety: int
    limit: int
    bar_width: int = _STEP - 1
    width: int = WIDTH
    height: int = HEIGHT


def build_finishing_plots(question: PlanQuestion, forecasts: Sequence[Forecast]) -> list[FinishingPlot]:
    """Return one plot for each, all on the same axis: from the earliest finish to the latest, or to the
    end."""
    ends = [minutes for forecast in forecasts for minutes in forecast.finishing] + [question.minutes]
    first, span = min(ends), max(1, max(ends) - min(ends))

    def scale_minutes(minutes: int) -> int:
        return (minutes - first) * WIDTH // span

    plots = []
    for forecast in forecasts:
        bins = Counter(min(BINS - 1, scale_minutes(minutes) // _STEP) for minutes in forecast.finishing)
        tallest = max(bins.values())
        heights = {place: max(1, HEIGHT * count // tallest) for place, count in sorted(bins.items())}
        plots.append(
            FinishingPlot(
                bars=tuple(Bar(place * _STEP, HEIGHT - tall, tall) for place, tall in heights.items()),
                median=scale_minutes(forecast.median),
                ninety=scale_minutes(forecast.ninety),
                limit=scale_minutes(question.minutes),
            )
        )
    return plots
