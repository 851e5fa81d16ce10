"""Fixtures for tests of the API: rendered pages, and fresh rate limits for each test."""

import pytest
from django.core.cache import caches

from tests.support.served_pages import prepared, within_a_minute

__all__ = ["prepared", "within_a_minute"]


@pytest.fixture(autouse=True)
def fresh_minute() -> None:
    """Clear the rate limits: API keys of several tests share an id, so their requests would add up."""
    caches["default"].clear()
