"""Comparison of two files of one event, such as a corrected copy. Both are in the newest form."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clubs.name_matching import spelling

from .form import OF_A_COPY
from .verifying import Difference
from .verifying.report import Where
from .writer import digests_of

Plain = Mapping[str, Any]

NOT_COMPARED = OF_A_COPY | {"people", "standings"}
"""Parts not compared: the place, the people's names in a club, and what is computed from the rest."""
_OF_SEVERAL = frozenset({"announcement", "cash", "rates", "release"})
"""Settings reported part by part."""
_TOLD_PARTS = frozenset({"event", "entries", "adjustments"})


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedEntry:
    """An entry, by its players' names, whose rank would change; None if it has no rank."""

    names: tuple[str, ...]
    before: int | None
    after: int | None


def differences_of(here: Plain, there: Plain) -> list[Difference]:
    """List what the file from ``there`` has different from the event ``here``; empty if they are equal.

    First come settings, entries, rounds and results, then any other part with a different sum.
    """
    found = [
        *_settings(here["event"], there["event"]),
        *_entries(here, there),
        *_adjustments(here, there),
    ]
    rounds = [{drawn["number"]: drawn for drawn in content["rounds"]} for content in (here, there)]
    for number in sorted(rounds[0].keys() | rounds[1].keys()):
        found += _round(number, *(each.get(number) for each in rounds))
    return found + list(_others(here, there))


def moved_entries(here: Plain, there: Plain) -> list[MovedEntry]:
    """Return the entries whose rank differs between the standings of the two files, best first by
    ``there``."""
    before, after = ({row["entry"]: row["rank"] for row in _rows(content)} for content in (here, there))
    names = _names(here) | _names(there)
    return [
        MovedEntry(names=names.get(number, ()), before=before.get(number), after=after.get(number))
        for number in dict.fromkeys((*after, *before))
        if before.get(number) != after.get(number)
    ]


def _rows(content: Plain) -> Sequence[Plain]:
    rows: Sequence[Plain] = (content["standings"] or {"rows": ()})["rows"]
    return rows


def _names(content: Plain) -> dict[int, tuple[str, ...]]:
    """Return the players' names of each entry, by its number."""
    people = content["people"]
    return {
        entry["number"]: tuple(people[number - 1] for number in entry["players"])
        for entry in content["entries"]
    }


def _settings(here: Plain, there: Plain) -> Iterator[Difference]:
    """Compare the fields of the event and of its settings, by name."""
    before, after = _fields(here), _fields(there)
    for name in before | after:
        if before.get(name) != after.get(name):
            yield _field((), "event", name, before.get(name), after.get(name))


def _fields(event: Plain) -> dict[str, Any]:
    fields = {name: value for name, value in event.items() if name != "settings"}
    for name, value in event["settings"].items():
        is_whole = name not in _OF_SEVERAL
        fields |= {name: value} if is_whole else {f"{name}.{part}": each for part, each in value.items()}
    return fields


def _entries(here: Plain, there: Plain) -> Iterator[Difference]:
    names = [_names(content) for content in (here, there)]
    entries = [{entry["number"]: entry for entry in content["entries"]} for content in (here, there)]
    for number in sorted(entries[0].keys() | entries[1].keys()):
        where = (("entry", number),)
        before, after = (each.get(number) for each in entries)
        if before is None:
            yield Difference(where, "entry_is_new", {"names": names[1][number]})
        elif after is None:
            yield Difference(where, "entry_is_gone", {"names": names[0][number]})
        else:
            players = [each[number] for each in names]
            if _spellings(players[0]) != _spellings(players[1]):
                yield Difference(where, "players_are_others", {"here": players[0], "there": players[1]})
            for name in before | after:
                if name not in ("number", "players") and before.get(name) != after.get(name):
                    yield _field(where, "entry", name, before.get(name), after.get(name))


def _spellings(names: Sequence[str]) -> list[tuple[str, ...]]:
    return [spelling(name) for name in names]


def _adjustments(here: Plain, there: Plain) -> Iterator[Difference]:
    given = [list(content["adjustments"]) for content in (here, there)]
    for code, own, others in (
        ("adjusted_here", given[0], given[1]),
        ("adjusted_there", given[1], given[0]),
    ):
        for each in own:
            if each not in others:
                yield Difference((("entry", each["entry"]),), code, {"given": dict(each)})


def _round(number: int, before: Plain | None, after: Plain | None) -> Iterator[Difference]:
    where: Where = (("round", number),)
    if before is None or after is None:
        yield Difference(where, "round_is_new" if before is None else "round_is_gone", {})
        return
    told = list(_tables(where, before, after))
    if before["state"] != after["state"]:
        told.insert(0, _field(where, "round", "state", before["state"], after["state"]))
    byes = [sorted(bye["entry"] for bye in drawn["byes"]) for drawn in (before, after)]
    if byes[0] != byes[1]:
        told.append(Difference(where, "others_sit_out", {"here": byes[0], "there": byes[1]}))
    yield from told
    if not told and before != after:
        yield Difference(where, "round_is_written_otherwise", {})


def _tables(where: Where, before: Plain, after: Plain) -> Iterator[Difference]:
    tables = [{table["number"]: table for table in drawn["tables"]} for drawn in (before, after)]
    for number in sorted(tables[0].keys() | tables[1].keys()):
        at = (*where, ("table", number))
        here, there = (each.get(number) for each in tables)
        seats = [None if table is None else [table["a"], table["b"]] for table in (here, there)]
        if here is None or there is None or seats[0] != seats[1]:
            yield Difference(at, "others_sit_here", {"here": seats[0], "there": seats[1]})
            continue
        results = [_result(table) for table in (here, there)]
        if results[0] != results[1]:
            details = {"seats": seats[0], "here": results[0], "there": results[1]}
            yield Difference(at, "result_is_other", details)
        elif here["match"] != there["match"]:
            yield Difference(at, "hands_are_others", {})


def _result(table: Plain) -> dict[str, Any] | None:
    """Return winner, games, points and the kind of ruling of a table; None without a result."""
    if table["ruling"] is not None:
        return {name: table["ruling"].get(name) for name in ("kind", "winner", "games_won", "points")}
    match = table["match"]
    if match is None or not match["is_over"]:
        return None
    return {"kind": None} | {name: match["summary"][name] for name in ("winner", "games_won", "points")}


def _others(here: Plain, there: Plain) -> Iterator[Difference]:
    """Compare the other parts by their sums, such as matches that were set aside."""
    sums = [digests_of(content) for content in (here, there)]
    for part in sorted(sums[0].keys() | sums[1].keys()):
        if part in NOT_COMPARED or part in _TOLD_PARTS or part.startswith("rounds."):
            continue
        if sums[0].get(part) != sums[1].get(part):
            yield Difference((), "part_is_other", {"part": part})


def _field(where: Where, kind: str, name: str, before: Any, after: Any) -> Difference:
    details = {"kind": kind, "name": name, "here": before, "there": after}
    return Difference(where, "field_is_other", details)
