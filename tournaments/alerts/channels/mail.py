"""Alerts by e-mail, if the installation sends e-mail, to the address that the club has for the person."""

from collections.abc import Mapping
from smtplib import SMTPRecipientsRefused
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils.translation import override

from clubs.emails import NO_ANSWER, is_mailed_at
from clubs.models import Person

from .channel import AddressGone, AlertMessage

ONE_CLICK = "List-Unsubscribe=One-Click"
"""Body that a mail program posts to the unsubscribe address (RFC 8058)."""


class Mail:
    def address_now(self, kept: Mapping[str, Any], person: Person) -> Mapping[str, Any]:
        """Return the person's current e-mail address; none is stored with the subscription."""
        return {"email": person.contact}

    def is_address(self, address: Mapping[str, Any]) -> bool:
        return set(address) == {"email"} and is_mailed_at(address["email"])

    def send(self, address: Mapping[str, Any], message: AlertMessage) -> None:
        page, stop = (f"{settings.MAIL_LEADS_TO}{path}" for path in (message.page, message.stop))
        with override(message.language):
            context = {"message": message, "page": page, "stop": stop}
            body = render_to_string("tournaments/alerts/mail.txt", context).strip() + "\n"
        stops = {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": ONE_CLICK}
        mail = EmailMessage(
            f"{message.title}: {message.text}", body, to=[address["email"]], headers={**NO_ANSWER, **stops}
        )
        try:
            mail.send()
        except SMTPRecipientsRefused as gone:
            raise AddressGone from gone
