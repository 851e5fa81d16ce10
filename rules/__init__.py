"""The game of Charlemagne, in all rulesets, from the shuffle to the match, in plain Python.

No clock, no input or output, no chance, nothing but the standard library. This module is the whole interface
of the package: other packages import only from here.

>>> hand = read_record(CANADIAN, {"side": "A", "contract": "7", "tricks": "7"})
>>> match = fold(CANADIAN, MatchFormat(games_to_win=1), [(1, hand)])
>>> match.game.points
(7, 0)
"""

from errors import Refusal

from .auction import PASS, Auction, AuctionOutcome, Call, build_auction, read_call
from .cards import BLANCHE, JOKER, JOKERS, Card, CardOrder, get_pack, read_card
from .claims import Claim, count_sure_tricks, decide_claim
from .contracts import LOWEST_PLAYED_BID, RESERVE, TRICKS, Contract, TrumpRule
from .courses import CourseState, HandCourse, follow_course
from .dealing import DealtCards, Hand, PackDraw, choose_first_dealer, deal, shuffle_pack
from .folds import (
    Ending,
    Game,
    Line,
    MatchCriterion,
    MatchFormat,
    MatchState,
    Pair,
    TieRule,
    check_format,
    compute_hand_points,
    fold,
    is_read_aloud,
)
from .house_rules import apply_house_rules, diff_house_rules, get_ruleset
from .notation.courses import format_course, read_course_text
from .notation.matches import MatchSheet, format_match, format_record, read_match_text, read_record_text
from .play import Duty, Obligation, Play, Trick, get_obligation, get_trick_winner
from .players import HeuristicPlayer, Player, RandomPlayer, SeatView
from .preparation import Preparation, Setup, build_setup, get_card_order, prepare_play
from .questions import answer_question
from .record_reader import list_reading_refusals, read_record, record_to_json
from .records import (
    GameTotals,
    Misdeal,
    PassedOutHand,
    PlayedHand,
    Record,
    TimeCall,
    UndoneRecord,
    VoidHand,
    build_record,
)
from .reneges import BrokenRule, IllegalPlay, Withheld, find_first_illegal_play
from .ruleset_upgrades import RULESET_UPGRADES
from .rulesets import (
    BAS_SAINT_LAURENT,
    BAS_SAINT_LAURENT_JOKERS,
    CANADIAN,
    MAINE,
    MAINE_32,
    RULESETS,
    TWO_PLAYER,
    TWO_PLAYER_JOKERS,
    AllPassRule,
    FirstDealerRule,
    Leader,
    Ruleset,
    has_two_player_rules,
)
from .seats import Points, Seat, Side, Suit, get_side
from .serialization import match_format_from_json, match_format_to_json, ruleset_from_json, ruleset_to_json
from .simulation import simulate_course, simulate_match

__all__ = [
    "BAS_SAINT_LAURENT",
    "BAS_SAINT_LAURENT_JOKERS",
    "BLANCHE",
    "CANADIAN",
    "JOKER",
    "JOKERS",
    "LOWEST_PLAYED_BID",
    "MAINE",
    "MAINE_32",
    "PASS",
    "RESERVE",
    "RULESETS",
    "RULESET_UPGRADES",
    "TRICKS",
    "TWO_PLAYER",
    "TWO_PLAYER_JOKERS",
    "AllPassRule",
    "Auction",
    "AuctionOutcome",
    "BrokenRule",
    "Call",
    "Card",
    "CardOrder",
    "Claim",
    "Contract",
    "CourseState",
    "DealtCards",
    "Duty",
    "Ending",
    "FirstDealerRule",
    "Game",
    "GameTotals",
    "Hand",
    "HandCourse",
    "HeuristicPlayer",
    "IllegalPlay",
    "Leader",
    "Line",
    "MatchCriterion",
    "MatchFormat",
    "MatchSheet",
    "MatchState",
    "Misdeal",
    "Obligation",
    "PackDraw",
    "Pair",
    "PassedOutHand",
    "Play",
    "PlayedHand",
    "Player",
    "Points",
    "Preparation",
    "RandomPlayer",
    "Record",
    "Refusal",
    "Ruleset",
    "Seat",
    "SeatView",
    "Setup",
    "Side",
    "Suit",
    "TieRule",
    "TimeCall",
    "Trick",
    "TrumpRule",
    "UndoneRecord",
    "VoidHand",
    "Withheld",
    "answer_question",
    "apply_house_rules",
    "build_auction",
    "build_record",
    "build_setup",
    "check_format",
    "choose_first_dealer",
    "compute_hand_points",
    "count_sure_tricks",
    "deal",
    "decide_claim",
    "diff_house_rules",
    "find_first_illegal_play",
    "fold",
    "follow_course",
    "format_course",
    "format_match",
    "format_record",
    "get_card_order",
    "get_obligation",
    "get_pack",
    "get_ruleset",
    "get_side",
    "get_trick_winner",
    "has_two_player_rules",
    "is_read_aloud",
    "list_reading_refusals",
    "match_format_from_json",
    "match_format_to_json",
    "prepare_play",
    "read_call",
    "read_card",
    "read_course_text",
    "read_match_text",
    "read_record",
    "read_record_text",
    "record_to_json",
    "ruleset_from_json",
    "ruleset_to_json",
    "shuffle_pack",
    "simulate_course",
    "simulate_match",
]
