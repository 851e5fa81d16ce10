"""Pages are served here, on one and the same evening: nights made for one test serve the others."""

from collections.abc import Iterator

import pytest

from tests.support.fixed_clock import fixed_clock
from tests.support.served_pages import prepared, within_a_minute

__all__ = ["prepared", "within_a_minute"]


@pytest.fixture(autouse=True)
def _on_that_evening() -> Iterator[None]:
    with fixed_clock():
        yield
