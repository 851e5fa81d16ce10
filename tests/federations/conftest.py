"""What the tests of federations share."""

from tests.support.served_pages import prepared

__all__ = ["prepared"]
