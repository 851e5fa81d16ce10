"""Calls of a scene: services with their arguments."""

from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import Any
from uuid import UUID

Call = partial[Any]
Scene = list[Call]
"""Calls that may happen at one moment, each a service with its arguments."""


def iter_client_ids() -> Iterator[UUID]:
    """Return an iterator of idempotency keys, equal in each run."""
    return (UUID(int=number) for number in count(1))
