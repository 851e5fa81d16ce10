"""Refusals about fees and prizes, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from errors import Answer

REFUSALS: Mapping[str, str | Promise | Answer] = {
    "not_an_amount": _("“%(value)s” is not an amount. Enter one like 5 or 5.50."),
    "amount_too_large": _("%(most)s dollars at most."),
    "amount_required": _("Enter the amount."),
    "not_at_the_event": Answer(_("This person is no longer in the event. Check the list."), 404),
    "no_such_prize": Answer(_("This prize no longer exists. Check the list."), 404),
    "prize_required": _("Enter the prize."),
    "nobody_in_the_hat": _("No names left to draw. Check in those present first."),
    "prize_too_long": _("Too long: %(most)s characters at most."),
    "percentage_out_of_range": _("Enter a percentage from 0 to 100."),
    "percents_beyond_fund": _("These percentages add up to more than 100. Lower one."),
    "percents_mixed": _("Enter either amounts or percentages of the prize fund."),
    "no_prize_fund": _("There is no prize fund yet. Set its share of the fees, or enter amounts."),
    "winner_required": _("Choose the winner."),
    "too_many_winners": _("A prize goes to %(most)s people at most. Give the others a prize each."),
    "category_required": _("Enter the category’s name. For example, “Best club”."),
    "label_required": _("Enter the entries’ label. For example, “Women”."),
    "no_commas": _("Enter one label, without a comma."),
    "rating_required": _("Enter the lowest rating, the highest or both."),
    "no_rating_between": _("The highest rating cannot be under %(lowest)s."),
    "too_many_places": _("Enter 1 to %(most)s places."),
    "too_many_amounts": _("More amounts than places (%(places)s). Remove some."),
    "amounts_rise": _("Enter the amounts from largest to smallest."),
    "no_such_dues": Answer(_("These dues no longer exist. Check the list."), 404),
}
