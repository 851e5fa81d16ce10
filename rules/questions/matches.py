"""Questions about points: of one hand, of a game, of a match.

=========  =============================  ==========================================================
document   section                        here
=========  =============================  ==========================================================
RULES §2   contracts and what they pay    ``score``: see ``Contract``, ``hand_points``
RULES §4   end of the game and the match  ``game``, ``match``: see ``MatchState``
=========  =============================  ==========================================================
"""

from rules.folds import MatchFormat, MatchState, check_format, hand_points
from rules.records import PlayedHand
from rules.seats import Seat, side_of

from .fields import CONTRACT, RULESET, Answer, FieldReader, Question

_TRICKS = "tricks of the declaring side, 0 to 8"
_HANDS = 'a list of objects {"declarer": a seat, "contract": as in score, "tricks": as in score}'
_HAND = ("declarer", "contract", "tricks")
_GAME_OVER = 'a hand after the end is refused as {"refused": "game_over", "at": its place, from 0}'


def score(asked: FieldReader) -> Answer:
    """Return what one hand pays, whatever the score was before it."""
    hand = _record(asked, Seat(0))
    declarers, opponents = hand_points(asked.ruleset, hand)
    winner = "declarers" if hand.made else "opponents"
    return {
        "made": hand.made,
        "declarers": declarers,
        "opponents": opponents,
        "game": winner if asked.contract.ends_game else None,
    }


def game(asked: FieldReader) -> Answer:
    return _played_out(asked, MatchFormat(games_to_win=1))


def match(asked: FieldReader) -> Answer:
    games_to_win = asked.fields.number("games_to_win")
    return _played_out(asked, check_format(MatchFormat(games_to_win=games_to_win)))


def _played_out(asked: FieldReader, match_format: MatchFormat) -> Answer:
    hands = [_record(hand, hand.seat("declarer")) for hand in asked.each("hands", required=_HAND)]
    state = MatchState(ruleset=asked.ruleset, match_format=match_format, dealer=Seat(0))
    for place, hand in enumerate(hands):
        if state.is_over:
            return {"refused": "game_over", "at": place}
        state = state.after(place, hand)
    ending = state.games[-1].by if state.is_over else None
    return {
        "running": [list(line.game.points) for line in state.lines],
        "winner": None if state.winner is None else state.winner.value,
        "ended_at": state.lines[-1].number if state.is_over else None,
        "by": ending and ending.value,
    }


def _record(asked: FieldReader, declarer: Seat) -> PlayedHand:
    contract, tricks = asked.contract, asked.tricks
    made = contract.is_made_with(tricks)
    return PlayedHand(side=side_of(declarer), contract=contract.key, made=made, tricks=tricks)


_ANSWER = {
    "running": "a list of [side 0, side 1]: after each hand, the totals of the game that it belongs to",
    "winner": "the side that won, 0 or 1; null while nobody has",
    "ended_at": "the place of the hand that ended it, from 0; null while it goes on",
    "by": "points or charlemagne: how the last game was won; null while it goes on",
}

QUESTIONS = {
    "score": Question(
        about="What a hand pays.",
        fields={"ruleset": RULESET, "contract": CONTRACT, "tricks": _TRICKS},
        answer={
            "made": "true or false",
            "declarers": "points to the declaring side",
            "opponents": "points to the other side",
            "game": "declarers or opponents, where the contract wins or loses the game itself; else null",
        },
        answered_by=score,
    ),
    "game": Question(
        about=f"One game, hand by hand; seats 0 and 2 are side 0, seats 1 and 3 side 1; {_GAME_OVER}.",
        fields={"ruleset": RULESET, "hands": _HANDS},
        answer=_ANSWER,
        answered_by=game,
    ),
    "match": Question(
        about=f"One match, hand by hand, as game; {_GAME_OVER}.",
        fields={
            "ruleset": RULESET,
            "hands": _HANDS,
            "games_to_win": "games that win the match, 1 or more",
        },
        answer=_ANSWER,
        answered_by=match,
    ),
}
