"""From code to sentence: refusals about what a director does to an event."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

DIRECTOR_SENTENCES: dict[str, str | Promise] = {
    "partners_need_four": _("Drawing partners takes a game of four. Choose another format, or other rules."),
    "nobody_can_meet": _(
        "There is no table to draw: nobody has an opponent. Look at the entries: their clubs, their "
        "sections, and who sits out."
    ),
    "nothing_left_to_draw": _("There is no table left to draw among those who are there. End the event."),
    "no_such_table_now": _("There is no table %(table)s in this round. Look at the page again."),
    "not_in_the_round": _("This entry has no place in this round. Give it one first."),
    "same_place": _("These two sit together: nothing would change. Choose somebody of another table."),
    "needs_four": _("A table takes four people here. Draw the round again with those who came."),
    "no_entry_of_number": _("There is no entry number %(entry)s. Look at the list of entries."),
    "table_taken": _("Table %(table)s is taken. Choose another number."),
    "already_at_a_table": _("This entry sits at a table already. Swap it instead."),
    "changed_since": _("This has changed since. Look at it as it is now, and change it there."),
    "cannot_be_undone": _("This line has nothing to undo."),
    "later_steps_rest_on_it": _("Later steps rest on this one. Undo those first, or correct a single table."),
    "rulings_stand": _("You have ruled on tables of round %(round)s. Undo those rulings first."),
    "somebody_goes_on": _("In a bracket one side goes on: say which one, by lot if it must be."),
    "nobody_goes_on": _(
        "Tables that nobody won: %(tables)s. In a bracket one side goes on: under “Put right”, give each a "
        "winner, by lot if it must be."
    ),
    "no_such_action": _("This line of the history is not there. Look at the history again."),
}
