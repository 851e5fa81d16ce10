"""Export of a Swiss tournament as a report in FIDE's format (TRF)."""

from dataclasses import replace

from engine.draws import Entrant
from engine.draws.bonds import ALWAYS
from engine.draws.stages import StagePlan, rounds_of_plan
from engine.draws.trf import PointSystem, TrfAbsence, TrfReport, report_of
from engine.ranking import Bye
from engine.results import EventSnapshot, draw_input_of, reason_missed
from errors import Refusal
from tournaments.event_files.trf import LETTERS, WORTH, trf_extension, trf_name, trf_tiebreaks
from tournaments.models import Event
from tournaments.rounds.queries.event_snapshot import event_snapshot

from . import event_file_of

SWISS = frozenset({"swiss", "random"})
"""Formats that pair entries one against one, by results or by lot."""
HIGHEST_RATING = 9999


def is_swiss(plan: StagePlan) -> bool:
    """Check that a report can contain everything that was played."""
    return all(stage.format in SWISS for stage in plan)


def trf_of_event(event: Event, *, section: str = "") -> TrfReport:
    """Return the report of the event, or of one section: its published rounds, and what is known of the next.

    Refuses: report_not_swiss, report_forfeits, no_such_section.
    """
    if not is_swiss(event.plan):
        raise Refusal("report_not_swiss")
    content = event_file_of(event)
    known = _of_section(event_snapshot(event), section)
    if section and not known.entrants:
        choices = ", ".join(each["name"] for each in event.sections)
        raise Refusal("no_such_section", field="section", value=section, choices=choices)
    rules = known.basis.rules
    if rules.forfeit is not Bye.WIN:
        raise Refusal("report_forfeits")
    numbers = known.numbers
    lines = [line for line in content["entries"] if line["number"] in numbers.values()]
    drawn = draw_input_of(known, seed=event.lot)
    names = {
        line["number"]: trf_name([content["people"][person - 1] for person in line["players"]])
        for line in lines
    }

    def missed_letter(entrant: Entrant, number: int) -> TrfAbsence:
        kind = reason_missed(entrant, number)
        worth = Bye.NOTHING if kind is None or kind == "withdrawn" else rules.worth_of(kind)
        return LETTERS[worth]

    report = report_of(
        drawn,
        {entry: names[number] for entry, number in numbers.items()},
        asked_byes=LETTERS[rules.requested_bye],
        missed=missed_letter,
        must_not=[ALWAYS, *event.plan[0].settings.get("must_not", ())],
        undecided={(sat.round, sat.table) for sat in known.sat if sat.b and sat.outcome is None},
        frame=TrfReport(
            name=event.name,
            starts_on=f"{event.held_on:%Y/%m/%d}",
            ends_on=f"{event.last_day:%Y/%m/%d}",
            system="Individual: Swiss",
            rounds=rounds_of_plan(event.plan, len(known.entrants)),
            points=PointSystem(bye=WORTH[rules.bye]),
            tiebreaks=trf_tiebreaks(rules),
            extension=trf_extension(content, lines),
        ),
    )
    ratings = [line["rating"] or 0 for line in lines]
    return replace(
        report,
        entries=tuple(
            replace(entry, rating=rating if rating <= HIGHEST_RATING else 0)
            for entry, rating in zip(report.entries, ratings, strict=True)
        ),
    )


def _of_section(known: EventSnapshot, section: str) -> EventSnapshot:
    """Limit a snapshot to the entries of a section; unchanged without a section."""
    if not section:
        return known
    entrants = tuple(entrant for entrant in known.entrants if entrant.section == section)
    members = {entrant.id for entrant in entrants}
    return replace(
        known,
        entrants=entrants,
        sat=tuple(sat for sat in known.sat if members.issuperset((*sat.a, *sat.b))),
        adjustments=tuple(given for given in known.adjustments if given.entry in members),
    )
