"""Verification of rulings and standings."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from engine.draws import VERSION, EntryId
from engine.ranking import ResultAdjustment
from engine.results import EventRules, EventSnapshot, PlayedTable, entrant_from_json, why_sat_out
from engine.standings import slots_by_hand, standings_to_json
from errors import Refusal
from tournaments.events.event_settings import EventSettings

from .report import VerificationReport
from .rounds import BROKEN

Plain = Mapping[str, Any]


def tables_of_round(drawn: Plain, matches: Mapping[int, Plain]) -> list[PlayedTable]:
    """Return the tables and byes of a published round. ``matches`` are the results from their logs, by
    table."""
    sat = [
        PlayedTable(
            round=drawn["number"],
            a=tuple(map(EntryId, table["a"])),
            b=tuple(map(EntryId, table["b"])),
            table=table["number"],
            slot=table["slot"],
            outcome=_outcome(table, matches),
        )
        for table in drawn["tables"]
    ]
    return sat + [
        PlayedTable(
            round=drawn["number"],
            a=(EntryId(bye["entry"]),),
            slot=bye["slot"],
            sat_out=why_sat_out(str(reason.get("code")) for reason in bye["reasons"]),
        )
        for bye in drawn["byes"]
    ]


def _outcome(table: Plain, matches: Mapping[int, Plain]) -> Plain | None:
    if table["ruling"] is not None:
        ruling: Plain = table["ruling"]
        return ruling
    match = matches.get(table["number"])
    return match["summary"] if match is not None and match["is_over"] else None


def check_rulings(drawn: Plain, report: VerificationReport) -> None:
    """Check that each ruling starts from the one before it, and that the last one is in force."""
    stand: dict[int, Plain | None] = {}
    for action in drawn["rulings"]:
        where = (("round", drawn["number"]), ("table", action["table"]))
        report.compare(where, "rulings.before", action["before"], stand.get(action["table"]))
        stand[action["table"]] = action["after"]
    for table in drawn["tables"]:
        where = (("round", drawn["number"]), ("table", table["number"]))
        report.compare(where, "ruling", table["ruling"], stand.pop(table["number"], None))


def snapshot_of_file(
    content: Plain, settings: EventSettings, sat: Sequence[PlayedTable], *, version: int = VERSION
) -> EventSnapshot:
    """Return the inputs of the standings from the file, for this version of draws. Refuses: no_such_choice,
    no_such_entry_here."""
    entrants = tuple(
        entrant_from_json(entry)
        for entry in sorted(content["entries"], key=lambda entry: int(entry["number"]))
        if not entry["is_waiting"]
    )
    return EventSnapshot(
        basis=EventRules(
            plan=settings.plan,
            rules=settings.ranking,
            lot=content["event"]["lot"],
            version=version,
            is_seeded=settings.is_seeded,
            games_to_win=settings.match_format.games_to_win or 0,
            phases=settings.phases,
            sections=settings.sections,
        ),
        entrants=entrants,
        sat=tuple(sat),
        adjustments=tuple(
            ResultAdjustment(
                entry=EntryId(given["entry"]),
                metric=given["metric"],
                amount=given["amount"],
                round=given["round"],
            )
            for given in content["adjustments"]
        ),
        orders={each["number"]: _ids(each["draw"]["order"]) for each in content["rounds"]},
    )


def _ids(numbers: Sequence[int]) -> list[EntryId]:
    return [EntryId(number) for number in numbers]


def check_standings(
    content: Plain, settings: EventSettings, sat: Sequence[PlayedTable], report: VerificationReport
) -> None:
    """Verify the standings: rows, their calculation and contradictions in brackets. They are computed by the
    current version, or else by the version of the last draw."""
    kept = content["standings"]
    if kept is None:
        report.note((), "no_standings")
        return
    numbers = {entry["number"] for entry in content["entries"] if not entry["is_waiting"]}
    told = [given for given in content["adjustments"] if given["entry"] in numbers]
    slots = [(table["slot"], table["reasons"]) for each in content["rounds"] for table in each["tables"]]

    def count(version: int) -> Any:
        known = snapshot_of_file(content, settings, sat, version=version)
        return json.loads(json.dumps(standings_to_json(known, told, by_hand=slots_by_hand(slots))))

    try:
        found, of_then = count(VERSION), _version_of_then(content)
        if of_then < VERSION and any(found[name] != kept[name] for name in ("rows", "counted")):
            found = count(of_then)
    except (Refusal, *BROKEN):
        report.differs((), "cannot_be_ranked")
        return
    report.count("rows", len(found["rows"]))
    others = [each for each in found["contradictions"] if each["slot"].endswith(":")]
    for each in others:
        seated, expected = (", ".join(map(str, each[name])) for name in ("seated", "expected"))
        where = (("round", each["round"]),)
        report.note(where, "qualified_otherwise", seated=seated, expected=expected)
    if not any(each in others for each in kept["contradictions"]):  # older versions did not look for them
        found["contradictions"] = [each for each in found["contradictions"] if each not in others]
    for name in ("rows", "counted", "contradictions"):
        if isinstance(kept[name], list) and len(kept[name]) == len(found[name]):
            for place, (row, again) in enumerate(zip(kept[name], found[name], strict=True), start=1):
                report.compare((("line", place),), f"standings.{name}", row, again)
        else:
            report.compare((), f"standings.{name}", kept[name], found[name])


def _version_of_then(content: Plain) -> int:
    """Return the version of the last draw whose inputs are in the file."""
    sources = [each["draw"]["drawn_from"] for each in content["rounds"]]
    versions = [int(source.get("draw_version", 1)) for source in sources if source is not None]
    return versions[-1] if versions else VERSION
