"""From code to sentence: refusals about who takes part, and when."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

ENTRY_SENTENCES: dict[str, str | Promise] = {
    # Lists and files
    "sheet_empty": _("There is no entry in this file. Write one a line, below the names of the columns."),
    "file_required": _("Choose a file first."),
    "no_sections": _("This event has no sections. Leave this empty."),
    "no_such_section": _("There is no section “%(value)s”. Choose one of: %(choices)s."),
    "team_too_long": _("The name of a team has %(most)s characters at most."),
    "entry_label_too_long": _("A label has %(most)s characters at most."),
    "no_such_colour": _("“%(value)s” is no side. Write blue or orange, or leave it empty."),
    "nobody_of_that_name": _("“%(text)s” is nobody here. Write a name or a number of the list."),
    "several_of_that_name": _("“%(text)s” can be several: entries %(entries)s. Write the number."),
    "one_entry_alone": _("“%(text)s” is one entry alone. Name at least two on a line."),
    "apart_from_itself": _("“%(text)s” is in this entry itself. Name somebody else."),
    "apart_empty": _("Nobody is named. Write at least two on a line."),
    "bracket_is_drawn": _("The bracket is drawn: who meets follows from its results."),
    "rating_out_of_range": _("“%(value)s” is no rating. Write a whole number from 0 to %(most)s."),
    "nobody_chosen": _("Nobody is chosen. Tick somebody first."),
    "tick_two": _("An entry is a pair. Tick two people, then add them."),
    "no_such_person": _("This person is no longer known here. Look at the list again."),
    # The public list
    "sign_up_closed": _("Sign-up is closed. Ask the director, who can still add you."),
    "form_used": _("This form was sent before. Open the page again to sign up somebody else."),
    "places_out_of_range": _("Enter a number of places from %(least)s to %(most)s, or leave it empty."),
    "too_many_sign_ups": _("Too many sign-ups from here. Wait ten minutes, or ask the director."),
    # One entry
    "tick_two_who_look": _("Tick two people, and they are a pair."),
    "has_a_partner": _("%(name)s does not look for a partner any more. Look at the list again."),
    "has_no_partner": _("Nobody plays alone here. Make a pair of two who look for a partner."),
    "partner_named": _("Two names are a pair: take the second one off, or the tick."),
    "no_such_entry_now": _("There is no entry %(entry)s any more. Look at the list again."),
    "event_ended": _("The event has ended. If it should not have, go on with it first."),
    "still_waiting": _("This entry still waits. Remove it from the waiting list instead."),
    "withdraws_too_early": _("Round %(round)s is published. Withdraw after it, or after a later one."),
    "round_out_of_range": _("Enter a round from 1 to %(most)s."),
    "round_is_published": _("Round %(round)s is published. Rule at its table instead."),
    "too_many_byes": _("Nobody may ask to sit out more than %(most)s times here. See the settings."),
    "too_late_for_bye": _(
        "This event has %(rounds)s rounds, and nobody may ask to sit out after round %(least)s. See the "
        "settings."
    ),
    "too_few_present": _(
        "Only %(present)s present: it takes %(least)s to play. Check in those who are here."
    ),
    "own_letters_wrong": _("These are not the letters of your badge. Read them again, or ask the desk."),
    "too_many_own_letters": _("Too many wrong letters came from here. Wait ten minutes, or ask the desk."),
    "not_in_an_entry": _("You are in no entry of this event any more. Tell the desk."),
    "sign_off_closed": _("The last day to sign up is over, and the organizer counts on you. Call them."),
    "said_too_late": _("The next round is published already. Tell the desk."),
    "no_such_place": _("Say whose place it is."),
    "no_table_of_that_number": _("Choose a table from 1 to %(most)s, or leave it empty."),
    "table_is_anothers": _("Table %(table)s is kept for entry %(entry)s. Choose another one."),
    "amount_out_of_range": _("Enter an amount from 1 to %(most)s."),
}
