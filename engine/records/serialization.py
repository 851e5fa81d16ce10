"""Records as JSON data."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from .values import Balance, BestPair, ClubRecord, Company, ContractCount, Feat, Holder, PersonRecord, Streak, Year

JsonObject = Mapping[str, Any]


def person_record_to_json(record: PersonRecord) -> dict[str, Any]:
    """Return the record as plain data. JSON turns tuples into lists, and years into text."""
    return {each.name: getattr(record, each.name) for each in fields(record)}


def person_record_from_json(data: JsonObject) -> PersonRecord:
    """Return the record from the output of ``person_record_to_json``."""
    return PersonRecord(
        nights=data["nights"],
        balance=Balance(*data["balance"]),
        games=_parse_pair(data["games"]),
        points=_parse_pair(data["points"]),
        marked=data["marked"],
        contracts=_parse_contract_counts(data["contracts"]),
        own=_parse_contract_counts(data["own"]),
        partners=_parse_company(data["partners"]),
        opponents=_parse_company(data["opponents"]),
        streak=Streak(*data["streak"]),
        running=data["running"],
        years={int(year): Year(nights, Balance(*balance)) for year, (nights, balance) in data["years"].items()},
    )


def club_record_to_json(record: ClubRecord) -> dict[str, Any]:
    """Return the record in the types of JSON, which ``club_record_from_json`` reads."""
    return asdict(record)


def club_record_from_json(data: JsonObject) -> ClubRecord:
    """Return the record from the output of ``club_record_to_json``."""
    feats = {name: _parse_feat(data[name]) for name in ("highest", "charlemagnes", "streak", "most_nights")}
    best = data["best_pair"]
    return ClubRecord(
        nights=data["nights"],
        matches=data["matches"],
        people=data["people"],
        best_pair=best and BestPair(players=tuple(best["players"]), balance=Balance(*best["balance"])),
        **feats,
    )


def _parse_pair(data: Any) -> tuple[int, int]:
    one, other = data
    return one, other


def _parse_contract_counts(data: JsonObject) -> dict[str, ContractCount]:
    return {contract: ContractCount(*numbers) for contract, numbers in data.items()}


def _parse_company(data: Any) -> tuple[Company, ...]:
    return tuple(Company(person, Balance(*balance)) for person, balance in data)


def _parse_feat(data: JsonObject | None) -> Feat | None:
    if data is None:
        return None
    holders = tuple(Holder(tuple(players), event) for players, event in data["holders"])
    return Feat(number=data["number"], holders=holders, shared=data["shared"])
