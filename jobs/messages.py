"""Messages to the workers. A broker that is down delays a job, but never fails a request."""

from __future__ import annotations

import logging
import time

from celery import current_app
from django.conf import settings
from kombu.exceptions import KombuError

from jobs.registry import is_long
from jobs.request_id import request_id

logger = logging.getLogger(__name__)

ASKED_BY = "charlemagne_request"
"""The message header with the id of the request, for the worker's log."""
PAUSE = 5.0  # seconds: trying a dead broker costs every request its waiting time

_silent_until = 0.0
_is_away = False


def send(job_id: int, kind: str) -> None:
    """Send the message, or leave the job to the sweeper."""
    global _silent_until, _is_away  # noqa: PLW0603 (of the whole process, like the broker's being down)
    if time.monotonic() < _silent_until:
        return
    try:
        queue = settings.LONG_QUEUE if is_long(kind) else settings.CELERY_TASK_DEFAULT_QUEUE
        current_app.send_task(
            "jobs.run",
            args=[job_id],
            shadow=kind,  # its name in logs and traces
            queue=queue,
            ignore_result=True,
            retry=False,
            headers={ASKED_BY: request_id()},
        )
    except (KombuError, OSError) as error:
        if not _is_away:  # once per outage
            logger.warning("the broker does not answer (%s); jobs wait for the sweeper", error)
        _silent_until, _is_away = time.monotonic() + PAUSE, True
    else:
        _is_away = False
