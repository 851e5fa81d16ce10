"""What each reason says, held against the field: by counting, without the code that draws.

A truth tells whether a reason given for a table or a bye is so. What only all draws together show (that none
is better) is looked up among every pairing of the field, where that is small.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product

from engine.draws import EntryId, ReasonCode

from .course import Course, Round
from .oracle import Objective, every_pairing
from .stated import Place, Stated, pairing_of
from .tally import duels, meetings, partners

Truth = Callable[[Stated], bool]

_OF_ONE_STAGE = frozenset({"swiss", "random", "swiss_individual", "by_rank", "rotation", "progressive"})


def have_met(of: Stated) -> bool:
    two = of.details.get("entries")
    across = [two] if two else product(of.table.a, of.table.b)
    pairs = {frozenset(pair) for pair in across}
    met = {t.round for t in of.history if pairs & {frozenset(pair) for pair in product(t.a, t.b)}}
    return bool(of.rounds) and of.rounds <= met


def were_partners(of: Stated) -> bool:
    two = {*of.pair}
    found = {t.round for t in of.history for side in (t.a, t.b) if two <= {*side}}
    return bool(of.rounds) and of.rounds <= found


def nobody_missed_fewer(of: Stated) -> bool:
    if of.details.get("of_stage"):
        return True
    idle = of.this.idle_before
    rounds = {table.round for table in of.before.history if not table.b and of.out in table.a}
    return of.rounds == rounds and all(idle[entry] >= idle[of.out] for entry in of.playing)


def nobody_was_left_over_less_often(of: Stated) -> bool:
    if of.details.get("of_stage"):
        return True
    had = of.this.idle_before + duels(of.before.history)
    return all(had[entry] >= had[of.out] for entry in of.playing)


def nobody_of_the_club_missed_fewer(of: Stated) -> bool:
    idle, entrants = of.this.idle_before, of.this.entrants
    clubs = {bond for bond in entrants[of.out].bonds if bond.kind == "club"}
    own = [entry for entry in of.playing if entrants[entry].bonds & clubs]
    return all(idle[entry] >= idle[of.out] for entry in own)


def nobody_scores_less(of: Stated) -> bool:
    lowest = min(map(of.score, of.playing), default=of.score(of.out))
    return of.score(of.out) == of.details["score"] and of.score(of.out) <= lowest


def nobody_in_turn_scores_less(of: Stated) -> bool:
    if of.details.get("of_stage"):
        return True
    idle = of.this.idle_before
    in_turn = [entry for entry in of.playing if idle[entry] <= idle[of.out]]
    lowest = min(map(of.score, in_turn), default=of.score(of.out))
    return of.score(of.out) == of.details["score"] and of.score(of.out) <= lowest


def that_bye_is_worse(of: Stated) -> bool:
    """By exactly so much, in the first criterion that differs."""
    if of.course.format.key == "stages":  # which has turns of its own
        return True
    entry, ((key, more),) = of.details["entry"], of.details["levels"].items()
    idle = of.this.idle_before if "byes" in of.course.settings.get("criteria", ("byes",)) else Counter()
    if entry == of.out or (idle[entry], of.score(entry)) >= (idle[of.out], of.score(of.out)):
        return False
    objective = of.objective
    if objective is None:
        return bool(more > 0)
    upto = objective.criteria.index(key) + 1
    with_it = (pairing for pairing in every_pairing(objective.entries) if (entry, None) in pairing)
    worse = min(objective.cost(pairing)[:upto] for pairing in with_it)
    ours = objective.cost(pairing_of(of.this.drawn, of.before))[:upto]
    return (worse[:-1], worse[-1] - ours[-1]) == (ours[:-1], more) and bool(more)


def scores_are_equal(of: Stated) -> bool:
    scores = {of.score(entry) for entry in of.entries}
    group = [entry for entry in of.drawn if of.score(entry) in scores]
    return scores == {of.details["score"]} and len(group) >= of.details["size"]


def scores_differ(of: Stated) -> bool:
    scores = [of.score(entry) for entry in of.entries]
    is_so = sorted(scores) == sorted(of.details["scores"]) and len(set(scores)) > 1
    return is_so and (len(of.entries) > 2 or of.details.get("running", 1) == 1 + _floats_running(of))


def _floats_running(of: Stated) -> int:
    """In how many rounds before this one either met others above as now, or others below."""
    counts = of.course.settings.get("forfeits_count", True)
    above: dict[tuple[EntryId, int], int] = {}
    for table in of.history:
        if table.b and (counts or not table.is_forfeit):
            own, others = table.scores
            above |= {(entry, table.round): own - others for entry in table.a}
            above |= {(entry, table.round): others - own for entry in table.b}
    found = []
    for one, other in (of.entries, of.entries[::-1]):
        way, number = of.score(one) - of.score(other), of.before.round - 1
        while above.get((one, number), 0) * way > 0:
            number -= 1
        found.append(of.before.round - 1 - number)
    return max(found)


def rank_would_pair_them(of: Stated) -> bool:
    """The two stand where they should meet, and the levels are what speaks against it."""
    entry, opponent, objective = of.details["entry"], of.details["opponent"], of.objective
    if entry not in of.entries or opponent in of.entries:
        return False
    if objective is None:
        return True
    levels = {key: objective.step(key, entry, opponent) for key in objective.criteria}
    above = objective.criteria[: objective.criteria.index("distance")]
    return (
        levels["distance"] == 0
        and {k: v for k, v in levels.items() if v and k in above} == of.details["levels"]
    )


def is_locked(of: Stated) -> bool:
    return any((t.number, t.a, t.b) == (of.table.number, of.table.a, of.table.b) for t in of.before.locked)


def stands_in_the_order(of: Stated) -> bool:
    if of.course.format.key not in _OF_ONE_STAGE:
        return True
    order = of.drawn
    found = tuple(tuple(order.index(entry) + 1 for entry in side) for side in (of.table.a, of.table.b))
    return sorted(map(sorted, found)) == sorted(map(sorted, of.details["places"]))


def two_were_left(of: Stated) -> bool:
    return len(of.entries) == 2 and len(of.drawn) % 4 >= 2


def breaks_a_rule(of: Stated) -> bool:
    objective = of.objective
    if objective is None:
        return True
    return objective.step("forbidden", *of.entries) > 0 and of.none_is_better("forbidden")


def is_of_one_club(of: Stated) -> bool:
    return _of_clubs(of) == 1 and of.none_is_better("own_club")


def is_of_two_clubs(of: Stated) -> bool:
    return _of_clubs(of) == 2 and of.none_is_better("clubs")


def _of_clubs(of: Stated) -> int:
    return len({frozenset(b for b in of.this.entrants[e].bonds if b.kind == "club") for e in of.entries})


def repeats_no_more(of: Stated) -> bool:
    objective = of.objective
    if objective is None:
        return bool(meetings(of.before.history)[frozenset(of.entries)])
    return objective.step("repeats", *of.entries) > 0 and of.none_is_better("repeats")


def shares_bonds_no_more(of: Stated) -> bool:
    if of.objective is None:
        return shares_bonds(of)
    return shares_bonds(of) and of.none_is_better("avoid") and _apart_is_worse(of, of.objective)


def _apart_is_worse(of: Stated, objective: Objective) -> bool:
    """Without their meeting, by exactly so much, in the first criterion that differs."""
    levels = of.details.get("levels")
    if not levels:
        return levels is None or len(objective.entries) > 2
    ((key, more),) = levels.items()
    upto = objective.criteria.index(key) + 1
    apart = (p for p in every_pairing(objective.entries) if not {of.entries, of.entries[::-1]} & {*p})
    worse = min(objective.cost(pairing)[:upto] for pairing in apart)
    ours = objective.cost(pairing_of(of.this.drawn, of.before))[:upto]
    return worse[:-1] == ours[:-1] and worse[-1] - ours[-1] == more > 0


def shares_bonds(of: Stated) -> bool:
    shared = (of.this.entrants[a].bonds & of.this.entrants[b].bonds for a, b in combinations(of.entries, 2))
    of_pool = of.course.format.key == "stages"  # those of one pool share a bond that only the stage knows
    kinds = [bond.kind for bonds in shared for bond in bonds]
    return of_pool or (len(kinds) >= of.details["bonds"] > 0 and {*of.details["kinds"]} <= {*kinds})


def has_another_place(of: Stated) -> bool:
    return of.details["seed"] != of.details["place"] and of.details["entry"] in of.entries


def is_this_round(of: Stated) -> bool:
    return of.course.format.key == "stages" or of.details["round"] == of.before.round


def opponent_is_busy(of: Stated) -> bool:
    if "entry" not in of.details:
        return "club" in of.details
    opponent = of.this.entrants.get(of.details["entry"])
    number, seated = of.before.round, {e for t in of.this.drawn.tables for e in (*t.a, *t.b)}
    return (
        opponent is None
        or not opponent.is_present(number)
        or number in opponent.byes_asked
        or opponent.id in seated
    )


def still_had_to_meet(of: Stated) -> bool:
    due = of.details.get("rounds")  # none is said of two clubs
    return due is None or meetings(of.history)[frozenset(of.entries)] < len(due)


def everybody_else_plays(of: Stated) -> bool:
    """Nobody else sits out whom the entry has never met, where all are to meet."""
    if of.course.format.key != "round_robin":
        return True
    met = meetings(of.before.history)
    idle = [
        bye for bye in of.this.drawn.byes if bye.entry != of.out and bye.reasons[0].code is of.reason.code
    ]
    return all(met[frozenset((of.out, bye.entry))] for bye in idle)


def never_met(of: Stated) -> bool:
    return not meetings(of.history)[frozenset(of.entries)]


def stood_in_the_line(of: Stated) -> bool:
    one, other = of.details["places"]
    return bool(0 < one < other)


def counts_agree(of: Stated) -> bool:
    had, met = partners(of.history), meetings(of.history)
    together = sorted(had[frozenset(side)] for side in (of.table.a, of.table.b))
    across = sum(met[frozenset(two)] for two in product(of.table.a, of.table.b))
    return [together, across] == [sorted(of.details["partners"]), of.details["opponents"]]


def came_from(of: Stated) -> bool:
    last = of.had_at_last(of.details["entry"])
    return last == (of.details["table"], of.details["won"])


def was_nowhere(of: Stated) -> bool:
    return of.had_at_last(of.details["entry"]) is None


def chance_decided(of: Stated) -> bool:
    if "table" in of.details:
        return any((last := of.had_at_last(e)) and last == (of.details["table"], None) for e in of.entries)
    key, said = of.course.format.key, of.before.settings
    usual = {"random": "lot", "interclub_all": "lot", "swiss": "slide"}.get(key)
    return usual is None or said.get("target", usual) == "lot"


def plays_no_match(of: Stated) -> bool:
    return all(of.out not in (*table.a, *table.b) for table in of.this.drawn.tables)


def cannot_leave_it(of: Stated) -> bool:
    """By its own need, or for being of the half that stays."""
    fixed = {of.this.entrants[entry].table for entry in of.entries}
    return of.table.number in fixed or of.course.format.key == "mitchell"


def none_is_better_in_all(of: Stated) -> bool:
    objective = of.objective
    return objective is None or of.none_is_better(objective.criteria[-1])


TRUTHS: Mapping[ReasonCode, Truth] = {
    ReasonCode.MET_BEFORE: have_met,
    ReasonCode.PARTNERED_BEFORE: were_partners,
    ReasonCode.REPEATS_UNAVOIDABLE: repeats_no_more,
    ReasonCode.FEWEST_BYES: nobody_missed_fewer,
    ReasonCode.FEWEST_LEFT_OVER: nobody_was_left_over_less_often,
    ReasonCode.FEWEST_OF_CLUB: nobody_of_the_club_missed_fewer,
    ReasonCode.LOWEST_SCORE: nobody_scores_less,
    ReasonCode.LOWEST_IN_TURN: nobody_in_turn_scores_less,
    ReasonCode.BYE_INSTEAD_OF: that_bye_is_worse,
    ReasonCode.BYE_ASKED: lambda of: of.before.round in of.this.entrants[of.out].byes_asked,
    ReasonCode.SCORE_GROUP: scores_are_equal,
    ReasonCode.FLOATED: scores_differ,
    ReasonCode.INSTEAD_OF: rank_would_pair_them,
    ReasonCode.LOCKED: is_locked,
    ReasonCode.BY_HAND: lambda of: of.course.format.key == "manual",
    ReasonCode.NOT_NAMED: lambda of: of.out not in of.before.settings.get("byes", ()),
    ReasonCode.BY_RANK: stands_in_the_order,
    ReasonCode.TWO_LEFT: two_were_left,
    ReasonCode.FORBIDDEN_UNAVOIDABLE: breaks_a_rule,
    ReasonCode.OWN_CLUB_UNAVOIDABLE: is_of_one_club,
    ReasonCode.CLUBS_SPREAD: is_of_two_clubs,
    ReasonCode.BOND_UNAVOIDABLE: shares_bonds_no_more,
    ReasonCode.BOND_SHARED: shares_bonds,
    ReasonCode.SEEDED_APART: has_another_place,
    ReasonCode.SCHEDULED: is_this_round,
    ReasonCode.OPPONENT_MISSING: opponent_is_busy,
    ReasonCode.YET_TO_MEET: still_had_to_meet,
    ReasonCode.NO_OPPONENT_LEFT: everybody_else_plays,
    ReasonCode.IN_LINE: stood_in_the_line,
    ReasonCode.INSTEAD_OF_BYES: never_met,
    ReasonCode.BALANCED: counts_agree,
    ReasonCode.BRACKET: lambda of: of.details["slot"] == of.place.slot.rpartition(":")[2],
    ReasonCode.PROGRESSED: came_from,
    ReasonCode.FILLED_IN: was_nowhere,
    ReasonCode.BY_LOT: chance_decided,
    ReasonCode.WAITS: plays_no_match,
    ReasonCode.FIXED_TABLE: cannot_leave_it,
    ReasonCode.BEST_IN_ALL: none_is_better_in_all,
}
"""By the code of a reason whether it is true of the place that it is given for."""


def every_reason_is_true(course: Course, this: Round) -> Iterator[str]:
    places: Sequence[Place] = (*this.drawn.tables, *this.drawn.byes)
    for place in places:
        for reason in place.reasons:
            stated = Stated(course, this, place, reason)
            if not TRUTHS[reason.code](stated):
                yield f"{reason.code.value} of {stated.entries} is not so: {dict(reason.details)}"
