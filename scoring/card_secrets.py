"""Five letters of a table card that people type, and the secret in its QR code. Both follow from the
installation's key; no database has them. Why: ``docs/decisions/0048-put-a-128-bit-secret-in-the-qr-code.md``.
"""

from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.http import urlsafe_base64_encode

from web.letters import are_letters, letters_for

SALT = "scoring.card_letters"
"""Letters and secrets are printed on cards: the salts are data, and no names of a module."""
SALT_OF_SECRETS = "scoring.card_secrets"

COUNT = 5
SECRET_BYTES = 16


SQUARE = "card"
"""Of a card, in the address that its square leads to: its secret."""


def letters_of(digits: str) -> str:
    """The letters on the card of these digits, whether or not there is one."""
    return letters_for(SALT, digits, count=COUNT)


def are_letters_of(typed: str, digits: str) -> bool:
    """As people type them: in small letters, with spaces."""
    return are_letters(typed, letters_of(digits))


def secret_of(card_id: int, digits: str) -> str:
    """128 bits of this very card, as an address takes them; others as soon as its digits are others."""
    digest = salted_hmac(SALT_OF_SECRETS, f"{card_id}.{digits}", algorithm="sha256").digest()
    return urlsafe_base64_encode(digest[:SECRET_BYTES])


def is_secret_of(said: str, card_id: int, digits: str) -> bool:
    return constant_time_compare(said, secret_of(card_id, digits))
