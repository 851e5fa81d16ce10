"""Letters that follow from a text and from the key of the installation: who has them had the paper in sight,
and nothing has to be stored."""

from django.utils.crypto import constant_time_compare, salted_hmac

ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, and so no words; nothing that is read as a digit."""


def letters_for(salt: str, text: str, *, count: int) -> str:
    number = int.from_bytes(salted_hmac(salt, text, algorithm="sha256").digest(), "big")
    found = []
    for _ in range(count):
        number, place = divmod(number, len(ALPHABET))
        found.append(ALPHABET[place])
    return "".join(found)


def are_letters(typed: str, letters: str) -> bool:
    """As people type them: in small letters, with spaces."""
    return constant_time_compare("".join(typed.split()).upper(), letters)
