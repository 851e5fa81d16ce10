"""The five letters on a table card, which people type, and the secret in its QR code.

Both are derived from the installation's key; neither is stored in a database. Why:
``docs/decisions/0048-put-a-128-bit-secret-in-the-qr-code.md``.
"""

from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.http import urlsafe_base64_encode

from web.letters import derive_check_letters, match_letters

LETTERS_SALT = "scoring.card_letters"
"""Salt of the letters. Letters and secrets are printed on cards: never change the salts, even if the module
is renamed."""
CARD_SALT = "scoring.card_secrets"

LETTER_COUNT = 5
SECRET_BYTES = 16


CARD_PARAM = "card"
"""Query parameter of the address in a card's QR code: the card's secret."""


def derive_letters(digits: str) -> str:
    """Return the letters for a card with these digits, whether or not such a card exists."""
    return derive_check_letters(LETTERS_SALT, digits, count=LETTER_COUNT)


def check_letters(text: str, digits: str) -> bool:
    """Check the letters as people type them: small letters and spaces are accepted."""
    return match_letters(text, derive_letters(digits))


def derive_secret(card_id: int, digits: str) -> str:
    """Return the card's secret: 128 bits, safe in a URL. It changes when the card's digits change."""
    digest = salted_hmac(CARD_SALT, f"{card_id}.{digits}", algorithm="sha256").digest()
    return urlsafe_base64_encode(digest[:SECRET_BYTES])


def check_secret(candidate: str, card_id: int, digits: str) -> bool:
    return constant_time_compare(candidate, derive_secret(card_id, digits))


def split_code(code: str) -> str:
    """Split a code in two with a nonbreaking space: ``471 208``."""
    return f"{code[:3]}\u00a0{code[3:]}"
