"""Rules of fixed schedules: round robins, pools, movements, and interclub matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import networkx as nx

from engine.draws import EntryId

from .course import Course, Round
from .tally import count_meetings


def check_due_rounds_placed(course: Course, round_: Round) -> Iterator[str]:
    """Check that each present entry has a table or a bye in all due rounds of an undisturbed tournament."""
    placed = {entry for table in round_.draw.tables for entry in (*table.a, *table.b)}
    missing = round_.present - placed - {bye.entry for bye in round_.draw.byes}
    if course.is_quiet and course.due_rounds is not None and round_.draw_input.round <= course.due_rounds:
        yield from (f"entry {entry} has no place" for entry in missing)


def check_meeting_counts(course: Course) -> Iterator[str]:
    """Check that no two entries meet more often than planned, unless the director changed the schedule."""
    if course.troubles & {"locked", "by_hand"}:
        return
    legs = course.settings.get("legs", 1)
    for two, count in count_meetings(course.history).items():
        if count > legs:
            yield f"{sorted(two)} met {count} times"


def check_all_meet(course: Course) -> Iterator[str]:
    """Check that all entries of a group (the field or a pool) meet, and that pools are equally large."""
    if not (course.is_quiet and course.is_whole):
        return
    meeting_counts, legs = count_meetings(course.history), course.settings.get("legs", 1)
    groups: dict[str, set[EntryId]] = {}
    for table in course.history:
        groups.setdefault(table.slot, set()).update((*table.a, *table.b))
    if any(one & other for one, other in combinations(groups.values(), 2)):
        yield "somebody is in two groups"
    for two in (frozenset(two) for group in groups.values() for two in combinations(group, 2)):
        if meeting_counts[two] != legs:
            yield f"{sorted(two)} met {meeting_counts[two]} times"
    sizes = [len(group) for group in groups.values()]
    if sizes and max(sizes) - min(sizes) > 1:
        yield f"groups of {sorted(sizes)}"
    alone = len(course.rounds[0].draw_input.entrants) - sum(sizes)
    if alone and sum(sizes):
        yield f"{alone} in no group"


def check_even_sides(course: Course) -> Iterator[str]:
    """Check that each entry's sides are balanced to one match, or exactly if everybody meets twice."""
    if not (course.is_quiet and course.is_whole):
        return
    lean: Counter[EntryId] = Counter()
    for table in course.history:
        if table.b:
            lean.update({table.a[0]: 1})
            lean.subtract({table.b[0]: 1})
    maximum = 0 if course.settings.get("legs") == 2 else 1
    yield from (f"entry {entry} leans by {excess}" for entry, excess in lean.items() if abs(excess) > maximum)


def check_halves(course: Course) -> Iterator[str]:
    """Check a movement: no two meet twice or within a half, and finally all meet the other half."""
    if not (course.is_quiet and course.is_whole):
        return
    meeting_counts = count_meetings(course.history)
    if any(count > 1 for count in meeting_counts.values()):
        yield "two met twice"
    graph = nx.Graph([tuple(two) for two in meeting_counts])
    if not nx.is_bipartite(graph):
        yield "two of one half met"
    count = len(course.rounds[0].draw_input.entrants)
    if "rounds" not in course.settings and len(meeting_counts) != (count // 2) * (count - count // 2):
        yield f"{len(meeting_counts)} meetings of {count} entries"


def check_no_own_club(course: Course, round_: Round) -> Iterator[str]:
    """Check that no table is of one club; entries without a club form one club."""
    for table in round_.tables:
        if _get_club(round_, table.a[0]) == _get_club(round_, table.b[0]):
            yield f"table {table.number} is of one club"


def check_team_matches(course: Course, round_: Round) -> Iterator[str]:
    """Check that each team meets one other team, at no more tables than a match has boards."""
    pairs = Counter(frozenset(_get_club(round_, side[0]) for side in (table.a, table.b)) for table in round_.tables)
    if len([team for pair in pairs for team in pair]) != len({team for pair in pairs for team in pair}):
        yield "a team meets two others"
    if max(pairs.values(), default=0) > course.settings.get("boards", 2):
        yield f"a match of {max(pairs.values())} boards"


def check_other_clubs(course: Course, round_: Round) -> Iterator[str]:
    """Check that only one entry of an odd field sits out, and that club-mates meet only if unavoidable.

    They must meet if their club is larger than all others together.
    """
    if course.troubles & {"sections", "tables", "sides", "apart"}:
        return
    seated = [entry for table in round_.tables for entry in (*table.a, *table.b)]
    entry_count = len(seated) + len(round_.byes)
    if len(round_.byes) != entry_count % 2:
        yield f"{len(round_.byes)} of {entry_count} sit out"
    largest = max(Counter(_get_club(round_, entry) for entry in (*seated, *round_.byes)).values(), default=0)
    own = sum(_get_club(round_, table.a[0]) == _get_club(round_, table.b[0]) for table in round_.tables)
    if own != max(0, (2 * largest - entry_count) // 2):
        yield f"{own} tables are of one club, the largest of which has {largest} of {entry_count}"


def _get_club(round_: Round, entry: EntryId) -> str:
    return min((b.name for b in round_.entrants[entry].bonds if b.kind == "club"), default="")


def check_end(course: Course) -> Iterator[str]:
    """Check that no table is drawn after the last due round of an undisturbed tournament."""
    for each in course.rounds:
        is_over = course.due_rounds is not None and each.draw_input.round > course.due_rounds
        if course.is_quiet and is_over and each.draw.tables:
            yield f"tables in round {each.draw_input.round} of {course.due_rounds}"
