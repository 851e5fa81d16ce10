"""``/health`` and ``/ready``, for monitoring and load balancers.

They come before Django, so that they answer to any host name, without HTTPS, and while all threads are busy.

``/health``: this process is alive. ``/ready``: it can work, as its database answers and has every migration
of this program. A missing Redis is reported, and does not count: hands are recorded without it.
"""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder

from live.asgi import Application, Send, send_response
from operations.postgresql import waits_at_most
from operations.start.identity import FOLDER_HEADER, compute_folder_id
from operations.upgrading.schema import Step, list_own_migrations

HEALTH_PATH, READY_PATH = "/health", "/ready"
CHECK_TIMEOUT = 3.0
"""Seconds in which database and Redis have to answer."""


class HealthEndpoints:
    """Middleware that answers at these two addresses, and leaves everything else to the application.

    A process that ``is_ending`` is not ready: new requests had better go to another.
    """

    def __init__(self, application: Application, is_ending: Callable[[], bool]) -> None:
        self._application, self._is_ending = application, is_ending

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        path = scope["path"] if scope["type"] == "http" and scope["method"] in {"GET", "HEAD"} else ""
        if path == HEALTH_PATH:
            await _send_json(send, 200, {"alive": True})
        elif path == READY_PATH:
            checks = await asyncio.to_thread(check_health) | {"ending": self._is_ending()}
            is_ready = checks["database"] and checks["migrations"] and not checks["ending"]
            await _send_json(send, 200 if is_ready else 503, {"ready": is_ready, **checks}, _build_folder_header())
        else:
            await self._application(scope, receive, send)


def check_health() -> dict[str, bool]:
    """Check whether the database answers and has every migration of this program, and whether the broker
    answers."""
    database, migrations = False, False
    try:
        with waits_at_most(CHECK_TIMEOUT):
            applied = MigrationRecorder.Migration.objects.values_list("app", "name")
            migrations = _list_migrations() <= set(applied)
        database = True
    except DatabaseError:
        pass
    finally:
        connection.close()
    return {"database": database, "migrations": migrations, "broker": is_broker_available()}


@cache
def _list_migrations() -> set[Step]:
    return list_own_migrations()


def is_broker_available() -> bool:
    """Check whether Redis answers, if messages go through it."""
    if not settings.LIVE_REDIS_URL:
        return True  # messages are files in the data folder
    from redis import Redis, RedisError

    with suppress(RedisError):
        url, wait = settings.LIVE_REDIS_URL, CHECK_TIMEOUT
        with Redis.from_url(url, socket_connect_timeout=wait, socket_timeout=wait) as broker:
            return bool(broker.ping())
    return False


@cache
def _build_folder_header() -> tuple[bytes, bytes]:
    return FOLDER_HEADER.lower().encode(), compute_folder_id(Path(settings.DATA_DIR)).encode()


async def _send_json(send: Send, status: int, data: dict[str, bool], *extra_headers: tuple[bytes, bytes]) -> None:
    body = json.dumps(data).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        *extra_headers,
    ]
    await send_response(send, status, headers, body)
