"""What refusals about events: entries and rounds say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

EVENT_SENTENCES: dict[str, str | Promise] = {
    "event_name_required": _("Write a name for it."),
    "no_such_address": _("The phone gave no address for messages. Load the page again and tap once more."),
    "too_many_in_a_row": _("Enter a number of tables in a row, %(most)s at most, or leave it empty."),
    "tables_out_of_range": _("Enter a number of tables from 1 to %(most)s."),
    "not_a_date": _("“%(value)s” is not a date. Write it like 2026-11-17."),
    "no_such_detail": _("A hand can ask for the declarer, the trump and the way of playing only."),
    "too_few_entries": _("It takes %(least)s entries at least to play. Add entries first."),
    "too_few_tables": _("These entries need %(needed)s tables and there are %(tables)s. Add tables."),
    "event_called_off": _("It is called off. If it is held after all, say so in its settings first."),
    "event_started": _("It has begun: entries cannot change any more."),
    "matches_opened": _(
        "Tables have matches of these rules and this length already. Take the round back first: where no hand"
        " is marked, both can then change."
    ),
    "event_not_running": _("The event is not under way. Start it first."),
    "list_refused": _("Nothing was added. Correct these lines, then add them again."),
    "lines_held_back": _(
        "Entries added: %(count)s. These lines were not: correct them, then add them again."
    ),
    "list_empty": _("Write one entry a line, such as: Jeannine Roy and Marcel Dubé."),
    "one_name_missing": _("“%(text)s”: one name is missing. Write the two names with “and” between them."),
    "too_many_names": _("“%(text)s”: too many names. Write one entry a line."),
    "strange_character": _("“%(name)s”: take out “%(character)s”, no name has it."),
    "entered_twice": _(
        "%(name)s is entered already. If it is the same person, leave them out here; otherwise tell the "
        "two apart in brackets, such as “(Matane)”."
    ),
    "same_name_twice": _(
        "%(name)s stands here twice. Write the name of the other player; if both are called so, tell them "
        "apart in brackets, such as “(Matane)”."
    ),
    "step_not_allowed": _("This cannot be done now. Look at the page again."),
    "event_running": _("The event is under way. End it first, then it can be put away."),
    "event_has_hands": _("Hands were marked in this event. What was played is never thrown away."),
    "round_not_closed": _("Round %(round)s is not closed. Close it first."),
    "tables_missing": _("Tables without a result: no. %(tables)s. Close the round once they have one."),
    "tables_undecided": _(
        "Round %(round)s is closed, but these tables have no result any more: no. %(tables)s. "
        "Say at them first what counts."
    ),
    "drawn_but_away": _(
        "This round is drawn with entries that play it no more: no. %(entries)s. Draw it again, or swap."
    ),
    "no_such_round": _("There is no round %(round)s. Look at the page again."),
    "no_such_event": _("There is no such event."),
    "later_round_published": _("A later round has been published. Correct a single table instead."),
}
