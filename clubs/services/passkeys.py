"""Passkeys of an account: added, renamed, removed and used."""

from django.db import IntegrityError, transaction
from django.utils import timezone

from clubs import passkeys
from clubs.models import Account, Passkey
from clubs.passkeys import Site, State
from errors import Refusal

from .accounts import check_a_way_in_stays, locked_account
from .validators import checked_name

MOST_PASSKEYS = 20


@transaction.atomic
def add_passkey(*, account_id: int, site: Site, state: State, handle: str, said: str, name: str) -> Passkey:
    """Add the passkey from a browser's response. Safe to repeat with the same response.

    Refuses: name_required, name_too_long, passkey_refused, too_many_passkeys.
    """
    account = locked_account(account_id)
    name = checked_name(name, field="passkey")
    made = passkeys.check_new_passkey(site, state, said)
    known = Passkey.objects.filter(credential_id=made.credential_id).first()
    if known is not None:
        if known.account_id != account_id:
            raise Refusal("passkey_refused")
        return known
    if account.passkeys.count() >= MOST_PASSKEYS:
        raise Refusal("too_many_passkeys", most=MOST_PASSKEYS)
    try:
        with transaction.atomic():
            return Passkey.objects.create(
                account=account,
                name=name,
                host=site.host,
                handle=handle,
                credential_id=made.credential_id,
                credential=made.credential,
                sign_count=made.sign_count,
                made_at=timezone.now(),
            )
    except IntegrityError:  # a concurrent request of another account, with the same id
        raise Refusal("passkey_refused") from None


@transaction.atomic
def rename_passkey(*, account_id: int, passkey_id: int, name: str) -> Passkey:
    """Rename a passkey. Safe to repeat. Refuses: no_such_passkey, name_required, name_too_long."""
    passkey = Passkey.objects.select_for_update().filter(pk=passkey_id, account=account_id).first()
    if passkey is None:
        raise Refusal("no_such_passkey")
    passkey.name = checked_name(name, field="passkey")
    passkey.save(update_fields=["name"])
    return passkey


@transaction.atomic
def remove_passkey(*, account_id: int, passkey_id: int) -> None:
    """Remove a passkey. Safe to repeat. Refuses: last_way_in."""
    account = locked_account(account_id)
    passkey = account.passkeys.filter(pk=passkey_id).first()
    if passkey is not None:
        passkey.delete()
        check_a_way_in_stays(account)


@transaction.atomic
def open_with_passkey(*, site: Site, state: State, said: str) -> Account:
    """Return the account that a browser's response signs in.

    Refuses: passkey_refused, passkey_unknown, passkey_copied.
    """
    assertion = passkeys.read_assertion(said)
    known = Passkey.objects.select_for_update(of=("self",)).select_related("account")
    passkey = known.filter(credential_id=assertion.credential_id, host=site.host).first()
    if passkey is None:
        raise Refusal("passkey_unknown")
    passkeys.verify_assertion(site, state, assertion, credential=passkey.credential, handle=passkey.handle)
    if passkeys.is_copied(before=passkey.sign_count, now=assertion.sign_count):
        raise Refusal("passkey_copied", name=passkey.name)
    passkey.sign_count, passkey.used_at = assertion.sign_count, timezone.now()
    passkey.save(update_fields=["sign_count", "used_at"])
    return passkey.account
