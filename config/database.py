"""Django's database settings from DATABASE_URL, or none."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from operations.data_dir import DATABASE_FILE
from operations.terminal import Stop, format_terminal_text

CONNECTION_TIMEOUTS = {
    "connect_timeout": 2,
    # A dead network is noticed within half a minute, in the worker too.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""Time-outs in seconds, and milliseconds: readers learn soon that there is no page just now."""

POOL = {"min_size": 2, "max_size": 10, "timeout": 3.0, "reconnect_timeout": 5.0}
"""Pool settings, in seconds. After ``reconnect_timeout`` the pool stops trying until the next request, which
tries at once."""


def build_database_settings(url: str, folder: Path) -> dict[str, Any]:
    """Return the settings: SQLite in the folder if there is no URL, else PostgreSQL.

    Stops with a sentence at any other kind.
    """
    if not url:
        return _build_sqlite_settings(folder / DATABASE_FILE)
    try:
        parts = urlsplit(url)
        port = str(parts.port or "")
    except ValueError:
        raise Stop(format_terminal_text("database-url")) from None
    if parts.scheme not in {"postgres", "postgresql"}:
        raise Stop(format_terminal_text("database-url"))
    from operations.postgresql import Connection

    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")) or "charlemagne",
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": port,
        # Each request runs in its own thread: a pool keeps them from using up the server's connections.
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": True,  # a restarted server has closed the connections that wait in the pool
        "OPTIONS": {
            **CONNECTION_TIMEOUTS,
            **dict(parse_qsl(parts.query)),
            "pool": {**POOL, "connection_class": Connection},
        },
    }


def _build_sqlite_settings(path: Path) -> dict[str, Any]:
    return {
        "ENGINE": "config.sqlite",
        "NAME": path,
        "CONN_MAX_AGE": 60,  # seconds: opening the file costs as much as a query
        "OPTIONS": {
            # A transaction that reads before it writes would fail at once if another wrote meanwhile.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # FULL, because a laptop in a hall may lose its power after a hand was acknowledged.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        },
    }
