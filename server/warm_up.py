"""Loading of a process before it answers a request or takes a job."""

import gc

from django.urls import reverse

from operations.start.preloading import all_is_kept


def load() -> None:
    """Load all URLs and views now, instead of while the first job holds the write lock.

    All of it stays until the process ends. It is excluded from garbage collection, which took a quarter of
    the time of publishing a large round.
    """
    with all_is_kept():
        reverse("set_language")
        gc.collect()
