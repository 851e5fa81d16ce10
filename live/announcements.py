"""Announcements to every process, after a commit, that a topic has changed: its name, and nothing else.

They are hints. Each process reads the new revision, and who may see it, from the database (``live.hub``), and
looks there regularly anyway: a lost announcement only causes a delay.

Without Redis, its client library is not imported: that saves a seventh of a second and 20 MB.
"""

from __future__ import annotations

import logging
import threading
import time
from functools import cache
from typing import TYPE_CHECKING, Protocol
from weakref import WeakSet

from django.conf import settings
from django.utils.crypto import salted_hmac

if TYPE_CHECKING:
    from redis import Redis

logger = logging.getLogger(__name__)

RETRY_PAUSE = 5.0
"""Seconds without new attempts: trying a dead Redis costs every request its waiting time."""
REDIS_TIMEOUT = 0.5
"""Seconds that a request waits for Redis."""


class Listener(Protocol):
    """An object in this process that hears announcements, from any thread."""

    def on_announcement(self, topic: str) -> None: ...


_listeners: WeakSet[Listener] = WeakSet()
_silent_until = 0.0
_is_away = False
_outage_lock = threading.Lock()


def add_listener(listener: Listener) -> None:
    """Let the listener hear each announcement of this process, for as long as it exists."""
    _listeners.add(listener)


def announce_change(topic: str) -> None:
    """Announce a change to this process and, if there is Redis, to the others."""
    for listener in list(_listeners):
        listener.on_announcement(topic)
    if settings.LIVE_REDIS_URL:
        _publish(topic)


def get_redis_channel() -> str:
    """Return the Redis channel of this installation: others may use the same Redis."""
    return f"charlemagne.live.{salted_hmac('live.announcements', '').hexdigest()[:16]}"


def _publish(topic: str) -> None:
    if time.monotonic() < _silent_until:
        return
    from redis import RedisError

    try:
        _get_redis(settings.LIVE_REDIS_URL).publish(get_redis_channel(), topic)
    except RedisError as error:
        if _record_outage(is_away=True):
            logger.warning("Redis does not answer (%s); other processes see changes a little later", error)
    else:
        _record_outage(is_away=False)


def _record_outage(*, is_away: bool) -> bool:
    """Return whether this begins or ends an outage; several threads notice the same one."""
    global _silent_until, _is_away  # noqa: PLW0603 (of the whole process, like Redis's being down)
    with _outage_lock:
        is_change, _is_away = is_away != _is_away, is_away
        _silent_until = time.monotonic() + RETRY_PAUSE if is_away else 0.0
    return is_change


@cache
def _get_redis(url: str) -> Redis:
    from redis import Redis

    return Redis.from_url(url, socket_connect_timeout=REDIS_TIMEOUT, socket_timeout=REDIS_TIMEOUT)
