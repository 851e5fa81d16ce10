"""Fixtures of the tournament tests that serve pages."""

from tests.support.served_pages import prepared, within_a_minute

__all__ = ["prepared", "within_a_minute"]
