"""The steps of a database, taken beside those who use it."""

from __future__ import annotations

from contextlib import suppress
from time import sleep

from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection

TRIES = 30
LOCK_WAIT = 1.0
"""Seconds that a step of PostgreSQL waits for its lock: everybody who comes after it waits behind it."""
PAUSE = 1.0
LOCK_NOT_AVAILABLE = "55P03"


def take_steps() -> None:
    """All that are missing. On PostgreSQL, where others may be at work, one that does not get its lock soon
    steps back, lets them go on, and tries again."""
    if connection.vendor != "postgresql":
        call_command("migrate", interactive=False, verbosity=0)
        return
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = {int(LOCK_WAIT * 1000)}")
    try:
        _try_again_and_again()
    finally:
        with suppress(DatabaseError), connection.cursor() as cursor:  # the pool keeps what was set
            cursor.execute("RESET lock_timeout")


def _try_again_and_again() -> None:
    for last in (*[False] * (TRIES - 1), True):
        try:
            call_command("migrate", interactive=False, verbosity=0)
        except OperationalError as error:
            if last or getattr(error.__cause__, "sqlstate", "") != LOCK_NOT_AVAILABLE:
                raise
            sleep(PAUSE)
        else:
            return
