"""Verification of rounds: each is drawn again from its inputs, changed by hand as recorded, and compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from engine.draws import Certificate, Draw, DrawInput, EntryId, certificate_to_json
from engine.draws.lineups import Lineup, lineup_from_json, lineup_of, lineup_to_json
from engine.draws.pairing_cost.certificates import PlainCertificate
from engine.draws.pairing_cost.comparison import PRICED, is_optimal
from engine.results import (
    EventSnapshot,
    PlayedTable,
    best_first,
    draw_by,
    draw_input_of,
    inputs_by_format,
    played_of,
    price_by_hand,
    result_to_json,
    snapshot_from_json,
    tables_of,
)
from errors import Refusal

from .report import VerificationReport, Where

Plain = Mapping[str, Any]
Places = dict[tuple[str, int], Plain]
"""Tables by number and byes by entry."""

REASONS_SINCE = 3
"""First version of draws with the current reasons."""

BROKEN = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Exceptions of a draw from impossible inputs, which only a tampered file has."""


@dataclass(frozen=True, slots=True)
class VerifiedRound:
    """A round drawn again; ``first`` is its line-up, ``price`` its cost."""

    known: EventSnapshot
    draw_input: DrawInput
    drawn: Draw
    first: Lineup
    price: dict[str, int]

    @property
    def certificate(self) -> PlainCertificate | None:
        certificate = self.drawn.certificate
        return None if certificate is None else certificate_to_json(certificate)


def check_round(content: Plain, drawn: Plain, sat: Sequence[PlayedTable], report: VerificationReport) -> None:
    """Verify one round; ``sat`` are the tables and byes of earlier rounds, as they are now."""
    where: Where = (("round", drawn["number"]),)
    if not _is_sound(content, drawn, where, report):
        return
    source = drawn["draw"]["drawn_from"]
    if source is None:
        report.note(where, "not_drawn_here" if drawn["draw"]["format"] == "manual" else "source_not_kept")
        return
    for name in ("order", "seed"):  # even if the seed decided nothing
        report.compare(where, f"draw.{name}", drawn["draw"][name], source[name])
    redrawn = _drawn_again(content, drawn, where, report)
    if redrawn is None:
        return
    report.count("draws")
    _compare(drawn, redrawn, where, report)
    _check_source(content, drawn, redrawn.known, sat, where, report)


def _is_sound(content: Plain, drawn: Plain, where: Where, report: VerificationReport) -> bool:
    """Check that the round can be verified: every entry is known, and none is seated twice."""
    known = {entry["number"] for entry in content["entries"] if not entry["is_waiting"]}
    seated = [entry for table in drawn["tables"] for entry in (*table["a"], *table["b"])]
    seated += [bye["entry"] for bye in drawn["byes"]]
    before = len(report.differences)
    for entry in sorted(set(seated) - known):
        report.differs(where, "no_such_entry_here", entry=entry)
    for entry in sorted({entry for entry in seated if seated.count(entry) > 1} if _repeats(seated) else ()):
        report.differs(where, "seated_twice_here", entry=entry)
    numbers = [table["number"] for table in drawn["tables"]]
    if _repeats(numbers):
        report.differs(where, "table_twice_here")
    for table in drawn["tables"]:
        if len(table["a"]) != len(table["b"]) or not table["a"]:
            report.differs((*where, ("table", table["number"])), "sides_uneven")
    return len(report.differences) == before


def _repeats(values: Sequence[object]) -> bool:
    return len(set(values)) < len(values)


def _drawn_again(
    content: Plain, drawn: Plain, where: Where, report: VerificationReport
) -> VerifiedRound | None:
    source, number, seed = drawn["draw"]["drawn_from"], drawn["number"], drawn["draw"]["seed"]
    orders = {each["number"]: each["draw"]["order"] for each in content["rounds"] if each["number"] < number}
    if len(source["earlier"]) != number - 1 or not _is_closed(source):
        report.differs(where, "source_unsound")
        return None
    try:
        known = snapshot_from_json(source, orders)
        draw_input = draw_input_of(known, seed=seed, order=_ids(source["order"]))
        drawn_again = draw_by(known, draw_input)
        first, price = lineup_of(drawn_again), dict(drawn_again.price)
        if known.held:
            free = replace(known, held=())
            price = price_by_hand(free, first, number=number, seed=seed, order=_ids(source["order"]))
    except (Refusal, *BROKEN):
        report.differs(where, "cannot_be_drawn")
        return None
    return VerifiedRound(known, draw_input, drawn_again, first, price)


def _is_closed(source: Plain) -> bool:
    """Check that the inputs of a draw only mention entries that were drawn."""
    known = set(source["order"])
    seated = {entry for those in source["earlier"] for _, a, b, _, _ in those for entry in (*a, *b)}
    seated |= {entry for _, a, b in source["held"] for entry in (*a, *b)}
    seated |= {each["number"] for each in source["entrants"]} | {each[0] for each in source["adjustments"]}
    seated |= {number for _, numbers, _ in source.get("apart", ()) for number in numbers}
    return len(known) == len(source["order"]) and seated <= known


def _ids(numbers: Sequence[int]) -> list[EntryId]:
    return [EntryId(number) for number in numbers]


def _compare(drawn: Plain, redrawn: VerifiedRound, where: Where, report: VerificationReport) -> None:
    """Compare the stored round with the one drawn again and changed by hand."""
    again, first = redrawn.drawn, lineup_to_json(redrawn.first)
    if redrawn.known.basis.version < REASONS_SINCE:
        report.note(where, "reasons_of_then")
        drawn, first = _without_reasons(drawn), _without_reasons(first)
    report.compare(where, "draw.format", drawn["draw"]["format"], again.format)
    report.compare(where, "draw.settings", drawn["draw"]["settings"], dict(again.settings))
    places = _places(first)
    drafted, was_changed = dict(places), False
    for action in drawn["by_hand"]:
        _do(action, places, where, report)
        if action["is_of_draft"]:
            drafted, was_changed = dict(places), True
    kept = _places(drawn)
    for kind, number in sorted({*kept, *places}):
        here = (*where, ("table" if kind == "table" else "entry", number))
        part = "table" if kind == "table" else "bye"
        report.compare(here, part, kept.get((kind, number)), places.get((kind, number)))
    if drafted != _places(first):
        _compare_price_by_hand(drawn, redrawn, drafted, where, report)
        return
    report.compare(where, "draw.price", drawn["draw"]["price"], redrawn.price)
    if not was_changed or drawn["draw"]["certificate"] is not None:
        report.compare(where, "draw.certificate", drawn["draw"]["certificate"], redrawn.certificate)
    _check_optimal(redrawn, where, report)


def _compare_price_by_hand(
    drawn: Plain, redrawn: VerifiedRound, drafted: Places, where: Where, report: VerificationReport
) -> None:
    """Compare the price of a draft changed by hand, which is that of its line-up, without a proof. If one of
    several changes was undone, the proof is that of the draw before it."""
    if drawn["draw"]["certificate"] is not None:
        report.compare(where, "draw.certificate", drawn["draw"]["certificate"], redrawn.certificate)
    order = [entrant.id for entrant in redrawn.draw_input.entrants]
    try:
        lineup = lineup_from_json(
            {
                "tables": [place for (kind, _), place in drafted.items() if kind == "table"],
                "byes": [place for (kind, _), place in drafted.items() if kind == "bye"],
            }
        )
        free = replace(redrawn.known, held=())
        price = price_by_hand(free, lineup, number=drawn["number"], seed=drawn["draw"]["seed"], order=order)
    except (Refusal, *BROKEN):
        price = None
    if price != drawn["draw"]["price"]:
        report.note(where, "price_of_then")


def _without_reasons(plain: Any) -> Any:
    """Remove the reasons: an older version gave other ones for the same draw."""
    if isinstance(plain, dict):
        return {name: [] if name == "reasons" else _without_reasons(each) for name, each in plain.items()}
    return [_without_reasons(each) for each in plain] if isinstance(plain, list) else plain


def _places(lineup: Plain) -> Places:
    tables = {
        ("table", table["number"]): {name: table[name] for name in ("number", "a", "b", "slot", "reasons")}
        for table in lineup["tables"]
    }
    return {**tables, **{("bye", bye["entry"]): bye for bye in lineup["byes"]}}


def _do(action: Plain, places: Places, where: Where, report: VerificationReport) -> None:
    """Apply one change by hand, and compare its state before with the current one."""
    for kind, key, changed in (("table", "number", action["tables"]), ("bye", "entry", action["byes"])):
        for before, after in changed:
            number = (before or after or {}).get(key, 0)
            report.compare(where, f"by_hand.{kind}.{number}", before, places.get((kind, number)))
            places.pop((kind, number), None)
            if after is not None:
                places[kind, after[key]] = after


def _check_optimal(redrawn: VerifiedRound, where: Where, report: VerificationReport) -> None:
    """Check that the proof holds by pricing every pair against it, without the solver."""
    certificate = redrawn.drawn.certificate
    if certificate is None or redrawn.known.held:
        return
    for key, own in inputs_by_format(redrawn.known, redrawn.draw_input, redrawn.first):
        if redrawn.first.entries.isdisjoint(entrant.id for entrant in own.entrants):
            continue  # a finished stage beside it
        if key in PRICED:
            report.count("proofs")
            tables = tables_of(own, redrawn.first.tables)
            if not is_optimal(own, key, tables, _proof_of(own, certificate)):
                report.differs(where, "not_proved")


def _proof_of(own: DrawInput, certificate: Certificate) -> Certificate:
    """Return the part of a certificate about this section, or all of it."""
    members = {entrant.id for entrant in own.entrants}
    sections = (proof for proof in certificate.sections if members & proof.prices.keys())
    return next(sections, certificate)


def _check_source(
    content: Plain,
    drawn: Plain,
    known: EventSnapshot,
    sat: Sequence[PlayedTable],
    where: Where,
    report: VerificationReport,
) -> None:
    """Check that the inputs of the draw match the current results, unless they were corrected since."""
    source = drawn["draw"]["drawn_from"]
    at = datetime.fromisoformat(source["at"])
    rounds = {each["number"]: each for each in content["rounds"]}
    then, now = ({_place_of(each): each for each in those} for those in (known.sat, sat))
    since = {number for number in rounds if number < drawn["number"] and _was_changed(rounds[number], at)}
    for key in sorted({*then, *now}):
        if _result_to_compare(then.get(key)) == _result_to_compare(now.get(key)):
            continue
        number, table, entry = key
        here = (("round", number), ("table", table) if table else ("entry", entry))
        told = {
            "round": drawn["number"],
            "then": _describe_table(then.get(key)),
            "now": _describe_table(now.get(key)),
        }
        if number in since:
            report.note(here, "corrected_since", **told)
        else:
            report.differs(here, "source_is_other", **told)
    if since:
        return
    seed = drawn["draw"]["seed"]
    as_now = replace(known, sat=tuple(sat))
    try:
        order = best_first(as_now, played_of(as_now), seed=seed)
    except (Refusal, *BROKEN):
        return
    report.compare(where, "draw.drawn_from.order", source["order"], list(order))


def _was_changed(played: Plain, at: datetime) -> bool:
    """Check whether anything was marked, ruled or swapped in a round after this time."""
    moments = [action["at"] for action in (*played["by_hand"], *played["rulings"])]
    matches = (table["match"] for table in played["tables"] if table["match"] is not None)
    moments += [mark["at"] for match in matches for mark in match["marks"]]
    return any(datetime.fromisoformat(moment) > at for moment in moments)


def _place_of(sat: PlayedTable) -> tuple[int, int, int]:
    """Return the round, and the number of the table or of the entry with a bye."""
    return sat.round, sat.table, 0 if sat.b else sat.a[0]


def _result_to_compare(sat: PlayedTable | None) -> tuple[Any, ...] | None:
    return None if sat is None else (sat.a, sat.b, sat.slot, result_to_json(sat))


def _describe_table(sat: PlayedTable | None) -> str:
    if sat is None:
        return "–"
    sides = " – ".join("+".join(map(str, side)) for side in (sat.a, sat.b) if side)
    return f"{sides}: {result_to_json(sat) or '?'}"
