"""Five letters that belong to a code: they follow from it and from the key of the installation, and show that
somebody has the card itself in sight. Why: ``docs/decisions/letters-beside-the-code.md``."""

from django.utils.crypto import constant_time_compare, salted_hmac

SALT = "scoring.card_letters"
"""Letters are printed on cards: the salt is data, and no name of a module."""

ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, and so no words; nothing that is read as a digit."""
COUNT = 5


def letters_of(code: str) -> str:
    """The letters on the card of this code, whether or not there is one."""
    number = int.from_bytes(salted_hmac(SALT, code, algorithm="sha256").digest(), "big")
    found = []
    for _ in range(COUNT):
        number, place = divmod(number, len(ALPHABET))
        found.append(ALPHABET[place])
    return "".join(found)


def are_letters_of(typed: str, code: str) -> bool:
    """As people type them: in small letters, with spaces."""
    return constant_time_compare("".join(typed.split()).upper(), letters_of(code))
