"""Throttling of sign-ins: after too many failures, each further try has to wait longer.

Counts are in the database: all processes share them, and they survive a restart.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from clubs.models import RateLimitCounter
from errors import Refusal
from web import names

SALT = "clubs.services.tries"
"""Stored data, not a module name: counts from before an upgrade stay valid."""

FIRST_WAIT = timedelta(minutes=1)
RESET_AFTER = timedelta(hours=1)
PURGE_BATCH = 100
CLOCK_TOLERANCE = timedelta(minutes=1)
"""How far the clocks of an installation's computers may differ. A later time is from before the clock was set
back, and is ignored: the wait would be far too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit: ``free_attempts`` tries, then a wait of a minute that doubles with each further try, up to ``max_wait``.

    A successful try does not count; with ``resets_on_success``, it also clears the earlier ones.
    """

    free_attempts: int
    max_wait: timedelta = timedelta(minutes=15)
    resets_on_success: bool = False

    def compute_wait(self, count: int) -> timedelta:
        doublings = count - self.free_attempts
        return min(FIRST_WAIT * 2 ** min(doublings, 10), self.max_wait) if doublings >= 0 else timedelta()


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptCounter:
    """A counter of tries, identified by ``digest`` alone, and its limit."""

    limit: Limit
    digest: str


ACCOUNT_AND_NETWORK = Limit(free_attempts=5, resets_on_success=True)
"""At one account from one address."""
PER_NETWORK = Limit(free_attempts=20)
"""From one address at all accounts, against trying one password on each of them."""
PER_ACCOUNT = Limit(free_attempts=50, max_wait=FIRST_WAIT)
"""At one account from all addresses. The wait is short, or anybody could keep a director out all evening."""
CODES_PER_ACCOUNT = Limit(free_attempts=20)
"""At one account from all addresses. It needs the password first, and only three in a million
codes are right."""
MAILS = Limit(free_attempts=10)


def build_password_counters(*, name: str, address: str) -> tuple[AttemptCounter, ...]:
    """Return the counters for a password: its account, existing or not, and the address it came from."""
    folded_name, network = names.fold_name(names.clean_text(name)), get_network(address)
    return (
        _build_counter(ACCOUNT_AND_NETWORK, "here", folded_name, network),
        *build_address_counters(address=address),
        _build_counter(PER_ACCOUNT, folded_name),
    )


def build_address_counters(*, address: str) -> tuple[AttemptCounter, ...]:
    """Return the counter for an address, for any method: a passkey names its account only when
    it is accepted."""
    return (_build_counter(PER_NETWORK, "from", get_network(address)),)


def build_code_counters(*, account_id: int, address: str) -> tuple[AttemptCounter, ...]:
    """Return the counters for codes from an app and recovery codes. They differ from those for passwords:
    typing the right password would clear them."""
    subject = f"code of {account_id}"
    local_counter = _build_counter(ACCOUNT_AND_NETWORK, "code here", subject, get_network(address))
    return local_counter, *build_address_counters(address=address), _build_counter(CODES_PER_ACCOUNT, subject)


def build_mail_counters(*, address: str) -> tuple[AttemptCounter, ...]:
    """Return the counter for mails requested from one address."""
    return (_build_counter(MAILS, "mails", get_network(address)),)


@transaction.atomic
def begin_attempt(counters: Sequence[AttemptCounter], *, field: str | None = None) -> None:
    """Count a try before it is made, so that concurrent tries are limited like successive ones.

    Refuses: too_many_tries, whose ``minutes`` is how long to wait.
    """
    started_at = timezone.now()
    RateLimitCounter.objects.bulk_create(
        [RateLimitCounter(digest=one.digest, last_at=started_at, wait_until=started_at) for one in counters],
        ignore_conflicts=True,
    )
    rows = _lock_counters(counters)
    now = timezone.now()  # read after the lock, so that waiting for it does not count
    lately = {digest: row for digest, row in rows.items() if not _is_expired(row, now)}
    waits = max((row.wait_until - now for row in lately.values()), default=timedelta())
    if waits > timedelta():
        raise Refusal("too_many_tries", field=field, minutes=math.ceil(waits / timedelta(minutes=1)))
    for one in counters:
        row = rows[one.digest]
        row.count = row.count + 1 if one.digest in lately else 1
        row.last_at, row.wait_until = now, now + one.limit.compute_wait(row.count)
        row.save(update_fields=["count", "last_at", "wait_until"])
    purge_expired_counters(now)


@transaction.atomic
def end_attempt(counters: Sequence[AttemptCounter]) -> None:
    """Record that the try succeeded."""
    now = timezone.now()
    rows = _lock_counters(counters)
    for one in counters:
        row = rows.get(one.digest)
        if row is not None:
            row.count = 0 if one.limit.resets_on_success else max(0, row.count - 1)
            row.wait_until = now
            row.save(update_fields=["count", "wait_until"])


def _is_expired(row: RateLimitCounter, now: datetime) -> bool:
    return not now - RESET_AFTER <= row.last_at <= now + CLOCK_TOLERANCE


def _lock_counters(counters: Sequence[AttemptCounter]) -> dict[str, RateLimitCounter]:
    """Lock the counters' rows, always in the same order, and return them."""
    rows = RateLimitCounter.objects.select_for_update().filter(digest__in=[one.digest for one in counters])
    return {row.digest: row for row in rows.order_by("digest")}


def purge_expired_counters(now: datetime) -> None:
    """Delete some outdated counters; later calls delete the rest."""
    is_old = Q(last_at__lt=now - RESET_AFTER) | Q(last_at__gt=now + CLOCK_TOLERANCE)
    old = RateLimitCounter.objects.select_for_update(skip_locked=True).filter(is_old)
    pks = list(old.values_list("pk", flat=True)[:PURGE_BATCH])
    if pks:
        RateLimitCounter.objects.filter(pk__in=pks).delete()


def delete_all_counters() -> None:
    """Delete all counters, so that nobody waits. One account's cannot be found: rows contain only digests."""
    RateLimitCounter.objects.all().delete()


def _build_counter(limit: Limit, *subject_parts: str) -> AttemptCounter:
    digest = salted_hmac(SALT, "\n".join(subject_parts), algorithm="sha256").hexdigest()
    return AttemptCounter(limit=limit, digest=digest)


def get_network(address: str) -> str:
    """Return the address; for IPv6 its /64 network, which is what one household has."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or ip_network((found, 64), strict=False))
    return str(found)
