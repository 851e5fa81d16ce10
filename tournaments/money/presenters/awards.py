"""Winners of the prizes by category: the standings that the reader may see, computed by ``awards``."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from engine.awards import Award, Contest, awards
from engine.ranking import Disqualified
from engine.standings import PlainRow, within
from tournaments.entries.bonds import labels_in
from tournaments.events.presenters.names import EntryNamed, club_played_for, entries_named_in
from tournaments.models import Among, Entry, Event, PrizeCategory
from tournaments.money.queries.fees import prize_categories_of
from tournaments.standings.presenters import StandingsSnapshot, final_snapshot, latest_snapshot
from tournaments.standings.presenters.clubs import club_standings
from tournaments.standings.presenters.figures import tells_a_result
from web.names import group_key

Groups = Mapping[str, Sequence[PlainRow]]
"""Rows of the standings by name of their group, best first, with their ranks in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeWinner:
    """A winner: the ``award``, and the winner's name as the reader may know it."""

    award: Award
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryAwards:
    """Prizes of a category and their winners, or those of one ``group`` where each group has its own.
    ``members`` is how many compete; ``not_won`` are the prizes, amounts in cents, without a winner."""

    category: PrizeCategory
    group: str
    members: int
    winners: tuple[PrizeWinner, ...]
    not_won: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Field:
    """Competitors: rows of the standings ``kept``, best first, and the entries by number."""

    event: Event
    kept: StandingsSnapshot
    rows: Sequence[PlainRow]
    by_number: Mapping[int, Entry]


def awards_now(event: Event, entries: Sequence[Entry], named: EntryNamed) -> tuple[CategoryAwards, ...]:
    """Return the prizes by category under the published final standings, else under the current ones. Two
    queries at most."""
    categories = list(prize_categories_of(event))
    if not categories:
        return ()
    if event.final is not None:
        kept = final_snapshot(event, charts=True)
    else:
        kept = latest_snapshot(event, charts=True)
    return _category_awards(event, categories, kept, entries, named)


def public_awards(event: Event, entries: Sequence[Entry]) -> tuple[CategoryAwards, ...]:
    """Return the prizes that everybody may see, with public names. None before the final standings are
    published and released. Two queries at most."""
    if event.final is None or not event.visible.has_whole_standings:
        return ()
    found = awards_now(event, entries, entries_named_in(event, entries))
    return tuple(each for each in found if each.category.is_public)


def _category_awards(
    event: Event,
    categories: Sequence[PrizeCategory],
    kept: StandingsSnapshot,
    entries: Sequence[Entry],
    named: EntryNamed,
) -> tuple[CategoryAwards, ...]:
    """Return the prizes by category, main prizes first, group by group. No query."""
    by_number = {entry.number: entry for entry in entries}
    out = _without_prizes(event, entries)
    ranked = [row for row in kept.rows if row["entry"] in by_number] or _not_ranked(entries)
    rows = [row for row in ranked if row["entry"] not in out]
    field = _Field(event=event, kept=kept, rows=rows, by_number=by_number)
    figures = tuple((key, row.get(key)) for row in rows for key in ("match_wins", "points_for"))
    competing: list[tuple[PrizeCategory, str, list[tuple[Hashable, int]]]] = []
    for category in sorted(categories, key=lambda each: (each.among != Among.EVERYBODY, each.pk)):
        if category.among == Among.CLUBS:
            lines = club_standings(event, kept, entries)
            competing.append((category, "", [(line.name, line.rank) for line in lines]))
            continue
        groups = _GROUPS[Among(category.among)](field, category)
        competing += [
            (category, group, [(row["entry"], row["rank"]) for row in members])
            for group, members in groups.items()
        ]
    given = _give_awards(event, competing if tells_a_result(figures) else ())

    def name_of(winner: Hashable) -> str:
        return named(by_number[winner]) if isinstance(winner, int) else str(winner)

    return tuple(
        CategoryAwards(
            category=category,
            group=group,
            members=len(members),
            winners=tuple(PrizeWinner(award=award, name=name_of(award.winner)) for award in given[index]),
            not_won=tuple(category.amounts[max((award.last for award in given[index]), default=0) :]),
        )
        for index, (category, group, members) in enumerate(competing)
    )


def _without_prizes(event: Event, entries: Sequence[Entry]) -> set[int]:
    """Return the numbers of disqualified entries, which win nothing."""
    if event.ranking_rules.disqualified is Disqualified.KEPT:
        return set()
    return {entry.number for entry in entries if entry.disqualification}


def _not_ranked(entries: Sequence[Entry]) -> list[PlainRow]:
    """Return a row of rank 1 for each entry that takes part, while nothing is counted."""
    return [{"entry": entry.number, "rank": 1} for entry in entries if not entry.is_waiting]


def _give_awards(
    event: Event, competing: Sequence[tuple[PrizeCategory, str, list[tuple[Hashable, int]]]]
) -> Mapping[int, list[Award]]:
    """Return the awards by place in ``competing``; clubs' prizes and entries' prizes are independent of each
    other."""
    found: dict[int, list[Award]] = defaultdict(list)
    for of_clubs in (False, True):
        places = [
            place
            for place, (category, _, _) in enumerate(competing)
            if (category.among == Among.CLUBS) is of_clubs
        ]
        contests = [
            Contest(amounts=tuple(competing[place][0].amounts), ranked=tuple(competing[place][2]))
            for place in places
        ]
        step = event.cash_rules.rounding_step
        for award in awards(contests, one_each=not event.prizes_add_up, step=step):
            found[places[award.contest]].append(award)
    return found


def is_labelled(entry: Entry, label: str) -> bool:
    """Return whether the entry has the label, or all of its people are in the club's group of that name."""
    return group_key(label) in labels_in(entry.labels) or is_grouped(entry, label)


def is_grouped(entry: Entry, label: str) -> bool:
    """Return whether all people of the entry are in the club's group of that name."""
    return all(group_key(label) in map(group_key, person.labels) for person in entry.players)


def _everybody(field: _Field, category: PrizeCategory) -> Groups:
    return {"": field.rows}


def _group_of_label(field: _Field, category: PrizeCategory) -> Groups:
    return {"": [row for row in field.rows if is_labelled(field.by_number[row["entry"]], category.group)]}


def _group_by_rating(field: _Field, category: PrizeCategory) -> Groups:
    """Group the rows within the category's band of ratings; entries without a rating are in none."""
    lowest, highest = category.lowest or 0, category.highest

    def is_in(rating: int | None) -> bool:
        return rating is not None and lowest <= rating and (highest is None or rating <= highest)

    return {"": [row for row in field.rows if is_in(field.by_number[row["entry"]].rating)]}


def _by_club(field: _Field, category: PrizeCategory) -> Groups:
    spelled: dict[str, str] = {}
    clubs = {
        number: spelled.setdefault(group_key(club), club)
        for number, entry in field.by_number.items()
        if (club := club_played_for(field.event, entry))
    }
    return _groups_of_category(category, within(field.rows, clubs, field.event.ranking_rules.order))


def _by_section(field: _Field, category: PrizeCategory) -> Groups:
    sections = {number: entry.section for number, entry in field.by_number.items() if entry.section}
    return _groups_of_category(category, within(field.rows, sections, field.event.ranking_rules.order))


def _by_pool(field: _Field, category: PrizeCategory) -> Groups:
    """Group the rows by pool, in each pool's final order; entries that are level in the standings stay so."""
    number_of = {entry.pk: number for number, entry in field.by_number.items()}
    row_of = {row["entry"]: row for row in field.rows}
    pools: dict[str, list[PlainRow]] = {}
    for table in (table for chart in field.kept.charts for table in chart.get("tables", ()) if table["pool"]):
        members = [number_of[row["entry"]] for row in table["rows"] if row["entry"] in number_of]
        pool = pools.setdefault(table["pool"], [])
        for place, number in enumerate((number for number in members if number in row_of), start=1):
            level = pool and row_of[pool[-1]["entry"]]["rank"] == row_of[number]["rank"]
            pool.append({"entry": number, "rank": pool[-1]["rank"] if level else place})
    return _groups_of_category(category, pools)


def _groups_of_category(category: PrizeCategory, groups: Groups) -> Groups:
    """Select the category's group, however it is spelled; all groups by name if the category names none."""
    if not category.group:
        return dict(sorted(groups.items())) or {"": ()}
    found = {name: those for name, those in groups.items() if group_key(name) == group_key(category.group)}
    return found or {category.group: ()}


_GROUPS: Mapping[Among, Callable[[_Field, PrizeCategory], Groups]] = {
    Among.EVERYBODY: _everybody,
    Among.LABEL: _group_of_label,
    Among.RATING: _group_by_rating,
    Among.CLUB: _by_club,
    Among.SECTION: _by_section,
    Among.POOL: _by_pool,
}
