"""Slowing down whoever guesses a code: misses are counted by address, and forgotten in time.

Kept in the database, like tries to sign in: it holds for all processes, and outlasts a restart.
"""

from datetime import datetime, timedelta
from math import ceil

from django.db import transaction
from django.db.models import F, Max, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from clubs.models import Tries

from .login_throttle import AHEAD, forget_old_tries, network_of
from .security_log import CODES_THROTTLED, note_refusal

SALT = "clubs.services.guesses"
"""What was counted before an upgrade counts after it: the salt is data, and no name of a module."""

ALLOWED, ALLOWED_TOGETHER = 20, 200
"""From one address, and from all."""
FORGOTTEN_AFTER = timedelta(minutes=10)
"""At 20 guesses in ten minutes, finding one of fifty cards among a million codes takes a week; at 200, from
many addresses, most of a day."""


def has_missed_too_often(what: str, address: str, *, allowed: int = ALLOWED) -> bool:
    """Whether this address has had all its misses, in the ten minutes since the first of them. One query."""
    return misses_of((what, address))[0] >= allowed


def misses_of(*tried: tuple[str, str]) -> list[int]:
    """How often each of these, what and by which address, was missed in the ten minutes since the first. One
    query."""
    digests = [_digest(what, address) for what, address in tried]
    counted = Tries.objects.filter(digest__in=digests).exclude(_is_over(timezone.now()))
    count_of = dict(counted.values_list("digest", "count"))
    return [count_of.get(digest, 0) for digest in digests]


def seconds_until_forgotten(*tried: tuple[str, str]) -> int:
    """In how many seconds the last of these begins anew: ten minutes after its first miss. One query."""
    digests, now = [_digest(what, address) for what, address in tried], timezone.now()
    counted = Tries.objects.filter(digest__in=digests).exclude(_is_over(now))
    ends = counted.aggregate(last=Max("wait_until"))["last"]
    return 0 if ends is None else ceil((ends - now).total_seconds())


@transaction.atomic
def count_miss(what: str, address: str) -> None:
    """One more of this address; the first one begins its ten minutes."""
    now, digest = timezone.now(), _digest(what, address)
    Tries.objects.filter(_is_over(now), digest=digest).delete()
    begun = Tries(digest=digest, last_at=now, wait_until=now + FORGOTTEN_AFTER)
    Tries.objects.bulk_create([begun], ignore_conflicts=True)
    Tries.objects.filter(digest=digest).update(count=F("count") + 1)
    if address and Tries.objects.filter(digest=digest, count=ALLOWED).exists():
        note_refusal(CODES_THROTTLED, address=address)
    forget_old_tries(now)


def _is_over(now: datetime) -> Q:
    """The ten minutes have gone by, or the clock was set back since they began."""
    return Q(wait_until__lte=now) | Q(wait_until__gt=now + FORGOTTEN_AFTER + AHEAD)


def _digest(what: str, address: str) -> str:
    return salted_hmac(SALT, f"{what}\n{network_of(address)}", algorithm="sha256").hexdigest()
