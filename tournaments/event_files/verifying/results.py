"""Verification of rulings and standings."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from engine.draws import VERSION, EntryId
from engine.ranking import ResultAdjustment
from engine.results import EventRules, EventSnapshot, PlayedTable, build_bye, entrant_from_json
from engine.standings import list_manual_slots, standings_to_json
from errors import Refusal
from tournaments.events.event_settings import EventSettings

from .report import VerificationReport
from .rounds import TAMPERING_ERRORS

JsonObject = Mapping[str, Any]


def list_played_tables(round_data: JsonObject, matches: Mapping[int, JsonObject]) -> list[PlayedTable]:
    """Return the tables and byes of a published round. ``matches`` are the results from their logs, by
    table."""
    played_tables = [
        PlayedTable(
            round=round_data["number"],
            a=tuple(map(EntryId, table["a"])),
            b=tuple(map(EntryId, table["b"])),
            table=table["number"],
            slot=table["slot"],
            outcome=_get_outcome(table, matches),
        )
        for table in round_data["tables"]
    ]
    return played_tables + [
        build_bye(round_data["number"], EntryId(bye["entry"]), bye["slot"], bye["reasons"])
        for bye in round_data["byes"]
    ]


def _get_outcome(table: JsonObject, matches: Mapping[int, JsonObject]) -> JsonObject | None:
    if table["ruling"] is not None:
        ruling: JsonObject = table["ruling"]
        return ruling
    match = matches.get(table["number"])
    return match["summary"] if match is not None and match["is_over"] else None


def check_rulings(round_data: JsonObject, report: VerificationReport) -> None:
    """Check that each ruling starts from the one before it, and that the last one is in force."""
    current_rulings: dict[int, JsonObject | None] = {}
    for action in round_data["rulings"]:
        location = (("round", round_data["number"]), ("table", action["table"]))
        report.compare(location, "rulings.before", action["before"], current_rulings.get(action["table"]))
        current_rulings[action["table"]] = action["after"]
    for table in round_data["tables"]:
        location = (("round", round_data["number"]), ("table", table["number"]))
        report.compare(location, "ruling", table["ruling"], current_rulings.pop(table["number"], None))


def build_file_snapshot(
    content: JsonObject, settings: EventSettings, played_tables: Sequence[PlayedTable], *, version: int = VERSION
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
        tables=tuple(played_tables),
        adjustments=tuple(
            ResultAdjustment(
                entry=EntryId(adjustment["entry"]),
                metric=adjustment["metric"],
                amount=adjustment["amount"],
                round=adjustment["round"],
            )
            for adjustment in content["adjustments"]
        ),
        orders={round_data["number"]: _to_entry_ids(round_data["draw"]["order"]) for round_data in content["rounds"]},
    )


def _to_entry_ids(numbers: Sequence[int]) -> list[EntryId]:
    return [EntryId(number) for number in numbers]


def check_standings(
    content: JsonObject, settings: EventSettings, played_tables: Sequence[PlayedTable], report: VerificationReport
) -> None:
    """Verify the standings: rows, their calculation and contradictions in brackets. They are computed by the
    current version, or else by the version of the last draw."""
    stored = content["standings"]
    if stored is None:
        report.note((), "no_standings")
        return
    numbers = {entry["number"] for entry in content["entries"] if not entry["is_waiting"]}
    adjustments = [adjustment for adjustment in content["adjustments"] if adjustment["entry"] in numbers]
    slots = [
        (table["slot"], table["reasons"]) for contradiction in content["rounds"] for table in contradiction["tables"]
    ]

    def compute(version: int) -> Any:
        snapshot = build_file_snapshot(content, settings, played_tables, version=version)
        return json.loads(json.dumps(standings_to_json(snapshot, adjustments, manual_slots=list_manual_slots(slots))))

    try:
        computed, draw_version = compute(VERSION), _get_last_draw_version(content)
        if draw_version < VERSION and any(computed[name] != stored[name] for name in ("rows", "counted")):
            computed = compute(draw_version)
    except (Refusal, *TAMPERING_ERRORS):
        report.differs((), "cannot_be_ranked")
        return
    report.count("rows", len(computed["rows"]))
    others = [contradiction for contradiction in computed["contradictions"] if contradiction["slot"].endswith(":")]
    for contradiction in others:
        seated_text, expected_text = (", ".join(map(str, contradiction[name])) for name in ("seated", "expected"))
        location = (("round", contradiction["round"]),)
        report.note(location, "qualified_otherwise", seated=seated_text, expected=expected_text)
    _drop_newer_parts(computed, stored, others)
    for name in ("rows", "counted", "contradictions"):
        if isinstance(stored[name], list) and len(stored[name]) == len(computed[name]):
            for place, (row, computed_row) in enumerate(zip(stored[name], computed[name], strict=True), start=1):
                report.compare((("line", place),), f"standings.{name}", row, computed_row)
        else:
            report.compare((), f"standings.{name}", stored[name], computed[name])


def _drop_newer_parts(computed: Any, stored: JsonObject, others: Sequence[JsonObject]) -> None:
    """Drop what older versions did not store: ``others``, the contradictions of stages, and rounds left out."""
    if not any(contradiction in others for contradiction in stored["contradictions"]):
        computed["contradictions"] = [
            contradiction for contradiction in computed["contradictions"] if contradiction not in others
        ]
    if not any("left_out" in count for count in stored["counted"].values()):
        for count in computed["counted"].values():
            count.pop("left_out", None)


def _get_last_draw_version(content: JsonObject) -> int:
    """Return the version of the last draw whose inputs are in the file."""
    sources = [round_data["draw"]["drawn_from"] for round_data in content["rounds"]]
    versions = [int(source.get("draw_version", 1)) for source in sources if source is not None]
    return versions[-1] if versions else VERSION
