"""Sent e-mail: the worker's part is done when a test looks."""

import re

from django.core import mail
from django.core.mail import EmailMessage

from clubs.queries import MAIL_JOB
from jobs.models import Job, Status
from jobs.services import run_job

SITE_ADDRESS = "https://cards.example.org"
BACKEND = "django.core.mail.backends.locmem.EmailBackend"
MAIL_SETTINGS = {"MAIL_ORIGIN": SITE_ADDRESS, "DEFAULT_FROM_EMAIL": "cards@example.org", "EMAIL_BACKEND": BACKEND}
"""Settings of an installation that sends mail."""


def list_messages() -> list[EmailMessage]:
    """Run the queued mail jobs, and return all messages so far."""
    for job in Job.objects.filter(kind=MAIL_JOB, status=Status.QUEUED).order_by("pk"):
        run_job(job.pk)
    return list(getattr(mail, "outbox", []))


def find_link(message: EmailMessage) -> str:
    """Return the path of the only link in the message."""
    (found,) = re.findall(rf"{SITE_ADDRESS}(/\S+)", str(message.body))
    return str(found)
