"""The proof of a draw: checked without the solver that made it, and stored as JSON."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NotRequired, TypedDict

from engine.draws.values import Certificate, EntryId

from .pairing import Pair, Prices


def is_proved(certificate: Certificate, prices: Prices, pairs: Sequence[Pair]) -> bool:
    """Return whether the certificate proves that no pairing of the field costs less than these pairs.

    By the duals, any pairing costs at least half the sum of the prices, less the rebate of each blossom as
    often as pairs fit inside: for no pair undercuts its duals, and a blossom holds no more pairs than that.
    """
    field = prices.field
    ids: list[EntryId | None] = [*field.ids, None][: field.size]
    if certificate.units != prices.units or sorted(place for pair in pairs for place in pair) != [
        *range(field.size)
    ]:
        return False
    around = {
        entry: [z for z, (held, _) in enumerate(certificate.blossoms) if entry in held] for entry in ids
    }
    if any(rebate < 0 or len(held) % 2 == 0 for held, rebate in certificate.blossoms):
        return False
    for one, other in combinations(range(field.size), 2):
        shared = set(around[ids[one]]) & set(around[ids[other]])
        duals = certificate.prices[ids[one]] + certificate.prices[ids[other]]
        if 2 * prices.price(one, other) < duals - 2 * sum(certificate.blossoms[z][1] for z in shared):
            return False
    least = sum(certificate.prices[entry] for entry in ids)
    least -= sum(2 * rebate * (len(held) // 2) for held, rebate in certificate.blossoms)
    return 2 * sum(prices.price(*pair) for pair in pairs) == least


class PlainCertificate(TypedDict):
    """A certificate as plain data. Numbers are text; None is the bye. ``sections`` is present if sections are
    drawn apart."""

    units: dict[str, str]
    prices: list[list[EntryId | str | None]]
    blossoms: list[list[list[EntryId | None] | str]]
    sections: "NotRequired[list[PlainCertificate]]"


def certificate_to_json(certificate: Certificate) -> PlainCertificate:
    """Convert a certificate to JSON data. Numbers become text, since they exceed what other languages read as
    numbers."""
    plain: PlainCertificate = {
        "units": {key: str(unit) for key, unit in certificate.units.items()},
        "prices": [[entry, str(price)] for entry, price in certificate.prices.items()],
        "blossoms": [
            [sorted(held, key=lambda entry: (entry is None, entry or 0)), str(rebate)]
            for held, rebate in certificate.blossoms
        ],
    }
    if certificate.sections:
        plain["sections"] = list(map(certificate_to_json, certificate.sections))
    return plain


def certificate_from_json(plain: Mapping[str, Any]) -> Certificate:
    """Return the certificate from the output of ``certificate_to_json``."""
    return Certificate(
        units={key: int(unit) for key, unit in plain["units"].items()},
        prices={entry: int(price) for entry, price in plain["prices"]},
        blossoms=tuple((frozenset(held), int(rebate)) for held, rebate in plain["blossoms"]),
        sections=tuple(map(certificate_from_json, plain.get("sections", ()))),
    )
