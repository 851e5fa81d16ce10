"""List of the standings, of all entries or of one section."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from engine.draws.stages import StagePlan, is_beside, stage_of_group
from engine.ranking import COLUMNS, METRICS, TELLS_NOTHING_ALONE, MetricScope, RankingRules
from engine.standings import PlainRow, within
from engine.visibility import Ranks
from tournaments.events.presenters.names import EntryNamed, entries_named_in
from tournaments.lifecycle import EventState, RoundState
from tournaments.models import Entry, Event, Round

from .figures import BRACKET, figures_shown, has_bracket_places, in_columns, tells_a_result
from .reasons import Names, RankExplanation, why_of
from .snapshots import StandingsSnapshot

MOST_COLUMNS = 6
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
    entry, on the first row of each of several finals. ``left_after`` is the round after
    which the entry withdrew or was disqualified, if any. ``why`` is set if the row is open.
    """

    entry: int
    entry_id: int
    names: str
    rank: int
    overall: int | None
    figures: tuple[tuple[str, int | None], ...]
    left_after: int | None
    is_disqualified: bool
    why: RankExplanation | None = None
    stage: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsView:
    """The first rows of a list of ``total`` rows, with facts about the whole list.

    ``after_round`` is the last closed round, or 0; ``during_round`` is the round in play, whose results
    count as they come in. ``brief`` are the columns for which a phone has room. ``is_outdated`` says
    whether the final standings would be different now, if that was checked.
    """

    rows: tuple[StandingsRow, ...]
    total: int
    columns: tuple[str, ...]
    brief: tuple[str, ...]
    rules: RankingRules
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
        return any(tells_a_result(row.figures) for row in self.rows)

    @property
    def is_cut(self) -> bool:
        return len(self.rows) < self.total


def standings_view(
    event: Event,
    kept: StandingsSnapshot,
    entrants: Sequence[Entry],
    rounds: Sequence[Round],
    *,
    section: str = "",
    most: int | None = None,
    only: int | None = None,
    named: EntryNamed | None = None,
) -> StandingsView:
    """Present the standings with public names, or as ``named``: the top ``most`` rows, or ``only`` one entry.
    ``rounds`` are the published ones. No query."""
    entries = {entry.number: entry for entry in entrants}
    rules = event.ranking_rules
    sections = sections_of(event, entries)
    section = section if section in sections else ""
    listed = [row for row in kept.rows if row["entry"] in entries]
    if section:
        section_of = {number: entry.section for number, entry in entries.items()}
        listed = within(listed, section_of, rules.order).get(section, [])
    counted = rounds_counted(event, kept, rounds)
    columns = metric_columns(rules.order, listed)
    places = [place for place, row in enumerate(listed) if only is None or row["entry"] == only][:most]
    return StandingsView(
        rows=standings_rows(
            kept,
            listed,
            places,
            entries,
            rules.order,
            named=named or entries_named_in(event, entrants),
            coming=counted.coming,
            is_section=bool(section),
            plan=event.plan,
        ),
        total=len(listed),
        columns=columns,
        brief=brief_columns(columns, listed),
        rules=rules,
        section=section,
        sections=sections,
        computed_at=kept.computed_at,
        after_round=counted.after_round,
        during_round=counted.during_round,
        ranks=kept.ranks,
        status=standings_status(event, kept),
        has_reasons=kept.has_reasons,
    )


def standings_status(event: Event, kept: StandingsSnapshot) -> StandingsStatus:
    """Return the reliability of the standings. No query."""
    if kept.ranks is Ranks.FINAL:
        return StandingsStatus.FINAL if kept.corrects is None else StandingsStatus.CORRECTED
    is_over = event.state == EventState.ENDED and kept.ranks is Ranks.LIVE
    return StandingsStatus.PROVISIONAL if is_over else StandingsStatus.RUNNING


class RoundsCounted(NamedTuple):
    """The last round that counts in full, and the one whose results are coming in."""

    after_round: int
    during_round: int | None

    @property
    def coming(self) -> int:
        """The round in progress, or else the next one."""
        return self.during_round or self.after_round + 1


def rounds_counted(event: Event, kept: StandingsSnapshot, rounds: Sequence[Round]) -> RoundsCounted:
    """Return the rounds that count in these standings; ``rounds`` are the published ones. No query."""
    if kept.number is not None and kept.rounds is not None:
        return RoundsCounted(kept.rounds, None)
    if kept.ranks is Ranks.BEFORE_SILENCE:
        rounds = [one for one in rounds if not event.visible.is_silent(one.number)]
    counted = [one.number for one in rounds if _is_counted(one, kept)]
    under_way = next((one.number for one in rounds if one.number not in counted), None)
    return RoundsCounted(max(counted, default=0), under_way)


def _is_counted(one: Round, kept: StandingsSnapshot) -> bool:
    """Check whether the round was already closed when these standings were computed, and not closed again
    since."""
    is_known = kept.rounds is None or one.number <= kept.rounds
    computed_at = kept.computed_at if kept.ranks is Ranks.LIVE else None
    is_later = computed_at is not None and one.closed_at is not None and one.closed_at > computed_at
    return one.state == RoundState.CLOSED and is_known and not is_later


def standings_rows(
    kept: StandingsSnapshot,
    listed: Sequence[PlainRow],
    places: Collection[int],
    entries: Mapping[int, Entry],
    order: Sequence[str],
    *,
    named: EntryNamed,
    coming: int,
    is_section: bool = False,
    plan: StagePlan = (),
) -> tuple[StandingsRow, ...]:
    """Return the rows at these places in the list, open if their details are loaded. ``coming`` is the round
    in progress, or else the next one; with a ``plan``, the first row of each final beside others names it."""
    names: Names = defaultdict(str, {number: named(entry) for number, entry in entries.items()})
    overall = {row["entry"]: row["rank"] for row in kept.rows} if is_section else {}
    left = who_left(entries.values(), coming)
    figures = figures_shown(metric_columns(order, listed), left=left)
    finals = finals_of(plan, kept.rows)
    found: list[StandingsRow] = []
    for place in places:
        row = listed[place]
        above = finals.get(listed[place - 1]["entry"]) if found else None
        final = finals.get(row["entry"])
        number = row["entry"]
        is_open = number in kept.counted
        found.append(
            StandingsRow(
                entry=number,
                entry_id=entries[number].pk,
                names=names[number],
                rank=row["rank"],
                overall=overall.get(number),
                figures=figures(row),
                left_after=left.get(number),
                is_disqualified=bool(entries[number].disqualification),
                why=why_of(listed, place, kept.counted[number], names, order) if is_open else None,
                stage=None if final == above else final,
            )
        )
    return tuple(found)


def finals_of(plan: StagePlan, rows: Sequence[PlainRow]) -> dict[int, int]:
    """Return the last stage of each entry, by number, that plays beside another one; none before it began."""
    groups = max((row.get("stage", 0) for row in rows), default=0)
    stages = {row["entry"]: stage_of_group(plan, row.get("stage", 0), of=groups) for row in rows}
    return {entry: stage for entry, stage in stages.items() if stage is not None and is_beside(plan, stage)}


SILENT = TELLS_NOTHING_ALONE - {MetricScope.POOL}
"""Scopes of metrics that have no figure to show."""


def metric_columns(order: Sequence[str], rows: Sequence[PlainRow]) -> tuple[str, ...]:
    """Return the ranking metrics with a meaningful figure, first to last. The place in a bracket comes before
    the others; if there are none, the matches won."""
    telling = [key for key in in_columns(order) if METRICS[key].scope not in SILENT]
    if BRACKET in order and has_bracket_places(rows):
        telling.insert(0, BRACKET)
    return tuple(telling[:MOST_COLUMNS]) or COLUMNS[:1]


def brief_columns(columns: Sequence[str], rows: Sequence[PlainRow]) -> tuple[str, ...]:
    """Return the first column and the points difference, with one more if it decides a rank."""
    usual = {columns[0], *(("difference",) if "difference" in columns else columns[1:2])}
    deciding = {
        next((key for key in columns if above.get(key) != below.get(key)), None)
        for above, below in pairwise(rows)
    }
    more = next((key for key in columns if key in deciding - usual), None)
    return tuple(key for key in columns if key in {*usual, more})


def sections_of(event: Event, entries: Mapping[int, Entry]) -> tuple[str, ...]:
    """Return the sections with entries, in the event's order."""
    named = [section["name"] for section in event.sections]
    there = [entry.section for entry in entries.values() if entry.section]
    return tuple(name for name in dict.fromkeys([*named, *there]) if name in there)


def who_left(entries: Iterable[Entry], coming: int) -> dict[int, int | None]:
    """Map the numbers of the entries that have left to the round after which they did. Future departures do
    not count."""
    return {entry.number: entry.leaves_after for entry in entries if entry.has_left(coming)}
