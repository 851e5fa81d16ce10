"""List of the standings, of all entries or of one section."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from engine.draws.stages import StagePlan, get_group_stage, is_simultaneous
from engine.ranking import COLUMNS, METRICS, SCOPES_WITHOUT_PARTS, MetricScope, RankingRules, has_result
from engine.standings import StandingsRowJson, get_row_order, list_row_metrics, rank_by_section
from engine.visibility import Ranks
from tournaments.events.presenters.names import EntryFormatter, build_public_entry_formatter
from tournaments.lifecycle import EventState, RoundState
from tournaments.models import Entry, Event, Round

from .figures import BRACKET, PLAY_OFF, Figures, has_places, list_column_metrics, list_figures
from .reasons import Names, RankExplanation, explain_rank
from .snapshots import StandingsSnapshot

MAX_COLUMNS = 6
"""Number of columns that fit next to the names on a laptop; a phone shows the first four."""


class StandingsStatus(StrEnum):
    """Reliability of standings.

    Results are still coming in; all are in but not published as final; published as final; published again
    with corrections.
    """

    RUNNING = "running"
    PROVISIONAL = "provisional"
    FINAL = "final"
    CORRECTED = "corrected"


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """A line of the standings: the entry as this reader may see its name, and its figures by metric.

    ``overall`` is the rank among all entries, in the list of a section; ``stage`` is the last one of its
    entry, if it is one of several finals, and ``pool`` its pool, if that was asked for. ``order`` are the
    metrics that rank it. ``left_after`` is the round after which the entry withdrew or was disqualified, if
    any. ``why`` is set if the row is open.
    """

    entry: int
    entry_id: int
    names: str
    rank: int
    figures: Figures
    order: tuple[str, ...] = ()
    overall: int | None = None
    left_after: int | None = None
    is_disqualified: bool = False
    why: RankExplanation | None = None
    stage: int | None = None
    pool: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedStages:
    """The metrics that rank some stages, by their index; all of the list if it names none."""

    order: tuple[str, ...]
    stages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsView:
    """The first rows of a list of ``total`` rows, with facts about the whole list.

    ``after_round`` is the last closed round, or 0; ``during_round`` is the round in play, whose results
    count as they come in. ``brief_columns`` are the columns for which a phone has room. ``rules`` have all the
    metrics that rank; ``orders`` which of them rank which stages. ``is_outdated`` is true if the final standings
    would be different now, and that was checked.
    """

    rows: tuple[StandingsRow, ...]
    total: int
    columns: tuple[str, ...]
    brief_columns: tuple[str, ...]
    rules: RankingRules
    orders: tuple[RankedStages, ...]
    section: str
    sections: tuple[str, ...]
    computed_at: datetime | None
    after_round: int
    during_round: int | None
    ranks: Ranks
    status: StandingsStatus
    has_reasons: bool
    is_outdated: bool = False

    @property
    def is_final(self) -> bool:
        return self.ranks is Ranks.FINAL

    @property
    def is_kept_back(self) -> bool:
        return self.ranks is Ranks.NOTHING

    @property
    def has_results(self) -> bool:
        """Whether any result counts; without one, all entries would be first."""
        return any(has_result(row.figures) for row in self.rows)

    @property
    def is_cut(self) -> bool:
        return len(self.rows) < self.total


def build_standings_view(
    event: Event,
    snapshot: StandingsSnapshot,
    entrants: Sequence[Entry],
    rounds: Sequence[Round],
    *,
    section: str = "",
    max_rows: int | None = None,
    only_entry: int | None = None,
    format_entry: EntryFormatter | None = None,
    pools: Mapping[int, str] = MappingProxyType({}),
) -> StandingsView:
    """Present the standings with public names, or those of ``format_entry``: all rows, the top ``max_rows``, or
    only that of the entry numbered ``only_entry``. ``rounds`` are the published ones, ``pools`` those of
    ``map_pools``. No query."""
    entries = {entry.number: entry for entry in entrants}
    rules = event.ranking_rules
    sections = list_sections(event, entries)
    section = section if section in sections else ""
    listed_rows = [row for row in snapshot.rows if row["entry"] in entries]
    if section:
        sections_by_number = {number: entry.section for number, entry in entries.items()}
        listed_rows = rank_by_section(listed_rows, sections_by_number, rules.order).get(section, [])
    counted_rounds = get_counted_rounds(event, snapshot, rounds)
    metrics = list_row_metrics(listed_rows, rules.order)
    columns = list_metric_columns(metrics, listed_rows)
    places = [place for place, row in enumerate(listed_rows) if only_entry is None or row["entry"] == only_entry][
        :max_rows
    ]
    rows = build_standings_rows(
        snapshot,
        listed_rows,
        places,
        entries,
        rules.order,
        columns,
        format_entry=format_entry or build_public_entry_formatter(event, entrants),
        next_round=counted_rounds.next_round,
    )
    overall = {row["entry"]: row["rank"] for row in snapshot.rows} if section else {}
    finals = map_final_stages(event.plan, snapshot.rows)
    return StandingsView(
        rows=tuple(
            replace(
                row,
                overall=overall.get(row.entry),
                stage=finals.get(row.entry),
                pool=pools.get(row.entry, ""),
            )
            for row in rows
        ),
        total=len(listed_rows),
        columns=columns,
        brief_columns=list_brief_columns(columns, listed_rows),
        rules=replace(rules, order=metrics),
        orders=_list_orders(event.plan, listed_rows, rules.order),
        section=section,
        sections=sections,
        computed_at=snapshot.computed_at,
        after_round=counted_rounds.after_round,
        during_round=counted_rounds.during_round,
        ranks=snapshot.ranks,
        status=get_standings_status(event, snapshot),
        has_reasons=snapshot.has_reasons,
    )


def _list_orders(
    plan: StagePlan, rows: Sequence[StandingsRowJson], usual_order: Sequence[str]
) -> tuple[RankedStages, ...]:
    """Return the metrics that rank these rows, best first, each with its stages unless they rank all."""
    groups = max((row.get("stage", 0) for row in rows), default=0)
    stages: dict[tuple[str, ...], dict[int, None]] = {}
    for row in rows:
        stage = get_group_stage(plan, row.get("stage", 0), group_count=groups)
        stages.setdefault(tuple(get_row_order(row, usual_order)), {})[stage or 0] = None
    if len(stages) < 2:
        return (RankedStages(order=next(iter(stages), tuple(usual_order))),)
    return tuple(RankedStages(order=order, stages=tuple(found)) for order, found in stages.items())


def get_standings_status(event: Event, snapshot: StandingsSnapshot) -> StandingsStatus:
    """Return the reliability of the standings. No query."""
    if snapshot.ranks is Ranks.FINAL:
        return StandingsStatus.FINAL if snapshot.corrects is None else StandingsStatus.CORRECTED
    is_over = event.state == EventState.ENDED and snapshot.ranks is Ranks.LIVE
    return StandingsStatus.PROVISIONAL if is_over else StandingsStatus.RUNNING


class CountedRounds(NamedTuple):
    """The last round that counts in full, and the one whose results are coming in."""

    after_round: int
    during_round: int | None

    @property
    def next_round(self) -> int:
        """The round in progress, or else the next one."""
        return self.during_round or self.after_round + 1


def get_counted_rounds(event: Event, snapshot: StandingsSnapshot, rounds: Sequence[Round]) -> CountedRounds:
    """Return the rounds that count in these standings; ``rounds`` are the published ones. No query."""
    if snapshot.number is not None and snapshot.rounds is not None:
        return CountedRounds(snapshot.rounds, None)
    if snapshot.ranks is Ranks.BEFORE_SILENCE:
        visible = event.visible
        rounds = [round_row for round_row in rounds if not visible.is_unranked(round_row.number)]
    counted_numbers = [round_row.number for round_row in rounds if _is_counted(round_row, snapshot)]
    current_number = next((round_row.number for round_row in rounds if round_row.number not in counted_numbers), None)
    return CountedRounds(max(counted_numbers, default=0), current_number)


def _is_counted(round_row: Round, snapshot: StandingsSnapshot) -> bool:
    """Check whether the round was already closed when these standings were computed, and not closed again
    since."""
    is_known = snapshot.rounds is None or round_row.number <= snapshot.rounds
    computed_at = snapshot.computed_at if snapshot.ranks is Ranks.LIVE else None
    is_later = computed_at is not None and round_row.closed_at is not None and round_row.closed_at > computed_at
    return round_row.state == RoundState.CLOSED and is_known and not is_later


def build_standings_rows(
    snapshot: StandingsSnapshot,
    listed_rows: Sequence[StandingsRowJson],
    places: Collection[int],
    entries: Mapping[int, Entry],
    order: Sequence[str],
    columns: Sequence[str],
    *,
    format_entry: EntryFormatter,
    next_round: int,
) -> tuple[StandingsRow, ...]:
    """Return the rows at these places in the list with the figures of these columns, open if their details are loaded.
    ``next_round`` is the round in progress, or else the next one."""
    names: Names = defaultdict(str, {number: format_entry(entry) for number, entry in entries.items()})
    last_rounds = map_left_entries(entries.values(), next_round)
    built_rows: list[StandingsRow] = []
    for place in places:
        row = listed_rows[place]
        number = row["entry"]
        row_order, is_open = tuple(get_row_order(row, order)), number in snapshot.counted
        built_rows.append(
            StandingsRow(
                entry=number,
                entry_id=entries[number].pk,
                names=names[number],
                rank=row["rank"],
                figures=list_figures(row, columns, left_numbers=last_rounds),
                order=row_order,
                left_after=last_rounds.get(number),
                is_disqualified=bool(entries[number].disqualification),
                why=explain_rank(listed_rows, place, snapshot.counted[number], names, row_order) if is_open else None,
            )
        )
    return tuple(built_rows)


def map_final_stages(plan: StagePlan, rows: Sequence[StandingsRowJson]) -> dict[int, int]:
    """Return the last stage of each entry, by number, that plays beside another one; none before it began."""
    groups = max((row.get("stage", 0) for row in rows), default=0)
    stages = {row["entry"]: get_group_stage(plan, row.get("stage", 0), group_count=groups) for row in rows}
    return {entry: stage for entry, stage in stages.items() if stage is not None and is_simultaneous(plan, stage)}


SCOPES_WITHOUT_FIGURE = SCOPES_WITHOUT_PARTS - {MetricScope.POOL, MetricScope.PLAY_OFF}
"""Scopes of metrics that have no figure to show."""


def list_metric_columns(order: Sequence[str], rows: Sequence[StandingsRowJson]) -> tuple[str, ...]:
    """Return the ranking metrics with a meaningful figure, first to last. The place in a bracket comes before
    the others; if there are none, the matches won."""
    left_out = set() if has_places(rows, PLAY_OFF) else {PLAY_OFF}
    columns = [
        key
        for key in list_column_metrics(order)
        if METRICS[key].scope not in SCOPES_WITHOUT_FIGURE and key not in left_out
    ]
    if BRACKET in order and has_places(rows, BRACKET):
        columns.insert(0, BRACKET)
    return tuple(columns[:MAX_COLUMNS]) or COLUMNS[:1]


def list_brief_columns(columns: Sequence[str], rows: Sequence[StandingsRowJson]) -> tuple[str, ...]:
    """Return the first column and the points difference, with one more if it decides a rank."""
    default_columns = {columns[0], *(("difference",) if "difference" in columns else columns[1:2])}
    deciding_metrics = {
        next((key for key in columns if above.get(key) != below.get(key)), None) for above, below in pairwise(rows)
    }
    extra_column = next((key for key in columns if key in deciding_metrics - default_columns), None)
    return tuple(key for key in columns if key in {*default_columns, extra_column})


def list_sections(event: Event, entries: Mapping[int, Entry]) -> tuple[str, ...]:
    """Return the sections with entries, in the event's order."""
    section_names = [section["name"] for section in event.sections]
    used_names = [entry.section for entry in entries.values() if entry.section]
    return tuple(name for name in dict.fromkeys([*section_names, *used_names]) if name in used_names)


def map_left_entries(entries: Iterable[Entry], next_round: int) -> dict[int, int | None]:
    """Map the numbers of the entries that have left to the round after which they did. Future departures do
    not count."""
    return {entry.number: entry.leaves_after for entry in entries if entry.has_left(next_round)}
