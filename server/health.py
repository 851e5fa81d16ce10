"""``/health`` and ``/ready``, for monitoring and load balancers.

They come before Django, so that they answer to any host name, without HTTPS, and while all threads are busy.

``/health``: this process is alive. ``/ready``: it can work, as its database answers and has every migration
of this program. A missing Redis is reported, and does not count: hands are recorded without it.
"""

from __future__ import annotations

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

from live.asgi import Application, Send, send_whole
from operations.postgresql import waits_at_most
from operations.start.identity import FOLDER_HEADER, folder_id
from operations.upgrading.schema import Step, migrations_on_disk

HEALTH, READY = "/health", "/ready"
PATIENCE = 3.0
"""Seconds in which database and Redis have to answer."""


class HealthEndpoints:
    """Middleware that answers at these two addresses, and leaves everything else to the application.

    A process that ``is_ending`` is not ready: new requests had better go to another.
    """

    def __init__(self, application: Application, is_ending: Callable[[], bool]) -> None:
        self._application, self._is_ending = application, is_ending

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        path = scope["path"] if scope["type"] == "http" and scope["method"] in {"GET", "HEAD"} else ""
        if path == HEALTH:
            await _answer(send, 200, {"alive": True})
        elif path == READY:
            found = await asyncio.to_thread(check_health) | {"ending": self._is_ending()}
            is_ready = found["database"] and found["migrations"] and not found["ending"]
            await _answer(send, 200 if is_ready else 503, {"ready": is_ready, **found}, _folder_header())
        else:
            await self._application(scope, receive, send)


def check_health() -> dict[str, bool]:
    """Check whether the database answers and has every migration of this program, and whether the broker
    answers."""
    database, migrations = False, False
    try:
        with waits_at_most(PATIENCE):
            taken = MigrationRecorder.Migration.objects.values_list("app", "name")
            migrations = _steps_on_disk() <= set(taken)
        database = True
    except DatabaseError:
        pass
    finally:
        connection.close()
    return {"database": database, "migrations": migrations, "broker": is_broker_there()}


@cache
def _steps_on_disk() -> set[Step]:
    return migrations_on_disk()


def is_broker_there() -> bool:
    """Check whether Redis answers, if messages go through it."""
    if not settings.LIVE_REDIS_URL:
        return True  # messages are files in the data folder
    from redis import Redis, RedisError

    with suppress(RedisError):
        url, wait = settings.LIVE_REDIS_URL, PATIENCE
        with Redis.from_url(url, socket_connect_timeout=wait, socket_timeout=wait) as broker:
            return bool(broker.ping())
    return False


@cache
def _folder_header() -> tuple[bytes, bytes]:
    return FOLDER_HEADER.lower().encode(), folder_id(Path(settings.DATA_DIR)).encode()


async def _answer(send: Send, status: int, said: dict[str, bool], *more: tuple[bytes, bytes]) -> None:
    body = json.dumps(said).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        *more,
    ]
    await send_whole(send, status, headers, body)
