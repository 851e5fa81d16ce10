"""The secret of the first-run link: it opens the first page of an installation until an account exists."""

from django.utils.crypto import constant_time_compare, salted_hmac

from .models import Account

SALT = "clubs.first_run"
"""A link that was shown before an upgrade opens after it: the salt is data, and no name of a module."""


def secret() -> str | None:
    """The secret of the link that ``up`` prints, this installation's own; None once an account exists."""
    if Account.objects.exists():
        return None
    return salted_hmac(SALT, "the first account", algorithm="sha256").hexdigest()[:24]


def opens_with(candidate: str) -> bool:
    """Whether this is the secret, and still good."""
    expected = secret()
    return expected is not None and constant_time_compare(expected, candidate)
