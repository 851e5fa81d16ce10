"""Long runs: `manage.py test --long` tries laws on fresh examples, and simulations on many of them."""

from __future__ import annotations

import os

RUN_SEED = os.environ.get("CHARLEMAGNE_TEST_LONG", "")
"""Another one in each long run, which draws by it; "" in an ordinary one."""
IS_LONG = bool(RUN_SEED)


def choose_count(ordinary: int, *, long: int) -> int:
    """Return how often something random is tried: enough to notice, or to search."""
    return long if IS_LONG else ordinary
