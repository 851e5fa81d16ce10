"""Reports of the phones at the tables, sent with each request.

A hall of phones sends requests every three seconds. Their reports are collected in memory, in each process
separately, and written at most every five seconds, or when a desk is about to read them.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from itertools import groupby
from threading import Lock

from django.db import DatabaseError, transaction
from django.utils import timezone

from scoring.models import TablePhone

WRITTEN_EVERY = timedelta(seconds=5)
AT_ONCE = 300
"""Number of rows written in one transaction."""

Phone = tuple[int, str]
"""The id of a card, and a device at its table."""


class HeardPhones:
    """Reports of phones not written yet: when each was heard, and the columns of ``TablePhone`` that it
    reported."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._said: dict[Phone, Mapping[str, int]] = {}
        self._heard_at: dict[Phone, datetime] = {}
        self._since: datetime | None = None

    def hear(self, phone: Phone, said: Mapping[str, int], now: datetime) -> bool:
        """Take a report; return whether it is time to write."""
        with self._lock:
            self._since = self._since or now
            self._heard_at[phone] = now
            self._said[phone] = {**self._said.get(phone, {}), **said}
            return now - self._since >= WRITTEN_EVERY

    def take(self) -> list[tuple[TablePhone, tuple[str, ...]]]:
        """Take all reports out, each phone with its reported columns.

        The order is fixed, so that two processes that write cannot deadlock.
        """
        with self._lock:
            said, heard_at = self._said, self._heard_at
            self._said, self._heard_at, self._since = {}, {}, None
        return [
            (
                TablePhone(card_id=card, device=device, heard_at=heard_at[card, device], **columns),
                tuple(sorted(columns)),
            )
            for (card, device), columns in sorted(said.items())
        ]


heard_phones = HeardPhones()


def hear_phone(*, card_id: int, device: str, said: Mapping[str, int]) -> None:
    """Take a phone's report: these columns of its row."""
    if heard_phones.hear((card_id, device), said, timezone.now()):
        write_phones()


def write_phones() -> None:
    """Write the reports, in small transactions, so that no hand waits for a whole hall of phones.

    If the database cannot be written, the reports are dropped: phones will soon send new ones, and their
    requests are still answered.
    """
    phones = sorted(heard_phones.take(), key=lambda each: each[1])
    for columns, group in groupby(phones, key=lambda each: each[1]):
        for rows in _pieces([phone for phone, _ in group]):
            try:
                with transaction.atomic():
                    TablePhone.objects.bulk_create(
                        rows,
                        update_conflicts=True,
                        unique_fields=["card", "device"],
                        update_fields=["heard_at", *columns],
                    )
            except DatabaseError:
                return


def _pieces(phones: list[TablePhone]) -> Iterator[list[TablePhone]]:
    for begin in range(0, len(phones), AT_ONCE):
        yield phones[begin : begin + AT_ONCE]
