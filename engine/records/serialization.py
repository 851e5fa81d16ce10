"""Records as JSON data."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from .values import (
    Balance,
    BestPair,
    ClubRecord,
    Company,
    ContractCount,
    Feat,
    Holder,
    PersonRecord,
    Streak,
    Year,
)

Plain = Mapping[str, Any]


def person_record_to_json(record: PersonRecord) -> dict[str, Any]:
    """Return the record as plain data. JSON turns tuples into lists, and years into text."""
    return {each.name: getattr(record, each.name) for each in fields(record)}


def person_record_from_json(plain: Plain) -> PersonRecord:
    """Return the record from the output of ``person_record_to_json``."""
    return PersonRecord(
        nights=plain["nights"],
        balance=Balance(*plain["balance"]),
        games=_two(plain["games"]),
        points=_two(plain["points"]),
        marked=plain["marked"],
        contracts=_counts(plain["contracts"]),
        own=_counts(plain["own"]),
        partners=_company(plain["partners"]),
        opponents=_company(plain["opponents"]),
        streak=Streak(*plain["streak"]),
        running=plain["running"],
        years={
            int(year): Year(nights, Balance(*balance)) for year, (nights, balance) in plain["years"].items()
        },
    )


def club_record_to_json(record: ClubRecord) -> dict[str, Any]:
    """Return the record in the types of JSON, which ``club_record_from_json`` reads."""
    return asdict(record)


def club_record_from_json(plain: Plain) -> ClubRecord:
    """Return the record from the output of ``club_record_to_json``."""
    feats = {name: _feat(plain[name]) for name in ("highest", "charlemagnes", "streak", "most_nights")}
    best = plain["best_pair"]
    return ClubRecord(
        nights=plain["nights"],
        matches=plain["matches"],
        people=plain["people"],
        best_pair=best and BestPair(players=tuple(best["players"]), balance=Balance(*best["balance"])),
        **feats,
    )


def _two(plain: Any) -> tuple[int, int]:
    one, other = plain
    return one, other


def _counts(plain: Plain) -> dict[str, ContractCount]:
    return {contract: ContractCount(*numbers) for contract, numbers in plain.items()}


def _company(plain: Any) -> tuple[Company, ...]:
    return tuple(Company(person, Balance(*balance)) for person, balance in plain)


def _feat(plain: Plain | None) -> Feat | None:
    if plain is None:
        return None
    holders = tuple(Holder(tuple(players), event) for players, event in plain["holders"])
    return Feat(number=plain["number"], holders=holders, shared=plain["shared"])
