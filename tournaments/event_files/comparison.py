"""Comparison of two files of one event, such as a corrected copy. Both are in the newest form."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clubs.name_matching import normalize_spelling

from .schema import COPY_SPECIFIC_PARTS
from .verifying import Difference
from .verifying.report import Location
from .writer import compute_part_digests

JsonObject = Mapping[str, Any]

EXCLUDED_PARTS = COPY_SPECIFIC_PARTS | {"people", "standings"}
"""Parts not compared: the place, the people's names in a club, and what is computed from the rest."""
_COMPOUND_SETTINGS = frozenset({"announcement", "cash", "rates", "release"})
"""Settings reported part by part."""
_REPORTED_PARTS = frozenset({"event", "entries", "adjustments"})


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedEntry:
    """An entry, by its players' names, whose rank would change; None if it has no rank."""

    names: tuple[str, ...]
    before: int | None
    after: int | None


def list_differences(current: JsonObject, incoming: JsonObject) -> list[Difference]:
    """List the differences of the ``incoming`` file from the ``current`` one; empty if they are equal.

    First come settings, entries, rounds and results, then any other part with a different sum.
    """
    differences = [
        *_compare_settings(current["event"], incoming["event"]),
        *_compare_entries(current, incoming),
        *_compare_adjustments(current, incoming),
    ]
    rounds = [{round_data["number"]: round_data for round_data in content["rounds"]} for content in (current, incoming)]
    for number in sorted(rounds[0].keys() | rounds[1].keys()):
        differences += _compare_round(number, *(rounds_by_number.get(number) for rounds_by_number in rounds))
    return differences + list(_compare_other_parts(current, incoming))


def list_moved_entries(current: JsonObject, incoming: JsonObject) -> list[MovedEntry]:
    """Return the entries whose rank differs between the standings of the two files, in the order of
    ``incoming``."""
    current_ranks, incoming_ranks = (
        {row["entry"]: row["rank"] for row in _get_standings_rows(content)} for content in (current, incoming)
    )
    names = _map_entry_names(current) | _map_entry_names(incoming)
    return [
        MovedEntry(names=names.get(number, ()), before=current_ranks.get(number), after=incoming_ranks.get(number))
        for number in dict.fromkeys((*incoming_ranks, *current_ranks))
        if current_ranks.get(number) != incoming_ranks.get(number)
    ]


def _get_standings_rows(content: JsonObject) -> Sequence[JsonObject]:
    rows: Sequence[JsonObject] = (content["standings"] or {"rows": ()})["rows"]
    return rows


def _map_entry_names(content: JsonObject) -> dict[int, tuple[str, ...]]:
    """Return the players' names of each entry, by its number."""
    people = content["people"]
    return {entry["number"]: tuple(people[number - 1] for number in entry["players"]) for entry in content["entries"]}


def _compare_settings(current: JsonObject, incoming: JsonObject) -> Iterator[Difference]:
    """Compare the fields of the event and of its settings, by name."""
    current_fields, incoming_fields = _flatten_fields(current), _flatten_fields(incoming)
    for name in current_fields | incoming_fields:
        if current_fields.get(name) != incoming_fields.get(name):
            yield _build_field_difference((), "event", name, current_fields.get(name), incoming_fields.get(name))


def _flatten_fields(event: JsonObject) -> dict[str, Any]:
    fields = {name: value for name, value in event.items() if name != "settings"}
    for name, value in event["settings"].items():
        is_whole = name not in _COMPOUND_SETTINGS
        fields |= {name: value} if is_whole else {f"{name}.{part}": item for part, item in value.items()}
    return fields


def _compare_entries(current: JsonObject, incoming: JsonObject) -> Iterator[Difference]:
    names = [_map_entry_names(content) for content in (current, incoming)]
    entries = [{entry["number"]: entry for entry in content["entries"]} for content in (current, incoming)]
    for number in sorted(entries[0].keys() | entries[1].keys()):
        location = (("entry", number),)
        before, after = (each.get(number) for each in entries)
        if before is None:
            yield Difference(location, "entry_is_new", {"names": names[1][number]})
        elif after is None:
            yield Difference(location, "entry_is_gone", {"names": names[0][number]})
        else:
            players = [each[number] for each in names]
            if _list_spellings(players[0]) != _list_spellings(players[1]):
                yield Difference(location, "players_are_others", {"here": players[0], "there": players[1]})
            for name in before | after:
                if name not in ("number", "players") and before.get(name) != after.get(name):
                    yield _build_field_difference(location, "entry", name, before.get(name), after.get(name))


def _list_spellings(names: Sequence[str]) -> list[tuple[str, ...]]:
    return [normalize_spelling(name) for name in names]


def _compare_adjustments(current: JsonObject, incoming: JsonObject) -> Iterator[Difference]:
    adjustments = [list(content["adjustments"]) for content in (current, incoming)]
    for code, own_adjustments, other_adjustments in (
        ("adjusted_here", adjustments[0], adjustments[1]),
        ("adjusted_there", adjustments[1], adjustments[0]),
    ):
        for adjustment in own_adjustments:
            if adjustment not in other_adjustments:
                yield Difference((("entry", adjustment["entry"]),), code, {"given": dict(adjustment)})


def _compare_round(number: int, before: JsonObject | None, after: JsonObject | None) -> Iterator[Difference]:
    location: Location = (("round", number),)
    if before is None or after is None:
        yield Difference(location, "round_is_new" if before is None else "round_is_gone", {})
        return
    differences = list(_compare_tables(location, before, after))
    if before["state"] != after["state"]:
        differences.insert(0, _build_field_difference(location, "round", "state", before["state"], after["state"]))
    byes = [sorted(bye["entry"] for bye in round_data["byes"]) for round_data in (before, after)]
    if byes[0] != byes[1]:
        differences.append(Difference(location, "others_sit_out", {"here": byes[0], "there": byes[1]}))
    yield from differences
    if not differences and before != after:
        yield Difference(location, "round_is_written_otherwise", {})


def _compare_tables(location: Location, before: JsonObject, after: JsonObject) -> Iterator[Difference]:
    tables = [{table["number"]: table for table in round_data["tables"]} for round_data in (before, after)]
    for number in sorted(tables[0].keys() | tables[1].keys()):
        table_location = (*location, ("table", number))
        current_table, incoming_table = (each.get(number) for each in tables)
        seats = [None if table is None else [table["a"], table["b"]] for table in (current_table, incoming_table)]
        if current_table is None or incoming_table is None or seats[0] != seats[1]:
            yield Difference(table_location, "others_sit_here", {"here": seats[0], "there": seats[1]})
            continue
        results = [_get_result(table) for table in (current_table, incoming_table)]
        if results[0] != results[1]:
            details = {"seats": seats[0], "here": results[0], "there": results[1]}
            yield Difference(table_location, "result_is_other", details)
        elif current_table["match"] != incoming_table["match"]:
            yield Difference(table_location, "hands_are_others", {})


def _get_result(table: JsonObject) -> dict[str, Any] | None:
    """Return winner, games, points and the kind of ruling of a table; None without a result."""
    if table["ruling"] is not None:
        return {name: table["ruling"].get(name) for name in ("kind", "winner", "games_won", "points")}
    match = table["match"]
    if match is None or not match["is_over"]:
        return None
    return {"kind": None} | {name: match["summary"][name] for name in ("winner", "games_won", "points")}


def _compare_other_parts(current: JsonObject, incoming: JsonObject) -> Iterator[Difference]:
    """Compare the other parts by their sums, such as matches that were set aside."""
    sums = [compute_part_digests(content) for content in (current, incoming)]
    for part in sorted(sums[0].keys() | sums[1].keys()):
        if part in EXCLUDED_PARTS or part in _REPORTED_PARTS or part.startswith("rounds."):
            continue
        if sums[0].get(part) != sums[1].get(part):
            yield Difference((), "part_is_other", {"part": part})


def _build_field_difference(location: Location, kind: str, name: str, before: Any, after: Any) -> Difference:
    details = {"kind": kind, "name": name, "here": before, "there": after}
    return Difference(location, "field_is_other", details)
