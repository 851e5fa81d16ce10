"""Refusals about seasons, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from errors import Answer

REFUSALS: Mapping[str, str | Promise | Answer] = {
    "no_such_season": Answer(_("This season no longer exists. Check the list."), 404),
    "season_closed": _("This season is closed. Reopen it first."),
    "season_name_required": _("Give the season a name."),
    "season_ends_before": _("The last day is before the first. Choose a later one."),
    "season_too_long": _("Two years at most. Choose an earlier last day."),
    "ladder_required": _("Add standings to the season."),
    "too_many_ladders": _("%(most)s standings at most. Remove one."),
    "ladder_name_required": _("Give the standings a name."),
    "ladder_name_taken": _("Standings “%(name)s” already exist. Choose another name."),
    "rank_points_unread": _("Separate numbers with spaces. For example, 10 8 6 5 4 3 2 1."),
    "rank_points_disordered": _("Enter points from high to low, %(most)s at most."),
    "too_many_ranks": _("Points for %(most)s ranks at most."),
}
