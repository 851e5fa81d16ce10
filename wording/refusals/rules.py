"""Sentences of refusals about the game, by code: what a hand, a game or a ruleset may be."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

RULE_SENTENCES: dict[str, str | Promise] = {
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
}
