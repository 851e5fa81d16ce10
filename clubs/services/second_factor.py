"""The second factor of an account: an authenticator app, and recovery codes in case it is lost."""

import secrets
import time
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import transaction
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from clubs.date_formats import hour_in_words
from clubs.models import Account, RecoveryCode, SecondFactor
from clubs.queries import owns_all_clubs_of, query_memberships
from clubs.totp import DIGITS, find_step, generate_secret, step_at
from errors import Refusal, get_or_refuse
from web.sealing import decrypt_text, encrypt_text

from .accounts import lock_account, sign_out_others
from .changes import ClubChange
from .team import get_member

PURPOSE = "second factor"
CODES, CODE_DIGITS, LABEL = 10, 16, 2
"""The number of recovery codes, their length, and how many of their digits identify one."""
_HASHER = PBKDF2PasswordHasher()
ROUNDS = 100_000
"""Fewer than for passwords: a code has fourteen random digits, and somebody waits while ten are hashed."""


def generate_sealed_secret() -> str:
    """Return a sealed secret for a new app, as a session may keep it."""
    return encrypt_text(generate_secret(), purpose=PURPOSE)


def decrypt_app_secret(sealed_secret: str) -> str:
    """Return the secret of a new app. Refuses: app_square_over."""
    return get_or_refuse(decrypt_text(sealed_secret, purpose=PURPOSE), "app_square_over")


def add_second_factor(*, account_id: int, sealed_secret: str, code: str, session: str) -> list[str]:
    """Add the app that has this secret, since it has shown these digits. Return the recovery codes, which are
    shown only this once. All other sessions of the account end.

    Safe to repeat: only the latest codes are valid. Refuses: app_square_over, code_wrong,
    second_factor_there.
    """
    secret = decrypt_app_secret(sealed_secret)
    step = _step_of(parse_digits(code), secret, account_id=account_id)
    codes, rows = _generate_codes()
    with transaction.atomic():
        account = lock_account(account_id)
        factor = SecondFactor.objects.filter(account=account).first()
        if factor is None:
            factor = SecondFactor.objects.create(
                account=account, sealed=sealed_secret, last_step=step, made_at=timezone.now()
            )
        elif decrypt_text(factor.sealed, purpose=PURPOSE) != secret:
            raise Refusal("second_factor_there")
        _replace_codes(factor, rows)
        sign_out_others(account_id=account_id, digest=session)
    return codes


def renew_recovery_codes(*, account_id: int) -> list[str]:
    """Replace the recovery codes by ten others, which are shown only this once.

    Safe to repeat: only the latest codes are valid. Refuses: no_second_factor.
    """
    codes, rows = _generate_codes()
    with transaction.atomic():
        factor = get_or_refuse(
            SecondFactor.objects.filter(account=lock_account(account_id)).first(), "no_second_factor"
        )
        _replace_codes(factor, rows)
    return codes


def check_second_factor(*, account_id: int, code: str) -> None:
    """Check a code of the account's app, or a recovery code; neither is accepted again. Any code passes if
    the app was removed meanwhile.

    Refuses: code_wrong, code_used, recovery_code_wrong, app_sealed_elsewhere.
    """
    digits = parse_digits(code)
    if len(digits) == CODE_DIGITS and SecondFactor.objects.filter(account=account_id).exists():
        _use_recovery_code(account_id=account_id, digits=digits)
    else:
        accept_digits(account_id=account_id, digits=digits)


@transaction.atomic
def accept_digits(*, account_id: int, digits: str) -> None:
    """Accept the app's current digits once; because clocks differ, also the previous and the next ones.

    Refuses: code_wrong, code_used, app_sealed_elsewhere.
    """
    factor = SecondFactor.objects.select_for_update().filter(account=account_id).first()
    if factor is None:
        return
    secret = get_or_refuse(decrypt_text(factor.sealed, purpose=PURPOSE), "app_sealed_elsewhere", field="code")
    step = _step_of(digits, secret, account_id=account_id)
    if step <= factor.last_step:
        raise Refusal("code_used", field="code")
    factor.last_step, factor.used_at = step, timezone.now()
    factor.save(update_fields=["last_step", "used_at"])


@transaction.atomic
def remove_second_factor(*, account_id: int) -> None:
    """Remove the app, so that the password is enough. Safe to repeat."""
    SecondFactor.objects.filter(account=lock_account(account_id)).delete()


@transaction.atomic
def reset_second_factor(*, club_id: int, membership_id: int, by: Actor = NOBODY) -> None:
    """Remove the app of a team member who has lost the phone and the codes.

    The actor must own every club in which the member has a role. Safe to repeat with the same key. Refuses:
    no_such_member, member_of_other_clubs.
    """
    change = ClubChange(club_id, "remove_second_factor", by)
    if change.is_repeat:
        return
    account = get_member(change, membership_id).account
    if not owns_all_clubs_of(by.account, account):
        raise Refusal("member_of_other_clubs", name=account.name)
    if SecondFactor.objects.filter(account=lock_account(account.pk)).delete()[0]:
        change.record(name=account.name)


def parse_digits(text: str) -> str:
    """Return the digits typed, without spaces and hyphens; "" if there is anything else."""
    digits = "".join(text.split()).replace("-", "")
    return digits if digits.isascii() and digits.isdigit() and len(digits) in {DIGITS, CODE_DIGITS} else ""


def _step_of(digits: str, secret: str, *, account_id: int) -> int:
    """Return the time step, around now, in which the app shows these digits. Refuses: code_wrong."""
    step = find_step(digits, secret, now=step_at(time.time()))
    if step is None:
        raise Refusal("code_wrong", field="code", clock=_format_club_time(account_id))
    return step


def _use_recovery_code(*, account_id: int, digits: str) -> None:
    """Use up a recovery code. The digest is checked without a lock; deleting the row decides
    who uses the code."""
    codes = RecoveryCode.objects.filter(factor__account=account_id, label=digits[:LABEL])
    found = codes.first()
    if found is None or not _HASHER.verify(digits, found.digest) or not codes.filter(pk=found.pk).delete()[0]:
        raise Refusal("recovery_code_wrong", field="code")


def _generate_codes() -> tuple[list[str], list[RecoveryCode]]:
    """Return new codes with different first digits, and their rows to store."""
    labels = secrets.SystemRandom().sample(range(10**LABEL), CODES)
    rest = CODE_DIGITS - LABEL
    codes = [f"{label:0{LABEL}}{secrets.randbelow(10**rest):0{rest}}" for label in labels]
    return codes, [
        RecoveryCode(label=code[:LABEL], digest=_HASHER.encode(code, _HASHER.salt(), ROUNDS)) for code in codes
    ]


def _replace_codes(factor: SecondFactor, rows: Sequence[RecoveryCode]) -> None:
    factor.recovery_codes.all().delete()
    for row in rows:
        row.factor = factor
    RecoveryCode.objects.bulk_create(rows)


def _format_club_time(account_id: int) -> str:
    """Return the server's time in the account's club, for the message: with a wrong clock, no
    digits are right."""
    role = query_memberships(Account(pk=account_id)).first()
    zone = ZoneInfo(role.club.time_zone) if role is not None else timezone.get_default_timezone()
    return hour_in_words(timezone.now().astimezone(zone))
