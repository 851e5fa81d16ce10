"""What refusals about money say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

MONEY_SENTENCES: dict[str, str | Promise] = {
    "not_an_amount": _("“%(value)s” is not an amount. Write it like 5 or 5.50."),
    "amount_too_large": _("Write %(most)s dollars at most."),
    "amount_required": _("Write the amount."),
    "not_at_the_event": _("This person is not in this event any more. Look at the list again."),
    "no_such_prize": _("This prize is not there any more. Look at the list again."),
    "prize_required": _("Write what is won."),
    "winner_required": _("Choose who won it."),
    "category_required": _("Write what the category is called, such as “Best club”."),
    "label_required": _("Write the label that its entries have, such as “Women”."),
    "no_commas": _("Write one label, without a comma."),
    "rating_required": _("Write from or to which rating, or both."),
    "no_rating_between": _("Write at least %(lowest)s: nobody has a rating in between."),
    "too_many_places": _("Write a number of places from 1 to %(most)s."),
    "too_many_amounts": _("There are more amounts than places (%(places)s)."),
    "amounts_rise": _("A place cannot bring more than the one before it: write the largest amount first."),
    "no_such_dues": _("These dues are not there any more. Look at the list again."),
}
