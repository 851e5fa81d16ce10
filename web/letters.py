"""Letters derived from a text and the installation's key. Someone who knows them has seen the paper; nothing
needs to be stored."""

from django.utils.crypto import constant_time_compare, salted_hmac

ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, and so no words; no letter that looks like a digit."""


def derive_check_letters(salt: str, text: str, *, count: int) -> str:
    number = int.from_bytes(salted_hmac(salt, text, algorithm="sha256").digest(), "big")
    found = []
    for _ in range(count):
        number, place = divmod(number, len(ALPHABET))
        found.append(ALPHABET[place])
    return "".join(found)


def match_letters(text: str, letters: str) -> bool:
    """Return whether the typed letters are right, in any case and with spaces."""
    return constant_time_compare("".join(text.split()).upper(), letters)
