"""Live reports of an event, for people at home: its progress and the latest results."""

from zoneinfo import ZoneInfo

from engine.draws.stages import rounds_of_plan, stage_of_slot
from engine.visibility import Results
from rules import DecidedBy, Side
from tournaments.lifecycle import OPEN, EventState
from tournaments.sharing.press import LatestResult, LiveReport, Progress
from tournaments.sharing.queries import count_results, people_in

from .feats import to_the_minute
from .press import PressReading

LATEST = 6
"""How many results are shown."""


def live_report_of(read: PressReading) -> LiveReport:
    """Return the live report; empty before the first draw, after the end, and where the draw is hidden. Two
    queries."""
    event = read.event
    if event.state == EventState.ENDED or not event.visible.draw or not read.rounds:
        return LiveReport()
    return LiveReport(progress=_progress(read), latest=_latest(read))


def _progress(read: PressReading) -> Progress:
    drawn = read.rounds[-1]
    is_seen = read.event.visible.results_in(drawn.number) is not Results.NOTHING
    sections = [entry.section for entry in read.entries if not entry.is_waiting]
    planned = rounds_of_plan(read.event.plan, len(sections), sections)
    tables, results = count_results(drawn)
    return Progress(
        round=drawn.number,
        rounds=planned if planned is not None and planned >= drawn.number else None,
        is_playing=drawn.state in OPEN,
        tables=tables,
        results=results if is_seen else None,
    )


def _latest(read: PressReading) -> tuple[LatestResult, ...]:
    """Return the latest results of matches that were played and recorded hand by hand."""
    over = [
        (one.marked_at, one, one.outcome)
        for one in read.played
        if one.outcome is not None and one.marked_at is not None
    ]
    latest = sorted(over, key=lambda each: (each[0], each[1].match), reverse=True)[:LATEST]
    people = people_in([one.match for _, one, _ in latest])
    zone = ZoneInfo(read.event.club.time_zone)
    found = []
    for at, one, outcome in latest:
        first = Side.B if outcome["winner"] == Side.B.name else Side.A
        decision = read.event.terms.match_format.decision(outcome["games_won"])
        told = "games_won" if decision is DecidedBy.GAMES else "points"
        sides = [
            (read.names.of(people[one.match][side]), outcome[told][side]) for side in (first, first.other)
        ]
        found.append(
            LatestResult(
                round=one.round,
                table=one.table,
                sides=(sides[0][0], sides[1][0]),
                score=(sides[0][1], sides[1][1]),
                is_drawn=outcome["winner"] is None,
                at=to_the_minute(at, zone),
                stage=stage_of_slot(one.slot),
            )
        )
    return tuple(found)
