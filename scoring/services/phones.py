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

WRITE_INTERVAL = timedelta(seconds=5)
BATCH_SIZE = 300
"""Number of rows written in one transaction."""

Phone = tuple[int, str]
"""The id of a card, and a device at its table."""


class PhoneReports:
    """Reports of phones not written yet: when each was heard, and the columns of ``TablePhone`` that it
    reported."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._reports: dict[Phone, Mapping[str, int]] = {}
        self._heard_at: dict[Phone, datetime] = {}
        self._first_report_at: datetime | None = None

    def add(self, phone: Phone, report: Mapping[str, int], now: datetime) -> bool:
        """Take a report; return whether it is time to write."""
        with self._lock:
            self._first_report_at = self._first_report_at or now
            self._heard_at[phone] = now
            self._reports[phone] = {**self._reports.get(phone, {}), **report}
            return now - self._first_report_at >= WRITE_INTERVAL

    def take_all(self) -> list[tuple[TablePhone, tuple[str, ...]]]:
        """Take all reports out, each phone with its reported columns.

        The order is fixed, so that two processes that write cannot deadlock.
        """
        with self._lock:
            reports, heard_at = self._reports, self._heard_at
            self._reports, self._heard_at, self._first_report_at = {}, {}, None
        return [
            (
                TablePhone(card_id=card, device=device, heard_at=heard_at[card, device], **columns),
                tuple(sorted(columns)),
            )
            for (card, device), columns in sorted(reports.items())
        ]


phone_reports = PhoneReports()


def record_phone_report(*, card_id: int, device: str, report: Mapping[str, int]) -> None:
    """Take a phone's report: these columns of its row."""
    if phone_reports.add((card_id, device), report, timezone.now()):
        write_phone_reports()


def write_phone_reports() -> None:
    """Write the reports, in small transactions, so that no hand waits for a whole hall of phones.

    If the database cannot be written, the reports are dropped: phones will soon send new ones, and their
    requests are still answered.
    """
    phones = sorted(phone_reports.take_all(), key=lambda each: each[1])
    for columns, group in groupby(phones, key=lambda each: each[1]):
        for rows in _iter_batches([phone for phone, _ in group]):
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


def _iter_batches(phones: list[TablePhone]) -> Iterator[list[TablePhone]]:
    for begin in range(0, len(phones), BATCH_SIZE):
        yield phones[begin : begin + BATCH_SIZE]
