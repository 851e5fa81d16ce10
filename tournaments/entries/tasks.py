"""Background tasks of entries."""

from datetime import timedelta

from jobs.queues import Queue
from jobs.registry import JobContext, job

from .services.player_mails import OWN_LINK_JOB, PARTNER_JOB, send_partner_mail, send_player_link_mail


@job(OWN_LINK_JOB, queue=Queue.OUTGOING, backoff=timedelta(seconds=10))
def send_player_link_job(context: JobContext) -> None:
    """E-mail the link to a player's own page. The job's key, for ``send_player_link_mail``, has the entry and the
    person."""
    send_player_link_mail(context.key)


@job(PARTNER_JOB, queue=Queue.OUTGOING, backoff=timedelta(seconds=10))
def send_partner_job(context: JobContext) -> None:
    """E-mail a player about their partner. The job's key, for ``send_partner_mail``, has the entry and the person."""
    send_partner_mail(context.key)
