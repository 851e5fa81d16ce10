"""Sentences of refusals about people, by code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PEOPLE_SENTENCES: dict[str, str | Promise] = {
    "name_known": _("The club already has a “%(name)s”. Same person?"),
    "no_such_family": _("This family no longer exists. Check the list."),
    "nobody_listed": _("This list is empty. Enter one name per line."),
    "nobody_new": _("The club knows everyone here. Tick new people or contact details to update."),
    "columns_unnamed": _("Column names are missing. Add them to the first line: name, telephone."),
    "two_people_in_a_line": _("“%(name)s” looks like two people. Use a line for each."),
    "both_took_part": _("Both played in %(event)s, so they are two people. Rename one."),
    "contact_too_long": _("Too long: %(most)s characters at most."),
    "label_too_long": _("A group name has %(most)s characters at most."),
    "too_many_labels": _("%(most)s groups per person at most."),
}
