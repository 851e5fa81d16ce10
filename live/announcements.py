"""Telling every process, after a commit, that a topic has changed: the topic's name, and nothing else.

It is a hint. What the new revision is, and who may notice it, each process reads in the database
(``live.hub``), where it looks now and then by itself: an announcement that is lost delays, and loses nothing.

Without a Redis nobody imports what speaks to one: a seventh of a second, and 20 MB.
"""

from __future__ import annotations

import logging
import time
from functools import cache
from typing import TYPE_CHECKING, Protocol
from weakref import WeakSet

from django.conf import settings
from django.utils.crypto import salted_hmac

if TYPE_CHECKING:
    from redis import Redis

logger = logging.getLogger(__name__)

PAUSE = 5.0
"""Seconds: trying a dead Redis costs every request its waiting time."""
PATIENCE = 0.5
"""Seconds that a request waits for Redis."""


class Listener(Protocol):
    """Whoever wants to know in this process. Called by any thread."""

    def hear(self, topic: str) -> None: ...


_listeners: WeakSet[Listener] = WeakSet()
_silent_until = 0.0
_is_away = False


def listen(listener: Listener) -> None:
    """Has it told of each announcement of this process, as long as it is there."""
    _listeners.add(listener)


def announce(topic: str) -> None:
    """Tells this process, and the others where there is a Redis to tell them by."""
    for listener in list(_listeners):
        listener.hear(topic)
    if settings.LIVE_REDIS_URL:
        _publish(topic)


def channel() -> str:
    """Of this installation: others may use the same Redis."""
    return f"charlemagne.live.{salted_hmac('live.announcements', '').hexdigest()[:16]}"


def _publish(topic: str) -> None:
    global _silent_until, _is_away  # noqa: PLW0603 (of the whole process, like Redis's being down)
    if time.monotonic() < _silent_until:
        return
    from redis import RedisError

    try:
        _redis(settings.LIVE_REDIS_URL).publish(channel(), topic)
    except RedisError as error:
        if not _is_away:  # once an outage
            logger.warning("Redis does not answer (%s); other processes see changes a little later", error)
        _silent_until, _is_away = time.monotonic() + PAUSE, True
    else:
        _is_away = False


@cache
def _redis(url: str) -> Redis:
    from redis import Redis

    return Redis.from_url(url, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE)
