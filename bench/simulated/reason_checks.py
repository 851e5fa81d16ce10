"""Check each reason of a draw against the field by counting, without the code that draws.

A claim about all possible draws, such as that none is better, is checked against every pairing of a small field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product

from engine.draws import EntryId, ReasonCode
from engine.draws.stages import get_slot_stage

from .course import Course, Round
from .oracle import Objective, iter_pairings
from .reason_context import Place, ReasonContext, get_pairing
from .tally import count_duels, count_meetings, count_partners

ReasonCheck = Callable[[ReasonContext], bool]

_SINGLE_STAGE_FORMATS = frozenset({"swiss", "random", "swiss_individual", "by_rank", "rotation", "progressive"})


def is_rematch(context: ReasonContext) -> bool:
    two = context.details.get("entries")
    across = [two] if two else product(context.table.a, context.table.b)
    pairs = {frozenset(pair) for pair in across}
    met_rounds = {t.round for t in context.history if pairs & {frozenset(pair) for pair in product(t.a, t.b)}}
    return bool(context.rounds) and context.rounds <= met_rounds


def is_repeated_partnership(context: ReasonContext) -> bool:
    two = {*context.pair}
    found = {t.round for t in context.history for side in (t.a, t.b) if two <= {*side}}
    return bool(context.rounds) and context.rounds <= found


def has_fewest_byes(context: ReasonContext) -> bool:
    if context.details.get("of_stage"):
        return True
    idle = context.this.idle_counts
    rounds = {table.round for table in context.before.history if not table.b and context.bye_entry in table.a}
    return context.rounds == rounds and all(idle[entry] >= idle[context.bye_entry] for entry in context.seated_entries)


def has_fewest_left_over(context: ReasonContext) -> bool:
    if context.details.get("of_stage"):
        return True
    left_over_counts = context.this.idle_counts + count_duels(context.before.history)
    return all(left_over_counts[entry] >= left_over_counts[context.bye_entry] for entry in context.seated_entries)


def has_fewest_byes_of_club(context: ReasonContext) -> bool:
    idle, entrants = context.this.idle_counts, context.this.entrants
    clubs = {bond for bond in entrants[context.bye_entry].bonds if bond.kind == "club"}
    own = [entry for entry in context.seated_entries if entrants[entry].bonds & clubs]
    return all(idle[entry] >= idle[context.bye_entry] for entry in own)


def has_lowest_score(context: ReasonContext) -> bool:
    lowest = min(map(context.get_score, context.seated_entries), default=context.get_score(context.bye_entry))
    return (
        context.get_score(context.bye_entry) == context.details["score"]
        and context.get_score(context.bye_entry) <= lowest
    )


def has_lowest_score_in_turn(context: ReasonContext) -> bool:
    if context.details.get("of_stage"):
        return True
    idle = context.this.idle_counts
    due_entries = [entry for entry in context.seated_entries if idle[entry] <= idle[context.bye_entry]]
    lowest = min(map(context.get_score, due_entries), default=context.get_score(context.bye_entry))
    return (
        context.get_score(context.bye_entry) == context.details["score"]
        and context.get_score(context.bye_entry) <= lowest
    )


def is_better_bye(context: ReasonContext) -> bool:
    """Check that a bye of the other entry costs exactly as much more, in the first criterion that differs."""
    if context.course.format.key == "stages":  # stages compute turns for byes differently
        return True
    entry, ((key, more),) = context.details["entry"], context.details["levels"].items()
    idle = context.this.idle_counts if "byes" in context.course.settings.get("criteria", ("byes",)) else Counter()
    if entry == context.bye_entry or (idle[entry], context.get_score(entry)) >= (
        idle[context.bye_entry],
        context.get_score(context.bye_entry),
    ):
        return False
    objective = context.objective
    if objective is None:
        return bool(more > 0)
    upto = objective.criteria.index(key) + 1
    pairings = (pairing for pairing in iter_pairings(objective.entries) if (entry, None) in pairing)
    worse = min(objective.get_cost(pairing)[:upto] for pairing in pairings)
    ours = objective.get_cost(get_pairing(context.this.draw, context.before))[:upto]
    return (worse[:-1], worse[-1] - ours[-1]) == (ours[:-1], more) and bool(more)


def is_score_group(context: ReasonContext) -> bool:
    scores = {context.get_score(entry) for entry in context.entries}
    group = [entry for entry in context.drawn_entries if context.get_score(entry) in scores]
    return scores == {context.details["score"]} and len(group) >= context.details["size"]


def is_float(context: ReasonContext) -> bool:
    scores = [context.get_score(entry) for entry in context.entries]
    is_so = sorted(scores) == sorted(context.details["scores"]) and len(set(scores)) > 1
    return is_so and (
        len(context.entries) > 2 or context.details.get("running", 1) == 1 + _count_running_floats(context)
    )


def _count_running_floats(context: ReasonContext) -> int:
    """Return for how many rounds before this one an entry has floated in the same direction as now."""
    counts = context.course.settings.get("forfeits_count", True)
    above: dict[tuple[EntryId, int], int] = {}
    for table in context.history:
        if table.b and (counts or not table.is_forfeit):
            own, others = table.scores
            above |= {(entry, table.round): own - others for entry in table.a}
            above |= {(entry, table.round): others - own for entry in table.b}
    found = []
    for one, other in (context.entries, context.entries[::-1]):
        way, number = context.get_score(one) - context.get_score(other), context.before.round - 1
        while above.get((one, number), 0) * way > 0:
            number -= 1
        found.append(context.before.round - 1 - number)
    return max(found)


def is_paired_by_rank(context: ReasonContext) -> bool:
    """Check that the two would meet by rank, and that ``levels`` are the costs of their match."""
    entry, opponent, objective = context.details["entry"], context.details["opponent"], context.objective
    if entry not in context.entries or opponent in context.entries:
        return False
    if objective is None:
        return True
    levels = {key: objective.get_step_cost(key, entry, opponent) for key in objective.criteria}
    above = objective.criteria[: objective.criteria.index("distance")]
    return (
        levels["distance"] == 0 and {k: v for k, v in levels.items() if v and k in above} == context.details["levels"]
    )


def is_locked(context: ReasonContext) -> bool:
    return any(
        (t.number, t.a, t.b) == (context.table.number, context.table.a, context.table.b) for t in context.before.locked
    )


def is_in_rank_order(context: ReasonContext) -> bool:
    if context.course.format.key not in _SINGLE_STAGE_FORMATS:
        return True
    order = context.drawn_entries
    found = tuple(tuple(order.index(entry) + 1 for entry in side) for side in (context.table.a, context.table.b))
    return sorted(map(sorted, found)) == sorted(map(sorted, context.details["places"]))


def has_two_left(context: ReasonContext) -> bool:
    return len(context.entries) == 2 and len(context.drawn_entries) % 4 >= 2


def is_forbidden_unavoidable(context: ReasonContext) -> bool:
    objective = context.objective
    if objective is None:
        return True
    return objective.get_step_cost("forbidden", *context.entries) > 0 and context.is_best_pairing("forbidden")


def is_own_club_unavoidable(context: ReasonContext) -> bool:
    return _count_clubs(context) == 1 and context.is_best_pairing("own_club")


def has_spread_clubs(context: ReasonContext) -> bool:
    return _count_clubs(context) == 2 and context.is_best_pairing("clubs")


def _count_clubs(context: ReasonContext) -> int:
    return len({frozenset(b for b in context.this.entrants[e].bonds if b.kind == "club") for e in context.entries})


def is_repeat_unavoidable(context: ReasonContext) -> bool:
    objective = context.objective
    if objective is None:
        return bool(count_meetings(context.before.history)[frozenset(context.entries)])
    return objective.get_step_cost("repeats", *context.entries) > 0 and context.is_best_pairing("repeats")


def is_bond_unavoidable(context: ReasonContext) -> bool:
    if context.objective is None:
        return has_shared_bonds(context)
    return (
        has_shared_bonds(context) and context.is_best_pairing("avoid") and _is_worse_apart(context, context.objective)
    )


def _is_worse_apart(context: ReasonContext, objective: Objective) -> bool:
    """Check that avoiding this match costs exactly as much more, in the first criterion that differs."""
    levels = context.details.get("levels")
    if not levels:
        return levels is None or len(objective.entries) > 2
    ((key, more),) = levels.items()
    upto = objective.criteria.index(key) + 1
    apart = (p for p in iter_pairings(objective.entries) if not {context.entries, context.entries[::-1]} & {*p})
    worse = min(objective.get_cost(pairing)[:upto] for pairing in apart)
    ours = objective.get_cost(get_pairing(context.this.draw, context.before))[:upto]
    return worse[:-1] == ours[:-1] and worse[-1] - ours[-1] == more > 0


def has_shared_bonds(context: ReasonContext) -> bool:
    shared = (
        context.this.entrants[a].bonds & context.this.entrants[b].bonds for a, b in combinations(context.entries, 2)
    )
    is_in_stage = context.course.format.key == "stages"  # entries of one pool share a bond that only the stage knows
    kinds = [bond.kind for bonds in shared for bond in bonds]
    return is_in_stage or (len(kinds) >= context.details["bonds"] > 0 and {*context.details["kinds"]} <= {*kinds})


def is_seeded_apart(context: ReasonContext) -> bool:
    return context.details["seed"] != context.details["place"] and context.details["entry"] in context.entries


def is_scheduled(context: ReasonContext) -> bool:
    return context.course.format.key == "stages" or context.details["round"] == context.before.round


def is_opponent_missing(context: ReasonContext) -> bool:
    if "entry" not in context.details:
        return "club" in context.details
    opponent = context.this.entrants.get(context.details["entry"])
    number, seated = context.before.round, {e for t in context.this.draw.tables for e in (*t.a, *t.b)}
    stage = get_slot_stage(context.place.slot)
    is_elsewhere = any(
        bye.entry == context.details["entry"] and get_slot_stage(bye.slot) != stage for bye in context.this.draw.byes
    )
    return (
        opponent is None
        or not opponent.is_present(number)
        or number in opponent.requested_byes
        or opponent.id in seated
        or is_elsewhere
    )


def is_yet_to_meet(context: ReasonContext) -> bool:
    due = context.details.get("rounds")  # a match of two clubs names no rounds
    return due is None or count_meetings(context.history)[frozenset(context.entries)] < len(due)


def has_no_opponent_left(context: ReasonContext) -> bool:
    """Check that, in a round robin, the entry has met all others that sit out for the same reason."""
    if context.course.format.key != "round_robin":
        return True
    meeting_counts = count_meetings(context.before.history)
    idle = [
        bye
        for bye in context.this.draw.byes
        if bye.entry != context.bye_entry and bye.reasons[0].code is context.reason.code
    ]
    return all(meeting_counts[frozenset((context.bye_entry, bye.entry))] for bye in idle)


def is_first_meeting(context: ReasonContext) -> bool:
    return not count_meetings(context.history)[frozenset(context.entries)]


def is_in_line(context: ReasonContext) -> bool:
    one, other = context.details["places"]
    return bool(0 < one < other)


def is_balanced(context: ReasonContext) -> bool:
    partner_counts, meeting_counts = count_partners(context.history), count_meetings(context.history)
    together = sorted(partner_counts[frozenset(side)] for side in (context.table.a, context.table.b))
    across = sum(meeting_counts[frozenset(two)] for two in product(context.table.a, context.table.b))
    return [together, across] == [sorted(context.details["partners"]), context.details["opponents"]]


def has_progressed(context: ReasonContext) -> bool:
    last = context.get_last_result(context.details["entry"])
    return last == (context.details["table"], context.details["won"])


def is_filled_in(context: ReasonContext) -> bool:
    return context.get_last_result(context.details["entry"]) is None


def is_by_lot(context: ReasonContext) -> bool:
    if "table" in context.details:
        return any(
            (last := context.get_last_result(e)) and last == (context.details["table"], None) for e in context.entries
        )
    key, settings = context.course.format.key, context.before.settings
    usual = {"random": "lot", "interclub_all": "lot", "swiss": "slide"}.get(key)
    return usual is None or settings.get("target", usual) == "lot"


def is_waiting(context: ReasonContext) -> bool:
    return all(context.bye_entry not in (*table.a, *table.b) for table in context.this.draw.tables)


def is_unopposed(context: ReasonContext) -> bool:
    """Check that the other team has an entry at every earlier board, but none for this one."""
    boards = [entry for entry in context.seated_entries if context.get_club(entry) == context.details["club"]]
    return len(boards) < int(context.details["board"])


def is_substitute(context: ReasonContext) -> bool:
    """Check that the entry's team fills all boards, those of locked tables included."""
    team = context.get_club(context.bye_entry)
    unopposed = [bye.entry for bye in context.this.draw.byes if bye.reasons[0].code is ReasonCode.UNOPPOSED]
    seated = [entry for table in context.this.draw.tables for entry in (*table.a, *table.b)]
    filled = [entry for entry in (*seated, *unopposed) if context.get_club(entry) == team]
    return len(filled) >= int(context.before.settings.get("boards", 2))


def has_fixed_table(context: ReasonContext) -> bool:
    """Check that an entry needs this table, or that the format is Mitchell, where one half stays."""
    fixed = {context.this.entrants[entry].table for entry in context.entries}
    return context.table.number in fixed or context.course.format.key == "mitchell"


def is_best_in_all(context: ReasonContext) -> bool:
    objective = context.objective
    return objective is None or context.is_best_pairing(objective.criteria[-1])


REASON_CHECKS: Mapping[ReasonCode, ReasonCheck] = {
    ReasonCode.MET_BEFORE: is_rematch,
    ReasonCode.PARTNERED_BEFORE: is_repeated_partnership,
    ReasonCode.REPEATS_UNAVOIDABLE: is_repeat_unavoidable,
    ReasonCode.FEWEST_BYES: has_fewest_byes,
    ReasonCode.FEWEST_LEFT_OVER: has_fewest_left_over,
    ReasonCode.FEWEST_OF_CLUB: has_fewest_byes_of_club,
    ReasonCode.LOWEST_SCORE: has_lowest_score,
    ReasonCode.LOWEST_IN_TURN: has_lowest_score_in_turn,
    ReasonCode.BYE_INSTEAD_OF: is_better_bye,
    ReasonCode.BYE_REQUESTED: lambda of: of.before.round in of.this.entrants[of.bye_entry].requested_byes,
    ReasonCode.SCORE_GROUP: is_score_group,
    ReasonCode.FLOATED: is_float,
    ReasonCode.INSTEAD_OF: is_paired_by_rank,
    ReasonCode.LOCKED: is_locked,
    ReasonCode.BY_HAND: lambda of: of.course.format.key == "manual",
    ReasonCode.NOT_NAMED: lambda of: of.bye_entry not in of.before.settings.get("byes", ()),
    ReasonCode.BY_RANK: is_in_rank_order,
    ReasonCode.TWO_LEFT: has_two_left,
    ReasonCode.FORBIDDEN_UNAVOIDABLE: is_forbidden_unavoidable,
    ReasonCode.OWN_CLUB_UNAVOIDABLE: is_own_club_unavoidable,
    ReasonCode.CLUBS_SPREAD: has_spread_clubs,
    ReasonCode.BOND_UNAVOIDABLE: is_bond_unavoidable,
    ReasonCode.BOND_SHARED: has_shared_bonds,
    ReasonCode.SEEDED_APART: is_seeded_apart,
    ReasonCode.SCHEDULED: is_scheduled,
    ReasonCode.OPPONENT_MISSING: is_opponent_missing,
    ReasonCode.YET_TO_MEET: is_yet_to_meet,
    ReasonCode.NO_OPPONENT_LEFT: has_no_opponent_left,
    ReasonCode.IN_LINE: is_in_line,
    ReasonCode.INSTEAD_OF_BYES: is_first_meeting,
    ReasonCode.BALANCED: is_balanced,
    ReasonCode.BRACKET: lambda of: of.details["slot"] == of.place.slot.rpartition(":")[2],
    ReasonCode.PROGRESSED: has_progressed,
    ReasonCode.FILLED_IN: is_filled_in,
    ReasonCode.BY_LOT: is_by_lot,
    ReasonCode.WAITS: is_waiting,
    ReasonCode.UNOPPOSED: is_unopposed,
    ReasonCode.SUBSTITUTE: is_substitute,
    ReasonCode.TEAM_LINEUP: lambda of: False,  # captains choose after the draw
    ReasonCode.FIXED_TABLE: has_fixed_table,
    ReasonCode.BEST_IN_ALL: is_best_in_all,
}
"""Checks by the code of a reason."""


def check_reasons(course: Course, round_: Round) -> Iterator[str]:
    places: Sequence[Place] = (*round_.draw.tables, *round_.draw.byes)
    for place in places:
        for reason in place.reasons:
            context = ReasonContext(course, round_, place, reason)
            if not REASON_CHECKS[reason.code](context):
                yield f"{reason.code.value} of {context.entries} is not so: {dict(reason.details)}"
