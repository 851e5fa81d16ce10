"""What refusals about a match at a table say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TABLE_SENTENCES: dict[str, str | Promise] = {
    "entry_key_reused": _("This was sent before with other values. Open the table again and mark the hand."),
    "match_closed": _("The round is closed: the desk corrects it now."),
    "match_over": _(
        "The match is over, this hand has no place in it. Correct an earlier hand, or call the desk."
    ),
    "number_skips": _("Hand %(expected)s comes next. Mark it first."),
    "not_last_hand": _("Only the last hand, %(last)s, can be undone. Correct this one instead."),
    "no_such_mark": _("This hand has changed meanwhile. Look at it again."),
    "log_is_behind": _(
        "The laptop went back to an earlier state. Leave this page open: the phone brings back what it has."
    ),
    "log_unreadable": _("What the phone has kept cannot be read. Show the table’s hands to the desk."),
    "no_such_match": _("This match is no longer there. Open the table again."),
    "bundle_damaged": _(
        "This is no whole square of a table, or a part of it is damaged. Read the squares again."
    ),
    "bundle_incomplete": _(
        "Of %(count)s squares, these are missing: %(missing)s. Read them too, then send again."
    ),
    "bundle_foreign": _("This square was not made by a table of this installation. Nothing of it was taken."),
    "bundle_of_another_event": _("This square is of a table of another event. Open the desk of that event."),
    "bundle_old": _(
        "Round %(round)s is closed, and this was not in it. Reopen the round and read the square again, or "
        "correct the table at the desk."
    ),
    "code_has_six_digits": _("A code has six digits. Read them on the card in the middle of the table."),
    "unknown_code": _("No table has this code. Read the six digits on the card again."),
    "evening_over": _("This card is from an event that has ended. Ask for a new one."),
    "card_replaced": _("This card was replaced by another one. Scan the new card, or ask at the desk."),
    "phone_turned_away": _("The desk has turned this phone away from this table. Ask there."),
    "no_match_yet": _("Nobody plays at this table yet. Wait for the draw."),
    "too_many_guesses": _(
        "Many wrong codes have come from here. Type the five letters of the card too, or scan its square."
    ),
    "letters_are_others": _("These letters and this code are not of one card. Read both again."),
    "call_settled": _(
        "%(who)s has settled this call meanwhile (“%(ruling)s”). What you wrote is not kept (“%(unkept)s”)."
    ),
    "call_withdrawn": _(
        "The table has withdrawn its call meanwhile. What you wrote is not kept (“%(unkept)s”)."
    ),
    "reason_required": _("Write the reason: it is kept with the change."),
    "reason_too_long": _("Write %(most)s characters at most."),
    "past_night": _("This event is over: only a director opens it now. Ask the director."),
    "director_only": _("Only the director can do this. Ask the director."),
    "owner_only": _("Only an owner of the club can do this. Ask the owner."),
    "game_not_over": _("This game is not over yet. Mark its last hand first."),
    "game_changed": _("This result has changed meanwhile. Look at it again, then agree."),
    "dealer_changed": _("Another phone has named who dealt first. Look at it again."),
    "no_such_key": _("Send a key of its own with each hand: a UUID as entry_key."),
    "not_an_object": _("Send one JSON object."),
    "body_too_large": _("This is too much at once: %(most)s kB at most."),
    "body_too_slow": _("This arrives too slowly. Try again where the network is better."),
}
