"""A finished game and the agreements to it."""

from dataclasses import dataclass
from datetime import datetime

from rules import Game, GameTotals, MatchState, Record, Side
from scoring.fold import fold_match, format_game_result
from scoring.logs import Log
from scoring.models import Mark, Match

from .sides import SideView


@dataclass(frozen=True, slots=True, kw_only=True)
class GameView:
    """A finished game, and the points that winning it adds; each side with the moment it agreed, if it has.

    A game whose totals the desk entered, or awarded, is not to be confirmed.
    """

    game: Game
    winner: SideView
    bonus_points: int
    agreements: tuple[tuple[SideView, datetime | None], ...]
    is_to_confirm: bool

    @property
    def text(self) -> str:
        """Text that a side agrees to."""
        return format_game_result(self.game)

    @property
    def result(self) -> tuple[int, int]:
        """Points of the game, the winner's first."""
        a, b = self.game.points
        return (b, a) if self.game.winner is Side.B else (a, b)

    @property
    def pending_sides(self) -> list[SideView]:
        return [side for side, moment in self.agreements if moment is None]

    @property
    def is_agreed(self) -> bool:
        return not self.pending_sides


def find_finished_game(match: Match, state: MatchState, sides: tuple[SideView, SideView]) -> GameView | None:
    """Return the game that the last line ended, as long as no hand of the next game is marked."""
    lines = [line for line in state.lines if not line.is_surplus]
    if not lines or not lines[-1].ends_game:
        return None
    game = state.games[-1]
    assert game.winner is not None
    agreed_at = {
        agreement.side: agreement.created_at
        for agreement in match.ordered_agreements
        if agreement.game == game.number and agreement.agreed_to == format_game_result(game)
    }
    return GameView(
        game=game,
        winner=sides[game.winner],
        bonus_points=max(state.get_bonus_points(game)),
        agreements=tuple((side, agreed_at.get(side.side)) for side in sides),
        is_to_confirm=not isinstance(lines[-1].record, GameTotals),
    )


def list_undone_agreements(match: Match, log: Log[Mark], number: int, record: Record) -> list[int]:
    """Return the games whose agreements this hand would undo, because they would change or disappear. One
    query, unless the agreements came with the match."""
    old_results, new_results = (
        {game.number: format_game_result(game) for game in fold_match(match, sorted(places.items())).games}
        for places in (dict(log.places), dict(log.places) | {number: record})
    )
    return sorted(
        {
            agreement.game
            for agreement in match.ordered_agreements
            if old_results.get(agreement.game) == agreement.agreed_to != new_results.get(agreement.game)
        }
    )
