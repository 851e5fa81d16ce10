"""Fixtures for tests of federations."""

from tests.support.served_pages import prepared

__all__ = ["prepared"]
