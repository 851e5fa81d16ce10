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
FORGOTTEN_AFTER = timedelta(hours=1)
FORGOTTEN_AT_ONCE = 100
AHEAD = timedelta(minutes=1)
"""How far the clocks of an installation's computers may differ. A later time is from before the clock was set
back, and is ignored: the wait would be far too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit: ``free`` tries, then a wait of a minute that doubles with each further try, up to ``longest``.

    A successful try does not count; with ``is_forgiven``, it also clears the earlier ones.
    """

    free: int
    longest: timedelta = timedelta(minutes=15)
    is_forgiven: bool = False

    def wait_after(self, count: int) -> timedelta:
        doublings = count - self.free
        return min(FIRST_WAIT * 2 ** min(doublings, 10), self.longest) if doublings >= 0 else timedelta()


@dataclass(frozen=True, slots=True, kw_only=True)
class TryCounter:
    """A counter of tries, identified by ``digest`` alone, and its limit."""

    limit: Limit
    digest: str


HERE = Limit(free=5, is_forgiven=True)
"""At one account from one address."""
FROM_A_PLACE = Limit(free=20)
"""From one address at all accounts, against trying one password on each of them."""
AT_AN_ACCOUNT = Limit(free=50, longest=FIRST_WAIT)
"""At one account from all addresses. The wait is short, or anybody could keep a director out all evening."""
CODES_AT_AN_ACCOUNT = Limit(free=20)
"""At one account from all addresses. It needs the password first, and only three in a million
codes are right."""
MAILS = Limit(free=10)


def password_tries(*, name: str, address: str) -> tuple[TryCounter, ...]:
    """Return the counters for a password: its account, existing or not, and the address it came from."""
    who, place = names.fold_name(names.clean_text(name)), network_of(address)
    return (
        _counter_for(HERE, "here", who, place),
        *tries_from(address=address),
        _counter_for(AT_AN_ACCOUNT, who),
    )


def tries_from(*, address: str) -> tuple[TryCounter, ...]:
    """Return the counter for an address, for any method: a passkey names its account only when
    it is accepted."""
    return (_counter_for(FROM_A_PLACE, "from", network_of(address)),)


def code_tries(*, account_id: int, address: str) -> tuple[TryCounter, ...]:
    """Return the counters for codes from an app and recovery codes. They differ from those for passwords:
    typing the right password would clear them."""
    who = f"code of {account_id}"
    here = _counter_for(HERE, "code here", who, network_of(address))
    return here, *tries_from(address=address), _counter_for(CODES_AT_AN_ACCOUNT, who)


def mail_tries(*, address: str) -> tuple[TryCounter, ...]:
    """Return the counter for mails requested from one address."""
    return (_counter_for(MAILS, "mails", network_of(address)),)


@transaction.atomic
def begin_try(tries: Sequence[TryCounter], *, field: str | None = None) -> None:
    """Count a try before it is made, so that concurrent tries are limited like successive ones.

    Refuses: too_many_tries, whose ``minutes`` is how long to wait.
    """
    begun = timezone.now()
    RateLimitCounter.objects.bulk_create(
        [RateLimitCounter(digest=one.digest, last_at=begun, wait_until=begun) for one in tries],
        ignore_conflicts=True,
    )
    rows = _lock_tries(tries)
    now = timezone.now()  # read after the lock, so that waiting for it does not count
    lately = {digest: row for digest, row in rows.items() if not _is_forgotten(row, now)}
    waits = max((row.wait_until - now for row in lately.values()), default=timedelta())
    if waits > timedelta():
        raise Refusal("too_many_tries", field=field, minutes=math.ceil(waits / timedelta(minutes=1)))
    for one in tries:
        row = rows[one.digest]
        row.count = row.count + 1 if one.digest in lately else 1
        row.last_at, row.wait_until = now, now + one.limit.wait_after(row.count)
        row.save(update_fields=["count", "last_at", "wait_until"])
    forget_old_tries(now)


@transaction.atomic
def end_try(tries: Sequence[TryCounter]) -> None:
    """Record that the try succeeded."""
    now = timezone.now()
    rows = _lock_tries(tries)
    for one in tries:
        row = rows.get(one.digest)
        if row is not None:
            row.count = 0 if one.limit.is_forgiven else max(0, row.count - 1)
            row.wait_until = now
            row.save(update_fields=["count", "wait_until"])


def _is_forgotten(row: RateLimitCounter, now: datetime) -> bool:
    return not now - FORGOTTEN_AFTER <= row.last_at <= now + AHEAD


def _lock_tries(tries: Sequence[TryCounter]) -> dict[str, RateLimitCounter]:
    """Lock the counters' rows, always in the same order, and return them."""
    rows = RateLimitCounter.objects.select_for_update().filter(digest__in=[one.digest for one in tries])
    return {row.digest: row for row in rows.order_by("digest")}


def forget_old_tries(now: datetime) -> None:
    """Delete some outdated counters; later calls delete the rest."""
    is_old = Q(last_at__lt=now - FORGOTTEN_AFTER) | Q(last_at__gt=now + AHEAD)
    old = RateLimitCounter.objects.select_for_update(skip_locked=True).filter(is_old)
    pks = list(old.values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    if pks:
        RateLimitCounter.objects.filter(pk__in=pks).delete()


def forget_all_tries() -> None:
    """Delete all counters, so that nobody waits. One account's cannot be found: rows contain only digests."""
    RateLimitCounter.objects.all().delete()


def _counter_for(limit: Limit, *who: str) -> TryCounter:
    digest = salted_hmac(SALT, "\n".join(who), algorithm="sha256").hexdigest()
    return TryCounter(limit=limit, digest=digest)


def network_of(address: str) -> str:
    """Return the address; for IPv6 its /64 network, which is what one household has."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or ip_network((found, 64), strict=False))
    return str(found)
