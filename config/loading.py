"""What a process loads before it answers anybody or takes up a job."""

import gc

from django.urls import reverse

from operations.start.loading import all_is_kept


def load() -> None:
    """All addresses, and what stands behind them: now, and not while the first job holds the writer.

    All of it stays until the process ends. The garbage collector is told so, or it would look through all of
    it time and again, which took a quarter of the time in which a large round is published.
    """
    with all_is_kept():
        reverse("set_language")
        gc.collect()
