"""The turning hand of a match: a contract that won at once (a Charlemagne), even for the side that led; else
the one after which its winner, who had been behind, led until the end. Plain Python.

The leader is the side that would win if the match ended there. If the match cannot end before a game is won,
games won come first, then the points of the current game.

>>> from rules import CANADIAN, MatchFormat, PlayedHand, Side, fold
>>> won = ((Side.A, "7"), (Side.B, "gros_mulot"), (Side.A, "mulot"), (Side.A, "charlemagne"))
>>> hands = [PlayedHand(side=side, contract=contract, made=True) for side, contract in won]
>>> turned = turning_hand(fold(CANADIAN, MatchFormat(games_to_win=1), enumerate(hands, start=1)))
>>> turned.number, turned.hand.contract, turned.points
(4, 'charlemagne', (38, 30))
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile

from rules import Ending, Line, MatchState, Pair, PlayedHand, Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The hand of that number with which ``winner`` took the lead for good, or won at once. ``points`` are
    those of that game after it, the winner's first; None if the contract itself won the game."""

    winner: Side
    number: int
    hand: PlayedHand
    game: int
    points: Pair | None


def turning_hand(match: MatchState) -> Turn | None:
    """Return the turning hand of a match that a contract won at once, or that a side won from behind. None
    for other matches, and if the lead came without play, such as by totals from a sheet or an award."""
    winner = match.winner
    if winner is None:
        return None
    led = list(_leads(match))
    last, _ = led[-1]
    if match.has_games_to_win and isinstance(last.record, PlayedHand) and last.game.by is Ending.CHARLEMAGNE:
        return None if last.record.awarded else _turn(winner, last, last.record)
    since = len(led) - sum(1 for _ in takewhile(lambda each: each[1] is winner, reversed(led)))
    was_behind = any(leader is winner.other for _, leader in led[:since])
    line = led[since][0] if was_behind and since < len(led) else None
    if line is None or not isinstance(line.record, PlayedHand) or line.record.awarded:
        return None
    return _turn(winner, line, line.record)


def _turn(winner: Side, line: Line, hand: PlayedHand) -> Turn:
    by_contract = line.game.by is Ending.CHARLEMAGNE
    return Turn(
        winner=winner,
        number=line.number,
        hand=hand,
        game=line.game.number,
        points=None if by_contract else (line.game.points[winner], line.game.points[winner.other]),
    )


def _leads(match: MatchState) -> Iterator[tuple[Line, Side | None]]:
    """Yield each line that counts, with the leader after it."""
    state = MatchState(ruleset=match.ruleset, match_format=match.match_format, dealer=match.dealer)
    for line in match.lines:
        if not line.is_surplus:
            state = state.after(line.number, line.record)
            yield line, _leader(state)


def _leader(match: MatchState) -> Side | None:
    if match.match_format.may_stop_in_a_game:
        return replace(match, is_over=True).winner
    for a, b in (match.games_won, match.game.points):
        if a != b:
            return Side.A if a > b else Side.B
    return None
