"""The five letters on a table card, which people type, and the secret in its QR code.

Both are derived from the installation's key; neither is stored in a database. Why:
``docs/decisions/0048-put-a-128-bit-secret-in-the-qr-code.md``.
"""

from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.http import urlsafe_base64_encode

from web.letters import are_letters, letters_for

SALT = "scoring.card_letters"
"""Salt of the letters. Letters and secrets are printed on cards: never change the salts, even if the module
is renamed."""
SALT_OF_SECRETS = "scoring.card_secrets"

COUNT = 5
SECRET_BYTES = 16


SQUARE = "card"
"""Query parameter of the address in a card's QR code: the card's secret."""


def letters_of(digits: str) -> str:
    """Return the letters for a card with these digits, whether or not such a card exists."""
    return letters_for(SALT, digits, count=COUNT)


def are_letters_of(typed: str, digits: str) -> bool:
    """Check the letters as people type them: small letters and spaces are accepted."""
    return are_letters(typed, letters_of(digits))


def secret_of(card_id: int, digits: str) -> str:
    """Return the card's secret: 128 bits, safe in a URL. It changes when the card's digits change."""
    digest = salted_hmac(SALT_OF_SECRETS, f"{card_id}.{digits}", algorithm="sha256").digest()
    return urlsafe_base64_encode(digest[:SECRET_BYTES])


def is_secret_of(said: str, card_id: int, digits: str) -> bool:
    return constant_time_compare(said, secret_of(card_id, digits))
