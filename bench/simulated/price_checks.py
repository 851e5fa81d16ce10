"""Checks of the prices of draws: by score, by lot, by rank, and rotations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import networkx as nx

from engine.draws import EntryId
from engine.draws.pairing_cost.certificates import is_proved
from engine.draws.pairing_cost.comparison import PRICED_FORMATS
from engine.draws.pairing_cost.costs import build_prices, get_positions
from engine.draws.pairing_cost.criteria import get_pairing_settings

from .course import Course, Round
from .oracle import CRITERIA, Objective
from .tally import count_duels, count_meetings, count_partners, has_perfect_matching


def check_bye_turns(course: Course, round_: Round) -> Iterator[str]:
    """Check that no entry sits out that has missed more rounds than one that plays.

    Rounds at a table for two count as missed.
    """
    if _is_hampered(course):
        return
    missed = round_.idle_counts
    if course.settings.get("odd") == "two_player_table":
        missed = missed + count_duels(round_.draw_input.history)
    fewest = min((missed[entry] for table in round_.tables for entry in (*table.a, *table.b)), default=0)
    for entry in round_.byes:
        if round_.tables and missed[entry] > fewest:
            yield f"entry {entry} sits out after {missed[entry]} rounds without play"


def check_lowest_bye_score(course: Course, round_: Round) -> Iterator[str]:
    """Check that the entry with the bye has the lowest possible score.

    Giving the bye to a lower entry that has missed no more rounds would cause a rematch or a forbidden match.
    """
    if not round_.byes or not {"forbidden", "byes", "repeats", "bye_score"} <= {*_get_criteria(course)}:
        return
    (bye_entry,) = round_.byes
    idle, scores = round_.idle_counts, {entry: round_.entrants[entry].score for entry in round_.entrants}
    lower = {
        scores[entry]: entry
        for table in round_.tables
        for entry in (*table.a, *table.b)
        if scores[entry] < scores[bye_entry] and idle[entry] <= idle[bye_entry]
    }
    if not lower:
        return
    objective = Objective("swiss", round_.draw_input)
    cost = _sum_pair_costs(objective, [*((table.a[0], table.b[0]) for table in round_.tables)])
    for entry in objective.entries:
        if scores[entry] in lower and idle[entry] <= idle[bye_entry]:
            others = [other for other in objective.entries if other != entry]
            if _find_least_cost(objective, others) <= cost:
                yield f"entry {bye_entry} sits out with {scores[bye_entry]}, and {entry} could with {scores[entry]}"
                return


def _get_criteria(course: Course) -> tuple[str, ...]:
    return tuple(course.settings.get("criteria", CRITERIA["swiss"]))


def _get_pair_cost(objective: Objective, first: EntryId, second: EntryId) -> int:
    """Return the cost of a match: forbidden matches before rematches."""
    return 10**6 * objective.get_step_cost("forbidden", first, second) + objective.get_step_cost(
        "repeats", first, second
    )


def _sum_pair_costs(objective: Objective, pairs: Iterable[tuple[EntryId, EntryId]]) -> int:
    return sum(_get_pair_cost(objective, *pair) for pair in pairs)


def _find_least_cost(objective: Objective, entries: Sequence[EntryId]) -> int:
    """Return the least cost of any pairing of these entries."""
    free = [two for two in combinations(entries, 2) if not _get_pair_cost(objective, *two)]
    if has_perfect_matching(len(entries), free):
        return 0
    graph = nx.Graph()
    graph.add_weighted_edges_from((*two, _get_pair_cost(objective, *two)) for two in combinations(entries, 2))
    return _sum_pair_costs(objective, nx.min_weight_matching(graph))


def check_repeats(course: Course, round_: Round) -> Iterator[str]:
    """Check a small field for avoidable rematches; the bye may go to any entry due for it."""
    entries = sorted({entry for table in round_.tables for entry in (*table.a, *table.b)} | {*round_.byes})
    if _is_hampered(course) or "rematch_after" in course.settings or len(entries) > 24:
        return
    counts = course.settings.get("forfeits_count", True)
    meeting_counts = count_meetings(table for table in round_.draw_input.history if counts or not table.is_forfeit)
    if not any(meeting_counts[frozenset((table.a[0], table.b[0]))] for table in round_.tables):
        return
    fewest = min(round_.idle_counts[entry] for entry in entries)
    pairs: list[tuple[int, int]] = [two for two in combinations(entries, 2) if not meeting_counts[frozenset(two)]]
    if len(entries) % 2:
        pairs += [(entry, -1) for entry in entries if round_.idle_counts[entry] == fewest]
    if has_perfect_matching(len(entries) + len(entries) % 2, pairs):
        yield "somebody meets again without need"


def check_certificate(course: Course, round_: Round) -> Iterator[str]:
    """Check the certificate against the prices of all pairs of the field."""
    settings = get_pairing_settings(round_.draw_input, usual=PRICED_FORMATS[course.format.key])
    prices = build_prices(round_.draw_input, settings)
    pairs: list[tuple[EntryId, EntryId | None]] = [(table.a[0], table.b[0]) for table in round_.tables]
    pairs += [(entry, None) for entry in round_.byes]
    places = [get_positions(prices.field, pair) for pair in pairs]
    if round_.draw.certificate is None or not is_proved(round_.draw.certificate, prices, places):
        yield "not proved"
    if prices.compute_levels(places) != round_.draw.price:
        yield "another price"


def _is_hampered(course: Course) -> bool:
    """Return whether other rules come before byes and rematches."""
    above = {"criteria", "must_not"} & course.settings.keys()
    return bool(above or course.troubles & {"sections", "tables", "sides", "apart"})


def check_repeated_partners(course: Course, round_: Round) -> Iterator[str]:
    """Check for avoidable repeated partnerships at tables of four."""
    entries = sorted(entry for t in round_.tables if len(t.a) == 2 for entry in (*t.a, *t.b))
    if _is_hampered(course) or "together" in course.settings or len(entries) > 24:
        return
    counts = course.settings.get("forfeits_count", True)
    partner_counts = count_partners(table for table in round_.draw_input.history if counts or not table.is_forfeit)
    if not any(partner_counts[frozenset(side)] for table in round_.tables for side in (table.a, table.b)):
        return
    if has_perfect_matching(
        len(entries), (two for two in combinations(entries, 2) if not partner_counts[frozenset(two)])
    ):
        yield "somebody has a partner again without need"


def check_rank_tables(course: Course, round_: Round) -> Iterator[str]:
    """Check that 1 and 4 play 2 and 3, in an undisturbed field of fours."""
    standings = [entrant.id for entrant in round_.draw_input.entrants]
    if not course.is_quiet or len(standings) % 4 or course.settings:
        return
    for place, table in enumerate(round_.draw.tables):
        one, two, three, four = standings[4 * place : 4 * place + 4]
        if {frozenset(table.a), frozenset(table.b)} != {frozenset((one, four)), frozenset((two, three))}:
            yield f"table {table.number} is not by rank"


def check_balanced_rotation(course: Course) -> Iterator[str]:
    """Check that any two people are partners once and opponents twice, where such a design exists."""
    if not (course.is_quiet and course.is_whole) or "rounds" in course.settings or course.due_rounds is None:
        return
    played = [table for each in course.rounds[: course.due_rounds] for table in each.results]
    entries = [entrant.id for entrant in course.rounds[0].draw_input.entrants]
    partner_counts, meeting_counts = count_partners(played), count_meetings(played)
    for two in map(frozenset, combinations(entries, 2)):
        if len(entries) > 3 and (partner_counts[two], meeting_counts[two]) != (1, 2):
            yield f"{sorted(two)} were {partner_counts[two]} times partners and {meeting_counts[two]} times opponents"
            return
