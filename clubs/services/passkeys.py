"""Passkeys of an account: added, renamed, removed and used."""

from django.db import IntegrityError, transaction
from django.utils import timezone

from clubs import passkeys
from clubs.models import Account, Passkey
from clubs.passkeys import ChallengeState, Site
from errors import Refusal, get_or_refuse

from .accounts import check_sign_in_remains, lock_account
from .changes import validate_name

MAX_PASSKEYS = 20


@transaction.atomic
def add_passkey(
    *, account_id: int, site: Site, state: ChallengeState, handle: str, response_text: str, name: str
) -> Passkey:
    """Add the passkey from a browser's response. Safe to repeat with the same response.

    Refuses: name_required, name_too_long, passkey_refused, too_many_passkeys.
    """
    account = lock_account(account_id)
    name = validate_name(name, field="passkey")
    credential = passkeys.check_new_passkey(site, state, response_text)
    passkey = Passkey.objects.filter(credential_id=credential.credential_id).first()
    if passkey is not None:
        if passkey.account_id != account_id:
            raise Refusal("passkey_refused")
        return passkey
    if account.passkeys.count() >= MAX_PASSKEYS:
        raise Refusal("too_many_passkeys", most=MAX_PASSKEYS)
    try:
        with transaction.atomic():
            return Passkey.objects.create(
                account=account,
                name=name,
                host=site.host,
                handle=handle,
                credential_id=credential.credential_id,
                credential=credential.credential,
                sign_count=credential.sign_count,
                made_at=timezone.now(),
            )
    except IntegrityError:  # a concurrent request of another account, with the same id
        raise Refusal("passkey_refused") from None


@transaction.atomic
def rename_passkey(*, account_id: int, passkey_id: int, name: str) -> Passkey:
    """Rename a passkey. Safe to repeat. Refuses: no_such_passkey, name_required, name_too_long."""
    passkey = get_or_refuse(
        Passkey.objects.select_for_update().filter(pk=passkey_id, account=account_id).first(), "no_such_passkey"
    )
    passkey.name = validate_name(name, field="passkey")
    passkey.save(update_fields=["name"])
    return passkey


@transaction.atomic
def remove_passkey(*, account_id: int, passkey_id: int) -> None:
    """Remove a passkey. Safe to repeat. Refuses: last_way_in."""
    account = lock_account(account_id)
    passkey = account.passkeys.filter(pk=passkey_id).first()
    if passkey is not None:
        passkey.delete()
        check_sign_in_remains(account)


@transaction.atomic
def sign_in_with_passkey(*, site: Site, state: ChallengeState, response_text: str) -> Account:
    """Return the account that a browser's response signs in.

    Refuses: passkey_refused, passkey_unknown, passkey_copied.
    """
    assertion = passkeys.parse_assertion(response_text)
    passkeys_by_id = Passkey.objects.select_for_update(of=("self",)).select_related("account")
    passkey = get_or_refuse(
        passkeys_by_id.filter(credential_id=assertion.credential_id, host=site.host).first(), "passkey_unknown"
    )
    passkeys.verify_assertion(site, state, assertion, credential=passkey.credential, handle=passkey.handle)
    if passkeys.is_copied(stored_count=passkey.sign_count, sign_count=assertion.sign_count):
        raise Refusal("passkey_copied", name=passkey.name)
    passkey.sign_count, passkey.used_at = assertion.sign_count, timezone.now()
    passkey.save(update_fields=["sign_count", "used_at"])
    return passkey.account
