"""The whole screen of one match."""

from dataclasses import dataclass, replace

from rules import AllPass, DecidedBy, MatchState, Ruleset, Side, Suit
from scoring.fold import fold_match, log_of
from scoring.last_hand import LastHand, last_hand_of
from scoring.models import Match

from .games import GameView, finished_game
from .lines import HandLineView, hand_lines, line_view, undone_line
from .sides import PlayerView, SideView, sides_of
from .steps import OutcomeStep, steps_of


@dataclass(frozen=True, slots=True, kw_only=True)
class TableScreen:
    """Everything on the screen of one match. ``number`` is the place being marked."""

    match: Match
    state: MatchState
    number: int
    sides: tuple[SideView, SideView]
    lines: tuple[HandLineView, ...]
    correcting: HandLineView | None
    undone: HandLineView | None
    finished_game: GameView | None
    last_hand: LastHand | None

    @property
    def ruleset(self) -> Ruleset:
        return self.state.ruleset

    @property
    def dealer(self) -> PlayerView:
        return next(player for side in self.sides for player in side.players if player.deals)

    @property
    def last(self) -> HandLineView | None:
        return self.lines[-1] if self.lines else None

    @property
    def game_lines(self) -> list[HandLineView]:
        """Lines of the running game, the last one first; contested places are among them."""
        first = max((line.number for line in self.lines if line.line and line.line.ends_game), default=0)
        return [line for line in reversed(self.lines) if line.number > first]

    @property
    def contested(self) -> list[HandLineView]:
        return [line for line in self.lines if line.rivals]

    @property
    def steps(self) -> list[OutcomeStep]:
        return steps_of(self.sides, self.ruleset)

    @property
    def suits(self) -> list[str]:
        return [suit.value for suit in Suit]

    @property
    def winner(self) -> SideView | None:
        return None if self.state.winner is None else self.sides[self.state.winner]

    @property
    def counts_games(self) -> bool:
        return self.state.match_format.counts_games

    @property
    def may_stop_in_a_game(self) -> bool:
        """Whether a match can end in an unfinished game, whose totals then count."""
        return self.state.match_format.may_stop_in_a_game

    @property
    def result(self) -> tuple[int, int]:
        """Final result, the winner's first: games or points, whichever decided the match."""
        decision = self.state.match_format.decision(self.state.games_won)
        a, b = self.state.games_won if decision is DecidedBy.GAMES else self.state.points
        return (b, a) if self.state.winner is Side.B else (a, b)

    @property
    def may_call_time(self) -> bool:
        return self.state.match_format.minutes is not None and self.last_hand is not LastHand.EXTRA

    @property
    def may_end_by_charlemagne(self) -> bool:
        return any(contract.ends_game for contract in self.ruleset.playable)

    @property
    def may_be_passed_out(self) -> bool:
        return self.ruleset.all_pass is not AllPass.DEALER_MUST_BID


def table_screen(match: Match, *, correcting: int | None = None) -> TableScreen:
    """Return the screen of a match, for marking its next hand, or for ``correcting`` the hand of that
    number."""
    log = log_of(match)
    state = fold_match(match, log.places)
    number = log.next_number if correcting is None else correcting
    before = (
        state if correcting is None else fold_match(match, [each for each in log.places if each[0] < number])
    )
    if log.rivals:  # disputed hands give no points, but were dealt
        deals = [each for each in log.deals if each[0] < number]
        before = replace(before, dealer=fold_match(match, deals).dealer)
    sides = sides_of(match, before)
    lines = hand_lines(log, state, sides, match.written_marks)
    return TableScreen(
        match=match,
        state=state,
        number=number,
        sides=sides,
        lines=lines,
        correcting=next((line for line in lines if line.number == correcting), None),
        undone=undone_line(log, match.written_marks, sides, state.ruleset),
        finished_game=finished_game(match, state, sides),
        last_hand=last_hand_of(match, log, state),
    )


def marks_history(match: Match, screen: TableScreen) -> list[HandLineView]:
    """Return every mark ever made in this match, the latest first."""
    return [
        replace(line_view(mark.number, mark.record(screen.ruleset), screen.sides, screen.ruleset), mark=mark)
        for mark in reversed(match.written_marks)
    ]
