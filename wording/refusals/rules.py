"""What refusals about the game: what a hand, a game or a ruleset may be say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

RULE_SENTENCES: dict[str, str | Promise] = {
    "no_such_bid": _("These rules have no bid “%(contract)s”. Choose one of: %(ladder)s."),
    "below_minimum": _("A bid of %(contract)s is not played by these rules. Choose %(minimum)s or more."),
    "trump_not_allowed": _("This contract has no trump. Leave the trump empty."),
    "tricks_out_of_range": _("There are eight tricks. Enter a number from 0 to %(most)s."),
    "tricks_contradict_outcome": _(
        "With %(tricks)s tricks this contract cannot end so. Correct the tricks or the result."
    ),
    "no_such_seat": _("There are %(seats)s seats, numbered from 0. Choose one of them."),
    "declarer_of_other_side": _("The declarer sits on the other side. Choose a player of the side that bid."),
    "no_such_mode": _("This contract is not played that way. Choose one of the ways offered."),
    "cannot_be_passed_out": _(
        "By these rules the dealer must bid %(minimum)s or more. Enter the dealer’s bid."
    ),
    "totals_out_of_range": _("A total lies between 0 and %(most)s here. Look at the sheet again."),
    "totals_both_reach_target": _(
        "Only one side can reach %(target)s: the game ends there. Look at the sheet again."
    ),
    "totals_winner_contradicts": _(
        "The side with %(target)s or more wins. Correct the totals or the winner."
    ),
    "totals_game_not_finished": _("Neither side has %(target)s points, so the game has no winner yet."),
    "game_not_won": _(
        "Nobody has %(target)s points. Look at the sheet again; if they stopped there, say below that the"
        " game is not over."
    ),
    "totals_required": _("Enter the total."),
    "totals_winner_required": _("Say which side the game is awarded to."),
    "no_such_kind": _("A hand is played, passed out, misdealt or void. Choose one of them."),
    "side_required": _("Say which side bid."),
    "no_such_side": _("There are two sides, A and B. Choose one of them."),
    "contract_required": _("Say what was bid."),
    "result_required": _("Say how many tricks were won, or whether the contract was made."),
    "no_such_outcome": _("A contract is made or failed. Choose one of them."),
    "no_such_suit": _("“%(value)s” is no suit. Choose S, H, D or C."),
    "not_a_number": _("“%(value)s” is not a whole number. Use digits."),
    "not_text": _("This cannot be read as text. Write letters and digits only."),
    "not_yes_or_no": _("Answer yes or no."),
    "not_a_list": _("This must be a list."),
    "no_such_choice": _("“%(value)s” is not possible here. Choose one of: %(choices)s."),
    "no_such_setting": _("There is no such setting."),
    "value_of_game_end": _("This contract wins or loses the game itself. It has no points."),
    "no_way_to_win": _("No contract left scores anything. Give one at least a value."),
    "no_such_house_rule": _("There is no such house rule."),
    "no_such_ruleset": _("There are no rules named “%(ruleset)s”. Choose one of: %(known)s."),
    "target_not_positive": _("A game is played to 1 point or more."),
    "games_not_positive": _("A match has 1 game or more."),
    "ladder_does_not_rise": _("Each bid must be higher than the one before it. Put the ladder in order."),
    "empty_ladder": _("No bid is left that can be played. Keep one at least."),
    "value_negative": _("Points are 0 or more."),
    "forced_bid_not_in_ladder": _("The dealer’s forced bid of %(bid)s is not in the ladder."),
    "no_match_length": _("Say how long a match is: games to win, hands, or minutes."),
    "length_not_positive": _("Enter 1 or more."),
}
