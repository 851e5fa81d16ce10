"""Laws of prepared schedules: round robins, pools, movements, club against club."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import networkx as nx

from engine.draws import EntryId

from .course import Course, Round
from .tally import meetings


def everybody_has_a_place_while_it_lasts(course: Course, this: Round) -> Iterator[str]:
    """At a table or a bye, in every round that is due, unless something befell the tournament."""
    placed = {entry for table in this.drawn.tables for entry in (*table.a, *table.b)}
    missing = this.present - placed - {bye.entry for bye in this.drawn.byes}
    if course.is_quiet and course.rounds_due is not None and this.before.round <= course.rounds_due:
        yield from (f"entry {entry} has no place" for entry in missing)


def nobody_meets_more_often_than_scheduled(course: Course) -> Iterator[str]:
    """Apart from what the director set."""
    if course.troubles & {"locked", "by_hand"}:
        return
    legs = course.settings.get("legs", 1)
    for two, count in meetings(course.played).items():
        if count > legs:
            yield f"{sorted(two)} met {count} times"


def everybody_meets_everybody(course: Course) -> Iterator[str]:
    """In a group: the whole field, or a pool."""
    if not (course.is_quiet and course.is_whole):
        return
    met, legs = meetings(course.played), course.settings.get("legs", 1)
    groups: dict[str, set[EntryId]] = {}
    for table in course.played:
        groups.setdefault(table.slot, set()).update((*table.a, *table.b))
    if any(one & other for one, other in combinations(groups.values(), 2)):
        yield "somebody is in two groups"
    for two in (frozenset(two) for group in groups.values() for two in combinations(group, 2)):
        if met[two] != legs:
            yield f"{sorted(two)} met {met[two]} times"
    sizes = [len(group) for group in groups.values()]
    if sizes and max(sizes) - min(sizes) > 1:
        yield f"groups of {sorted(sizes)}"
    alone = len(course.rounds[0].before.entrants) - sum(sizes)
    if alone and sum(sizes):
        yield f"{alone} in no group"


def sides_come_out_even(course: Course) -> Iterator[str]:
    """By one at most; not at all where everybody meets twice."""
    if not (course.is_quiet and course.is_whole):
        return
    lean: Counter[EntryId] = Counter()
    for table in course.played:
        if table.b:
            lean.update({table.a[0]: 1})
            lean.subtract({table.b[0]: 1})
    most = 0 if course.settings.get("legs") == 2 else 1
    yield from (f"entry {entry} leans by {by}" for entry, by in lean.items() if abs(by) > most)


def halves_meet_once(course: Course) -> Iterator[str]:
    """A movement: nobody twice, nobody of the own half, and in the end all of the other."""
    if not (course.is_quiet and course.is_whole):
        return
    met = meetings(course.played)
    if any(count > 1 for count in met.values()):
        yield "two met twice"
    graph = nx.Graph([tuple(two) for two in met])
    if not nx.is_bipartite(graph):
        yield "two of one half met"
    count = len(course.rounds[0].before.entrants)
    if "rounds" not in course.settings and len(met) != (count // 2) * (count - count // 2):
        yield f"{len(met)} meetings of {count} entries"


def clubs_meet_other_clubs(course: Course, this: Round) -> Iterator[str]:
    """Entries without a club are one together."""
    for table in this.tables:
        if _club(this, table.a[0]) == _club(this, table.b[0]):
            yield f"table {table.number} is of one club"


def everybody_plays_other_clubs(course: Course, this: Round) -> Iterator[str]:
    """One of an odd field sits out, nobody else; and no more tables are of one club than its surplus over all
    others together makes."""
    if course.troubles & {"sections", "tables", "sides", "apart"}:
        return
    seated = [entry for table in this.tables for entry in (*table.a, *table.b)]
    here = len(seated) + len(this.byes)
    if len(this.byes) != here % 2:
        yield f"{len(this.byes)} of {here} sit out"
    largest = max(Counter(_club(this, entry) for entry in (*seated, *this.byes)).values(), default=0)
    own = sum(_club(this, table.a[0]) == _club(this, table.b[0]) for table in this.tables)
    if own != max(0, (2 * largest - here) // 2):
        yield f"{own} tables are of one club, the largest of which has {largest} of {here}"


def _club(this: Round, entry: EntryId) -> str:
    return min((b.name for b in this.entrants[entry].bonds if b.kind == "club"), default="")


def stops_in_time(course: Course) -> Iterator[str]:
    """Nothing is left to play after the last round, unless something befell the tournament."""
    for each in course.rounds:
        is_over = course.rounds_due is not None and each.before.round > course.rounds_due
        if course.is_quiet and is_over and each.drawn.tables:
            yield f"tables in round {each.before.round} of {course.rounds_due}"
