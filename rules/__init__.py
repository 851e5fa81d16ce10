"""The game of Charlemagne, in all rulesets, from the shuffle to the match, in plain Python.

No clock, no input or output, no chance, nothing but the standard library. This module is the whole interface
of the package: other packages import only from here.

>>> hand = read_record(CANADIAN, {"side": "A", "contract": "7", "tricks": "7"})
>>> match = fold(CANADIAN, MatchFormat(games_to_win=1), [(1, hand)])
>>> match.game.points
(7, 0)
"""

from errors import Refusal

from .auction import PASS, Auction, AuctionOutcome, Call, auction_of, read_call
from .cards import BLANCHE, JOKER, JOKERS, Card, CardOrder, pack_of, read_card
from .claims import Claim, claim, sure_tricks
from .contracts import LOWEST_PLAYED, RESERVE, TRICKS, Contract, TrumpRule
from .courses import CourseState, HandCourse, follow_course
from .dealing import Dealt, Hand, PackDraw, deal, first_dealer, shuffle_pack
from .folds import (
    DecidedBy,
    Ending,
    Game,
    Line,
    MatchFormat,
    MatchState,
    Pair,
    TieRule,
    check_format,
    fold,
    hand_points,
    is_read_aloud,
)
from .house_rules import house_rules_between, ruleset_named, with_house_rules
from .notation.courses import course_text, read_course_text
from .notation.matches import MatchSheet, match_text, read_match_text, read_record_text, record_text
from .older_forms import RULESET_STEPS
from .play import Duty, Obligation, Play, Trick, obligation, winner_of
from .players import Player, RandomPlayer, SeatView, SensiblePlayer
from .preparation import Preparation, Setup, card_order, prepare, setup
from .questions import answer
from .reading import read_record, reading_refusals, record_to_json
from .records import (
    GameTotals,
    Misdeal,
    PassedOut,
    PlayedHand,
    Record,
    TimeCalled,
    Undone,
    VoidHand,
    record_of,
)
from .reneges import BrokenRule, IllegalPlay, Withheld, first_illegal_play
from .rulesets import (
    BAS_SAINT_LAURENT,
    BAS_SAINT_LAURENT_JOKERS,
    CANADIAN,
    MAINE,
    MAINE_32,
    RULESETS,
    TWO_PLAYER,
    TWO_PLAYER_JOKERS,
    AllPass,
    FirstDealer,
    Leader,
    Ruleset,
    has_rules_for_two,
)
from .seats import Points, Seat, Side, Suit, side_of
from .serialization import match_format_from_json, match_format_to_json, ruleset_from_json, ruleset_to_json
from .simulation import simulated_course, simulated_match

__all__ = [
    "BAS_SAINT_LAURENT",
    "BAS_SAINT_LAURENT_JOKERS",
    "BLANCHE",
    "CANADIAN",
    "JOKER",
    "JOKERS",
    "LOWEST_PLAYED",
    "MAINE",
    "MAINE_32",
    "PASS",
    "RESERVE",
    "RULESETS",
    "RULESET_STEPS",
    "TRICKS",
    "TWO_PLAYER",
    "TWO_PLAYER_JOKERS",
    "AllPass",
    "Auction",
    "AuctionOutcome",
    "BrokenRule",
    "Call",
    "Card",
    "CardOrder",
    "Claim",
    "Contract",
    "CourseState",
    "Dealt",
    "DecidedBy",
    "Duty",
    "Ending",
    "FirstDealer",
    "Game",
    "GameTotals",
    "Hand",
    "HandCourse",
    "IllegalPlay",
    "Leader",
    "Line",
    "MatchFormat",
    "MatchSheet",
    "MatchState",
    "Misdeal",
    "Obligation",
    "PackDraw",
    "Pair",
    "PassedOut",
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
    "SensiblePlayer",
    "Setup",
    "Side",
    "Suit",
    "TieRule",
    "TimeCalled",
    "Trick",
    "TrumpRule",
    "Undone",
    "VoidHand",
    "Withheld",
    "answer",
    "auction_of",
    "card_order",
    "check_format",
    "claim",
    "course_text",
    "deal",
    "first_dealer",
    "first_illegal_play",
    "fold",
    "follow_course",
    "hand_points",
    "has_rules_for_two",
    "house_rules_between",
    "is_read_aloud",
    "match_format_from_json",
    "match_format_to_json",
    "match_text",
    "obligation",
    "pack_of",
    "prepare",
    "read_call",
    "read_card",
    "read_course_text",
    "read_match_text",
    "read_record",
    "read_record_text",
    "reading_refusals",
    "record_of",
    "record_text",
    "record_to_json",
    "ruleset_from_json",
    "ruleset_named",
    "ruleset_to_json",
    "setup",
    "shuffle_pack",
    "side_of",
    "simulated_course",
    "simulated_match",
    "sure_tricks",
    "winner_of",
    "with_house_rules",
]
