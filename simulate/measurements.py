"""Times of answers by kind of request, errors, and counts of actions."""

from __future__ import annotations

import statistics
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

MAX_ERRORS_SHOWN = 20


class Measurements:
    """Measurements of all participants, each of which writes from its own thread."""

    def __init__(self) -> None:
        self._lock, self._started = threading.Lock(), time.monotonic()
        self.times: dict[str, list[float]] = defaultdict(list)
        self.errors: list[str] = []
        self.counts: Counter[str] = Counter()

    @contextmanager
    def measure_time(self, kind: str) -> Iterator[None]:
        """Record the milliseconds of the block, unless it raises."""
        started = time.perf_counter()
        yield
        with self._lock:
            self.times[kind].append(1000 * (time.perf_counter() - started))

    def record_error(self, message: str) -> None:
        with self._lock:
            self.errors.append(f"{time.monotonic() - self._started:.0f} s: {message}")

    def count(self, action: str) -> None:
        with self._lock:
            self.counts[action] += 1

    def compute_p99(self, *kinds: str) -> float:
        """Return the p99 in milliseconds of these kinds of request, or of all kinds."""
        return _compute_percentile([ms for kind in kinds or self.times for ms in self.times.get(kind, [])], 99)

    def compute_p50(self, *kinds: str) -> float:
        return _compute_percentile([ms for kind in kinds or self.times for ms in self.times.get(kind, [])], 50)

    def format_report(self) -> Iterator[str]:
        """Yield the report: a line for each kind, then actions, then errors."""
        yield f"{'':32}{'requests':>10}{'p50 ms':>10}{'p99 ms':>10}{'longest':>10}"
        for kind, times in sorted(self.times.items()):
            p50, p99 = _compute_percentile(times, 50), _compute_percentile(times, 99)
            yield f"{kind:32}{len(times):>10}{p50:>10.1f}{p99:>10.1f}{max(times):>10.1f}"
        yield ""
        yield from (f"{action:32}{count:>10}" for action, count in sorted(self.counts.items()))
        yield f"{'errors':32}{len(self.errors):>10}"
        yield from (f"  {error}" for error in self.errors[:MAX_ERRORS_SHOWN])


def _compute_percentile(times: list[float], percent: int) -> float:
    if not times:
        return 0.0
    if len(times) == 1:
        return round(times[0], 1)
    return round(statistics.quantiles(times, n=100, method="inclusive")[percent - 1], 1)
