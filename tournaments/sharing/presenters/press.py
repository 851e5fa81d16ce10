"""Press texts of an event, with public names and public content only."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from clubs.calendar import today_in
from engine.charts import PartKind, RoundKind, SlotState
from engine.charts.serialization import chart_from_json
from engine.ranking import METRICS, MetricScope
from engine.standings import within
from engine.visibility import Ranks, Results
from tournaments.agenda.queries import agenda_of
from tournaments.entries.queries.entries import entries_of
from tournaments.lifecycle import OPEN, EventState
from tournaments.models import Entry, Event, Round
from tournaments.rounds.queries.rounds import rounds_of
from tournaments.sharing.press import (
    PLACES,
    Final,
    NextNight,
    People,
    Podium,
    PressReport,
    podium,
)
from tournaments.sharing.queries import PlayedMatch, entries_seated, played_matches
from tournaments.standings.presenters import StandingsRow, StandingsSnapshot, public_snapshot, standings_view
from tournaments.standings.presenters.clubs import club_standings
from tournaments.standings.presenters.publication import changes_since_final

from .feats import Feats, feats_of
from .press_names import PressNames

WITH_A_FIGURE = ("match_wins", "points_for")
"""Metrics shown beside a rank when they rank first; any other would need an explanation."""
AHEAD = timedelta(weeks=9)
"""How far ahead the next night is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PressReading:
    """Public data of an event, for its press texts. Six queries, and those for names."""

    event: Event
    rounds: Sequence[Round]
    entries: Sequence[Entry]
    kept: StandingsSnapshot
    played: Sequence[PlayedMatch]
    names: PressNames

    @property
    def is_over(self) -> bool:
        """Whether further play cannot change who won."""
        if any(one.state in OPEN for one in self.rounds):
            return False
        ranks = self.kept.ranks
        return ranks is Ranks.FINAL or (self.event.state == EventState.ENDED and ranks is Ranks.LIVE)


def read_event(event: Event) -> PressReading:
    seen = event.visible
    entries = entries_of(event)
    return PressReading(
        event=event,
        rounds=list(rounds_of(event)),
        entries=entries,
        kept=public_snapshot(event, charts=True),
        played=[one for one in played_matches(event) if seen.results_in(one.round) is not Results.NOTHING],
        names=PressNames(event, entries),
    )


def press_report(event: Event) -> PressReport:
    """Return the press report in the reader's language; only name and date if the event is not public.
    Fifteen queries at most."""
    if not event.visible.is_public:
        return PressReport(club=event.club.name, event=event.name, days=event.days)
    return press_report_of(read_event(event))


def press_report_of(read: PressReading) -> PressReport:
    """Return the press report of data read before. Eleven queries at most."""
    event, kept = read.event, read.kept
    seen = event.visible
    knows_who = seen.entries or seen.draw or not kept.is_kept_back
    numbers = set(entries_seated(event).values_list("number", flat=True)) if knows_who else set[int]()
    seated = [entry for entry in read.entries if entry.number in numbers]
    sections = _sections(read)
    firsts = [rows[0].entry for _, rows in sections if read.is_over and _is_alone(rows)]
    feats = feats_of(event, read.played, read.names, firsts)
    return PressReport(
        club=event.club.name,
        event=event.name,
        days=event.days,
        place=event.place,
        people=sum(len(entry.players) for entry in seated),
        pairs=len(seated) if event.entry_size == 2 else 0,
        is_over=read.is_over,
        is_outdated=changes_since_final(event, kept) is not None,
        podiums=_podiums(read, sections, feats),
        final=_final(read),
        clubs=_first_clubs(read),
        high=feats.high,
        charlemagnes=feats.charlemagnes,
        charlemagnes_made=feats.charlemagnes_made,
        next=_next_night(event),
    )


Rows = Sequence[StandingsRow]


def _sections(read: PressReading) -> list[tuple[str, Rows]]:
    """Return the standings of each section, or of all if there are none. Empty before a round was counted."""
    event, kept = read.event, read.kept
    if not read.rounds or not kept.rows:
        return []
    whole = standings_view(event, kept, read.entries, read.rounds)
    if not whole.after_round or not whole.sections:
        return [("", whole.rows)] if whole.after_round else []
    return [
        (section, standings_view(event, kept, read.entries, read.rounds, section=section).rows)
        for section in whole.sections
    ]


def _is_alone(rows: Rows) -> bool:
    """Return whether a single entry came first."""
    return [row.rank for row in rows[:2]].count(1) == 1


def _podiums(read: PressReading, sections: Iterable[tuple[str, Rows]], feats: Feats) -> tuple[Podium, ...]:
    people = {entry.number: read.names.of(entry.players) for entry in read.entries}
    metric = read.event.ranking_rules.order[0]
    told_metric = metric if metric in WITH_A_FIGURE else ""
    found = (
        replace(
            podium(section, told_metric, _rows_with_rank(rows, people, metric)),
            decided_by=_tiebreak(read, section) if _is_alone(rows) else "",
            turning=feats.turning.get(rows[0].entry) if rows else None,
        )
        for section, rows in sections
    )
    return tuple(one for one in found if one.placed)


def _tiebreak(read: PressReading, section: str) -> str:
    """Return the tiebreak between the first two of a section, or of all (""). It is "" where the first metric
    separates them, and where one of them got further."""
    order = read.event.ranking_rules.order
    section_of = {entry.number: entry.section for entry in read.entries}
    rows = within(read.kept.rows, section_of, order).get(section, ()) if section else read.kept.rows
    metric = rows[1]["decided_by"] if len(rows) > 1 else None
    is_tiebreak = metric is not None and METRICS[metric].scope is not MetricScope.REACHED
    return metric if metric is not None and is_tiebreak and metric != order[0] else ""


def _final(read: PressReading) -> Final | None:
    """Return the final of the last stage once it is won at a table; None without one."""
    charts = [chart_from_json(chart).bracket for chart in read.kept.charts if chart.get("bracket")]
    slots = [
        slot
        for part in (charts[-1].parts if charts and charts[-1] else ())
        if part.kind in (PartKind.KNOCKOUT, PartKind.GROUP_A, PartKind.FINAL)
        for column in part.rounds
        for slot in column.slots
        if column.kind in (RoundKind.FINAL, RoundKind.SECOND_FINAL) and slot.state is SlotState.PLAYED
    ]
    if not slots:
        return None
    winner, loser = sorted(slots[-1].sides, key=lambda side: not side.has_won)
    entries = {entry.pk: entry for entry in read.entries}
    if winner.score is None or loser.score is None or not {winner.entry, loser.entry} <= entries.keys():
        return None
    people = [
        read.names.of(entries[side.entry].players) for side in (winner, loser) if side.entry is not None
    ]
    return Final(winner=people[0], loser=people[1], score=(winner.score, loser.score))


def _first_clubs(read: PressReading) -> tuple[str, ...]:
    """Return the clubs in first place of an interclub event, once somebody has played. One query, or none."""
    if not read.event.is_interclub or not read.kept.rows:
        return ()
    lines = club_standings(read.event, read.kept, read.entries)
    return tuple(line.name for line in lines if line.rank == 1 and line.score and line.score.points)


def _rows_with_rank(
    rows: Sequence[StandingsRow], people: dict[int, People], metric: str
) -> Iterable[tuple[int, People, int | None]]:
    for row in rows:
        if row.rank > PLACES:
            return
        yield row.rank, people[row.entry], dict(row.figures).get(metric) if metric in WITH_A_FIGURE else None


def _next_night(event: Event) -> NextNight | None:
    """Return the next night or event of the club, from today on and after this event. Four queries."""
    first = max(today_in(event.club), event.last_day + timedelta(days=1))
    for line in agenda_of(event.club, first, first + AHEAD):
        if not line.is_off and not line.is_over:
            return NextNight(name=line.name, day=line.day, at=line.starts_at, place=line.place)
    return None
