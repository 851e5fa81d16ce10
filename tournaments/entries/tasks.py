"""Background tasks of entries."""

from datetime import timedelta

from jobs.queues import Queue
from jobs.registry import job
from jobs.running import JobContext

from .services.own_link_mails import MAIL_OWN_LINK, MAIL_PARTNER, send_own_link, send_partner


@job(MAIL_OWN_LINK, queue=Queue.OUTGOING, backoff=timedelta(seconds=10))
def mail_own_link(running: JobContext) -> None:
    """E-mail the link to a player's own page; ``send_own_link`` reads the entry and the person from
    ``key``."""
    send_own_link(running.key)


@job(MAIL_PARTNER, queue=Queue.OUTGOING, backoff=timedelta(seconds=10))
def mail_partner(running: JobContext) -> None:
    """E-mail a player about their partner; ``send_partner`` reads the entry and the person from ``key``."""
    send_partner(running.key)
