"""What a way of telling somebody is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from clubs.models import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertMessage:
    """In the language of its reader. ``page`` is the address, without its host, of where it leads, ``stop``
    that of where one ends such messages; a later message of the same ``topic`` takes its place."""

    title: str
    text: str
    page: str
    stop: str
    language: str
    topic: str


class AddressGone(Exception):  # noqa: N818 -- an answer, and no error
    """Nothing reaches it any more: it is forgotten."""


class Channel(Protocol):
    """Reaches an address, a small value as JSON has it. If a worker dies, the same message is sent twice."""

    def address_now(self, kept: Mapping[str, Any], person: Person) -> Mapping[str, Any]:
        """Where the person is reached: what was ``kept`` when they asked, or what the club has of them."""

    def is_address(self, address: Mapping[str, Any]) -> bool:
        """Whether it can be reached; a stranger may have sent it."""

    def send(self, address: Mapping[str, Any], message: AlertMessage) -> None:
        """Raises AddressGone, or anything else where it is worth another try later."""
