"""The log of refused sign-ins, passkeys, codes and mails, for owners."""

from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from clubs.models import Account, SecurityEvent
from web import names

from .login_throttle import get_network

RETENTION = timedelta(days=90)
MERGE_WINDOW = timedelta(hours=1)
"""Repeats within this time, for the same account and network, share one line: a flood does not
fill the database."""
PURGE_BATCH = 100

WRONG_PASSWORD, WRONG_PASSKEY, WRONG_CODE = "wrong_password", "wrong_passkey", "wrong_code"
SIGN_IN_THROTTLED, MAILS_THROTTLED = "sign_in_throttled", "mails_throttled"
CODES_THROTTLED = "codes_throttled"
KINDS = (WRONG_PASSWORD, WRONG_PASSKEY, WRONG_CODE, SIGN_IN_THROTTLED, MAILS_THROTTLED, CODES_THROTTLED)


def find_account(name: str) -> Account | None:
    """Return the account that somebody tries to sign in to by that name. One query."""
    return Account.objects.filter(folded_name=names.fold_name(names.clean_text(name))).first()


@transaction.atomic
def log_refusal(kind: str, *, address: str, account: Account | None = None) -> None:
    """Add a line to the log, or count it in the line of this hour."""
    now = timezone.now()
    source = {"kind": kind, "account": account, "network": get_network(address)}
    line = SecurityEvent.objects.filter(**source, first_at__gt=now - MERGE_WINDOW).values("pk")[:1]
    if not SecurityEvent.objects.filter(pk__in=line).update(count=F("count") + 1, last_at=now):
        SecurityEvent.objects.create(**source, first_at=now, last_at=now)
        old = SecurityEvent.objects.filter(last_at__lt=now - RETENTION).values("pk")[:PURGE_BATCH]
        SecurityEvent.objects.filter(pk__in=list(old.values_list("pk", flat=True))).delete()
