"""Fixtures for tests of the API: rendered pages."""

from tests.support.served_pages import prepared, within_a_minute

__all__ = ["prepared", "within_a_minute"]
