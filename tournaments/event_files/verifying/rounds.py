"""Verification of rounds: each is drawn again from its inputs, changed by hand as recorded, and compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from engine.draws import Certificate, Draw, DrawInput, EntryId, certificate_to_json
from engine.draws.lineups import Lineup, build_lineup, lineup_from_json, lineup_to_json
from engine.draws.pairing_cost.certificates import CertificateJson
from engine.draws.pairing_cost.comparison import PRICED_FORMATS, is_optimal
from engine.draws.rounds import list_drawable_entrants
from engine.results import (
    EventSnapshot,
    PlayedTable,
    build_draw_input,
    build_played_input,
    compute_manual_price,
    draw_next_round,
    filter_field_tables,
    list_inputs_by_format,
    order_entries,
    result_to_json,
    snapshot_from_json,
)
from errors import Refusal

from .report import Location, VerificationReport

JsonObject = Mapping[str, Any]
Places = dict[tuple[str, int], JsonObject]
"""Tables by number and byes by entry."""

REASONS_VERSION = 3
"""First version of draws with the current reasons."""

TAMPERING_ERRORS = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Exceptions of a draw from impossible inputs, which only a tampered file has."""


@dataclass(frozen=True, slots=True)
class VerifiedRound:
    """A round drawn again; ``first`` is its line-up, ``price`` its cost."""

    snapshot: EventSnapshot
    draw_input: DrawInput
    drawn: Draw
    first: Lineup
    price: dict[str, int]

    @property
    def certificate(self) -> CertificateJson | None:
        certificate = self.drawn.certificate
        return None if certificate is None else certificate_to_json(certificate)


def check_round(
    content: JsonObject, round_data: JsonObject, played_tables: Sequence[PlayedTable], report: VerificationReport
) -> None:
    """Verify one round; ``played_tables`` are the tables and byes of earlier rounds, as they are now."""
    location: Location = (("round", round_data["number"]),)
    if not _check_entries(content, round_data, location, report):
        return
    source = round_data["draw"]["drawn_from"]
    if source is None:
        report.note(location, "not_drawn_here" if round_data["draw"]["format"] == "manual" else "source_not_kept")
        return
    for name in ("order", "seed"):  # even if the seed decided nothing
        report.compare(location, f"draw.{name}", round_data["draw"][name], source[name])
    redrawn = _redraw_round(content, round_data, location, report)
    if redrawn is None:
        return
    report.count("draws")
    _compare_round(round_data, redrawn, location, report)
    _check_source(content, round_data, redrawn.snapshot, played_tables, location, report)


def _check_entries(content: JsonObject, round_data: JsonObject, location: Location, report: VerificationReport) -> bool:
    """Check that the round can be verified: every entry is known, and none is seated twice."""
    known_numbers = {entry["number"] for entry in content["entries"] if not entry["is_waiting"]}
    seated_numbers = [entry for table in round_data["tables"] for entry in (*table["a"], *table["b"])]
    seated_numbers += [bye["entry"] for bye in round_data["byes"]]
    error_count = len(report.differences)
    for entry in sorted(set(seated_numbers) - known_numbers):
        report.differs(location, "no_such_entry_here", entry=entry)
    for entry in sorted(
        {entry for entry in seated_numbers if seated_numbers.count(entry) > 1}
        if _has_duplicates(seated_numbers)
        else ()
    ):
        report.differs(location, "seated_twice_here", entry=entry)
    numbers = [table["number"] for table in round_data["tables"]]
    if _has_duplicates(numbers):
        report.differs(location, "table_twice_here")
    for table in round_data["tables"]:
        if len(table["a"]) != len(table["b"]) or not table["a"]:
            report.differs((*location, ("table", table["number"])), "sides_uneven")
    return len(report.differences) == error_count


def _has_duplicates(values: Sequence[object]) -> bool:
    return len(set(values)) < len(values)


def _redraw_round(
    content: JsonObject, round_data: JsonObject, location: Location, report: VerificationReport
) -> VerifiedRound | None:
    source, number, seed = round_data["draw"]["drawn_from"], round_data["number"], round_data["draw"]["seed"]
    orders = {
        earlier_round["number"]: earlier_round["draw"]["order"]
        for earlier_round in content["rounds"]
        if earlier_round["number"] < number
    }
    if len(source["earlier"]) != number - 1 or not _is_self_contained(source):
        report.differs(location, "source_unsound")
        return None
    try:
        snapshot = snapshot_from_json(source, orders)
        draw_input = build_draw_input(snapshot, seed=seed, order=_to_entry_ids(source["order"]))
        draw = draw_next_round(snapshot, draw_input)
        lineup, price = build_lineup(draw), dict(draw.price)
        if snapshot.locked_tables:
            free = replace(snapshot, locked_tables=())
            price = compute_manual_price(free, lineup, number=number, seed=seed, order=_to_entry_ids(source["order"]))
    except (Refusal, *TAMPERING_ERRORS):
        report.differs(location, "cannot_be_drawn")
        return None
    return VerifiedRound(snapshot, draw_input, draw, lineup, price)


def _is_self_contained(source: JsonObject) -> bool:
    """Check that the inputs of a draw only mention entries that were drawn."""
    drawn_numbers = set(source["order"])
    mentioned_numbers = {
        entry for round_tables in source["earlier"] for _, a, b, _, _ in round_tables for entry in (*a, *b)
    }
    mentioned_numbers |= {entry for _, a, b in source["held"] for entry in (*a, *b)}
    mentioned_numbers |= {item["number"] for item in source["entrants"]} | {item[0] for item in source["adjustments"]}
    mentioned_numbers |= {number for _, numbers, _ in source.get("apart", ()) for number in numbers}
    return len(drawn_numbers) == len(source["order"]) and mentioned_numbers <= drawn_numbers


def _to_entry_ids(numbers: Sequence[int]) -> list[EntryId]:
    return [EntryId(number) for number in numbers]


def _compare_round(
    round_data: JsonObject, redrawn: VerifiedRound, location: Location, report: VerificationReport
) -> None:
    """Compare the stored round with the one drawn again and changed by hand."""
    draw, lineup_data = redrawn.drawn, lineup_to_json(redrawn.first)
    if redrawn.snapshot.basis.version < REASONS_VERSION:
        report.note(location, "reasons_of_then")
        round_data, lineup_data = _remove_reasons(round_data), _remove_reasons(lineup_data)
    report.compare(location, "draw.format", round_data["draw"]["format"], draw.format)
    report.compare(location, "draw.settings", round_data["draw"]["settings"], dict(draw.settings))
    places = _map_places(lineup_data)
    draft_places, has_draft_changes = dict(places), False
    for action in round_data["by_hand"]:
        _apply_manual_change(action, places, location, report)
        if action["is_of_draft"]:
            draft_places, has_draft_changes = dict(places), True
    stored_places = _map_places(round_data)
    for kind, number in sorted({*stored_places, *places}):
        place_location = (*location, ("table" if kind == "table" else "entry", number))
        part = "table" if kind == "table" else "bye"
        report.compare(place_location, part, stored_places.get((kind, number)), places.get((kind, number)))
    if draft_places != _map_places(lineup_data):
        _compare_manual_price(round_data, redrawn, draft_places, location, report)
        return
    report.compare(location, "draw.price", round_data["draw"]["price"], redrawn.price)
    if not has_draft_changes or round_data["draw"]["certificate"] is not None:
        report.compare(location, "draw.certificate", round_data["draw"]["certificate"], redrawn.certificate)
    _check_optimal(redrawn, location, report)


def _compare_manual_price(
    round_data: JsonObject, redrawn: VerifiedRound, draft_places: Places, location: Location, report: VerificationReport
) -> None:
    """Compare the price of a draft changed by hand, which is that of its line-up, without a proof. If one of
    several changes was undone, the proof is that of the draw before it."""
    if round_data["draw"]["certificate"] is not None:
        report.compare(location, "draw.certificate", round_data["draw"]["certificate"], redrawn.certificate)
    order = [entrant.id for entrant in redrawn.draw_input.entrants]
    try:
        lineup = lineup_from_json(
            {
                "tables": [place for (kind, _), place in draft_places.items() if kind == "table"],
                "byes": [place for (kind, _), place in draft_places.items() if kind == "bye"],
            }
        )
        free = replace(redrawn.snapshot, locked_tables=())
        price = compute_manual_price(
            free, lineup, number=round_data["number"], seed=round_data["draw"]["seed"], order=order
        )
    except (Refusal, *TAMPERING_ERRORS):
        price = None
    if price != round_data["draw"]["price"]:
        report.note(location, "price_of_then")


def _remove_reasons(value: Any) -> Any:
    """Remove the reasons: an older version gave other ones for the same draw."""
    if isinstance(value, dict):
        return {name: [] if name == "reasons" else _remove_reasons(item) for name, item in value.items()}
    return [_remove_reasons(item) for item in value] if isinstance(value, list) else value


def _map_places(lineup: JsonObject) -> Places:
    tables = {
        ("table", table["number"]): {name: table[name] for name in ("number", "a", "b", "slot", "reasons")}
        for table in lineup["tables"]
    }
    return {**tables, **{("bye", bye["entry"]): bye for bye in lineup["byes"]}}


def _apply_manual_change(action: JsonObject, places: Places, location: Location, report: VerificationReport) -> None:
    """Apply one change by hand, and compare its state before with the current one."""
    for kind, key, changes in (("table", "number", action["tables"]), ("bye", "entry", action["byes"])):
        for before, after in changes:
            number = (before or after or {}).get(key, 0)
            report.compare(location, f"by_hand.{kind}.{number}", before, places.get((kind, number)))
            places.pop((kind, number), None)
            if after is not None:
                places[kind, after[key]] = after


def _check_optimal(redrawn: VerifiedRound, location: Location, report: VerificationReport) -> None:
    """Check that the proof holds by pricing every pair against it, without the solver."""
    certificate = redrawn.drawn.certificate
    if certificate is None or redrawn.snapshot.locked_tables:
        return
    for key, section_input in list_inputs_by_format(redrawn.snapshot, redrawn.draw_input, redrawn.first):
        if redrawn.first.entries.isdisjoint(entrant.id for entrant in list_drawable_entrants(section_input)):
            continue  # a finished stage beside it, or a section in which everyone requested a bye
        if key in PRICED_FORMATS:
            report.count("proofs")
            tables = filter_field_tables(section_input, redrawn.first.tables)
            if not is_optimal(section_input, key, tables, _find_section_proof(section_input, certificate)):
                report.differs(location, "not_proved")


def _find_section_proof(section_input: DrawInput, certificate: Certificate) -> Certificate:
    """Return the part of a certificate about this section, or all of it."""
    members = {entrant.id for entrant in section_input.entrants}
    sections = (proof for proof in certificate.sections if members & proof.prices.keys())
    return next(sections, certificate)


def _check_source(
    content: JsonObject,
    round_data: JsonObject,
    snapshot: EventSnapshot,
    played_tables: Sequence[PlayedTable],
    location: Location,
    report: VerificationReport,
) -> None:
    """Check that the inputs of the draw match the current results, unless they were corrected since."""
    source = round_data["draw"]["drawn_from"]
    drawn_at = datetime.fromisoformat(source["at"])
    rounds = {item["number"]: item for item in content["rounds"]}
    tables_at_draw, current_tables = (
        {_get_table_key(item): item for item in tables_of_time} for tables_of_time in (snapshot.tables, played_tables)
    )
    changed_rounds = {
        number for number in rounds if number < round_data["number"] and _has_later_changes(rounds[number], drawn_at)
    }
    for key in sorted({*tables_at_draw, *current_tables}):
        if _get_comparable_result(tables_at_draw.get(key)) == _get_comparable_result(current_tables.get(key)):
            continue
        number, table, entry = key
        place_location = (("round", number), ("table", table) if table else ("entry", entry))
        details = {
            "round": round_data["number"],
            "then": _describe_table(tables_at_draw.get(key)),
            "now": _describe_table(current_tables.get(key)),
        }
        if number in changed_rounds:
            report.note(place_location, "corrected_since", **details)
        else:
            report.differs(place_location, "source_is_other", **details)
    if changed_rounds:
        return
    seed = round_data["draw"]["seed"]
    current_snapshot = replace(snapshot, tables=tuple(played_tables))
    try:
        order = order_entries(current_snapshot, build_played_input(current_snapshot), seed=seed)
    except (Refusal, *TAMPERING_ERRORS):
        return
    report.compare(location, "draw.drawn_from.order", source["order"], list(order))


def _has_later_changes(round_data: JsonObject, drawn_at: datetime) -> bool:
    """Check whether anything was marked, ruled or swapped in a round after this time."""
    moments = [action["at"] for action in (*round_data["by_hand"], *round_data["rulings"])]
    matches = (table["match"] for table in round_data["tables"] if table["match"] is not None)
    moments += [mark["at"] for match in matches for mark in match["marks"]]
    return any(datetime.fromisoformat(moment) > drawn_at for moment in moments)


def _get_table_key(played_table: PlayedTable) -> tuple[int, int, int]:
    """Return the round, and the number of the table or of the entry with a bye."""
    return played_table.round, played_table.table, 0 if played_table.table else played_table.a[0]


def _get_comparable_result(played_table: PlayedTable | None) -> tuple[Any, ...] | None:
    return (
        None
        if played_table is None
        else (played_table.a, played_table.b, played_table.slot, result_to_json(played_table))
    )


def _describe_table(played_table: PlayedTable | None) -> str:
    if played_table is None:
        return "–"
    sides = " – ".join("+".join(map(str, side)) for side in (played_table.a, played_table.b) if side)
    return f"{sides}: {result_to_json(played_table) or '?'}"
