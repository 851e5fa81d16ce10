"""Loading of a process before it answers a request or takes a job."""

import gc

from django.urls import reverse

from operations.start.garbage_collection import freeze_loaded_objects


def load_process() -> None:
    """Load all URLs and views now, instead of while the first job holds the write lock.

    All of it stays until the process ends. It is excluded from garbage collection, which took a quarter of
    the time of publishing a large round.
    """
    with freeze_loaded_objects():
        reverse("set_language")
        gc.collect()
