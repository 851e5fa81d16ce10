"""Pages are served here, and each test has a minute of its own to ask in."""

import pytest
from django.core.cache import caches

from tests.support.served_pages import prepared, within_a_minute

__all__ = ["prepared", "within_a_minute"]


@pytest.fixture(autouse=True)
def fresh_minute() -> None:
    """Keys of several tests have one number: what one asked counts for the next."""
    caches["default"].clear()
