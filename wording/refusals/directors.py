"""Sentences of refusals about a director's changes of an event, by code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

DIRECTOR_SENTENCES: dict[str, str | Promise] = {
    "partners_need_four": _("Drawing partners needs four-player rules. Change the format or rules."),
    "no_rules_for_two": _("These rules have no game for two. Give byes, or change the rules."),
    "nobody_can_meet": _("Nobody has an opponent. Check clubs, sections and byes."),
    "nothing_left_to_draw": _("No table left to draw with those present. End the event."),
    "no_such_table_now": _("Table %(table)s is not in this round. Check the page."),
    "not_in_the_round": _("Give this entry a place in the round first."),
    "same_place": _("These two are together. Choose someone from another table."),
    "needs_four": _("Tables need four people. Draw again with those present."),
    "no_entry_of_number": _("Entry %(entry)s does not exist. Check the list."),
    "table_taken": _("Table %(table)s is already in use. Choose another number."),
    "already_at_a_table": _("This entry already has a table. Swap it instead."),
    "changed_since": _("This has changed meanwhile. Check it, then make your change."),
    "cannot_be_undone": _("Nothing to undo here."),
    "later_steps_rest_on_it": _("Later steps depend on this. Undo them first, or correct one table."),
    "rulings_stand": _("Round %(round)s has rulings. Undo them first."),
    "somebody_goes_on": _("A bracket match needs a winner, by lot if necessary."),
    "nobody_goes_on": _("Bracket tables without a winner: %(tables)s. Correct each, by lot if necessary."),
    "no_such_action": _("History line not found. Check the history."),
}
