"""Messages of the desk to the whole hall or to one table, including calls of a table to the desk. Wall
screens, players' pages and the phones at the tables show them."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from engine.json_values import read_value


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskMessage:
    """A message to a ``table``, or to everybody.

    Without a text it calls its table to the desk, or says by which kind of ``ruling`` that round's match was
    decided there, whatever its phones mark.

    It was sent at ``sent_at``, when ``round_number`` was the last published round (0 before the first). It is
    shown until ``ends_at``, or else until another round is published.
    """

    number: int
    text: str = ""
    ruling: str = ""
    table: int | None = None
    round_number: int
    sent_at: datetime
    ends_at: datetime | None = None

    @property
    def is_call(self) -> bool:
        return not self.text and not self.ruling

    @property
    def is_for_all(self) -> bool:
        """Whether the wall shows it: calls of a table are public, other messages to a table are not."""
        return self.table is None or self.is_call

    def is_for_table(self, table: int) -> bool:
        return self.table in (None, table)

    def is_for_round(self, round_number: int) -> bool:
        """Check whether the message is for the players of that round, or for anyone at the table."""
        return not self.ruling or self.round_number == round_number

    def is_current(self, *, now: datetime) -> bool:
        """Check whether the message has not expired by the clock."""
        return self.ends_at is None or now < self.ends_at

    def is_shown_in_round(self, round_number: int) -> bool:
        """Check whether the message is still shown while that round is the last published one."""
        return self.ends_at is not None or round_number <= self.round_number


def messages_to_json(messages: Iterable[DeskMessage]) -> list[dict[str, Any]]:
    """Convert messages to JSON: moments in ISO 8601; ``ruling`` only where there is one."""
    return [
        {name: value for name, value in asdict(message).items() if name != "ruling" or value}
        | {
            "sent_at": message.sent_at.isoformat(),
            "ends_at": None if message.ends_at is None else message.ends_at.isoformat(),
        }
        for message in messages
    ]


def messages_from_json(data: Iterable[Mapping[str, Any]]) -> tuple[DeskMessage, ...]:
    """Convert JSON back to messages; see ``messages_to_json``."""
    return tuple(read_value(DeskMessage, message) for message in data)


def filter_current_messages(messages: Iterable[DeskMessage], *, now: datetime) -> tuple[DeskMessage, ...]:
    """Return the messages that have not expired by the clock."""
    return tuple(message for message in messages if message.is_current(now=now))


def build_version_tag(messages: Iterable[DeskMessage]) -> str:
    """Return a text that differs for different messages, even if one reuses the number of an undone one."""
    return "".join(f".{message.sent_at.timestamp()}{message.ruling}" for message in messages)
