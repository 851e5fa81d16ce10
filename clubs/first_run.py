"""The secret of the first-run link, which opens an installation's first page until an account exists."""

from django.utils.crypto import constant_time_compare, salted_hmac

from .models import Account

SALT = "clubs.first_run"
"""Stored data, not a module name: a link shown before an upgrade works after it."""


def get_first_run_secret() -> str | None:
    """Return the secret of the link that ``up`` prints for this installation; None once an account exists."""
    if Account.objects.exists():
        return None
    return salted_hmac(SALT, "the first account", algorithm="sha256").hexdigest()[:24]


def is_first_run_secret(candidate: str) -> bool:
    """Return whether this is the secret and no account exists yet."""
    expected = get_first_run_secret()
    return expected is not None and constant_time_compare(expected, candidate)
