"""Fixtures for crawl tests: all tests run at one fixed time, so that they can share saved nights."""

from collections.abc import Iterator

import pytest

from tests.support.fixed_clock import fixed_clock
from tests.support.served_pages import prepared, within_a_minute

__all__ = ["prepared", "within_a_minute"]


@pytest.fixture(autouse=True)
def _on_that_evening() -> Iterator[None]:
    with fixed_clock():
        yield
