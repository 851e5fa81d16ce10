"""Identity of people in several clubs, by a code that the person gives to each club, and by nothing else.

The code makes a key of Ed25519. A club that was given the code signs with that key which of its people has
it, and publishes the public half and the signature. Two clubs that publish the same public half were given
the same code; one that copies it from the feed of another cannot sign that it is one of its own people.
Nobody stores the code.

>>> format_code(b"\\x00" * 7 + b"\\x01")
'0000-0000-0001'
>>> read_code(" oooo 0000-ooo1")
'000000000001'
"""

import hashlib
from collections.abc import Mapping, Sequence

from engine.checksums import to_canonical_json

from .values import Feed

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's 32 letters, chosen so that none is mistaken for another."""
_LOOKALIKES = str.maketrans({"O": "0", "I": "1", "L": "1"})
CODE_LETTERS = 12
CODE_BYTES = 8
_SALT = b"charlemagne: who is who"
Member = tuple[str, str]
"""A person of a club: the id of the feed, and the person's id in it."""


def format_code(chance: bytes) -> str:
    """Return a code of twelve letters in groups of four, from eight random bytes."""
    number = int.from_bytes(chance)
    letters = "".join(_LETTERS[number >> 5 * place & 31] for place in reversed(range(CODE_LETTERS)))
    return "-".join(letters[place : place + 4] for place in range(0, CODE_LETTERS, 4))


def read_code(text: str) -> str | None:
    """Return the letters of a code, in any spelling; None if it is not valid."""
    letters = "".join(each for each in text.upper() if each.isalnum()).translate(_LOOKALIKES)
    return letters if len(letters) == CODE_LETTERS and set(letters) <= set(_LETTERS) else None


def derive_identity_key(code: str) -> str:
    """Return the private half of the key that a code makes, in hex; ``code`` as ``read_code`` returns it. It
    has 60 random bits, each guess of which takes a tenth of a second and 64 megabytes."""
    derived = hashlib.scrypt(code.encode(), salt=_SALT, n=2**16, r=8, p=1, maxmem=2**27, dklen=32)
    return derived.hex()


def build_statement(member: Member) -> bytes:
    """Return the statement that the key of a code signs: its holder is that person of that club."""
    return b"charlemagne identity\n" + to_canonical_json(list(member))


def group_people(feeds: Sequence[Feed]) -> Mapping[Member, Member]:
    """Return for each person the one who represents all with the same identity: the first of them, in the
    order of the feeds and of their people."""
    members = {
        (feed.id, person.id): place
        for place, (feed, person) in enumerate((feed, person) for feed in feeds for person in feed.people.values())
    }
    earlier = dict(zip(members, members, strict=True))
    member_by_code: dict[str, Member] = {}

    def find_first(member: Member) -> Member:
        while earlier[member] != member:
            member = earlier[member]
        return member

    for feed in feeds:
        for person in feed.people.values():
            for code in person.codes:
                member = feed.id, person.id
                representatives = find_first(member_by_code.setdefault(code, member)), find_first(member)
                one, other = sorted(representatives, key=members.__getitem__)
                earlier[other] = one
    return {member: find_first(member) for member in members}
