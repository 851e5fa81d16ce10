"""Draws in words: formats, reasons and prices; and refusals about their settings, stages, and reports."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

DRAW_SENTENCES: dict[str, str | Promise] = {
    # Settings of a format
    "criterion_twice": _("A criterion stands there twice. Keep one of them."),
    "number_too_small": _("%(value)s is too small. Choose %(least)s or more."),
    "settings_exclude": _("This setting and “%(other)s” say the same thing. Leave one of them out."),
    # A draw made by hand, and what a director asks of one
    "not_a_table": _("A table has a number and two sides."),
    "side_size": _("Table %(table)s has too many entries on a side, or too few. Look at them again."),
    "table_drawn_twice": _("Table %(table)s is there twice. Give each table a number of its own."),
    "drawn_twice": _("Entry %(entry)s is drawn twice. Take it out of one place."),
    "no_such_entrant": _("There is no entry %(entry)s in this event. Look at the list of entries."),
    "not_present": _("Entry %(entry)s is not there in this round. Take it out, or note that it is."),
    "not_drawn": _("Entry %(entry)s is not drawn in this round, or its table is set."),
    "no_bye": _("Nobody sits out in this round: the field is even."),
    "not_one_a_side": _("There are several entries on one side. This is for formats with one."),
    "not_priced": _("Draws of this format have no price. It is for: %(choices)s."),
    "winner_missing": _("The bracket cannot go on: %(slot)s has no winner yet. Enter who won."),
    # Stages
    "stages_missing": _("A tournament has one stage at least. Add one."),
    "count_missing": _("Say how many go on to this stage."),
    "range_empty": _("From rank %(first)s to rank %(last)s there is nobody. Put the lower number first."),
    "nothing_before": _("There is no stage before this one that it could follow."),
    "no_pools_before": _("There are no pools before this stage that its entries could come from."),
    "takes_differ": _("Groups side by side are made of the same standings. Choose the same for each."),
    "ranked_twice": _("Some ranks go to this group and to another one too. Let each rank go to one group."),
    "sides_differ": _("This format has another number of entries on a side than the first stage."),
    "rounds_missing": _("Say how many rounds this stage has: its format does not tell."),
    # Tournament reports (TRF)
    "report_line": _("Line %(line)s, columns %(columns)s: “%(value)s” cannot be read."),
    "report_full": _("“%(value)s” does not fit into columns %(columns)s of a report."),
    "report_opponents_differ": _("Two players name different opponents for the same round."),
    "report_points_differ": _("A player's points are not those of the results."),
    "report_teams": _("This is a report of teams. Reports of single entries can be read."),
}

DRAW_REASONS: dict[str, str | Promise] = {
    "never_met": _("Never met."),
    "met_before": ngettext_lazy("They met in round %(rounds)s.", "They met in rounds %(rounds)s.", "count"),
    "partnered_before": ngettext_lazy(
        "They were partners in round %(rounds)s.", "They were partners in rounds %(rounds)s.", "count"
    ),
    "repeats_unavoidable": _("No draw has fewer repeated meetings."),
    "fewest_byes": _("Nobody has sat out or missed fewer rounds."),
    "lowest_score": _("Among the last in the standings."),
    "bye_asked": _("Asked to sit out."),
    "score_group": _("As many matches won."),
    "floated": _("Not as many matches won: nobody closer was free."),
    "instead_of": _("By rank it would have been others: they have met."),
    "locked": _("Held by the director."),
    "by_hand": _("Placed by the director."),
    "not_named": _("Left over from the draw made by hand."),
    "by_rank": _("By rank."),
    "two_left": _("Two were left: one against one."),
    "forbidden_unavoidable": _("This should not be, and no draw avoids it."),
    "bond_unavoidable": _("From one club or family: no better draw avoids it."),
    "scheduled": _("By the schedule."),
    "opponent_missing": _("The opponent is away."),
    "yet_to_meet": _("They still had to meet."),
    "no_opponent_left": _("Everybody still to meet is away or plays."),
    "in_line": _("First come, first seated."),
    "instead_of_byes": _("Both would have sat out."),
    "balanced": _("Partners and opponents as new as can be."),
    "bracket": _("By the bracket."),
    "progressed": _("Comes from table %(table)s."),
    "filled_in": _("Moved up: somebody is missing."),
    "by_lot": _("By lot."),
    "waits": _("Waits for the next opponent of the bracket."),
    "fixed_table": _("Always sits at this table."),
}

PRICE_NAMES: dict[str, str | Promise] = {
    "forbidden": _("Forbidden meetings"),
    "byes": _("Repeated byes"),
    "repeats": _("Rematches"),
    "scores": _("Differences in wins"),
    "floats": _("Moved the same way again"),
    "avoid": _("Of one club or family"),
    "distance": _("Distance in rank"),
    "sides": _("Same seats again"),
    "apart": _("Apart, though they wanted to be partners"),
    "met": _("Partners who were opponents"),
}

PRICED_PAIRS: dict[str, str | Promise] = {
    "partner_": _("Partners: %(what)s"),
    "opponent_": _("Opponents: %(what)s"),
}
"""By what a criterion's key begins with, where partners are drawn, and then opponents."""


def price_name(criterion: str) -> str:
    for start, told in PRICED_PAIRS.items():
        if criterion.startswith(start):
            return str(told) % {"what": PRICE_NAMES[criterion.removeprefix(start)]}
    return str(PRICE_NAMES[criterion])
