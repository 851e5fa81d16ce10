"""Long runs: `manage.py test --long` gives property tests new examples, and simulations more of them."""

from __future__ import annotations

import os

RUN_SEED = os.environ.get("CHARLEMAGNE_TEST_LONG", "")
"""Seed of a long run, new each time; "" in an ordinary run."""
IS_LONG = bool(RUN_SEED)


def choose_count(ordinary: int, *, long: int) -> int:
    """Return how many random examples to try: enough to notice a failure, or more to search for one."""
    return long if IS_LONG else ordinary
