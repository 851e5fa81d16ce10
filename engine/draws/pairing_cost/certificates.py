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
    if certificate.units != prices.units or sorted(place for pair in pairs for place in pair) != [*range(field.size)]:
        return False
    blossoms_by_entry = {
        entry: [z for z, (members, _) in enumerate(certificate.blossoms) if entry in members] for entry in ids
    }
    if any(rebate < 0 or len(members) % 2 == 0 for members, rebate in certificate.blossoms):
        return False
    for one, other in combinations(range(field.size), 2):
        shared = set(blossoms_by_entry[ids[one]]) & set(blossoms_by_entry[ids[other]])
        duals = certificate.prices[ids[one]] + certificate.prices[ids[other]]
        if 2 * prices.price(one, other) < duals - 2 * sum(certificate.blossoms[z][1] for z in shared):
            return False
    least = sum(certificate.prices[entry] for entry in ids)
    least -= sum(2 * rebate * (len(members) // 2) for members, rebate in certificate.blossoms)
    return 2 * sum(prices.price(*pair) for pair in pairs) == least


class CertificateJson(TypedDict):
    """A certificate as plain data. Numbers are text; None is the bye. ``sections`` is present if sections are
    drawn apart."""

    units: dict[str, str]
    prices: list[list[EntryId | str | None]]
    blossoms: list[list[list[EntryId | None] | str]]
    sections: "NotRequired[list[CertificateJson]]"


def certificate_to_json(certificate: Certificate) -> CertificateJson:
    """Convert a certificate to JSON data. Numbers become text, since they exceed what other languages read as
    numbers."""
    data: CertificateJson = {
        "units": {key: str(unit) for key, unit in certificate.units.items()},
        "prices": [[entry, str(price)] for entry, price in certificate.prices.items()],
        "blossoms": [
            [sorted(members, key=lambda entry: (entry is None, entry or 0)), str(rebate)]
            for members, rebate in certificate.blossoms
        ],
    }
    if certificate.sections:
        data["sections"] = list(map(certificate_to_json, certificate.sections))
    return data


def certificate_from_json(data: Mapping[str, Any]) -> Certificate:
    """Return the certificate from the output of ``certificate_to_json``."""
    return Certificate(
        units={key: int(unit) for key, unit in data["units"].items()},
        prices={entry: int(price) for entry, price in data["prices"]},
        blossoms=tuple((frozenset(members), int(rebate)) for members, rebate in data["blossoms"]),
        sections=tuple(map(certificate_from_json, data.get("sections", ()))),
    )
