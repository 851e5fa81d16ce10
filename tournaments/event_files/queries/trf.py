"""Export of a Swiss tournament as a report in FIDE's format (TRF)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.draws import Entrant
from engine.draws.bonds import ALWAYS
from engine.draws.stages import StagePlan, count_plan_rounds
from engine.draws.trf import PointSystem, TrfAbsence, TrfReport, build_report
from engine.ranking import UNPLAYED_KINDS, Bye
from engine.results import EventSnapshot, build_draw_input, get_missed_kind
from errors import Refusal
from tournaments.event_files.trf import (
    ABSENCE_LETTERS,
    BYE_POINTS,
    build_trf_extension,
    format_trf_name,
    list_trf_tiebreaks,
    sum_adjusted_points,
)
from tournaments.models import Event
from tournaments.rounds.queries.event_snapshot import read_event_snapshot

from . import build_event_file

SWISS_FORMATS = frozenset({"swiss", "random"})
"""Formats that pair entries one against one, by results or by lot."""
MAX_RATING = 9999


def is_swiss(plan: StagePlan) -> bool:
    """Check that a report can contain everything that was played."""
    return all(stage.format in SWISS_FORMATS for stage in plan)


def build_trf_report(event: Event, *, section: str = "") -> TrfReport:
    """Return the report of the event, or of one section: its published rounds, and what is known of the next.

    Refuses: report_not_swiss, report_forfeits, report_averages, no_such_section, section_empty.
    """
    if not is_swiss(event.plan):
        raise Refusal("report_not_swiss")
    content = build_event_file(event)
    snapshot = _filter_section(read_event_snapshot(event), section)
    if section and not snapshot.entrants:
        choices = [event_section["name"] for event_section in event.sections]
        if section in choices:
            raise Refusal("section_empty", field="section", value=section)
        raise Refusal("no_such_section", field="section", value=section, choices=", ".join(choices))
    rules = snapshot.basis.rules
    if rules.forfeit is not Bye.WIN:
        raise Refusal("report_forfeits")
    if Bye.AVERAGE in map(rules.get_bye_value, UNPLAYED_KINDS):
        raise Refusal("report_averages")
    numbers = snapshot.numbers
    lines = [line for line in content["entries"] if line["number"] in numbers.values()]
    draw_input = build_draw_input(snapshot, seed=event.lot)
    names = {
        line["number"]: format_trf_name([content["people"][person - 1] for person in line["players"]]) for line in lines
    }

    def get_absence_letter(entrant: Entrant, number: int) -> TrfAbsence:
        kind = get_missed_kind(entrant, number)
        bye_result = Bye.NOTHING if kind is None or kind == "withdrawn" else rules.get_bye_value(kind)
        return ABSENCE_LETTERS[bye_result]

    report = build_report(
        draw_input,
        {entry: names[number] for entry, number in numbers.items()},
        requested_byes=ABSENCE_LETTERS[rules.requested_bye],
        get_absence=get_absence_letter,
        must_not=[ALWAYS, *event.plan[0].settings.get("must_not", ())],
        undecided_tables={(sat.round, sat.table) for sat in snapshot.tables if sat.b and sat.outcome is None},
        frame=TrfReport(
            name=event.name,
            starts_on=f"{event.held_on:%Y/%m/%d}",
            ends_on=f"{event.last_day:%Y/%m/%d}",
            system="Individual: Swiss",
            rounds=count_plan_rounds(event.plan, len(snapshot.entrants)) or None,
            points=PointSystem(bye=BYE_POINTS[rules.bye]),
            drawn=max((sat.round for sat in snapshot.tables), default=0),
            tiebreaks=list_trf_tiebreaks(rules),
            extension=build_trf_extension(content, lines),
        ),
    )
    given = sum_adjusted_points(content["adjustments"], snapshot.basis.ranking_rules)
    return replace(
        report,
        entries=tuple(
            replace(entry, rating=_get_rating(line), given=given.get(line["number"], {}))
            for entry, line in zip(report.entries, lines, strict=True)
        ),
    )


def _get_rating(line: Mapping[str, Any]) -> int:
    rating = line["rating"] or 0
    return rating if rating <= MAX_RATING else 0


def _filter_section(snapshot: EventSnapshot, section: str) -> EventSnapshot:
    """Limit a snapshot to the entries of a section; unchanged without a section."""
    if not section:
        return snapshot
    entrants = tuple(entrant for entrant in snapshot.entrants if entrant.section == section)
    members = {entrant.id for entrant in entrants}
    return replace(
        snapshot,
        entrants=entrants,
        tables=tuple(sat for sat in snapshot.tables if members.issuperset((*sat.a, *sat.b))),
        adjustments=tuple(adjustment for adjustment in snapshot.adjustments if adjustment.entry in members),
    )
