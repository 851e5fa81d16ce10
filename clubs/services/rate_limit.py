"""Rate limits for guessed codes: wrong guesses are counted by address for ten minutes.

Counts are in the database, like those of sign-ins: all processes share them, and they survive a restart.
"""

from datetime import datetime, timedelta
from math import ceil

from django.db import transaction
from django.db.models import F, Max, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from clubs.models import RateLimitCounter

from .login_throttle import AHEAD, forget_old_tries, network_of
from .security_log import CODES_THROTTLED, note_refusal

SALT = "clubs.services.guesses"
"""Stored data, not a module name: counts from before an upgrade stay valid."""

ALLOWED, ALLOWED_TOGETHER = 20, 200
"""Wrong guesses from one address, and from all of them."""
FORGOTTEN_AFTER = timedelta(minutes=10)
"""At 20 guesses in ten minutes, finding one of fifty cards among a million codes takes a week. At 200, from
many addresses, it takes most of a day."""


def has_missed_too_often(what: str, address: str, *, allowed: int = ALLOWED) -> bool:
    """Return whether this address has used up its misses within ten minutes of the first. One query."""
    return misses_of((what, address))[0] >= allowed


def misses_of(*tried: tuple[str, str]) -> list[int]:
    """Return how often each pair of target and address was missed in the ten minutes since the
    first miss. One query."""
    digests = [_digest(what, address) for what, address in tried]
    counted = RateLimitCounter.objects.filter(digest__in=digests).exclude(_is_over(timezone.now()))
    count_of = dict(counted.values_list("digest", "count"))
    return [count_of.get(digest, 0) for digest in digests]


def seconds_until_forgotten(*tried: tuple[str, str]) -> int:
    """Return the seconds until the last of these counts resets: ten minutes after its first
    miss. One query."""
    digests, now = [_digest(what, address) for what, address in tried], timezone.now()
    counted = RateLimitCounter.objects.filter(digest__in=digests).exclude(_is_over(now))
    ends = counted.aggregate(last=Max("wait_until"))["last"]
    return 0 if ends is None else ceil((ends - now).total_seconds())


@transaction.atomic
def count_miss(what: str, address: str) -> None:
    """Count a miss from this address; the first one starts its ten minutes."""
    now, digest = timezone.now(), _digest(what, address)
    RateLimitCounter.objects.filter(_is_over(now), digest=digest).delete()
    begun = RateLimitCounter(digest=digest, last_at=now, wait_until=now + FORGOTTEN_AFTER)
    RateLimitCounter.objects.bulk_create([begun], ignore_conflicts=True)
    RateLimitCounter.objects.filter(digest=digest).update(count=F("count") + 1)
    if address and RateLimitCounter.objects.filter(digest=digest, count=ALLOWED).exists():
        note_refusal(CODES_THROTTLED, address=address)
    forget_old_tries(now)


@transaction.atomic
def is_first_use(what: str) -> bool:
    """Note the use of what may be used once, and return whether it is the first within an hour."""
    now = timezone.now()
    rows = RateLimitCounter.objects.get_or_create(
        digest=_digest(what, ""), defaults={"last_at": now, "wait_until": now}
    )
    forget_old_tries(now)
    return rows[1]


def _is_over(now: datetime) -> Q:
    """Return a condition on counts whose ten minutes are over, or whose clock was set back."""
    return Q(wait_until__lte=now) | Q(wait_until__gt=now + FORGOTTEN_AFTER + AHEAD)


def _digest(what: str, address: str) -> str:
    return salted_hmac(SALT, f"{what}\n{network_of(address)}", algorithm="sha256").hexdigest()
