"""What refusals about planning say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PLANNING_SENTENCES: dict[str, str | Promise] = {
    "no_such_proposal": _("This proposal is not there. Look at the proposals again."),
    "not_a_time": _("“%(value)s” is no hour. Write it like 19:00."),
    "number_too_large": _("%(value)s is too large. Choose %(most)s or less."),
    "answer_missing": _("Enter a number."),
    "people_not_in_pairs": _(
        "With %(people)s people there cannot be only pairs. Enter an even number, or let partners be drawn."
    ),
    "rules_for_two": _(
        "These rules are for two people at a table, and for %(most)s people at most who all have one. "
        "Choose rules for four."
    ),
    "too_little_time": _("This is too little time. It takes %(least)s minutes at least."),
}
