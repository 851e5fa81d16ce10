"""What refusals about standings say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

STANDINGS_SENTENCES: dict[str, str | Promise] = {
    "ranking_empty": _("Choose what ranks: one thing at least."),
    "no_such_metric": _("“%(value)s” is nothing that can rank. Choose from the list."),
    "metric_twice": _("The same thing ranks twice. Keep one of them."),
    "match_points_disordered": _("A win is worth at least as much as a draw, and a draw as much as a loss."),
}
