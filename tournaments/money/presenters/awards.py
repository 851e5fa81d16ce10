"""Winners of the prizes by category: the standings that the reader may see, computed by ``compute_awards``."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from engine.awards import Award, Contest, compute_awards
from engine.ranking import has_result
from engine.standings import StandingsRowJson, rank_by_group, rank_by_section
from tournaments.entries.bonds import parse_labels
from tournaments.events.presenters.names import (
    EntryFormatter,
    build_full_entry_formatter,
    build_public_entry_formatter,
    get_entry_club,
)
from tournaments.models import Entry, Event, PrizeCategory, PrizeScope
from tournaments.money.queries.fees import select_prize_categories
from tournaments.standings.presenters import StandingsSnapshot, get_final_snapshot, get_latest_snapshot
from tournaments.standings.presenters.clubs import build_club_rows
from tournaments.standings.presenters.publication import get_current_snapshot
from web.names import get_group_key

Groups = Mapping[str, Sequence[StandingsRowJson]]
"""Rows of the standings by name of their group, best first, with their ranks in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeWinner:
    """A winner: the ``award``, and the winner's name as the reader may know it."""

    award: Award
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryAwards:
    """Prizes of a category and their winners, or those of one ``group`` if each group has its own.
    ``members`` is the number of competitors; ``unclaimed`` are the prizes, amounts in cents, without a winner."""

    category: PrizeCategory
    group: str
    members: int
    winners: tuple[PrizeWinner, ...]
    unclaimed: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Competition:
    """Competitors for the prizes: rows of the ``standings``, best first, and the entries by number."""

    event: Event
    standings: StandingsSnapshot
    rows: Sequence[StandingsRowJson]
    entries_by_number: Mapping[int, Entry]


def get_current_awards(
    event: Event, entries: Sequence[Entry], format_entry: EntryFormatter
) -> tuple[CategoryAwards, ...]:
    """Return the prizes by category under the published final standings, else under the current ones. Two
    queries at most."""
    categories = list(select_prize_categories(event))
    if not categories:
        return ()
    if event.final is not None:
        standings = get_final_snapshot(event, charts=True)
    else:
        standings = get_latest_snapshot(event, charts=True)
    return _build_category_awards(event, categories, standings, entries, format_entry)


def get_public_awards(event: Event, entries: Sequence[Entry]) -> tuple[CategoryAwards, ...]:
    """Return the prizes that everybody may see, with public names. None before the final standings are
    published and released. Two queries at most."""
    if event.final is None or not event.visible.has_whole_standings:
        return ()
    return _list_public_awards(event, entries, build_public_entry_formatter(event, entries))


def get_final_awards(event: Event, entries: Sequence[Entry]) -> tuple[CategoryAwards, ...]:
    """Return the public prizes with full names, for papers. None before the final standings are published, nor once
    results have changed since. Six queries at most."""
    if get_current_snapshot(event).number is None:
        return ()
    return _list_public_awards(event, entries, build_full_entry_formatter(entries))


def _list_public_awards(
    event: Event, entries: Sequence[Entry], format_entry: EntryFormatter
) -> tuple[CategoryAwards, ...]:
    current_awards = get_current_awards(event, entries, format_entry)
    return tuple(awards_shown for awards_shown in current_awards if awards_shown.category.is_public)


def _build_category_awards(
    event: Event,
    categories: Sequence[PrizeCategory],
    standings: StandingsSnapshot,
    entries: Sequence[Entry],
    format_entry: EntryFormatter,
) -> tuple[CategoryAwards, ...]:
    """Return the prizes by category, main prizes first, group by group. No query."""
    entries_by_number = {entry.number: entry for entry in entries}
    rules = event.ranking_rules
    ranked = [row for row in standings.rows if row["entry"] in entries_by_number] or _build_unranked_rows(entries)
    rows = [
        row
        for row in ranked
        if rules.keeps_rank(is_disqualified=bool(entries_by_number[row["entry"]].disqualification))
    ]
    competition = _Competition(event=event, standings=standings, rows=rows, entries_by_number=entries_by_number)
    figures = tuple((key, row.get(key)) for row in rows for key in ("match_wins", "points_for"))
    contests: list[tuple[PrizeCategory, str, list[tuple[Hashable, int]]]] = []
    for category in sorted(categories, key=lambda each: (each.among != PrizeScope.EVERYBODY, each.pk)):
        if category.among == PrizeScope.CLUBS:
            divisions: dict[str, list[tuple[Hashable, int]]] = {}
            for line in build_club_rows(event, standings, entries):
                divisions.setdefault(line.section, []).append((line.name, line.rank))
            contests += [(category, division, lines) for division, lines in (divisions or {"": []}).items()]
            continue
        groups = _GROUPINGS[PrizeScope(category.among)](competition, category)
        contests += [
            (category, group, [(row["entry"], row["rank"]) for row in members]) for group, members in groups.items()
        ]
    awards_by_contest = _give_awards(event, contests if has_result(figures) else ())

    def format_winner(winner: Hashable) -> str:
        return format_entry(entries_by_number[winner]) if isinstance(winner, int) else str(winner)

    return tuple(
        CategoryAwards(
            category=category,
            group=group,
            members=len(members),
            winners=tuple(
                PrizeWinner(award=award, name=format_winner(award.winner)) for award in awards_by_contest[index]
            ),
            unclaimed=tuple(
                category.amounts[max((award.last_place for award in awards_by_contest[index]), default=0) :]
            ),
        )
        for index, (category, group, members) in enumerate(contests)
    )


def _build_unranked_rows(entries: Sequence[Entry]) -> list[StandingsRowJson]:
    """Return a row of rank 1 for each entry that takes part, while nothing is counted."""
    return [{"entry": entry.number, "rank": 1} for entry in entries if not entry.is_waiting]


def _give_awards(
    event: Event, contests_by_category: Sequence[tuple[PrizeCategory, str, list[tuple[Hashable, int]]]]
) -> Mapping[int, list[Award]]:
    """Return the awards by index in ``contests_by_category``. Prizes of clubs and of entries are independent of each
    other."""
    awards_by_contest: dict[int, list[Award]] = defaultdict(list)
    for is_club_prize in (False, True):
        places = [
            place
            for place, (category, _, _) in enumerate(contests_by_category)
            if (category.among == PrizeScope.CLUBS) is is_club_prize
        ]
        contests = [
            Contest(
                amounts=tuple(contests_by_category[place][0].amounts), ranking=tuple(contests_by_category[place][2])
            )
            for place in places
        ]
        step = event.cash_rules.rounding_step
        for award in compute_awards(contests, one_prize_each=not event.prizes_add_up, step=step):
            awards_by_contest[places[award.contest]].append(award)
    return awards_by_contest


def has_label(entry: Entry, label: str) -> bool:
    """Return whether the entry has the label, or all of its people are in the club's group of that name."""
    return get_group_key(label) in parse_labels(entry.labels) or is_in_group(entry, label)


def is_in_group(entry: Entry, label: str) -> bool:
    """Return whether all people of the entry are in the club's group of that name."""
    return all(get_group_key(label) in map(get_group_key, person.labels) for person in entry.players)


def _group_everybody(competition: _Competition, category: PrizeCategory) -> Groups:
    return {"": competition.rows}


def _group_by_label(competition: _Competition, category: PrizeCategory) -> Groups:
    return {
        "": [row for row in competition.rows if has_label(competition.entries_by_number[row["entry"]], category.group)]
    }


def _group_by_rating(competition: _Competition, category: PrizeCategory) -> Groups:
    """Group the rows within the category's band of ratings; entries without a rating are in none."""
    lowest, highest = category.lowest or 0, category.highest

    def is_in_band(rating: int | None) -> bool:
        return rating is not None and lowest <= rating and (highest is None or rating <= highest)

    return {"": [row for row in competition.rows if is_in_band(competition.entries_by_number[row["entry"]].rating)]}


def _group_by_club(competition: _Competition, category: PrizeCategory) -> Groups:
    spellings: dict[str, str] = {}
    clubs = {
        number: spellings.setdefault(get_group_key(club), club)
        for number, entry in competition.entries_by_number.items()
        if (club := get_entry_club(competition.event, entry))
    }
    return _select_groups(category, rank_by_group(competition.rows, clubs, competition.event.ranking_rules.order))


def _group_by_section(competition: _Competition, category: PrizeCategory) -> Groups:
    sections = {number: entry.section for number, entry in competition.entries_by_number.items() if entry.section}
    return _select_groups(category, rank_by_section(competition.rows, sections, competition.event.ranking_rules.order))


def _group_by_pool(competition: _Competition, category: PrizeCategory) -> Groups:
    """Group the rows by pool of the last stage with pools, with the ranks in each; charts of older versions have only
    the order."""
    numbers_by_id = {entry.pk: number for number, entry in competition.entries_by_number.items()}
    rows_by_number = {row["entry"]: row for row in competition.rows}
    pools: dict[str, list[StandingsRowJson]] = {}
    stages = (chart.get("tables", ()) for chart in reversed(competition.standings.charts))
    for table in next((tables for tables in stages if tables and "pool" in tables[0]), ()):
        members = [(numbers_by_id.get(row["entry"]), row.get("rank")) for row in table["rows"]]
        pool = pools[table["pool"]] = []
        ranked = ((number, rank) for number, rank in members if number in rows_by_number)
        for place, (number, rank) in enumerate(ranked, start=1):
            is_tied = pool and rows_by_number[pool[-1]["entry"]]["rank"] == rows_by_number[number]["rank"]
            pool.append({"entry": number, "rank": rank or (pool[-1]["rank"] if is_tied else place)})
        pool.sort(key=lambda row: row["rank"])
    return _select_groups(category, pools)


def _select_groups(category: PrizeCategory, groups: Groups) -> Groups:
    """Select the category's group, however it is spelled; all groups by name if the category names none."""
    if not category.group:
        return dict(sorted(groups.items())) or {"": ()}
    matching = {
        name: members for name, members in groups.items() if get_group_key(name) == get_group_key(category.group)
    }
    return matching or {category.group: ()}


_GROUPINGS: Mapping[PrizeScope, Callable[[_Competition, PrizeCategory], Groups]] = {
    PrizeScope.EVERYBODY: _group_everybody,
    PrizeScope.LABEL: _group_by_label,
    PrizeScope.RATING: _group_by_rating,
    PrizeScope.CLUB: _group_by_club,
    PrizeScope.SECTION: _group_by_section,
    PrizeScope.POOL: _group_by_pool,
}
