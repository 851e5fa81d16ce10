"""Links sent by e-mail, to sign in or to confirm an address. Each works once."""

import secrets
from datetime import timedelta
from hashlib import sha256
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils import timezone

from clubs.emails import build_link_email
from clubs.models import Account, LinkPurpose, MailedLink
from clubs.queries import MAIL_JOB
from errors import Refusal, get_or_refuse
from jobs.locks import lock_counter
from jobs.services import enqueue

from .accounts import check_sign_in_remains, lock_account
from .login_throttle import CLOCK_TOLERANCE

LINK_LIFETIME = timedelta(minutes=15)
RESEND_INTERVAL = timedelta(minutes=1)
"""A repeated request within this time sends no second link."""
MAX_LINKS_PER_HOUR = 5
"""Mails per hour to one address."""
RETENTION = timedelta(days=1)
ADDRESS_LENGTH = 254


@transaction.atomic
def request_sign_in_link(*, email: str) -> None:
    """Send a sign-in link to the address, if an account has it. The account is looked up later, so the
    response reveals nothing.

    Safe to repeat. Refuses: no_mail_here, not_an_address.
    """
    _request_link(LinkPurpose.SIGN_IN, email, None)


@transaction.atomic
def request_address_link(*, account_id: int, email: str) -> None:
    """Send a link to confirm the address for the account.

    Safe to repeat. Refuses: no_mail_here, not_an_address, too_many_tries.
    """
    _request_link(LinkPurpose.ADDRESS, email, lock_account(account_id))


def _request_link(purpose: LinkPurpose, email: str, account: Account | None) -> None:
    email = clean_email_address(email)
    now = timezone.now()
    lock_counter(f"links to {email}")
    MailedLink.objects.filter(asked_at__lt=now - RETENTION).delete()
    # Times in the future are old: the clock was set back since.
    lately = MailedLink.objects.filter(
        email=email, asked_at__gt=now - timedelta(hours=1), asked_at__lt=now + CLOCK_TOLERANCE
    )
    serves = lately.filter(purpose=purpose, used_at=None, asked_at__gt=now - RESEND_INTERVAL)
    if (serves if account is None else serves.filter(account=account)).exists():
        return
    if lately.count() >= MAX_LINKS_PER_HOUR:
        if account is not None:
            raise Refusal("too_many_tries", field="email", minutes=60)
        return
    link = MailedLink.objects.create(
        purpose=purpose, email=email, account=account, asked_at=now, lasts_until=now + LINK_LIFETIME
    )
    enqueue(kind=MAIL_JOB, key=str(link.pk))


def send_link(*, link_id: int) -> None:
    """Write and send the mail, if the address is still the account's. Raises what the mail server raises.
    Safe to repeat: a sent mail is not sent again; after a failure, the mail has a new link."""
    now = timezone.now()
    link = MailedLink.objects.select_related("account").filter(pk=link_id, sent_at=None, used_at=None).first()
    account = None if link is None else link.account or Account.objects.filter(email=link.email).first()
    if link is None or account is None or link.asked_at < now - LINK_LIFETIME or not _matches_account(link, account):
        return
    secret = secrets.token_urlsafe(24)
    link.account, link.digest, link.lasts_until = account, _hash_secret(secret), now + LINK_LIFETIME
    link.save(update_fields=["account", "digest", "lasts_until"])
    build_link_email(link, account, secret).send()
    link.sent_at = now
    link.save(update_fields=["sent_at"])


def find_valid_link(secret: str) -> MailedLink | None:
    """Return the valid link with this secret; None for any other text. One query."""
    links = MailedLink.objects.select_related("account")
    link = links.filter(digest=_hash_secret(secret), used_at=None, lasts_until__gt=timezone.now()).first()
    return link if link is not None and _is_valid(link) else None


@transaction.atomic
def sign_in_with_link(*, secret: str, key: UUID | None) -> Account:
    """Return the account that the link signs in. The link and the account's other sign-in links are used up.

    Safe to repeat with the same key. Refuses: mailed_link_over.
    """
    link, account = _use_link(secret, LinkPurpose.SIGN_IN, key)
    others = MailedLink.objects.filter(purpose=LinkPurpose.SIGN_IN, account=account, used_at=None)
    others.update(used_at=link.used_at)
    return account


@transaction.atomic
def confirm_address(*, secret: str, key: UUID | None) -> Account:
    """Set the link's address as the account's; the link is used up. Safe to repeat with the same key.

    Refuses: mailed_link_over, address_taken.
    """
    link, account = _use_link(secret, LinkPurpose.ADDRESS, key)
    try:
        with transaction.atomic():
            account.email = link.email
            account.save(update_fields=["email"])
    except IntegrityError:
        raise Refusal("address_taken") from None
    return account


@transaction.atomic
def remove_address(*, account_id: int) -> None:
    """Remove the account's address, and cancel its pending links. Safe to repeat.

    Refuses: last_way_in.
    """
    account = lock_account(account_id)
    account.email = ""
    account.save(update_fields=["email"])
    MailedLink.objects.filter(account=account, used_at=None).update(used_at=timezone.now())
    check_sign_in_remains(account)


def _use_link(secret: str, purpose: LinkPurpose, key: UUID | None) -> tuple[MailedLink, Account]:
    """Mark the link as used, and return it with its locked account. Refuses: mailed_link_over."""
    now = timezone.now()
    links = MailedLink.objects.filter(digest=_hash_secret(secret), purpose=purpose, lasts_until__gt=now)
    account_id = get_or_refuse(links.values_list("account", flat=True).first(), "mailed_link_over")
    account = lock_account(account_id)  # concurrent uses of the account's links wait here
    link = links.get()
    link.account = account
    is_repeat = key is not None and link.key == key
    if not _is_valid(link) or not (link.used_at is None or is_repeat):
        raise Refusal("mailed_link_over")
    if not is_repeat:
        link.used_at, link.key = now, key
        link.save(update_fields=["used_at", "key"])
    return link, account


def _is_valid(link: MailedLink) -> bool:
    """Return whether the link still fits its account. One that lasts longer than a new one, as after a clock
    was set back, does not count."""
    account = link.account
    if account is None or link.lasts_until > timezone.now() + LINK_LIFETIME + CLOCK_TOLERANCE:
        return False
    return _matches_account(link, account)


def _matches_account(link: MailedLink, account: Account) -> bool:
    """Return whether the account still has that address; links that confirm an address do not need it."""
    return link.purpose == LinkPurpose.ADDRESS or account.email == link.email


def clean_email_address(email: str) -> str:
    """Return the cleaned address. Refuses: no_mail_here, not_an_address."""
    if not settings.MAIL_ORIGIN:
        raise Refusal("no_mail_here")
    email = email.strip().lower()
    try:
        validate_email(email)
    except ValidationError:
        raise Refusal("not_an_address", field="email") from None
    if len(email) > ADDRESS_LENGTH:
        raise Refusal("not_an_address", field="email")
    return email


def _hash_secret(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
