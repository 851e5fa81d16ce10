"""What refusals about draws say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

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
    "report_points_differ": _("A player’s points are not those of the results."),
    "report_teams": _("This is a report of teams. Reports of single entries can be read."),
}
