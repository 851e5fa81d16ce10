"""Tables, byes and certificates of draws, with entries by starting number in a file, and by key in the database."""

from collections.abc import Mapping
from typing import Any

from engine.draws.lineups import renumber_reasons

JsonObject = Mapping[str, Any]

Numbers = Mapping[int, int]
"""Starting numbers by entry, or entries by starting number."""


def renumber_table(table: JsonObject, numbers: Numbers) -> dict[str, Any]:
    return {
        "number": table["number"],
        "slot": table["slot"],
        "a": [numbers[entry] for entry in table["a"]],
        "b": [numbers[entry] for entry in table["b"]],
        "reasons": renumber_reasons(table["reasons"], numbers),
    }


def renumber_bye(bye: JsonObject, numbers: Numbers) -> dict[str, Any]:
    return {
        "entry": numbers[bye["entry"]],
        "slot": bye["slot"],
        "reasons": renumber_reasons(bye["reasons"], numbers),
    }


def renumber_lineup(lineup: JsonObject, numbers: Numbers) -> dict[str, Any]:
    return {
        "tables": [renumber_table(table, numbers) for table in lineup["tables"]],
        "byes": [renumber_bye(bye, numbers) for bye in lineup["byes"]],
    }


def renumber_certificate(certificate: JsonObject | None, numbers: Numbers) -> dict[str, Any] | None:
    if certificate is None:
        return None

    def get_number(entry: int | None) -> int | None:
        return None if entry is None else numbers[entry]

    renumbered = {
        "units": certificate["units"],
        "prices": [[get_number(entry), price] for entry, price in certificate["prices"]],
        "blossoms": [
            [sorted(map(get_number, blossom), key=lambda entry: (entry is None, entry or 0)), rebate]
            for blossom, rebate in certificate["blossoms"]
        ],
    }
    sections = [renumber_certificate(section, numbers) for section in certificate.get("sections", ())]
    return renumbered | {"sections": sections} if sections else renumbered
