"""Laws of rounds that are drawn anew: by score, by lot, by rank, and rotations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import networkx as nx

from engine.draws import EntryId
from engine.draws.pairing_cost.certificates import is_proved
from engine.draws.pairing_cost.comparison import PRICED
from engine.draws.pairing_cost.costs import positions, prices_of
from engine.draws.pairing_cost.criteria import pairing_settings_of

from .course import Course, Round
from .oracle import CRITERIA, Objective
from .tally import duels, has_perfect_matching, meetings, partners


def nobody_sits_out_before_their_turn(course: Course, this: Round) -> Iterator[str]:
    """Check that no entry sits out that has missed more rounds than one that plays. Rounds at a table for two
    count as missed."""
    if _is_hampered(course):
        return
    had = this.idle_before
    if course.settings.get("odd") == "two_player_table":
        had = had + duels(this.before.history)
    fewest = min((had[entry] for table in this.tables for entry in (*table.a, *table.b)), default=0)
    for entry in this.byes:
        if this.tables and had[entry] > fewest:
            yield f"entry {entry} sits out after {had[entry]} rounds without play"


def nobody_sits_out_above_the_lowest(course: Course, this: Round) -> Iterator[str]:
    """The score of who sits out is the lowest there can be: whoever has less, and has missed no more rounds,
    cannot sit out without somebody meeting again, or meeting who must not."""
    if not this.byes or not {"forbidden", "byes", "repeats", "bye_score"} <= {*_criteria(course)}:
        return
    (out,) = this.byes
    idle, scores = this.idle_before, {entry: this.entrants[entry].score for entry in this.entrants}
    lower = {
        scores[entry]: entry
        for table in this.tables
        for entry in (*table.a, *table.b)
        if scores[entry] < scores[out] and idle[entry] <= idle[out]
    }
    if not lower:
        return
    objective = Objective("swiss", this.before)
    now = _dear(objective, [*((table.a[0], table.b[0]) for table in this.tables)])
    for entry in objective.entries:
        if scores[entry] in lower and idle[entry] <= idle[out]:
            others = [other for other in objective.entries if other != entry]
            if _least(objective, others) <= now:
                yield f"entry {out} sits out with {scores[out]}, and entry {entry} could with {scores[entry]}"
                return


def _criteria(course: Course) -> tuple[str, ...]:
    return tuple(course.settings.get("criteria", CRITERIA["swiss"]))


def _price(objective: Objective, one: EntryId, other: EntryId) -> int:
    """What a meeting breaks: what must not be, before what should not be again."""
    return 10**6 * objective.step("forbidden", one, other) + objective.step("repeats", one, other)


def _dear(objective: Objective, pairs: Iterable[tuple[EntryId, EntryId]]) -> int:
    return sum(_price(objective, *pair) for pair in pairs)


def _least(objective: Objective, entries: Sequence[EntryId]) -> int:
    """The least that any pairing of these breaks."""
    free = [two for two in combinations(entries, 2) if not _price(objective, *two)]
    if has_perfect_matching(len(entries), free):
        return 0
    graph = nx.Graph()
    graph.add_weighted_edges_from((*two, _price(objective, *two)) for two in combinations(entries, 2))
    return _dear(objective, nx.min_weight_matching(graph))


def nobody_meets_again_without_need(course: Course, this: Round) -> Iterator[str]:
    """In small fields: if a draw without repeats exists that gives the bye to one of those due for it."""
    here = sorted({entry for table in this.tables for entry in (*table.a, *table.b)} | {*this.byes})
    if _is_hampered(course) or "rematch_after" in course.settings or len(here) > 24:
        return
    counts = course.settings.get("forfeits_count", True)
    met = meetings(table for table in this.before.history if counts or not table.is_forfeit)
    if not any(met[frozenset((table.a[0], table.b[0]))] for table in this.tables):
        return
    fewest = min(this.idle_before[entry] for entry in here)
    pairs: list[tuple[int, int]] = [two for two in combinations(here, 2) if not met[frozenset(two)]]
    if len(here) % 2:
        pairs += [(entry, -1) for entry in here if this.idle_before[entry] == fewest]
    if has_perfect_matching(len(here) + len(here) % 2, pairs):
        yield "somebody meets again without need"


def the_proof_holds(course: Course, this: Round) -> Iterator[str]:
    """The certificate, every pair of the field priced."""
    settings = pairing_settings_of(this.before, usual=PRICED[course.format.key])
    prices = prices_of(this.before, settings)
    pairs: list[tuple[EntryId, EntryId | None]] = [(table.a[0], table.b[0]) for table in this.tables]
    pairs += [(entry, None) for entry in this.byes]
    places = [positions(prices.field, pair) for pair in pairs]
    if this.drawn.certificate is None or not is_proved(this.drawn.certificate, prices, places):
        yield "not proved"
    if prices.levels(places) != this.drawn.price:
        yield "another price"


def _is_hampered(course: Course) -> bool:
    """Whether something stands above byes and repeats."""
    above = {"criteria", "must_not"} & course.settings.keys()
    return bool(above or course.troubles & {"sections", "tables", "sides", "apart"})


def nobody_has_a_partner_again_without_need(course: Course, this: Round) -> Iterator[str]:
    """Of those at tables of four."""
    here = sorted(entry for t in this.tables if len(t.a) == 2 for entry in (*t.a, *t.b))
    if _is_hampered(course) or "together" in course.settings or len(here) > 24:
        return
    counts = course.settings.get("forfeits_count", True)
    had = partners(table for table in this.before.history if counts or not table.is_forfeit)
    if not any(had[frozenset(side)] for table in this.tables for side in (table.a, table.b)):
        return
    if has_perfect_matching(len(here), (two for two in combinations(here, 2) if not had[frozenset(two)])):
        yield "somebody has a partner again without need"


def ranks_make_the_tables(course: Course, this: Round) -> Iterator[str]:
    """1 and 4 against 2 and 3, in an undisturbed field of fours."""
    standings = [entrant.id for entrant in this.before.entrants]
    if not course.is_quiet or len(standings) % 4 or course.settings:
        return
    for place, table in enumerate(this.drawn.tables):
        one, two, three, four = standings[4 * place : 4 * place + 4]
        if {frozenset(table.a), frozenset(table.b)} != {frozenset((one, four)), frozenset((two, three))}:
            yield f"table {table.number} is not by rank"


def a_whole_rotation_is_balanced(course: Course) -> Iterator[str]:
    """Everybody partners everybody once and opposes everybody twice, where a design has all that."""
    if not (course.is_quiet and course.is_whole) or "rounds" in course.settings or course.rounds_due is None:
        return
    played = [table for each in course.rounds[: course.rounds_due] for table in each.played]
    entries = [entrant.id for entrant in course.rounds[0].before.entrants]
    had, met = partners(played), meetings(played)
    for two in map(frozenset, combinations(entries, 2)):
        if len(entries) > 3 and (had[two], met[two]) != (1, 2):
            yield f"{sorted(two)} were {had[two]} times partners and {met[two]} times opponents"
            return
