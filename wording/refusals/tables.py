"""Sentences of refusals about a match at a table, by code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TABLE_SENTENCES: dict[str, str | Promise] = {
    "entry_key_reused": _("This was already sent with other values. Open the table again."),
    "match_closed": _("Round closed: corrections at the desk."),
    "match_over": _("The match is over. Correct an earlier hand or call the desk."),
    "number_skips": _("Record hand %(expected)s first."),
    "not_last_hand": _("Only the last hand (%(last)s) can be undone. Correct this one instead."),
    "no_such_mark": _("This hand has changed. Check it again."),
    "log_is_behind": _("The laptop lost recent changes. Leave this page open: your phone sends them again."),
    "log_unreadable": _("This phone’s data cannot be read. Show the table’s hands to the desk."),
    "no_such_match": _("This match no longer exists. Open the table again."),
    "bundle_damaged": _("Incomplete or damaged QR code. Scan the QR codes again."),
    "bundle_incomplete": _("Missing QR codes, of %(count)s: %(missing)s. Scan them, then send again."),
    "bundle_foreign": _("This QR code is not from a table here. Nothing was recorded."),
    "bundle_of_another_event": _("This QR code is from another event. Open that event’s desk."),
    "bundle_old": _("Round %(round)s is already closed. Reopen it and scan again, or correct the table."),
    "code_has_six_digits": _("Enter the six digits on the table card."),
    "unknown_code": _("No table has this code. Check the six digits on the card."),
    "evening_over": _("This event is over. For another, scan its table card."),
    "card_replaced": _("This card was replaced. Scan the new one or ask the desk."),
    "phone_turned_away": _("The desk removed this phone from this table. Ask the desk."),
    "no_match_yet": _("No match at this table yet. Wait for the draw."),
    "too_many_guesses": _("Too many wrong codes. Add the card’s five letters or scan its QR code."),
    "letters_are_others": _("The letters and code are from different cards. Check both."),
    "call_settled": _(
        "%(who)s already settled this call (“%(ruling)s”). Your ruling was not saved (“%(unkept)s”)."
    ),
    "call_withdrawn": _("The table withdrew its call. Your ruling was not saved (“%(unkept)s”)."),
    "reason_required": _("Enter a reason."),
    "reason_too_long": _("Too long: %(most)s characters at most."),
    "past_night": _("This event is over. Ask a director to open it."),
    "director_only": _("Only the director can do this. Ask the director."),
    "owner_only": _("Only an owner of the club can do this. Ask the owner."),
    "game_not_over": _("This game is not over. Record its last hand first."),
    "game_changed": _("This result has changed. Check it, then confirm."),
    "dealer_changed": _("Another phone chose the first dealer. Check it."),
    "no_such_key": _("Send a unique key with each hand: a UUID as entry_key."),
    "not_an_object": _("Send one JSON object."),
    "body_too_large": _("Too much at once: %(most)s kB at most."),
    "body_too_slow": _("The network is too slow. Try again elsewhere."),
}
