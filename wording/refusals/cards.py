"""From code to sentence: refusals about cards, the auction, the play, and the text form of a hand."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

CARD_SENTENCES: dict[str, str | Promise] = {
    # Cards and the deal
    "no_such_card": _(
        "There is no card “%(card)s” in this pack. Write rank and suit, such as 10H. Jokers are X1 and X2."
    ),
    "card_twice": _("The card %(card)s stands there twice. Each card is in the pack once."),
    "wrong_pack": _(
        "A pack has %(expected)s cards here, each once. Look for a card that is missing or there twice."
    ),
    "wrong_deal": _(
        "Each player holds %(cards)s cards, and %(kitty)s are set aside. Look at the hands again."
    ),
    "cards_are_drawn": _("By these rules two players draw their hands. Enter what each one kept."),
    "cards_are_dealt": _("By these rules the cards are dealt, not drawn."),
    "draw_is_over": _("All the cards are drawn after %(decisions)s decisions."),
    "draw_not_over": _("The hands are complete after %(decisions)s decisions. Go on drawing."),
    "no_such_trump_order": _("The trumps have no such order in any of the games."),
    "no_such_deal": _("The cards cannot be dealt like this: eight go to each of four players, or two draw."),
    # Auction and contract
    "auction_over": _("Everybody has called: the auction is over."),
    "auction_not_over": _(
        "There are %(calls)s calls for %(seats)s players. Enter a call of each, a pass too."
    ),
    "out_of_turn": _("It is not this player’s turn."),
    "suit_required": _("This bid names its suit. Add S, H, D or C."),
    "not_higher": _("%(contract)s is not above %(than)s. Bid higher, or pass."),
    "dealer_must_bid_5": _("Nobody has bid enough: the dealer bids %(minimum)s or more."),
    "passed_out": _("Nobody made a bid that is played: there is nothing to prepare."),
    "trump_required": _("This contract has a trump. Name its suit."),
    "trump_already_named": _("Trump was named in the bid. It stays as it was."),
    "defender_required": _("Only one opponent plays. Say which one."),
    "defender_not_opponent": _("This player is no opponent of the declarer. Choose one of the other side."),
    "card_required": _("A card is given here. Say which one."),
    "card_not_allowed": _("No card is given when the contract is played this way. Leave it empty."),
    "card_not_held": _("This player does not hold %(card)s. Look at the hand again."),
    "wrong_number_of_discards": _("%(discards)s cards are laid down here. Choose as many."),
    # Play
    "empty_trick": _("No card lies on the table. Lay down the first one."),
    "must_follow": _("This player can follow suit, and so has to."),
    "must_play_joker": _("This player cannot follow suit and holds a Joker, which has to be played."),
    "play_is_over": _("All eight tricks are played."),
    "seat_sits_out": _("This player sits the hand out."),
    "seat_twice": _("A player lays one card to a trick. Look at who played what."),
    # A hand written down in full
    "course_is_empty": _(
        "Nothing of the hand is written down. Add the cards, the calls or the play, or leave it out."
    ),
    "part_missing": _("What comes before is missing: %(part)s. Add it, or write less of the hand."),
    "contradicts_course": _("By the cards and calls it is %(course)s. Correct the one or the other."),
    "outcome_not_certain": _("The play stops before it is decided. Say how the contract ended."),
    "dealer_required": _("Say who dealt: the calls go round from there."),
    "not_understood": _("“%(text)s” cannot be read. Look at how such a line is written."),
    "said_twice": _("“%(name)s” stands there twice. Keep one of them."),
    "header_required": _("The line “%(name)s” is missing at the top."),
    "wrong_trick": _(
        "Trick %(trick)s is not in its place, or lacks cards. Number them from 1, a card of each player."
    ),
    "wrong_leader": _("%(leader)s leads this trick. Begin its line there."),
    "not_a_match": _("This is no match. Its first line is “%(expected)s”."),
    "wrong_place_number": _("Number %(number)s comes next. Number the hands 1, 2, 3, without a gap."),
    "not_one_line": _("A name stands on one line."),
    "not_a_seat": _("“%(value)s” is no seat. Choose one of: %(choices)s."),
    # Questions of programs
    "missing_field": _("This field is missing."),
    "unknown_field": _("There is no such field here."),
    "no_such_question": _("There is no question “%(question)s”. Choose one of: %(known)s."),
    "wrong_number_of_cards": _(
        "Those who play hold equally many cards, eight at most; who sits out holds none."
    ),
    "wrong_number_of_decisions": _("There are %(decisions)s decisions, each yes or no."),
    "wrong_number_of_hands": _("There are %(seats)s hands, one for each seat."),
}
