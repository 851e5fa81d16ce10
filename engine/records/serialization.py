"""Records as JSON data."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from engine.json_values import read_value

from .values import ClubRecord, PersonRecord

JsonObject = Mapping[str, Any]


def person_record_to_json(record: PersonRecord) -> dict[str, Any]:
    """Return the record as plain data. JSON turns tuples into lists, and years into text."""
    return {each.name: getattr(record, each.name) for each in fields(record)}


def person_record_from_json(data: JsonObject) -> PersonRecord:
    """Return the record from the output of ``person_record_to_json``."""
    record: PersonRecord = read_value(PersonRecord, data)
    return record


def club_record_to_json(record: ClubRecord) -> dict[str, Any]:
    """Return the record in the types of JSON, which ``club_record_from_json`` reads."""
    return asdict(record)


def club_record_from_json(data: JsonObject) -> ClubRecord:
    """Return the record from the output of ``club_record_to_json``."""
    record: ClubRecord = read_value(ClubRecord, data)
    return record
