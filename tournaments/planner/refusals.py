"""Refusals about the format planner, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from errors import Answer

REFUSALS: Mapping[str, str | Promise | Answer] = {
    "too_many_plans": Answer(_("%(most)s plans are being computed. Wait for one to finish, or stop it."), 429),
    "no_such_proposal": _("This proposal does not exist. Choose one from the list."),
    "plan_event_started": Answer(_("This event has started. Choose one in preparation, or create an event."), 409),
    "not_a_time": _("“%(value)s” is not a time. Enter one like 19:00."),
    "number_too_large": _("%(value)s is too large. Choose %(most)s or less."),
    "answer_missing": _("Enter a number."),
    "people_not_in_pairs": _("With %(people)s people, one has no partner. Enter an even number, or draw partners."),
    "rules_for_two": _("These rules take two per table and %(most)s players at most. Choose rules for four."),
    "too_little_time": _("Too little time: %(least)s minutes at least."),
}
