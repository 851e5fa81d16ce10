"""Draws in words: formats, reasons and prices; and refusals about their settings, stages, and reports."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

DRAW_REASONS: dict[str, str | Promise] = {
    "never_met": _("Never met."),
    "met_before": ngettext_lazy("They met in round %(rounds)s.", "They met in rounds %(rounds)s.", "count"),
    "partnered_before": ngettext_lazy(
        "They were partners in round %(rounds)s.", "They were partners in rounds %(rounds)s.", "count"
    ),
    "repeats_unavoidable": _("No draw that keeps what counts more repeats less."),
    "fewest_byes": _("Everybody drawn to play has sat out or missed as many rounds, or more."),
    "fewest_of_club": _(
        "The other club has fewer here; nobody of this one who plays has missed fewer rounds."
    ),
    "lowest_score": _("Nobody drawn to play has a lower score."),
    "lowest_in_turn": _("Of those who have missed as few rounds, nobody has a lower score."),
    "bye_asked": _("Asked to sit out."),
    "score_group": _("Their scores are equal."),
    "floated": _("Their scores differ."),
    "locked": _("Held by the director."),
    "by_hand": _("Placed by the director."),
    "not_named": _("Left over from the draw made by hand."),
    "by_rank": _("By rank."),
    "two_left": _("Two were left: one against one."),
    "forbidden_unavoidable": _("This should not be. No draw breaks fewer such rules."),
    "bond_unavoidable": _("They should rather not meet: no draw that keeps what counts more does better."),
    "bond_shared": _("They should rather not meet."),
    "best_in_all": _("All in all, no draw is better."),
    "scheduled": _("By the schedule."),
    "opponent_missing": _("The opponent is away, or sits at another table."),
    "yet_to_meet": _("They still had to meet."),
    "no_opponent_left": _("Everybody still to meet is away or plays."),
    "in_line": _("First come, first seated."),
    "instead_of_byes": _("Both would have sat out."),
    "balanced": _("Partners who have been that least; then opponents likewise."),
    "bracket": _("By the bracket."),
    "progressed": _("Comes from table %(table)s."),
    "filled_in": _("Comes in at a free place."),
    "by_lot": _("By lot."),
    "waits": _("Waits for the next opponent of the bracket."),
    "fixed_table": _("Always sits at this table."),
}

OF_STAGE: dict[str, str | Promise] = {
    "fewest_byes": _(
        "By the count of this stage, everybody drawn to play has missed as many rounds, or more."
    ),
    "lowest_in_turn": _("Of those who have missed as few rounds of this stage, nobody has a lower score."),
}
"""Where the count of byes has begun anew."""

ACCELERATED: dict[str, str | Promise] = {
    "score_group": _("Their scores are equal, with the head start of the upper half."),
    "floated": _("Their scores differ, with the head start of the upper half."),
    "lowest_score": _("With the head start of the upper half, nobody drawn to play has a lower score."),
    "lowest_in_turn": _(
        "Of those who have missed as few rounds, nobody has a lower score with the head start."
    ),
}
"""Where the upper half of the starting list has more than it has won."""

FLOATED_AGAIN = (
    _("not as many wins, %(running)s times running"),
    _("Their scores differ; one of them has met others above, or others below, %(running)s times running."),
)
"""In a few words for a line, and as a sentence."""

INSTEAD_OF: dict[str, str | Promise] = {
    "forbidden": _("By rank it would have been others: they must not meet."),
    "repeats": _("By rank it would have been others: they have met."),
    "avoid": _("By rank it would have been others: they should rather not meet."),
}
"""By the most important criterion that spoke against the opponent whom the rank would have given."""

BONDS: dict[str, dict[str, str | Promise]] = {
    "forbidden_unavoidable": {
        "apart": _("Kept apart, and yet they meet: no draw breaks fewer such rules."),
        "club": _("Of one club, and yet they meet: no draw breaks fewer such rules."),
        "family": _("Of one family, and yet they meet: no draw breaks fewer such rules."),
        "carpool": _("In one car, and yet they meet: no draw breaks fewer such rules."),
    },
    "bond_unavoidable": {
        "rather_apart": _("Kept apart if possible, but no draw that keeps what counts more does better."),
        "club": _("Of one club: no draw that keeps what counts more has fewer of these."),
        "family": _("Of one family: no draw that keeps what counts more has fewer of these."),
        "carpool": _("In one car: no draw that keeps what counts more has fewer of these."),
    },
    "bond_shared": {
        "apart": _("They are to be kept apart, and meet all the same."),
        "rather_apart": _("They were to be kept apart if possible, and meet all the same."),
        "club": _("Of one club."),
        "family": _("Of one family."),
        "carpool": _("In one car."),
        "pool": _("Of one pool."),
    },
}
"""Of two who share something, by the first of its kinds."""

BUT_THEN: dict[str, str | Promise] = {
    "forbidden": _("Kept apart if possible, but then some would meet who must not."),
    "byes": _("Kept apart if possible, but then somebody would sit out before their turn."),
    "repeats": _("Kept apart if possible, but then opponents would meet again."),
    "bye_score": _("Kept apart if possible, but then somebody with more wins would sit out."),
    "scores": _("Kept apart if possible, but then opponents would have less equal scores."),
    "floats": _("Kept apart if possible, but then somebody would be moved the same way again."),
    "avoid": _("Kept apart if possible, but then more would meet who should rather not."),
}
"""Of two who were named to be kept apart, by the first criterion that speaks against it."""

BYE_INSTEAD_OF: dict[str, str | Promise] = {
    "forbidden": _("It was somebody else’s turn, but then some would meet who must not."),
    "repeats": _("It was somebody else’s turn, but then opponents would meet again."),
}
"""By the first criterion that spoke against the bye of whose turn it was."""

OTHERWISE: dict[str, str | Promise] = {
    "instead_of": _("By rank it would have been others: more important rules speak against it."),
    "bye_instead_of": _("It was somebody else’s turn, but then the rest of the draw would be worse."),
}

MADE_BY: dict[str, str | Promise] = {
    "lot": _("By lot: the list is as it was entered, and says nothing of strength."),
    "lot_despite_ratings": _(
        "By lot, not by rating: the list is as it was entered. Put it in order of rating before the start."
    ),
    "rating": _("By rating: the list is in its order, the highest first."),
    "list": _("By the starting list, the first number first."),
}
"""How a first round by results was made."""


def made_by(key: str) -> str:
    return str(MADE_BY[key])


PRICE_NAMES: dict[str, str | Promise] = {
    "forbidden": _("Forbidden meetings"),
    "byes": _("Repeated byes"),
    "repeats": _("Rematches"),
    "bye_score": _("Wins that a bye has above the lowest"),
    "scores": _("Differences in wins"),
    "floats": _("Moved the same way again"),
    "avoid": _("Should rather not meet"),
    "distance": _("Who should meet by rank"),
    "sides": _("Sides change from round to round"),
    "apart": _("Apart, though they wanted to be partners"),
    "met": _("Partners who were opponents"),
}

NOTES: dict[str, str | Promise] = {
    "met_before": ngettext_lazy("met in round %(rounds)s", "met in rounds %(rounds)s", "count"),
    "partnered_before": ngettext_lazy(
        "partners in round %(rounds)s", "partners in rounds %(rounds)s", "count"
    ),
    "floated": _("not as many wins"),
    "forbidden_unavoidable": _("should not meet"),
    "bond_unavoidable": _("should rather not meet"),
    "bond_shared": _("should rather not meet"),
    "two_left": _("one against one"),
    "opponent_missing": _("opponent away"),
    "no_opponent_left": _("nobody left to meet"),
    "by_hand": _("placed by hand"),
}
"""What is unusual at a table, in a few words for its line."""

BOND_NOTES: dict[str, str | Promise] = {
    "apart": _("to be kept apart"),
    "rather_apart": _("kept apart if possible"),
    "club": _("of one club"),
    "family": _("of one family"),
    "carpool": _("in one car"),
    "pool": _("of one pool"),
}
"""What two share who meet, by the first of its kinds."""

NAMED_REASONS: dict[str, str | Promise] = {
    "met_before": ngettext_lazy(
        "%(names)s met in round %(rounds)s.", "%(names)s met in rounds %(rounds)s.", "count"
    ),
    "partnered_before": ngettext_lazy(
        "%(names)s were partners in round %(rounds)s.",
        "%(names)s were partners in rounds %(rounds)s.",
        "count",
    ),
    "opponent_missing": _("%(names)s: away, or at another table."),
    "progressed": _("%(names)s: from table %(table)s."),
    "filled_in": _("%(names)s: in at a free place."),
}
"""Reasons that speak of some of those at a table, where their names are known."""


PRICED_PAIRS: dict[str, str | Promise] = {
    "partner_": _("Partners: %(what)s"),
    "opponent_": _("Opponents: %(what)s"),
}
"""By what a criterion's key begins with, where partners are drawn, and then opponents."""


BY_LEVEL = {"instead_of": INSTEAD_OF, "bye_instead_of": BYE_INSTEAD_OF}


def reason_sentence(reason: Mapping[str, Any]) -> str | Promise:
    """The sentence of a stored reason: of one by price, that of the most important of its levels."""
    code = reason["code"]
    if "names" in reason and code in NAMED_REASONS:
        return NAMED_REASONS[code]
    if code in BONDS:
        return _bond_sentence(reason)
    if code in BY_LEVEL:
        told = (sentence for key, sentence in BY_LEVEL[code].items() if key in reason["levels"])
        return next(told, OTHERWISE[code])
    if reason.get("running"):
        return FLOATED_AGAIN[1]
    if reason.get("accelerated"):
        return ACCELERATED[code]
    return (OF_STAGE if reason.get("of_stage") else DRAW_REASONS)[code]


def _bond_sentence(reason: Mapping[str, Any]) -> str | Promise:
    code, kinds = reason["code"], reason.get("kinds", ())
    levels = reason.get("levels") or {}
    but = (BUT_THEN[key] for key in levels if key in BUT_THEN)
    of_kind = (BONDS[code][kind] for kind in kinds if kind in BONDS[code])
    return next(but, None) or next(of_kind, DRAW_REASONS[code])


def note_of(reason: Mapping[str, Any]) -> str | Promise:
    """What is unusual, from a stored reason."""
    if reason.get("running"):
        return FLOATED_AGAIN[0]
    of_kind = (BOND_NOTES[kind] for kind in reason.get("kinds", ()) if kind in BOND_NOTES)
    return next(of_kind, NOTES[reason["code"]])


KEEPS_APART: dict[str, str | Promise] = {
    "each_round": _("%(format)s: who is kept apart is so in each round."),
    "first_round": _(
        "%(format)s: who is kept apart does not meet in the first round; who meets later follows from the "
        "results."
    ),
    "groups": _(
        "%(format)s: who is kept apart comes into different groups, where there is room; within a group "
        "everybody meets."
    ),
    "never": _(
        "%(format)s: nobody can be kept apart; who meets whom follows from the schedule or the ranks alone."
    ),
}
"""When a format can keep two apart."""

SHARED: dict[str, str | Promise] = {
    "club": _("Club: %(label)s"),
    "family": _("Family: %(label)s"),
    "carpool": _("Car: %(label)s"),
}


def shared_name(kind: str, label: str) -> str:
    return str(SHARED[kind]) % {"label": label}


def price_name(criterion: str) -> str:
    for start, told in PRICED_PAIRS.items():
        if criterion.startswith(start):
            return str(told) % {"what": PRICE_NAMES[criterion.removeprefix(start)]}
    return str(PRICE_NAMES[criterion])
