"""Locks for limits: a transaction counts rows before it adds one."""

from django.db import connection


def lock_counter(name: str) -> None:
    """Let one transaction at a time count what this name limits, until it ends. SQLite has one writer anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
