"""E-mails: plain text, in the language of the recipient."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext, override

from .models import Account, LinkPurpose, MailedLink

NO_ANSWER = {"Auto-Submitted": "auto-generated"}
"""Stops automatic replies (RFC 3834)."""


def is_mailed_at(contact: str) -> bool:
    """Check that this installation sends e-mail and that the contact is an e-mail address."""
    try:
        validate_email(contact)
    except ValidationError:
        return False
    return bool(settings.MAIL_LEADS_TO)


def subject_line(subject: str) -> str:
    """Prefix the subject with the program's name, in the active language."""
    return gettext("Charlemagne: %(subject)s") % {"subject": subject}


def letter(link: MailedLink, account: Account, secret: str) -> EmailMessage:
    """Write the e-mail that contains the link."""
    with override(account.language):
        signs_in = link.purpose == LinkPurpose.SIGN_IN
        subject = subject_line(
            gettext("Your sign-in link") if signs_in else gettext("Is this your e-mail address?")
        )
        context = {
            "name": account.name,
            "address": f"{settings.MAIL_LEADS_TO}{reverse('mailed-link', args=[secret])}",
            "signs_in": signs_in,
        }
        body = render_to_string("clubs/mailed_link.txt", context).rstrip() + "\n"
    return EmailMessage(subject, body, to=[link.email], headers=NO_ANSWER)
