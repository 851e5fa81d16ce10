"""The game of Charlemagne: contracts, scores, games and matches of every system, in plain Python.

No clock, no input or output, no chance, nothing but the standard library. This page is the whole face of
the package: outside it, nobody imports from the modules behind it.

>>> hand = read_record(CANADIAN, {"side": "A", "contract": "7", "tricks": "7"})
>>> match = fold(CANADIAN, MatchFormat(games_to_win=1), [(1, hand)])
>>> match.game.points
(7, 0)
"""

from .contracts import LOWEST_PLAYED, RESERVE, TRICKS, Contract, TrumpRule
from .folds import (
    NOTHING,
    READ_ALOUD_FROM,
    DecidedBy,
    Ending,
    Game,
    Line,
    MatchFormat,
    MatchState,
    Pair,
    check_format,
    fold,
    hand_points,
    is_read_aloud,
)
from .house_rules import house_rules, ruleset_named, with_house_rules
from .reading import KINDS, plain_record, read_record, reading_refusals
from .records import (
    GameTotals,
    Misdeal,
    PassedOut,
    PlayedHand,
    Record,
    TimeCalled,
    Undone,
    VoidHand,
    check_record,
    record_refusals,
)
from .refusals import Refusal
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
    Leader,
    Ruleset,
    check_ruleset,
)
from .seats import Points, Seat, Side, Suit, seat_after, side_of
from .storing import plain_format, plain_ruleset, stored_format, stored_ruleset

__all__ = [
    "BAS_SAINT_LAURENT",
    "BAS_SAINT_LAURENT_JOKERS",
    "CANADIAN",
    "KINDS",
    "LOWEST_PLAYED",
    "MAINE",
    "MAINE_32",
    "NOTHING",
    "READ_ALOUD_FROM",
    "RESERVE",
    "RULESETS",
    "TRICKS",
    "TWO_PLAYER",
    "TWO_PLAYER_JOKERS",
    "AllPass",
    "Contract",
    "DecidedBy",
    "Ending",
    "Game",
    "GameTotals",
    "Leader",
    "Line",
    "MatchFormat",
    "MatchState",
    "Misdeal",
    "Pair",
    "PassedOut",
    "PlayedHand",
    "Points",
    "Record",
    "Refusal",
    "Ruleset",
    "Seat",
    "Side",
    "Suit",
    "TimeCalled",
    "TrumpRule",
    "Undone",
    "VoidHand",
    "check_format",
    "check_record",
    "check_ruleset",
    "fold",
    "hand_points",
    "house_rules",
    "is_read_aloud",
    "plain_format",
    "plain_record",
    "plain_ruleset",
    "read_record",
    "reading_refusals",
    "record_refusals",
    "ruleset_named",
    "seat_after",
    "side_of",
    "stored_format",
    "stored_ruleset",
    "with_house_rules",
]
