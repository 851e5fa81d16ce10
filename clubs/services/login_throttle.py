"""How often somebody may try to sign in: whoever fails too often waits, and each time for longer.

Kept in the database: it holds for all processes, and outlasts a restart.
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

from clubs.models import Tries
from rules import Refusal
from web import names

SALT = "clubs.services.tries"
"""What was counted before an upgrade counts after it: the salt is data, and no name of a module."""

FIRST_WAIT = timedelta(minutes=1)
FORGOTTEN_AFTER = timedelta(hours=1)
FORGOTTEN_AT_ONCE = 100
AHEAD = timedelta(minutes=1)
"""So far two computers of one installation may differ. What happened later than that did so before the clock
was set back, and is forgotten: else somebody would wait until it is as late again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """``free`` tries, then a minute's wait, and after each further one twice as long, ``longest`` at most.

    One that succeeds is not counted; where ``is_forgiven``, those before it are not either.
    """

    free: int
    longest: timedelta = timedelta(minutes=15)
    is_forgiven: bool = False

    def wait_after(self, count: int) -> timedelta:
        doublings = count - self.free
        return min(FIRST_WAIT * 2 ** min(doublings, 10), self.longest) if doublings >= 0 else timedelta()


@dataclass(frozen=True, slots=True, kw_only=True)
class TryCounter:
    """Whose tries are counted, and how many they have; of who it is, only the ``digest`` is kept."""

    limit: Limit
    digest: str


HERE = Limit(free=5, is_forgiven=True)
"""At one account from one place."""
FROM_A_PLACE = Limit(free=20)
"""At whatever account: nobody tries one password on all of them."""
AT_AN_ACCOUNT = Limit(free=50, longest=FIRST_WAIT)
"""From wherever. A short wait: else anybody could keep a director out all evening."""
CODES_AT_AN_ACCOUNT = Limit(free=20)
"""From wherever. Only who knows the password comes so far, and of a million digits three are right."""
MAILS = Limit(free=10)


def password_tries(*, name: str, address: str) -> tuple[TryCounter, ...]:
    """What a password is counted for: its account, known or not, and the network's address it came from."""
    who, place = names.fold_name(names.clean_text(name)), network_of(address)
    return (
        _counter_for(HERE, "here", who, place),
        *tries_from(address=address),
        _counter_for(AT_AN_ACCOUNT, who),
    )


def tries_from(*, address: str) -> tuple[TryCounter, ...]:
    """From one address, by whatever way: a passkey says whose it is only once it is accepted."""
    return (_counter_for(FROM_A_PLACE, "from", network_of(address)),)


def code_tries(*, account_id: int, address: str) -> tuple[TryCounter, ...]:
    """What six digits are counted for, and recovery codes: apart from passwords, since whoever knows that one
    would take his guesses back by typing it again."""
    who = f"code of {account_id}"
    here = _counter_for(HERE, "code here", who, network_of(address))
    return here, *tries_from(address=address), _counter_for(CODES_AT_AN_ACCOUNT, who)


def mail_tries(*, address: str) -> tuple[TryCounter, ...]:
    """Asking for mails, from one address."""
    return (_counter_for(MAILS, "mails", network_of(address)),)


@transaction.atomic
def begin_try(tries: Sequence[TryCounter], *, field: str | None = None) -> None:
    """Counts a try before it is made, so that many at once are not more than one after the other.

    Refuses: too_many_tries, whose ``minutes`` is how long to wait.
    """
    begun = timezone.now()
    Tries.objects.bulk_create(
        [Tries(digest=one.digest, last_at=begun, wait_until=begun) for one in tries], ignore_conflicts=True
    )
    rows = _lock_tries(tries)
    now = timezone.now()  # after those that held them before: they are no reason to wait
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
    """The try has succeeded."""
    now = timezone.now()
    rows = _lock_tries(tries)
    for one in tries:
        row = rows.get(one.digest)
        if row is not None:
            row.count = 0 if one.limit.is_forgiven else max(0, row.count - 1)
            row.wait_until = now
            row.save(update_fields=["count", "wait_until"])


def _is_forgotten(row: Tries, now: datetime) -> bool:
    return not now - FORGOTTEN_AFTER <= row.last_at <= now + AHEAD


def _lock_tries(tries: Sequence[TryCounter]) -> dict[str, Tries]:
    """The rows, locked in one order."""
    rows = Tries.objects.select_for_update().filter(digest__in=[one.digest for one in tries])
    return {row.digest: row for row in rows.order_by("digest")}


def forget_old_tries(now: datetime) -> None:
    """Those that count no more; some of them, for the next one forgets too."""
    is_old = Q(last_at__lt=now - FORGOTTEN_AFTER) | Q(last_at__gt=now + AHEAD)
    old = Tries.objects.select_for_update(skip_locked=True).filter(is_old)
    pks = list(old.values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    if pks:
        Tries.objects.filter(pk__in=pks).delete()


def forget_all_tries() -> None:
    """Nobody waits any more. Of one account alone it cannot be: whose a row is, only its digest says."""
    Tries.objects.all().delete()


def _counter_for(limit: Limit, *who: str) -> TryCounter:
    digest = salted_hmac(SALT, "\n".join(who), algorithm="sha256").hexdigest()
    return TryCounter(limit=limit, digest=digest)


def network_of(address: str) -> str:
    """The address; of the new kind, the network that one household has, which is as easily had as one."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or ip_network((found, 64), strict=False))
    return str(found)
