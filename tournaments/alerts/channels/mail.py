"""Alerts by e-mail, if the installation sends e-mail, to the address that the club has for the person."""

from collections.abc import Mapping
from smtplib import SMTPRecipientsRefused
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.translation import gettext, override

from clubs.emails import build_email, can_receive_email
from clubs.models import Person

from .channel import AddressGone, AlertMessage

ONE_CLICK_BODY = "List-Unsubscribe=One-Click"
"""Body that a mail program posts to the unsubscribe address (RFC 8058)."""


class Mail:
    def get_current_address(self, stored: Mapping[str, Any], person: Person) -> Mapping[str, Any]:
        """Return the person's current e-mail address; none is stored with the subscription."""
        return {"email": person.contact}

    def is_address(self, address: Mapping[str, Any]) -> bool:
        return set(address) == {"email"} and can_receive_email(address["email"])

    def send(self, address: Mapping[str, Any], message: AlertMessage) -> None:
        page, stop = (f"{settings.MAIL_ORIGIN}{path}" for path in (message.page, message.stop))
        with override(message.language):
            context = {"message": message, "page": page, "stop": stop}
            body = render_to_string("tournaments/alerts/mail.txt", context).strip() + "\n"
            subject = gettext("%(event)s: %(text)s") % {"event": message.title, "text": message.text}
        unsubscribe_headers = {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": ONE_CLICK_BODY}
        try:
            build_email(subject, body, to=address["email"], club=message.club, headers=unsubscribe_headers).send()
        except SMTPRecipientsRefused as gone:
            raise AddressGone from gone
