"""The fold of a match's log to its state, and the summary that is stored beside the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypedDict

from rules import Ending, Game, MatchState, PlayedHand, Record, Side, fold

from .logs import Log, read_log

if TYPE_CHECKING:
    from .models import Mark, Match

ALL_TRICK_CONTRACTS = ("charlemagne", "gros_charlemagne")


class GameSummary(TypedDict):
    """A finished game."""

    points: list[int]
    winner: str
    by: str


class MatchSummary(TypedDict):
    """Summary of a match: what lists of matches show without folding the log. Side A first in every pair::

    {"games": [{"points": [32, 12], "winner": "A", "by": "points"}], "running": [0, 0],
     "games_won": [1, 0], "points": [32, 12], "winner": "A", "made": [5, 2], "charlemagnes": [1, 0],
     "dealer": 1, "deals": 8, "next": 9}

    ``made`` are the contracts that each side made, with the ``charlemagnes`` among them: of hands that were
    marked, as totals do not tell. ``dealer`` deals the next hand, after so many ``deals``.
    """

    games: list[GameSummary]
    running: list[int]
    games_won: list[int]
    points: list[int]
    winner: str | None
    made: list[int]
    charlemagnes: list[int]
    dealer: int
    deals: int
    next: int


class CachedValues(TypedDict):
    """The values that a match caches beside its log, by the names of its columns."""

    summary: MatchSummary
    is_over: bool
    has_rivals: bool


def load_log(match: Match) -> Log[Mark]:
    """Return the log of the match. One query, unless its marks are loaded already."""
    return read_log(match.written_marks, match.ruleset)


def fold_match(match: Match, places: Iterable[tuple[int, Record]]) -> MatchState:
    """Return the state of this match with these places instead of its own."""
    return fold(match.ruleset, match.match_format, places, first_dealer=match.first_dealer_seat)


def fold_with_hand(match: Match, log: Log[Mark], number: int, record: Record) -> tuple[MatchState, MatchState]:
    """Return the match before and after this hand, ignoring the hands that follow it."""
    state_before = fold_match(match, [place for place in log.places if place[0] < number])
    return state_before, state_before.add_record(number, record)


def build_cached_values(log: Log[Any], state: MatchState) -> CachedValues:
    """Return the cached values of a match by name, from its log and the fold of it."""
    return {
        "summary": build_summary(state, next_number=log.next_number),
        "is_over": state.is_over,
        "has_rivals": bool(log.rivals),
    }


def build_summary(state: MatchState, *, next_number: int) -> MatchSummary:
    """Return the summary of the state; ``next_number`` is the number of the next hand."""
    made_hands = [
        line.record
        for line in state.lines
        if isinstance(line.record, PlayedHand) and line.record.made and not line.is_surplus
    ]
    return {
        "games": [_summarize_game(game) for game in state.games],
        "running": list(state.game.points),
        "games_won": list(state.games_won),
        "points": list(state.points),
        "winner": None if state.winner is None else state.winner.name,
        "made": _count_by_side(hand.side for hand in made_hands),
        "charlemagnes": _count_by_side(hand.side for hand in made_hands if hand.contract in ALL_TRICK_CONTRACTS),
        "dealer": state.dealer,
        "deals": state.deals,
        "next": next_number,
    }


def _count_by_side(sides: Iterable[Side]) -> list[int]:
    counts = Counter(sides)
    return [counts[side] for side in Side]


def format_game_result(game: Game) -> str:
    """Return the text of a game that a side agrees to: ``32-12 A points``."""
    return format_summary_result(_summarize_game(game))


def format_summary_result(game: GameSummary) -> str:
    """Return the text that a side agrees to, from a game in a summary."""
    return "{}-{} {} {}".format(*game["points"], game["winner"], game["by"])


def is_decided_by_charlemagne(summary: Mapping[str, Any]) -> bool:
    """Check whether a Charlemagne ended the only game of a finished match, whose points may not tell the winner."""
    endings = [game["by"] for game in summary.get("games", ())]
    return endings == [Ending.CHARLEMAGNE] and summary["winner"] is not None and not any(summary["running"])


def _summarize_game(game: Game) -> GameSummary:
    assert game.winner is not None
    assert game.by is not None
    return {"points": list(game.points), "winner": game.winner.name, "by": game.by.value}
