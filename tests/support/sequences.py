"""Sequences of ids on PostgreSQL, which no rollback resets."""

from django.db import connection


def restart_sequences() -> None:
    """Let the ids of later tests count from 1 again."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)"
            " FROM pg_sequences WHERE schemaname = current_schema()"
        )
