"""Messages to the workers. A broker that is down delays a job, but never fails a request."""

import logging
import time

from celery import current_app
from kombu.exceptions import KombuError

from jobs.queues import MAX_POSITION
from jobs.registry import find_kind
from jobs.request_id import request_id

logger = logging.getLogger(__name__)

REQUEST_ID_HEADER = "charlemagne_request"
"""The message header with the id of the request, for the worker's log."""
PAUSE = 5.0  # seconds: trying a dead broker costs every request its waiting time

_silent_until = 0.0
_is_away = False


def send_job_message(job_id: int, kind: str, club_position: int = 1) -> None:
    """Send the message, or leave the job to the sweeper. ``club_position`` is its place among the jobs of its club in
    its queue, from 1: the first job of each club goes before the second of any."""
    global _silent_until, _is_away  # noqa: PLW0603 (of the whole process, like the broker's being down)
    if time.monotonic() < _silent_until:
        return
    try:
        current_app.send_task(
            "jobs.run",
            args=[job_id],
            shadow=kind,  # its name in logs and traces
            queue=find_kind(kind).queue,
            priority=0 if find_kind(kind).goes_first else min(club_position, MAX_POSITION),
            ignore_result=True,
            retry=False,
            headers={REQUEST_ID_HEADER: request_id()},
        )
    except (KombuError, OSError) as error:
        if not _is_away:  # once per outage
            logger.warning("the broker does not answer (%s); jobs wait for the sweeper", error)
        _silent_until, _is_away = time.monotonic() + PAUSE, True
    else:
        _is_away = False
