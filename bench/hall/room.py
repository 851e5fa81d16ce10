"""A hall for measuring: a night with many tables in a data folder of its own.

`python -m bench.hall.room make TABLES` prints the event and each table's code and match as JSON; `… bare N`
and `… service N` print the seconds that N hands take as bare commits and through the service. The data folder
and the database come from the environment, as everywhere.
"""

from __future__ import annotations

import datetime
import json
import sys
import time
from collections.abc import Callable
from uuid import uuid4

import django

ENDLESS = 10_000
"""Hands in a match, so that none ends while we measure."""


def make(tables: int) -> None:
    from clubs.services import create_club
    from config.prepare import prepare
    from rules import CANADIAN, MatchFormat
    from scoring.models import Match
    from tournaments.services import add_entries, create_event, draw_round, publish_round, start_event

    prepare()
    event = create_event(
        club=create_club(name="Bench"),
        name="Bench",
        held_on=datetime.date(2026, 11, 17),
        ruleset=CANADIAN,
        match_format=MatchFormat(hands=ENDLESS),
        table_count=tables,
    )
    pairs = {number: (f"Anne {number}", f"Paul {number}") for number in range(1, 2 * tables + 1)}
    add_entries(event_id=event.pk, entries=pairs)
    start_event(event_id=event.pk)
    publish_round(event_id=event.pk, number=draw_round(event_id=event.pk).number)
    matches = Match.objects.filter(card__topic=event.topic).select_related("card").order_by("card__number")
    made = [{"match": match.pk, "code": match.card.code} for match in matches]
    print(json.dumps({"event": event.short, "tables": made}))


def _timed(count: int, write: Callable[[int], None]) -> None:
    begun = time.perf_counter()
    for number in range(1, count + 1):
        write(number)
    print(time.perf_counter() - begun)


def bare(count: int) -> None:
    """The statements that record a hand and nothing else: one insert, two updates, one commit."""
    from django.db import connection, transaction
    from django.utils import timezone

    from scoring.models import Match

    match = Match.objects.select_related("card").latest("pk")
    insert = """INSERT INTO scoring_mark
        (match_id, number, entry_key, record_data, status, reason, device, created_at)
        VALUES (%s, %s, %s, %s, 'current', '', 'bench', %s)"""
    record = '{"kind": "hand", "side": "A", "contract": "6", "outcome": "made", "tricks": 7}'
    key = (lambda: uuid4().hex) if connection.vendor == "sqlite" else uuid4

    def write(number: int) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(insert, [match.pk, 5_000 + number, key(), record, timezone.now()])
            cursor.execute("UPDATE scoring_match SET revision = revision + 1 WHERE id = %s", [match.pk])
            cursor.execute(
                "UPDATE live_revision SET number = number + 1 WHERE topic = %s", [match.card.topic]
            )

    _timed(count, write)


def service(count: int) -> None:
    """Through ``record_hand``, spread over all tables but the last."""
    from scoring.models import Match
    from scoring.services import record_hand

    matches = list(Match.objects.order_by("pk").values_list("pk", flat=True))[:-1]
    hand = {"side": "A", "contract": "6", "tricks": "7"}
    begun = {pk: Match.objects.get(pk=pk).summary["next"] for pk in matches}

    def write(number: int) -> None:
        match = matches[number % len(matches)]
        record_hand(match_id=match, entry_key=uuid4(), number=begun[match], hand=hand, device="bench")
        begun[match] += 1

    _timed(count, write)


if __name__ == "__main__":
    django.setup()
    {"make": make, "bare": bare, "service": service}[sys.argv[1]](int(sys.argv[2]))
