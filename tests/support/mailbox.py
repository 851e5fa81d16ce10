"""Mail, as it arrives: the worker's part is done when somebody looks."""

import re

from django.core import mail
from django.core.mail import EmailMessage

from clubs.queries import MAILING
from jobs.models import Job, Status
from jobs.services import run_job

LEADS_TO = "https://cards.example.org"
BACKEND = "django.core.mail.backends.locmem.EmailBackend"
SET_UP = {"MAIL_LEADS_TO": LEADS_TO, "DEFAULT_FROM_EMAIL": "cards@example.org", "EMAIL_BACKEND": BACKEND}
"""Settings of an installation that sends mail."""


def arrived() -> list[EmailMessage]:
    """All mails so far."""
    for job in Job.objects.filter(kind=MAILING, status=Status.QUEUED).order_by("pk"):
        run_job(job.pk)
    return list(getattr(mail, "outbox", []))


def link_in(message: EmailMessage) -> str:
    """The path of the link that the mail brings."""
    (found,) = re.findall(rf"{LEADS_TO}(/\S+)", str(message.body))
    return str(found)
