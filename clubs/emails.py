"""Mails, as they are written: plain text, in the language of whom they are for."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext, override

from .models import Account, LinkPurpose, MailedLink

NO_ANSWER = {"Auto-Submitted": "auto-generated"}
"""So that no absence is reported back (RFC 3834)."""


def is_mailed_at(contact: str) -> bool:
    """Whether this installation sends mails, and what a club has of somebody is an address of one."""
    try:
        validate_email(contact)
    except ValidationError:
        return False
    return bool(settings.MAIL_LEADS_TO)


def letter(link: MailedLink, account: Account, secret: str) -> EmailMessage:
    """The mail that brings the link."""
    with override(account.language):
        signs_in = link.purpose == LinkPurpose.SIGN_IN
        subject = gettext("Your sign-in link") if signs_in else gettext("Is this your e-mail address?")
        context = {
            "name": account.name,
            "address": f"{settings.MAIL_LEADS_TO}{reverse('mailed-link', args=[secret])}",
            "signs_in": signs_in,
        }
        body = render_to_string("clubs/mailed_link.txt", context).rstrip() + "\n"
    return EmailMessage(f"Charlemagne: {subject}", body, to=[link.email], headers=NO_ANSWER)
