"""Live reports of an event, for people at home: its progress and the latest results."""

from zoneinfo import ZoneInfo

from engine.draws.stages import get_slot_stage
from engine.visibility import Results
from rules import MatchCriterion, Side
from tournaments.lifecycle import OPEN_STATES, EventState
from tournaments.rounds.presenters.rounds import count_planned_rounds
from tournaments.sharing.press.values import LatestResult, LiveReport, Progress
from tournaments.sharing.queries import count_results, get_people_by_match

from .feats import truncate_to_minute
from .press import PressData

MAX_LATEST = 6
"""How many results are shown."""


def build_live_report(data: PressData) -> LiveReport:
    """Return the live report; empty before the first draw, after the end, and where the draw is hidden. Three
    queries."""
    event = data.event
    if event.state == EventState.ENDED or not event.visible.draw or not data.rounds:
        return LiveReport()
    return LiveReport(progress=_build_progress(data), latest=_build_latest_results(data))


def _build_progress(data: PressData) -> Progress:
    round_row = data.rounds[-1]
    has_visible_results = data.event.visible.get_results(round_row.number) is not Results.NOTHING
    planned_count = count_planned_rounds(data.event, data.entries)
    tables, results = count_results(round_row)
    return Progress(
        round=round_row.number,
        rounds=planned_count if planned_count is not None and planned_count >= round_row.number else None,
        is_playing=round_row.state in OPEN_STATES,
        tables=tables,
        results=results if has_visible_results else None,
    )


def _build_latest_results(data: PressData) -> tuple[LatestResult, ...]:
    """Return the latest results of matches that were played and recorded hand by hand."""
    finished = [
        (match.recorded_at, match, match.outcome)
        for match in data.matches
        if match.outcome is not None and match.recorded_at is not None
    ]
    latest = sorted(finished, key=lambda each: (each[0], each[1].match), reverse=True)[:MAX_LATEST]
    people = get_people_by_match([match.match for _, match, _ in latest])
    zone = ZoneInfo(data.event.club.time_zone)
    results = []
    for recorded_at, match, outcome in latest:
        winning_side = Side.B if outcome["winner"] == Side.B.name else Side.A
        decision = (match.length or data.event.terms.match_format).get_decision(outcome["games_won"])
        score_metric = "games_won" if decision is MatchCriterion.GAMES else "points"
        sides = [
            (data.names.format_names(people[match.match][side]), outcome[score_metric][side])
            for side in (winning_side, winning_side.other)
        ]
        results.append(
            LatestResult(
                round=match.round,
                table=match.table,
                sides=(sides[0][0], sides[1][0]),
                score=(sides[0][1], sides[1][1]),
                is_drawn=outcome["winner"] is None,
                at=truncate_to_minute(recorded_at, zone),
                stage=get_slot_stage(match.slot),
            )
        )
    return tuple(results)
