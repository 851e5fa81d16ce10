"""A fixed clock: dates and times on pages do not depend on when a test runs."""

from __future__ import annotations

import datetime
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import count
from typing import Any
from unittest.mock import patch

import rest_framework.throttling  # noqa: F401 - keeps time.time at import, which must be the real one
from django.apps import apps
from django.utils import timezone

FIXED_TIME = datetime.datetime(2026, 11, 18, 0, 30, 30, tzinfo=datetime.UTC)
"""In the middle of a minute: a restored time may be a moment earlier, and must show no other minute."""
CLOCK = timezone.now
TICK = datetime.timedelta(microseconds=1)


@contextmanager
def fixed_clock() -> Iterator[None]:
    """Fix the clock while the block runs; each reading is a microsecond later, so that order is kept."""
    fields, moments = _list_clock_fields(), count()

    def now() -> datetime.datetime:
        return FIXED_TIME + next(moments) * TICK

    with ExitStack() as patches:
        patches.enter_context(patch.object(timezone, "now", now))
        patches.enter_context(patch.object(time, "time", lambda: now().timestamp()))
        for field in fields:
            patches.enter_context(patch.object(field, "_get_default", now))
        yield


@cache
def _list_clock_fields() -> list[Any]:
    """Return the fields that have the clock as default: they keep the function from before any patch."""
    fields = (field for model in apps.get_models() for field in model._meta.concrete_fields)
    return [field for field in fields if field.default is CLOCK]
