"""Press texts of an event, with public names and public content only."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from clubs.calendar import get_club_today
from engine.charts import PartKind, RoundKind, SlotState
from engine.charts.serialization import chart_from_json
from engine.draws.stages import list_blocks
from engine.ranking import METRICS, MetricScope
from engine.standings import get_row_order, rank_by_section
from engine.visibility import Ranks, Results
from tournaments.agenda.queries import list_agenda
from tournaments.entries.queries.entries import get_entries
from tournaments.lifecycle import OPEN_STATES, EventState
from tournaments.models import Entry, Event, Round
from tournaments.rounds.queries.rounds import get_published_rounds
from tournaments.seasons.comebacks import find_comeback
from tournaments.sharing.press.values import (
    MAX_RANK,
    ComebackStory,
    Final,
    NextNight,
    People,
    Podium,
    PressReport,
    podium,
)
from tournaments.sharing.queries import PlayedMatch, list_played_matches, select_seated_entries
from tournaments.standings.presenters import StandingsRow, StandingsSnapshot, build_standings_view, get_public_snapshot
from tournaments.standings.presenters.clubs import build_club_rows
from tournaments.standings.presenters.publication import find_changes_since_final

from .feats import Feats, find_feats
from .press_names import PressNames

SHOWN_METRICS = ("match_wins", "points_for")
"""Metrics shown beside a rank when they rank first; any other would need an explanation."""
SEARCH_PERIOD = timedelta(weeks=9)
"""How far ahead the next night is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PressData:
    """Public data of an event, for its press texts. Six queries, and those for names."""

    event: Event
    rounds: Sequence[Round]
    entries: Sequence[Entry]
    standings: StandingsSnapshot
    matches: Sequence[PlayedMatch]
    names: PressNames

    @property
    def is_over(self) -> bool:
        """Whether further play cannot change who won."""
        if any(round_row.state in OPEN_STATES for round_row in self.rounds):
            return False
        ranks = self.standings.ranks
        return ranks is Ranks.FINAL or (self.event.state == EventState.ENDED and ranks is Ranks.LIVE)


def load_press_data(event: Event) -> PressData:
    visible = event.visible
    entries = get_entries(event)
    return PressData(
        event=event,
        rounds=list(get_published_rounds(event)),
        entries=entries,
        standings=get_public_snapshot(event, charts=True),
        matches=[
            match for match in list_played_matches(event) if visible.get_results(match.round) is not Results.NOTHING
        ],
        names=PressNames(event, entries),
    )


def get_press_report(event: Event) -> PressReport:
    """Return the press report in the reader's language; only name and date if the event is not public.
    Eighteen queries at most."""
    if not event.visible.is_public:
        return PressReport(club=event.club.name, event=event.name, days=event.days)
    return build_press_report(load_press_data(event))


def build_press_report(data: PressData) -> PressReport:
    """Return the press report of data read before. Fourteen queries at most."""
    event, snapshot = data.event, data.standings
    visible = event.visible
    has_public_entrants = visible.entries or visible.draw or not snapshot.is_kept_back
    numbers = set(select_seated_entries(event).values_list("number", flat=True)) if has_public_entrants else set[int]()
    entrants = [entry for entry in data.entries if entry.number in numbers]
    sections = _get_sections(data)
    winner_numbers = [rows[0].entry for _, rows in sections if data.is_over and _has_single_winner(rows)]
    feats = find_feats(event, data.matches, data.names, winner_numbers)
    return PressReport(
        club=event.club.name,
        event=event.name,
        days=event.days,
        place=event.place,
        people=sum(len(entry.players) for entry in entrants),
        pairs=len(entrants) if event.entry_size == 2 else 0,
        is_over=data.is_over,
        is_outdated=find_changes_since_final(event, snapshot) is not None,
        podiums=_build_podiums(data, sections, feats),
        final=_find_final(data),
        clubs=_find_first_clubs(data),
        comeback=_build_comeback_story(data),
        high_score=feats.high_score,
        charlemagnes=feats.charlemagnes,
        charlemagne_count=feats.charlemagne_count,
        next=_find_next_night(event),
    )


Rows = Sequence[StandingsRow]


def _get_sections(data: PressData) -> list[tuple[str, Rows]]:
    """Return the standings of each section, or of all if there are none, without those disqualified unless they keep
    their rank. Empty before a round was counted."""
    event, snapshot = data.event, data.standings
    if not data.rounds or not snapshot.rows:
        return []
    rules = event.ranking_rules
    overall = build_standings_view(event, snapshot, data.entries, data.rounds)
    if not overall.after_round:
        return []
    views = {
        section: build_standings_view(event, snapshot, data.entries, data.rounds, section=section)
        for section in overall.sections
    } or {"": overall}
    return [
        (section, [row for row in view.rows if rules.keeps_rank(is_disqualified=row.is_disqualified)])
        for section, view in views.items()
    ]


def _has_single_winner(rows: Rows) -> bool:
    """Return whether a single entry came first."""
    return [row.rank for row in rows[:2]].count(1) == 1


def _build_podiums(data: PressData, sections: Iterable[tuple[str, Rows]], feats: Feats) -> tuple[Podium, ...]:
    people = {entry.number: data.names.format_names(entry.players) for entry in data.entries}

    def get_metric(rows: Rows) -> str:
        return rows[0].order[0] if rows else ""

    podiums = (
        replace(
            podium(
                section,
                metric if (metric := get_metric(rows)) in SHOWN_METRICS else "",
                _iter_ranked_rows(rows, people, metric),
            ),
            decided_by=_find_tiebreak(data, section) if _has_single_winner(rows) else "",
            turning=feats.turning_hands.get(rows[0].entry) if rows else None,
        )
        for section, rows in sections
    )
    return tuple(candidate for candidate in podiums if candidate.ranks)


def _find_tiebreak(data: PressData, section: str) -> str:
    """Return the tiebreak between the first two of a section, or of all (""). It is "" where the first metric
    separates them, and where one of them got further."""
    order = data.event.ranking_rules.order
    sections_by_entry = {entry.number: entry.section for entry in data.entries}
    rows = (
        rank_by_section(data.standings.rows, sections_by_entry, order).get(section, ())
        if section
        else data.standings.rows
    )
    metric = rows[1]["decided_by"] if len(rows) > 1 else None
    is_tiebreak = metric is not None and METRICS[metric].scope is not MetricScope.PROGRESS
    return metric if metric is not None and is_tiebreak and metric != get_row_order(rows[1], order)[0] else ""


def _find_final(data: PressData) -> Final | None:
    """Return the final of the last stage, or of the first of several side by side, once it is won at a table; None
    without one."""
    charts = (chart_from_json(chart) for chart in data.standings.charts)
    brackets = {chart.stage: chart.bracket for chart in charts if chart.bracket is not None}
    blocks = (block for block in list_blocks(data.event.plan) if not brackets.keys().isdisjoint(block))
    bracket = brackets.get(max((block.start for block in blocks), default=-1))
    slots = [
        slot
        for part in (bracket.parts if bracket is not None else ())
        if part.kind in (PartKind.KNOCKOUT, PartKind.GROUP_A, PartKind.FINAL)
        for column in part.rounds
        for slot in column.slots
        if column.kind in (RoundKind.FINAL, RoundKind.SECOND_FINAL) and slot.state is SlotState.PLAYED
    ]
    if not slots:
        return None
    winner, loser = sorted(slots[-1].sides, key=lambda side: not side.has_won)
    entries = {entry.pk: entry for entry in data.entries}
    if winner.score is None or loser.score is None or not {winner.entry, loser.entry} <= entries.keys():
        return None
    people = [
        data.names.format_names(entries[side.entry].players) for side in (winner, loser) if side.entry is not None
    ]
    return Final(winner=people[0], loser=people[1], score=(winner.score, loser.score))


def _build_comeback_story(data: PressData) -> ComebackStory | None:
    """Return the comeback of an ended event. Three queries, or none."""
    found = find_comeback([data.event.pk]) if data.event.state == EventState.ENDED else None
    if found is None:
        return None
    who = data.names.format_names(found.people)
    return ComebackStory(who=who, round=found.table.round.number, hand=found.hand, chance=found.chance)


def _find_first_clubs(data: PressData) -> tuple[str, ...]:
    """Return the clubs or teams in first place, with their divisions, once somebody has played. One query, or none."""
    if not data.event.is_interclub or not data.standings.rows:
        return ()
    lines = build_club_rows(data.event, data.standings, data.entries)
    leaders = (line for line in lines if line.rank == 1 and line.score and line.score.points)
    return tuple(f"{line.name} ({line.section})" if line.section else line.name for line in leaders)


def _iter_ranked_rows(
    rows: Sequence[StandingsRow], people: dict[int, People], metric: str
) -> Iterable[tuple[int, People, int | None]]:
    for row in rows:
        if row.rank > MAX_RANK:
            return
        yield row.rank, people[row.entry], dict(row.figures).get(metric) if metric in SHOWN_METRICS else None


def _find_next_night(event: Event) -> NextNight | None:
    """Return the next night or event of the club, from today on and after this event. Four queries."""
    start = max(get_club_today(event.club), event.last_day + timedelta(days=1))
    for line in list_agenda(event.club, start, start + SEARCH_PERIOD):
        if not line.is_off and not line.is_over:
            return NextNight(name=line.name, day=line.day, at=line.starts_at, place=line.place)
    return None
