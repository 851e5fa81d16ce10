"""What refusals about seasons say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SEASON_SENTENCES: dict[str, str | Promise] = {
    "no_such_season": _("This season is no longer there. Look at the list again."),
    "season_closed": _("This season is closed: its standings stay as they are. Reopen it first."),
    "season_name_required": _("Give the season a name."),
    "season_ends_before": _("The last day comes before the first. Choose a later one."),
    "season_too_long": _("A season lasts two years at most. Choose an earlier last day."),
    "ladder_required": _("Add a ladder: without one there is nothing to add up."),
    "too_many_ladders": _("%(most)s ladders at most. Take one out."),
    "ladder_name_required": _("Give the ladder a name."),
    "ladder_name_taken": _("There is a ladder “%(name)s” already. Choose another name."),
    "rank_points_unread": _("Write numbers parted by spaces, such as 10 8 6 5 4 3 2 1."),
    "rank_points_disordered": _("Write the points from high to low, %(most)s at most."),
    "too_many_ranks": _("Points for %(most)s ranks at most."),
}
