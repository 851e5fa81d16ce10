"""Refusals about hands, tables and the rules of the game, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from errors import Answer

REFUSALS: Mapping[str, str | Promise | Answer] = {
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
    "no_such_bid": _("Unknown bid “%(contract)s”. Choose one of: %(ladder)s."),
    "below_minimum": _("A bid of %(contract)s is not allowed. Choose %(minimum)s or more."),
    "trump_not_allowed": _("This contract has no trump. Leave trump empty."),
    "tricks_out_of_range": _("There are eight tricks. Enter 0 to %(most)s."),
    "tricks_contradict_outcome": _("Tricks (%(tricks)s) and result do not match. Correct one of them."),
    "no_such_seat": _("Choose one of the %(seats)s seats, numbered from 0."),
    "declarer_of_other_side": _("The declarer is not on the side that bid. Choose another player."),
    "no_such_mode": _("This contract is not played that way. Choose another way."),
    "cannot_be_passed_out": _("The dealer must bid %(minimum)s or more. Enter the bid."),
    "totals_out_of_range": _("A total is from 0 to %(most)s. Check the score sheet."),
    "totals_both_reach_target": _("Only one side can reach %(target)s. Check the score sheet."),
    "totals_winner_contradicts": _(
        "The side with %(target)s or more wins. Correct the totals or the winner."
    ),
    "totals_game_not_finished": _("Neither side has %(target)s points. Correct the totals."),
    "game_not_won": _(
        "Neither side has %(target)s points. Check the score sheet, or record an unfinished game below."
    ),
    "totals_required": _("Enter the total."),
    "totals_winner_required": _("Choose the side awarded the game."),
    "no_such_kind": _("Choose played, passed out, misdealt or void."),
    "side_required": _("Choose the side that bid."),
    "no_such_side": _("Choose a side, A or B."),
    "contract_required": _("Choose the bid."),
    "result_required": _("Enter the tricks won, or whether the contract was made."),
    "no_such_outcome": _("Choose made or failed."),
    "no_such_suit": _("“%(value)s” is not a suit. Choose S, H, D or C."),
    "not_a_number": _("“%(value)s” is not a whole number. Use digits."),
    "not_text": _("This text cannot be read. Use letters and digits only."),
    "not_yes_or_no": _("Answer yes or no."),
    "not_a_list": _("This must be a list."),
    "no_such_choice": _("“%(value)s” is not allowed. Choose one of: %(choices)s."),
    "no_such_setting": _("This setting does not exist. Remove it."),
    "value_of_game_end": _("This contract ends the game and has no points. Remove them."),
    "no_way_to_win": _("No contract scores points. Give at least one a value."),
    "no_such_house_rule": _("This house rule does not exist. Remove it."),
    "no_such_ruleset": _("Unknown rules “%(ruleset)s”. Choose one of: %(known)s."),
    "target_not_positive": _("Enter 1 point or more."),
    "games_not_positive": _("Enter 1 game or more."),
    "ladder_does_not_rise": _("Each bid must be higher than the one before. Reorder the bids."),
    "empty_ladder": _("No bids are left. Keep at least one."),
    "value_negative": _("Enter 0 points or more."),
    "forced_bid_not_in_ladder": _(
        "The order of bids lacks the dealer’s forced bid (%(bid)s). Add or change it."
    ),
    "no_match_length": _("Choose the match length: games to win, hands or minutes."),
    "length_not_positive": _("Enter 1 or more."),
    "entry_key_reused": Answer(_("This was already sent with other values. Open the table again."), 409),
    "match_closed": Answer(_("Round closed: corrections at the desk."), 409),
    "match_over": Answer(_("The match is over. Correct an earlier hand or call the desk."), 409),
    "number_skips": Answer(_("Record hand %(expected)s first."), 409),
    "not_last_hand": Answer(_("Only the last hand (%(last)s) can be undone. Correct this one instead."), 409),
    "no_such_mark": Answer(_("This hand has changed. Check it again."), 409),
    "log_is_behind": Answer(
        _("The laptop lost recent changes. Leave this page open: your phone sends them again."), 409
    ),
    "log_unreadable": _("This phone’s data cannot be read. Show the table’s hands to the desk."),
    "no_such_match": Answer(_("This match no longer exists. Open the table again."), 404),
    "bundle_damaged": _("Incomplete or damaged QR code. Scan the QR codes again."),
    "bundle_incomplete": _("Missing QR codes, of %(count)s: %(missing)s. Scan them, then send again."),
    "bundle_foreign": _("This QR code is not from a table here. Nothing was recorded."),
    "bundle_of_another_event": _("This QR code is from another event. Open that event’s desk."),
    "bundle_old": Answer(
        _("Round %(round)s is already closed. Reopen it and scan again, or correct the table."), 409
    ),
    "code_has_six_digits": _("Enter the six digits on the table card."),
    "unknown_code": Answer(_("No table has this code. Check the six digits on the card."), 404),
    "evening_over": Answer(_("This event is over. For another, scan its table card."), 404),
    "card_replaced": Answer(_("This card was replaced. Scan the new one or ask the desk."), 403),
    "phone_turned_away": Answer(_("The desk removed this phone from this table. Ask the desk."), 403),
    "no_match_yet": Answer(_("No match at this table yet. Wait for the draw."), 404),
    "too_many_guesses": Answer(
        _("Too many wrong codes. Add the card’s five letters or scan its QR code."), 429
    ),
    "letters_are_others": Answer(_("The letters and code are from different cards. Check both."), 429),
    "call_settled": Answer(
        _("%(who)s already settled this call (“%(ruling)s”). Your ruling was not saved (“%(unkept)s”)."), 409
    ),
    "call_withdrawn": Answer(
        _("The table withdrew its call. Your ruling was not saved (“%(unkept)s”)."), 409
    ),
    "reason_required": _("Enter a reason."),
    "reason_too_long": _("Too long: %(most)s characters at most."),
    "past_night": Answer(_("This event is over. Ask a director to open it."), 403),
    "director_only": Answer(_("Only the director can do this. Ask the director."), 403),
    "owner_only": Answer(_("Only an owner of the club can do this. Ask the owner."), 403),
    "game_not_over": _("This game is not over. Record its last hand first."),
    "game_changed": Answer(_("This result has changed. Check it, then confirm."), 409),
    "dealer_changed": Answer(_("Another phone chose the first dealer. Check it."), 409),
    "no_such_key": _("Send a unique key with each hand: a UUID as entry_key."),
    "not_an_object": Answer(_("Send one JSON object."), 400),
    "body_too_large": Answer(_("Too much at once: %(most)s kB at most."), 413),
    "body_too_slow": Answer(_("The network is too slow. Try again elsewhere."), 408),
}
