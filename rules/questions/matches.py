"""Questions about points: of one hand, of a game, of a match.

=========  =============================  ===========================================================
document   section                        here
=========  =============================  ===========================================================
RULES §2   contracts and what they pay    ``answer_score``: see ``Contract``, ``compute_hand_points``
RULES §4   end of the game and the match  ``answer_game``, ``answer_match``: see ``MatchState``
=========  =============================  ===========================================================
"""

from rules.folds import MatchFormat, MatchState, check_format, compute_hand_points
from rules.records import PlayedHand
from rules.seats import Seat, get_side

from .fields import CONTRACT, RULESET, Answer, FieldReader, Question

_TRICKS = "tricks of the declaring side, 0 to 8"
_HANDS = 'a list of objects {"declarer": a seat, "contract": as in score, "tricks": as in score}'
_HAND = ("declarer", "contract", "tricks")
_GAME_OVER_NOTE = 'a hand after the end is refused as {"refused": "game_over", "at": its place, from 0}'


def answer_score(reader: FieldReader) -> Answer:
    """Return what one hand pays, whatever the score was before it."""
    hand = _read_hand(reader, Seat(0))
    declarers, opponents = compute_hand_points(reader.ruleset, hand)
    winner = "declarers" if hand.made else "opponents"
    return {
        "made": hand.made,
        "declarers": declarers,
        "opponents": opponents,
        "game": winner if reader.contract.ends_game else None,
    }


def answer_game(reader: FieldReader) -> Answer:
    return _play_hands(reader, MatchFormat(games_to_win=1))


def answer_match(reader: FieldReader) -> Answer:
    games_to_win = reader.fields.get_number("games_to_win")
    return _play_hands(reader, check_format(MatchFormat(games_to_win=games_to_win)))


def _play_hands(reader: FieldReader, match_format: MatchFormat) -> Answer:
    hands = [_read_hand(hand, hand.read_seat("declarer")) for hand in reader.read_objects("hands", required=_HAND)]
    state = MatchState(ruleset=reader.ruleset, match_format=match_format, dealer=Seat(0))
    for place, hand in enumerate(hands):
        if state.is_over:
            return {"refused": "game_over", "at": place}
        state = state.add_record(place, hand)
    ending = state.games[-1].by if state.is_over else None
    return {
        "running": [list(line.game.points) for line in state.lines],
        "winner": None if state.winner is None else state.winner.value,
        "ended_at": state.lines[-1].number if state.is_over else None,
        "by": ending and ending.value,
    }


def _read_hand(reader: FieldReader, declarer: Seat) -> PlayedHand:
    contract, tricks = reader.contract, reader.tricks
    made = contract.is_made_with(tricks)
    return PlayedHand(side=get_side(declarer), contract=contract.key, made=made, tricks=tricks)


_ANSWER = {
    "running": "a list of [side 0, side 1]: after each hand, the totals of the game that it belongs to",
    "winner": "the side that won, 0 or 1; null while nobody has",
    "ended_at": "the place of the hand that ended it, from 0; null while it goes on",
    "by": "points or charlemagne: how the last game was won; null while it goes on",
}

QUESTIONS = {
    "score": Question(
        description="What a hand pays.",
        fields={"ruleset": RULESET, "contract": CONTRACT, "tricks": _TRICKS},
        answer={
            "made": "true or false",
            "declarers": "points to the declaring side",
            "opponents": "points to the other side",
            "game": "declarers or opponents, where the contract wins or loses the game itself; else null",
        },
        handler=answer_score,
    ),
    "game": Question(
        description=f"One game, hand by hand; seats 0 and 2 are side 0, seats 1 and 3 side 1; {_GAME_OVER_NOTE}.",
        fields={"ruleset": RULESET, "hands": _HANDS},
        answer=_ANSWER,
        handler=answer_game,
    ),
    "match": Question(
        description=f"One match, hand by hand, as game; {_GAME_OVER_NOTE}.",
        fields={
            "ruleset": RULESET,
            "hands": _HANDS,
            "games_to_win": "games that win the match, 1 or more",
        },
        answer=_ANSWER,
        handler=answer_match,
    ),
}
