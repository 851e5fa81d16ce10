"""E-mails: plain text, in the language of the recipient."""

from collections.abc import Callable, Mapping
from email.utils import make_msgid, parseaddr
from types import MappingProxyType

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext, override

from .models import Account, Club, ClubRequest, LinkPurpose, MailedLink, Membership, Role

AUTO_REPLY_HEADERS = {"Auto-Submitted": "auto-generated"}
"""Stops automatic replies (RFC 3834)."""
NO_HEADERS: Mapping[str, str] = MappingProxyType({})


def build_email(
    subject: str, body: str, *, to: str, club: Club | None = None, headers: Mapping[str, str] = NO_HEADERS
) -> EmailMessage:
    """Build an e-mail. Replies to one of a ``club`` go to its contact, if that is an e-mail address."""
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2].encode("idna").decode()
    message_id = {"Message-ID": make_msgid(domain=domain)}  # not this computer's name, which spam filters doubt
    reply_to = [club.contact] if club is not None and is_email_address(club.contact) else None
    one_line = " ".join(subject.splitlines())
    all_headers = {**AUTO_REPLY_HEADERS, **message_id, **headers}
    return EmailMessage(one_line, body, to=[to], reply_to=reply_to, headers=all_headers)


def is_email_address(contact: str) -> bool:
    """Check that the contact is an e-mail address."""
    try:
        validate_email(contact)
    except ValidationError:
        return False
    return True


def can_receive_email(contact: str) -> bool:
    """Check that this installation sends e-mail and that the contact is an e-mail address."""
    return bool(settings.MAIL_ORIGIN) and is_email_address(contact)


def build_subject(subject: str) -> str:
    """Prefix the subject with the program's name, in the active language."""
    return gettext("Charlemagne: %(subject)s") % {"subject": subject}


def build_link_email(link: MailedLink, account: Account, secret: str) -> EmailMessage:
    """Write the e-mail that contains the link."""
    with override(account.language):
        is_sign_in = link.purpose == LinkPurpose.SIGN_IN
        subject = build_subject(gettext("Your sign-in link") if is_sign_in else gettext("Is this your e-mail address?"))
        context = {
            "name": account.name,
            "address": f"{settings.MAIL_ORIGIN}{reverse('mailed-link', args=[secret])}",
            "signs_in": is_sign_in,
        }
        body = render_to_string("clubs/link_mail.txt", context).rstrip() + "\n"
    return build_email(subject, body, to=link.email)


def build_club_request_letter(club_request: ClubRequest, secret: str) -> EmailMessage:
    """Write the answer to a request for a club, with the link of the invitation, or without a secret the
    refusal."""
    with override(club_request.language):
        address = f"{settings.MAIL_ORIGIN}{reverse('invitation', args=[secret])}" if secret else ""
        context = {"name": club_request.name, "address": address}
        body = render_to_string("clubs/club_request_mail.txt", context).rstrip() + "\n"
        subject = build_subject(gettext("Your request for a club"))
    return build_email(subject, body, to=club_request.email)


def mail_owners(club: Club, *, template: str, get_subject: Callable[[], str], page: str, **context: object) -> None:
    """Send each owner with an e-mail address what the template says in their language, if the installation sends
    e-mail. It can use ``name``, the owner's, ``club`` and ``page``, a whole address. If the worker dies, some
    owners get it twice."""
    if not settings.MAIL_ORIGIN:
        return
    owners = Membership.objects.filter(club=club, role=Role.OWNER).select_related("account")
    for account in (owner.account for owner in owners.exclude(account__email="")):
        context |= {"name": account.name, "club": club, "page": f"{settings.MAIL_ORIGIN}{page}"}
        with override(account.language):
            subject, body = build_subject(get_subject()), render_to_string(template, context).strip() + "\n"
        build_email(subject, body, to=account.email).send()
