"""Rate limits: wrong guesses of codes in ten minutes, and what a sender without an account sends in one.

Counts are in the database, like those of sign-ins: all processes share them, and they survive a restart.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil

from django.core.cache import caches
from django.db import transaction
from django.db.models import F, Max, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from clubs.models import RateLimitCounter

from .login_throttle import CLOCK_TOLERANCE, get_network, purge_expired_counters
from .security_log import CODES_THROTTLED, log_refusal

SALT = "clubs.services.guesses"
"""Stored data, not a module name: counts from before an upgrade stay valid."""

MAX_MISSES, ALLOWED_TOGETHER = 20, 200
"""Wrong guesses from one address, and from all of them."""
RESET_AFTER = timedelta(minutes=10)
"""At 20 guesses in ten minutes, finding one of fifty cards among a million codes takes a week. At 200, from
many addresses, it takes most of a day."""
MINUTE = timedelta(minutes=1)
PORTIONS = 16
"""A process counts up to this part of a minute's limit by itself, so that small requests need no query."""


def exceeds_miss_limit(target: str, address: str, *, max_misses: int = MAX_MISSES) -> bool:
    """Return whether this address has used up its misses within ten minutes of the first. One query."""
    return get_miss_counts((target, address))[0] >= max_misses


def get_miss_counts(*attempts: tuple[str, str]) -> list[int]:
    """Return how often each pair of target and address was missed in the ten minutes since the
    first miss. One query."""
    digests = [_hash_target(target, address) for target, address in attempts]
    counters = RateLimitCounter.objects.filter(digest__in=digests).exclude(_build_expired_condition(timezone.now()))
    counts = dict(counters.values_list("digest", "count"))
    return [counts.get(digest, 0) for digest in digests]


def compute_reset_seconds(*attempts: tuple[str, str]) -> int:
    """Return the seconds until the last of these counts resets: ten minutes after its first
    miss. One query."""
    digests, now = [_hash_target(target, address) for target, address in attempts], timezone.now()
    counters = RateLimitCounter.objects.filter(digest__in=digests).exclude(_build_expired_condition(now))
    ends = counters.aggregate(last=Max("wait_until"))["last"]
    return 0 if ends is None else ceil((ends - now).total_seconds())


@transaction.atomic
def record_miss(target: str, address: str) -> None:
    """Count a miss from this address; the first one starts its ten minutes."""
    now, digest = timezone.now(), _hash_target(target, address)
    _begin_count(digest, now, RESET_AFTER)
    RateLimitCounter.objects.filter(digest=digest).update(count=F("count") + 1)
    if address and RateLimitCounter.objects.filter(digest=digest, count=MAX_MISSES).exists():
        log_refusal(CODES_THROTTLED, address=address)
    purge_expired_counters(now)


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCount:
    """Tokens of an address: ``counted`` by all processes in the minute until ``ends_at``, and ``uncounted`` ones
    that only this process knows. ``is_taken``: whether it had enough."""

    ends_at: datetime
    counted: int = 0
    uncounted: int = 0
    is_taken: bool = True

    @property
    def reset_seconds(self) -> int:
        """Seconds until the minute ends, 1 at least."""
        return max(1, ceil((self.ends_at - timezone.now()).total_seconds()))


def take_tokens(target: str, address: str, cost: int, *, capacity: int) -> bool:
    """Take tokens as ``count_tokens`` does, and return whether there were enough."""
    return count_tokens(target, address, cost, capacity=capacity).is_taken


def count_tokens(target: str, address: str, cost: int, *, capacity: int) -> TokenCount:
    """Take ``cost`` tokens for this address, in all processes. It has ``capacity`` tokens for the minute since its
    first request. Mostly no query."""
    digest, now = _hash_target(target, address), timezone.now()
    known: TokenCount | None = caches["rates"].get(digest)
    if known is None or known.ends_at <= now:
        known = TokenCount(ends_at=now + MINUTE, uncounted=0 if known is None else known.uncounted)
    tokens = replace(known, uncounted=known.uncounted + cost)
    if tokens.uncounted >= capacity // PORTIONS:
        tokens = _count_shared_tokens(digest, tokens.uncounted, capacity)
    if tokens.is_taken:
        caches["rates"].set(digest, tokens, MINUTE.total_seconds())
    return tokens


def _count_shared_tokens(digest: str, cost: int, capacity: int) -> TokenCount:
    now = timezone.now()
    counters = RateLimitCounter.objects.filter(digest=digest)
    full = counters.filter(count__gt=capacity - cost).exclude(_build_expired_condition(now)).first()
    if full is not None:  # without a write, however often it is tried
        return TokenCount(ends_at=full.wait_until, counted=capacity, is_taken=False)
    with transaction.atomic():
        _begin_count(digest, now, MINUTE)
        is_taken = bool(counters.filter(count__lte=capacity - cost).update(count=F("count") + cost))
        counter = counters.get()
        purge_expired_counters(now)
    return TokenCount(ends_at=counter.wait_until, counted=counter.count if is_taken else capacity, is_taken=is_taken)


def _begin_count(digest: str, now: datetime, lasts: timedelta) -> None:
    """Create the counter, or create it again if its time is over."""
    RateLimitCounter.objects.filter(_build_expired_condition(now), digest=digest).delete()
    new_counter = RateLimitCounter(digest=digest, last_at=now, wait_until=now + lasts)
    RateLimitCounter.objects.bulk_create([new_counter], ignore_conflicts=True)


@transaction.atomic
def claim_first_use(target: str) -> bool:
    """Note the use of what may be used once, and return whether it is the first within an hour."""
    now = timezone.now()
    rows = RateLimitCounter.objects.get_or_create(
        digest=_hash_target(target, ""), defaults={"last_at": now, "wait_until": now}
    )
    purge_expired_counters(now)
    return rows[1]


def _build_expired_condition(now: datetime) -> Q:
    """Return a condition on counts whose time is over, or whose clock was set back."""
    return Q(wait_until__lte=now) | Q(wait_until__gt=now + RESET_AFTER + CLOCK_TOLERANCE)


def _hash_target(target: str, address: str) -> str:
    return salted_hmac(SALT, f"{target}\n{get_network(address)}", algorithm="sha256").hexdigest()
