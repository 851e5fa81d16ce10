"""What refusals about money say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

MONEY_SENTENCES: dict[str, str | Promise] = {
    "not_an_amount": _("“%(value)s” is not an amount. Enter one like 5 or 5.50."),
    "amount_too_large": _("%(most)s dollars at most."),
    "amount_required": _("Enter the amount."),
    "not_at_the_event": _("This person is no longer in the event. Check the list."),
    "no_such_prize": _("This prize no longer exists. Check the list."),
    "prize_required": _("Enter the prize."),
    "winner_required": _("Choose the winner."),
    "category_required": _("Enter the category’s name. For example, “Best club”."),
    "label_required": _("Enter the entries’ label. For example, “Women”."),
    "no_commas": _("Enter one label, without a comma."),
    "rating_required": _("Enter the lowest rating, the highest or both."),
    "no_rating_between": _("The highest rating cannot be under %(lowest)s."),
    "too_many_places": _("Enter 1 to %(most)s places."),
    "too_many_amounts": _("More amounts than places (%(places)s). Remove some."),
    "amounts_rise": _("Enter the amounts from largest to smallest."),
    "no_such_dues": _("These dues no longer exist. Check the list."),
}
