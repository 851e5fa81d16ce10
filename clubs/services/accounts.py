"""Accounts: creation, names and passwords."""

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from clubs import first_run
from clubs.audit.log import NOBODY, Actor
from clubs.models import Account, Club, DeviceSession, Membership, Role
from clubs.password_words import is_guessable
from clubs.queries import is_club_owner, is_installation_owner
from errors import Refusal
from web import names

from .changes import ClubChange, validate_name
from .clubs import create_club


def start_club(
    *,
    secret: str,
    name: str,
    password: str,
    club_name: str,
    language: str,
    time_zone: str,
    ruleset: str,
) -> tuple[Account, Club]:
    """Create the first account and its club, behind the one-time link.

    Clubs that were imported before any account existed become this account's, too. Refuses: link_used,
    name_required, name_too_long, password_*, club_name_required, no_such_choice, no_such_ruleset.
    """
    if not first_run.is_first_run_secret(secret):
        raise Refusal("link_used")
    account = build_account(name=name, password=password, language=language)
    with transaction.atomic():
        if not first_run.is_first_run_secret(secret):
            raise Refusal("link_used")
        save_new_account(account)
        club = create_club(name=club_name, language=language, time_zone=time_zone, ruleset=ruleset)
        for ownerless_club in Club.objects.filter(memberships__isnull=True):
            Membership.objects.create(club=ownerless_club, account=account, role=Role.OWNER)
    return account, club


MAX_CLUBS_ADDED = 10
"""Number of clubs that an account may add: each has its own share of the tasks and of the disk. Owners of the first
club, who run the installation, may add more."""


@transaction.atomic
def add_club(*, account_id: int, name: str, language: str, time_zone: str, ruleset: str, by: Actor = NOBODY) -> Club:
    """Add a club to this installation; the account, which must own one here, owns it. Safe to
    repeat with the same key.

    Refuses: owner_only, too_many_clubs, club_name_required, name_too_long, no_such_choice, no_such_ruleset.
    """
    account = lock_account(account_id)
    existing_club = None if by.key is None else Club.objects.filter(actions__key=by.key).first()
    if existing_club is not None:
        return existing_club
    if not is_club_owner(account):
        raise Refusal("owner_only")
    owned = account.memberships.filter(role=Role.OWNER).select_related("club").earliest("club")
    added_clubs = Club.objects.filter(actions__kind="add_club", actions__account=account)
    if added_clubs.count() >= MAX_CLUBS_ADDED and not is_installation_owner(owned.club):
        raise Refusal("too_many_clubs", most=MAX_CLUBS_ADDED)
    club = create_club(name=name, language=language, time_zone=time_zone, ruleset=ruleset)
    make_owner(club=club, account=account)
    ClubChange(club.pk, "add_club", by).record(name=club.name)
    return club


def create_account(*, name: str, password: str, language: str) -> Account:
    """Create an account.

    Refuses: name_required, name_too_long, name_taken, password_too_weak, password_of_names.
    """
    account = build_account(name=name, password=password, language=language)
    save_new_account(account)
    return account


def build_account(*, name: str, password: str, language: str) -> Account:
    """Return an account for ``save_new_account``. Call it outside of a transaction, for which phones wait:
    hashing a password takes half a second.

    Refuses: name_required, name_too_long, password_too_weak, password_of_names.
    """
    name = validate_name(name, field="name")
    check_password(password, name)
    return Account(name=name, folded_name=names.fold_name(name), password=make_password(password), language=language)


@transaction.atomic
def save_new_account(account: Account) -> None:
    """Save an account from ``build_account``. Refuses: name_taken."""
    _check_name_is_free(account.name)
    _save_name(account)


@transaction.atomic
def change_account(*, account_id: int, name: str, language: str) -> Account:
    """Update an account's name and language. Safe to repeat.

    Refuses: name_required, name_too_long, name_taken.
    """
    account = lock_account(account_id)
    name = validate_name(name, field="name")
    _check_name_is_free(name, account)
    account.name, account.folded_name, account.language = name, names.fold_name(name), language
    _save_name(account, update_fields=["name", "folded_name", "language"])
    return account


def change_password(*, account_id: int, current: str | None, password: str) -> Account:
    """Change a password. ``current`` is None if the account has just signed in without it. Sessions that
    began with the old password end.

    Refuses: current_password_wrong, password_too_weak, password_of_names.
    """
    account = Account.objects.get(pk=account_id)
    if current is not None and not account.check_password(current):
        raise Refusal("current_password_wrong", field="current")
    check_password(password, *list_guessable_names(account))
    checked, hashed = account.password, make_password(password)
    with transaction.atomic():
        account = lock_account(account_id)
        if current is not None and account.password != checked:
            raise Refusal("current_password_wrong", field="current")
        account.password = hashed
        account.save(update_fields=["password"])
    return account


def lock_account(account_id: int) -> Account:
    """Lock the account for this transaction, so that concurrent changes wait."""
    return Account.objects.select_for_update(no_key=True).get(pk=account_id)


def check_sign_in_remains(account: Account) -> None:
    """Check that a way to sign in remains. Refuses: last_way_in."""
    has_mail = bool(account.email and settings.MAIL_ORIGIN)
    if not (has_mail or account.has_usable_password() or account.passkeys.exists()):
        raise Refusal("last_way_in")


def _check_name_is_free(name: str, account: Account | None = None) -> None:
    others = Account.objects.exclude(pk=account.pk) if account else Account.objects.all()
    if others.filter(folded_name=names.fold_name(name)).exists():
        raise Refusal("name_taken", field="name", name=name)


def _save_name(account: Account, *, update_fields: list[str] | None = None) -> None:
    """Save the account, unless another took its name at the same time. Refuses: name_taken."""
    try:
        with transaction.atomic():
            account.save(update_fields=update_fields)
    except IntegrityError:
        raise Refusal("name_taken", field="name", name=account.name) from None


def find_password_weakness(password: str, *names: str) -> Refusal | None:
    """Return the refusal of a password that is too short, too common, only digits, or made of these names.
    Refuses: password_too_weak, password_of_names."""
    try:
        validate_password(password)
    except ValidationError:
        return Refusal("password_too_weak", field="password")
    if not is_guessable(password, names):
        return None
    return Refusal("password_too_weak" if is_guessable(password) else "password_of_names", field="password")


def check_password(password: str, *names: str) -> None:
    """Check that a password is not weak. Refuses: password_too_weak, password_of_names."""
    if refusal := find_password_weakness(password, *names):
        raise refusal


def list_guessable_names(account: Account) -> list[str]:
    """Return the names that are easy to guess: the account's and those of its clubs. One query."""
    clubs = Club.objects.filter(memberships__account=account)
    return [account.name, *clubs.values_list("name", flat=True)]


@transaction.atomic
def make_owner(*, club: Club, account: Account) -> None:
    """Make the account an owner of the club. Safe to repeat."""
    Membership.objects.update_or_create(club=club, account=account, defaults={"role": Role.OWNER})


def sign_out_device(*, account_id: int, digest: str) -> None:
    """End that session of the account. Safe to repeat."""
    DeviceSession.objects.filter(account=account_id, session_key=digest).delete()


def sign_out_others(*, account_id: int, digest: str) -> None:
    """End all sessions of the account except that one. Safe to repeat."""
    DeviceSession.objects.filter(account=account_id).exclude(session_key=digest).delete()
