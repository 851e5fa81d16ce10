"""A simulated match: its length and its winner, hand by hand, without cards.

The points of a hand follow the frequencies of ``engine.hands``. Its winner depends on the difference in
skill. Its duration is the minutes per hand, times how slow the table is, times a number from ½ to 1½. Only
sums, quotients and square roots are used: the same chance gives the same match, on every machine.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import inf, sqrt
from random import Random

from engine.hands import HAND_COUNTS, HANDS, count_moves
from rules import RULESETS, AllPassRule, MatchCriterion, MatchFormat, Side

STEP = 0.18
"""The increase in the likelihood of gaining a hand per standard deviation of skill: at even odds half of
this. An assumption, chosen so that formats find the best as often as was found before:
``docs/development/format-planner.md``."""

SLOWNESS = 0.15
"""The standard deviation of how slow a side is, the usual one being 1."""

_OUTRIGHT, _PASSED = -1, 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLength:
    """The length of a match: that of a ``MatchFormat`` under a ruleset, prepared for the simulation."""

    moves: tuple[int, ...]
    target: int
    counts_passes: bool
    games_to_win: float
    hands: float
    minutes: float
    counts_points: bool
    outright_points: int | None


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """The result of a match: the winner, None if nobody won; ``margin`` in points, above 0 for side A."""

    winner: Side | None
    margin: int
    hands: int
    minutes: float


@lru_cache(maxsize=64)
def build_length(ruleset_key: str, match_format: MatchFormat) -> MatchLength:
    """Return the length of a match of this format, under the built-in ruleset of this key."""
    ruleset = RULESETS[ruleset_key]
    moves = count_moves(ruleset, HAND_COUNTS[ruleset_key])
    results = [points for points, hands in moves.points.items() for _ in range(hands)]
    results += [_OUTRIGHT] * moves.outright + [_PASSED] * moves.passed
    return MatchLength(
        moves=tuple(results),
        target=ruleset.target,
        counts_passes=ruleset.all_pass is AllPassRule.NEXT_DEALER,
        games_to_win=match_format.games_to_win or inf,
        hands=match_format.hands or inf,
        minutes=match_format.minutes or inf,
        counts_points=match_format.decided_by is MatchCriterion.POINTS,
        outright_points=match_format.charlemagne_points,
    )


def compute_likelihood(difference: float) -> float:
    """Return the likelihood that side A gains a hand that somebody gains, being so many standard deviations
    better."""
    step = STEP * difference
    return 0.5 + step / (2 * sqrt(1 + step * step))


@dataclass(slots=True)
class _Match:
    """A match in progress: the running game, the games won, and the points of finished games."""

    length: MatchLength
    likely: float
    game: list[int]
    games: list[int]
    points: list[int]
    hands: int = 0
    counted_hands: int = 0
    minutes: float = 0.0

    def play(self, result: int, lot: float) -> None:
        """Play one hand: its points, and the random number that decides who gains them."""
        self.hands += 1
        if result == _PASSED:
            self.counted_hands += self.length.counts_passes
            return
        self.counted_hands += 1
        side = 0 if lot < self.likely else 1
        if result != _OUTRIGHT:
            self.game[side] += result
        if result == _OUTRIGHT or self.game[side] >= self.length.target:
            self._end_game(side, is_outright=result == _OUTRIGHT)

    def _end_game(self, side: int, *, is_outright: bool) -> None:
        self.games[side] += 1
        if self.length.counts_points:
            worth = self.length.outright_points
            if worth is None or not is_outright:
                worth = max(0, self.length.target - self.game[side])
            self.points[side] += worth
        self.points[0] += self.game[0]
        self.points[1] += self.game[1]
        self.game = [0, 0]

    @property
    def is_over(self) -> bool:
        length = self.length
        return self.counted_hands >= length.hands or self.minutes >= length.minutes or self.has_games_to_win

    @property
    def has_games_to_win(self) -> bool:
        return max(self.games) >= self.length.games_to_win

    @property
    def margin(self) -> int:
        return self.points[0] + self.game[0] - self.points[1] - self.game[1]

    @property
    def winner(self) -> Side | None:
        ahead = self.margin
        if self.has_games_to_win or not self.length.counts_points:
            ahead = self.games[0] - self.games[1] or ahead
        if ahead == 0:
            return None
        return Side.A if ahead > 0 else Side.B


def simulate_outcome(
    length: MatchLength, *, difference: float, hand_minutes: float, chance: Random, needs_winner: bool = False
) -> MatchOutcome:
    """Play a match in which side A is so much better, in standard deviations, at a table so fast.

    If somebody has to win it, hands are added until somebody has.
    """
    lot, moves = chance.random, length.moves
    match = _Match(length, compute_likelihood(difference), [0, 0], [0, 0], [0, 0])
    while not match.is_over or (needs_winner and match.winner is None):
        match.minutes += hand_minutes * (0.5 + lot())
        match.play(moves[int(HANDS * lot())], lot())
    return MatchOutcome(match.winner, match.margin, match.hands, match.minutes)


def draw_normal(chance: Random) -> float:
    """Return a random number of mean 0 and standard deviation 1, nearly normal: twelve random numbers, added
    up."""
    lot = chance.random
    return sum(lot() for _ in range(12)) - 6


def draw_slowness(chance: Random) -> float:
    """Return how slow a side is: 1 is usual, never below ½."""
    return max(0.5, 1 + SLOWNESS * draw_normal(chance))
