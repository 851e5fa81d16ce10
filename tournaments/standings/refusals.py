"""Refusals about rankings, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REFUSALS: Mapping[str, str | Promise] = {
    "ranking_empty": _("Choose at least one ranking criterion."),
    "no_such_metric": _("“%(value)s” is not a ranking criterion. Choose from the list."),
    "metric_twice": _("A ranking criterion appears twice. Keep one."),
    "match_points_disordered": _("A win must be worth at least a draw, and a draw at least a loss."),
}
