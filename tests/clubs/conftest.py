"""Fixtures for tests that render pages: compiled translations, collected static files."""

from tests.support.served_pages import prepared, within_a_minute

__all__ = ["prepared", "within_a_minute"]
