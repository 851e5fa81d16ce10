"""The whole screen of one match."""

from dataclasses import dataclass, replace

from rules import AllPassRule, MatchCriterion, MatchState, Ruleset, Side, Suit
from scoring.fold import fold_match, load_log
from scoring.last_hand import LastHandState, get_last_hand_state
from scoring.models import Match

from .games import GameView, find_finished_game
from .lines import HandLineView, build_hand_lines, build_line, find_undone_line
from .sides import PlayerView, SideView, build_sides
from .steps import OutcomeStep, build_steps


@dataclass(frozen=True, slots=True, kw_only=True)
class TableScreen:
    """Everything on the screen of one match. ``number`` is the place being marked."""

    match: Match
    state: MatchState
    number: int
    sides: tuple[SideView, SideView]
    lines: tuple[HandLineView, ...]
    corrected_line: HandLineView | None
    undone: HandLineView | None
    finished_game: GameView | None
    last_hand_state: LastHandState | None

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
    def contested_lines(self) -> list[HandLineView]:
        return [line for line in self.lines if line.rivals]

    @property
    def steps(self) -> list[OutcomeStep]:
        return build_steps(self.sides, self.ruleset)

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
        decision = self.state.match_format.get_decision(self.state.games_won)
        a, b = self.state.games_won if decision is MatchCriterion.GAMES else self.state.points
        return (b, a) if self.state.winner is Side.B else (a, b)

    @property
    def can_call_time(self) -> bool:
        return self.state.match_format.minutes is not None and self.last_hand_state is not LastHandState.EXTRA

    @property
    def can_end_by_charlemagne(self) -> bool:
        return any(contract.ends_game for contract in self.ruleset.playable)

    @property
    def can_be_passed_out(self) -> bool:
        return self.ruleset.all_pass is not AllPassRule.DEALER_MUST_BID


def table_screen(match: Match, *, corrected_number: int | None = None) -> TableScreen:
    """Return the screen of a match, to record its next hand or to correct the hand ``corrected_number``."""
    log = load_log(match)
    state = fold_match(match, log.places)
    number = log.next_number if corrected_number is None else corrected_number
    state_before = (
        state if corrected_number is None else fold_match(match, [each for each in log.places if each[0] < number])
    )
    if log.rivals:  # disputed hands give no points, but were dealt
        deals = [each for each in log.deals if each[0] < number]
        state_before = replace(state_before, dealer=fold_match(match, deals).dealer)
    sides = build_sides(match, state_before)
    lines = build_hand_lines(log, state, sides, match.written_marks)
    return TableScreen(
        match=match,
        state=state,
        number=number,
        sides=sides,
        lines=lines,
        corrected_line=next((line for line in lines if line.number == corrected_number), None),
        undone=find_undone_line(log, match.written_marks, sides, state.ruleset),
        finished_game=find_finished_game(match, state, sides),
        last_hand_state=get_last_hand_state(match, log, state),
    )


def build_marks_history(match: Match, screen: TableScreen) -> list[HandLineView]:
    """Return every mark ever made in this match, the latest first."""
    return [
        replace(build_line(mark.number, mark.record(screen.ruleset), screen.sides, screen.ruleset), mark=mark)
        for mark in reversed(match.written_marks)
    ]
