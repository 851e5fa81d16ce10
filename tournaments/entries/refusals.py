"""Refusals about entries and attendance, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from errors import Answer

REFUSALS: Mapping[str, str | Promise | Answer] = {
    # Lists and files
    "no_sections": _("This event has no sections. Leave this empty."),
    "no_such_section": _("Unknown section “%(value)s”. Choose one of: %(choices)s."),
    "team_too_long": _("Team name too long: at most %(most)s characters."),
    "entry_label_too_long": _("Label too long: at most %(most)s characters."),
    "no_such_colour": _("“%(value)s” is not a side. Enter blue, orange or nothing."),
    "nobody_of_that_name": _("“%(text)s” is not listed. Enter a listed name or number."),
    "several_of_that_name": _("“%(text)s” matches entries %(entries)s. Enter the number."),
    "one_entry_alone": _("“%(text)s” is only one entry. Name at least two per line."),
    "apart_from_itself": _("“%(text)s” is this entry itself. Name someone else."),
    "apart_empty": _("Name at least two entries per line."),
    "bracket_is_drawn": _("The bracket is drawn: its results decide who meets."),
    "rating_out_of_range": _("“%(value)s” is not a rating. Enter a whole number from 0 to %(most)s."),
    "nobody_chosen": _("Select someone first."),
    "tick_two": _("Select two people to add a pair."),
    "no_such_person": _("This person is no longer listed. Check the list."),
    # The public list
    "sign_up_closed": Answer(_("Sign-up is closed. Ask the director to add you."), 409),
    "form_used": Answer(_("Form already sent. Reopen the page to sign up someone else."), 409),
    "places_out_of_range": _("Enter %(least)s to %(most)s places, or leave empty."),
    "too_many_sign_ups": Answer(_("Too many sign-ups from here. Wait ten minutes, or ask the director."), 429),
    # One entry
    "tick_two_who_look": _("Select two people to make a pair."),
    "has_a_partner": Answer(_("%(name)s no longer needs a partner. Check the list."), 409),
    "has_no_partner": Answer(_("Nobody plays alone here. Form a pair first."), 409),
    "partner_named": _("Two names make a pair: remove one, or uncheck the box."),
    "no_such_entry_now": Answer(_("Entry %(entry)s no longer exists. Check the list."), 404),
    "event_ended": Answer(_("The event has ended. Resume it first."), 409),
    "still_waiting": _("This entry is waiting. Remove it from the waiting list."),
    "withdraws_too_early": _("Round %(round)s is published. Withdraw after it, or later."),
    "round_out_of_range": _("Enter a round from 1 to %(most)s."),
    "round_is_published": Answer(_("Round %(round)s is published. Make a ruling instead."), 409),
    "too_many_byes": _("At most %(most)s requested byes each. See the settings."),
    "too_late_for_bye": _("No requested byes after round %(least)s of %(rounds)s. See the settings."),
    "too_few_present": _("Only %(present)s present, %(least)s needed. Check in more players."),
    "own_letters_wrong": _("Wrong badge letters. Check your badge, or ask the desk."),
    "entry_removed": _("You are no longer entered in this event. Ask the desk."),
    "too_many_own_letters": Answer(_("Too many wrong letters. Wait ten minutes, or ask the desk."), 429),
    "not_in_an_entry": Answer(_("You are no longer entered here. Ask the desk."), 409),
    "sign_off_closed": Answer(_("Sign-up is over. To withdraw, call the organizer."), 409),
    "said_too_late": Answer(_("The next round is published. Ask the desk."), 409),
    "no_such_place": _("Choose the player to replace."),
    "no_table_of_that_number": _("Choose a table from 1 to %(most)s, or leave empty."),
    "table_is_anothers": Answer(_("Table %(table)s is reserved for entry %(entry)s. Choose another."), 409),
    "amount_out_of_range": _("Enter an amount from 1 to %(most)s."),
}
