"""Sentences of refusals about cards, the auction, the play, and the text form of a hand, by code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

CARD_SENTENCES: dict[str, str | Promise] = {
    # Cards and the deal
    "no_such_card": _("No card “%(card)s” in this deck. Write 10H, for example (Jokers: X1, X2)."),
    "card_twice": _("Card %(card)s appears twice. Remove one."),
    "wrong_pack": _("The deck needs %(expected)s different cards. Check for a missing or repeated one."),
    "wrong_deal": _("Each player needs %(cards)s cards, with %(kitty)s set aside. Check the hands."),
    "cards_are_drawn": _("Under these rules, cards are drawn, not dealt. Enter what each player kept."),
    "cards_are_dealt": _("Under these rules, cards are dealt, not drawn."),
    "draw_is_over": _("Too many decisions: all cards are drawn after %(decisions)s."),
    "draw_not_over": _("Hands are complete after %(decisions)s decisions. Keep drawing."),
    "no_such_trump_order": _("No game uses this trump order."),
    "no_such_deal": _("Invalid deal: eight cards to each of four players, or two players draw."),
    # Auction and contract
    "auction_over": _("The auction is over."),
    "auction_not_over": _("Calls: %(calls)s for %(seats)s players. Enter one each, passes included."),
    "out_of_turn": _("It is not this player’s turn."),
    "suit_required": _("Add the bid’s suit: S, H, D or C."),
    "not_higher": _("%(contract)s is not higher than %(than)s. Bid higher, or pass."),
    "dealer_must_bid_5": _("The dealer must bid %(minimum)s or more."),
    "passed_out": _("No playable bid: nothing to prepare."),
    "trump_required": _("Choose the trump suit."),
    "trump_already_named": _("Trump cannot change: the bid named it."),
    "defender_required": _("Choose which opponent plays."),
    "defender_not_opponent": _("Choose an opponent of the declarer."),
    "card_required": _("Choose the card to give."),
    "card_not_allowed": _("No card is given here. Leave this empty."),
    "card_not_held": _("This player does not have %(card)s. Check the hand."),
    "wrong_number_of_discards": _("Choose %(discards)s cards to discard."),
    # Play
    "empty_trick": _("Play the first card."),
    "must_follow": _("This player must follow suit."),
    "must_play_joker": _("This player cannot follow suit and must play a Joker."),
    "play_is_over": _("All eight tricks are played."),
    "seat_sits_out": _("This player sits out this hand."),
    "seat_twice": _("Play one card per player per trick."),
    # A hand written down in full
    "course_is_empty": _("This hand is empty. Add cards, calls or play, or remove it."),
    "part_missing": _("Missing: %(part)s. Add it, or record less of the hand."),
    "contradicts_course": _("The cards and calls give %(course)s. Correct one or the other."),
    "outcome_not_certain": _("The play stops too early. Enter the outcome."),
    "dealer_required": _("Enter the dealer: calls start from there."),
    "not_understood": _("Cannot read “%(text)s”. Check this line’s format."),
    "said_twice": _("“%(name)s” appears twice. Keep one."),
    "header_required": _("Add the line “%(name)s” at the top."),
    "wrong_trick": _("Trick %(trick)s is misplaced or incomplete. Number from 1, one card per player."),
    "wrong_leader": _("%(leader)s leads this trick. Start its line there."),
    "not_a_match": _("Not a match: the first line must be “%(expected)s”."),
    "wrong_place_number": _("Number %(number)s comes next. Number hands 1, 2, 3, without gaps."),
    "not_one_line": _("Keep the name on one line."),
    "not_a_seat": _("“%(value)s” is not a seat. Choose one of: %(choices)s."),
    # Questions of programs
    "missing_field": _("This field is required."),
    "unknown_field": _("Unknown field."),
    "no_such_question": _("Unknown question “%(question)s”. Choose one of: %(known)s."),
    "wrong_number_of_cards": _("Active players need equal numbers of cards, at most eight; others none."),
    "wrong_number_of_decisions": _("Enter %(decisions)s decisions, each yes or no."),
    "wrong_number_of_hands": _("Enter %(seats)s hands, one per seat."),
}
