"""Interface of a channel that delivers alerts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from clubs.models import Club, Person


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertMessage:
    """An alert in the language of its reader. ``page`` is the path that it leads to, ``stop`` the path that
    ends alerts; a later alert with the same ``topic`` replaces it."""

    club: Club
    title: str
    text: str
    page: str
    stop: str
    language: str
    topic: str


class AddressGone(Exception):  # noqa: N818 -- an answer, and no error
    """Raised when an address no longer exists; its subscription is deleted."""


class Channel(Protocol):
    """A channel that sends to an address, a small JSON value. If a worker dies, an alert may be sent
    twice."""

    def get_current_address(self, stored: Mapping[str, Any], person: Person) -> Mapping[str, Any]:
        """Return the address of the person: the one ``stored`` with the request, or the club's current one."""

    def is_address(self, address: Mapping[str, Any]) -> bool:
        """Check that the address is valid. It may come from a stranger."""

    def send(self, address: Mapping[str, Any], message: AlertMessage) -> None:
        """Send the alert. Raises AddressGone, or any other error if a later attempt may succeed."""
