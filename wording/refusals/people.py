"""What refusals about people say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PEOPLE_SENTENCES: dict[str, str | Promise] = {
    "name_known": _("The club knows a “%(name)s” already. Is it the same person?"),
    "no_such_family": _("This family is no longer there. Look at the list again."),
    "nobody_listed": _("There is nobody in this list. Write one name a line."),
    "nobody_new": _(
        "The club knows everybody in this list. Tick who is somebody new all the same, or what else to take "
        "over."
    ),
    "columns_unnamed": _(
        "There is more than a name here. Name the columns in the first line, such as: name, telephone."
    ),
    "two_people_in_a_line": _("“%(name)s” looks like two people: write each on a line of their own."),
    "both_took_part": _("Both took part in %(event)s. So they are two people: give one another name."),
    "contact_too_long": _("Write %(most)s characters at most."),
    "label_too_long": _("The name of a group has %(most)s characters at most."),
    "too_many_labels": _("Somebody can be in %(most)s groups at most."),
}
