"""The chances of both sides from any position of a match, computed once for each ruleset and format.

A table looks at the match from the side that deals: after a hand the deal passes to the other side, and the
same table answers for it. Totals of a game only grow, so each value follows from those above it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import NamedTuple

from engine.hands import HAND_COUNTS, HANDS, HandCounts, count_moves
from rules import AllPassRule, MatchCriterion, MatchFormat, MatchState, Ruleset, Side, TieRule, get_side

MAX_CASES = 10_000
"""The most cases for the last hands of a match by hands in which both games and points count."""

_OUTRIGHT = -1


class Chance(NamedTuple):
    """The probabilities that side A wins, that nobody does, and that side B wins; they add up to 1."""

    a: float
    draw: float
    b: float

    def get_win_probability(self, side: Side) -> float:
        return self.a if side is Side.A else self.b

    @property
    def percentages(self) -> tuple[int, int, int]:
        """The three in whole percent, which add up to 100. What can still happen is at least 1."""
        least_a, least_drawn, least_b = (int(each > 0) for each in self)
        drawn = min(max(least_drawn, round(100 * self.draw)), 100 - least_a - least_b)
        a = min(max(least_a, round(100 * self.a)), 100 - drawn - least_b)
        return a, drawn, 100 - a - drawn


class Position(NamedTuple):
    """The state of a match before a hand: points of the game, games won, the lead of A in points of the whole
    match, the dealing side, and the deals so far."""

    points: tuple[int, int]
    games: tuple[int, int]
    lead: int
    dealing_side: Side
    deals: int


def get_position(match: MatchState) -> Position:
    """Return the position before the next hand of the match."""
    a, b = match.points
    return Position(match.game.points, match.games_won, a - b, get_side(match.dealer), match.deals)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chances:
    """The chances in matches of one ruleset and format, between sides of equal strength.

    Create one with ``get_chances``.
    """

    ruleset: Ruleset
    match_format: MatchFormat
    counts: HandCounts

    def get_chance(self, position: Position) -> Chance | None:
        """Return the chances before a hand of a match that goes on. None where nobody can tell: in a match by
        the clock, and while too many hands are left."""
        own_side, other = position.dealing_side, position.dealing_side.other
        points = position.points[own_side], position.points[other]
        games = position.games[own_side], position.games[other]
        if self.match_format.minutes is not None:
            return None
        if self.match_format.hands is None:
            won = _compute_match_value(self, points, games)
            drawn = 0.0
        else:
            hands_left = self.match_format.hands - position.deals
            lead = position.lead if own_side is Side.A else -position.lead
            hand_table = _get_hand_limit_table(self)
            if hands_left > hand_table.most_hands:
                return None
            won, drawn = hand_table.get_value(points, games, lead, hands_left)
        lost = max(0.0, 1.0 - won - drawn)
        chance = Chance(won, drawn, lost) if own_side is Side.A else Chance(lost, drawn, won)
        return chance if self.match_format.tie is None else self._share_draw(chance)

    def _share_draw(self, chance: Chance) -> Chance:
        """Give the chance of a draw to the higher seed, or half of it to each side."""
        form = self.match_format
        share_a = float(form.favored is Side.A) if form.tie is TieRule.HIGHER_SEED else 0.5
        return Chance(chance.a + chance.draw * share_a, 0.0, chance.b + chance.draw * (1 - share_a))


@lru_cache(maxsize=64)
def get_chances(ruleset: Ruleset, match_format: MatchFormat, counts: HandCounts | None = None) -> Chances:
    """Return the chances in matches of this ruleset and format; ``counts`` are the club's own hands, else
    those of the planner."""
    return Chances(ruleset=ruleset, match_format=match_format, counts=counts or HAND_COUNTS[ruleset.key])


class _Hand(NamedTuple):
    """A result of a hand, for the dealing side or the other one: its probability, and points or the game."""

    probability: float
    is_dealers: bool
    points: int


class _Hands(NamedTuple):
    """The results of a hand that pass the deal; ``idle`` is the probability of those that move no points."""

    hands: tuple[_Hand, ...]
    idle: float


@lru_cache(maxsize=64)
def _compute_hands(chances: Chances) -> _Hands:
    ruleset, counts = chances.ruleset, chances.counts
    moves = count_moves(ruleset, counts)
    if not any(moves.points) and not moves.outright:
        moves = count_moves(ruleset, _build_uniform_counts(ruleset))
    idle = moves.points.get(0, 0)
    if ruleset.all_pass is AllPassRule.NEXT_DEALER:
        idle += moves.passed
    outcomes = [*moves.points.items(), (_OUTRIGHT, moves.outright)]
    total = idle + sum(hands for points, hands in outcomes if points)
    share = counts.dealers / HANDS
    return _Hands(
        hands=tuple(
            _Hand(probability * hands / total, is_dealers, points)
            for points, hands in outcomes
            if points and hands
            for is_dealers, probability in ((True, share), (False, 1 - share))
        ),
        idle=idle / total,
    )


def _build_uniform_counts(ruleset: Ruleset) -> HandCounts:
    """Return every result once, for an order of bids of which no hands are known."""
    return HandCounts(results=tuple((key, 1, 1) for key in ruleset.played_keys), passed=0)


# Matches to a number of games


class _GameEnds(NamedTuple):
    """The probabilities of how a game ends: won by the side that deals now or by the other, and which of the
    two deals next."""

    win_own_deal: float
    win_other_deal: float
    loss_own_deal: float
    loss_other_deal: float

    @property
    def reversed_ends(self) -> "_GameEnds":
        return _GameEnds(*reversed(self))


@lru_cache(maxsize=64)
def _compute_game_ends(ruleset: Ruleset, hands: _Hands) -> Sequence[Sequence[_GameEnds]]:
    """Return how a game ends, by the totals of the dealing side and the other, below the target.

    A hand without points swaps two states, so their values follow from each other.
    """
    target, idle = ruleset.target, hands.idle
    found = [[_GameEnds(0, 0, 0, 0)] * target for _ in range(target)]
    for total in reversed(range(2 * target - 1)):
        for own_points in range(max(0, total - target + 1), total // 2 + 1):
            other_points = total - own_points
            own_ends = _compute_hand_ends(found, hands, target, own_points, other_points)
            other_ends = _compute_hand_ends(found, hands, target, other_points, own_points)
            found[own_points][other_points] = _add_idle_hands(own_ends, other_ends, idle)
            found[other_points][own_points] = _add_idle_hands(other_ends, own_ends, idle)
    return found


def _add_idle_hands(own_ends: _GameEnds, other_ends: _GameEnds, idle: float) -> _GameEnds:
    """Return how a game ends from here, if hands that only move the deal lead there and back."""
    values = zip(own_ends, other_ends.reversed_ends, strict=True)
    return _GameEnds(*((one + idle * other) / (1 - idle * idle) for one, other in values))


def _compute_hand_ends(
    ends: Sequence[Sequence[_GameEnds]], hands: _Hands, target: int, own_points: int, other_points: int
) -> _GameEnds:
    sums = [0.0] * 4
    for hand in hands.hands:
        points = target if hand.points == _OUTRIGHT else hand.points
        x, y = (own_points + points, other_points) if hand.is_dealers else (own_points, other_points + points)
        if x >= target:
            sums[1] += hand.probability
        elif y >= target:
            sums[3] += hand.probability
        else:
            for place, each in enumerate(reversed(ends[y][x])):
                sums[place] += hand.probability * each
    return _GameEnds(*sums)


def _compute_match_value(chances: Chances, points: tuple[int, int], games: tuple[int, int]) -> float:
    """Return the probability that the dealing side wins the match."""
    ends = _compute_game_ends(chances.ruleset, _compute_hands(chances))[points[0]][points[1]]
    return (
        ends.win_own_deal * _compute_games_value(chances, games[0] + 1, games[1])
        + ends.win_other_deal * (1 - _compute_games_value(chances, games[1], games[0] + 1))
        + ends.loss_own_deal * _compute_games_value(chances, games[0], games[1] + 1)
        + ends.loss_other_deal * (1 - _compute_games_value(chances, games[1] + 1, games[0]))
    )


@lru_cache(maxsize=4096)
def _compute_games_value(chances: Chances, own_games: int, other_games: int) -> float:
    """Return the probability that the dealing side wins, at the start of a game or the end of the match."""
    games_to_win = chances.match_format.games_to_win or 0
    if max(own_games, other_games) >= games_to_win:
        return float(own_games >= games_to_win)
    return _compute_match_value(chances, (0, 0), (own_games, other_games))


# Matches of a number of hands


class _HandLimitTable:
    """The values of a match that ends with its last hand, as far as they were asked for."""

    def __init__(self, chances: Chances) -> None:
        self._hands, form = _compute_hands(chances), chances.match_format
        self._target, self._games_to_win = chances.ruleset.target, form.games_to_win
        self._by_points, self._worth = form.decided_by is MatchCriterion.POINTS, form.charlemagne_points
        ends_outright = any(hand.points == _OUTRIGHT for hand in self._hands.hands)
        self._counts_games = not self._by_points or form.games_to_win is not None
        self._counts_totals = self._counts_games or (ends_outright and self._worth is None)
        is_small = form.games_to_win == 1 or not self._counts_totals
        results = len(self._hands.hands) + (self._hands.idle > 0)
        self.most_hands = 10**9 if is_small else _count_max_hands(results)
        self._known: dict[tuple[int, ...], tuple[float, float]] = {}

    def get_value(
        self, points: tuple[int, int], games: tuple[int, int], lead: int, hands_left: int
    ) -> tuple[float, float]:
        """Return the probabilities that the dealing side wins, and that nobody does."""
        if self._games_to_win is not None and max(games) >= self._games_to_win:
            return float(games[0] > games[1]), 0.0
        if hands_left <= 0:
            ahead = lead if self._by_points else (games[0] - games[1] or lead)
            return float(ahead > 0), float(ahead == 0)
        if not self._counts_totals:
            points = 0, 0
        if not self._counts_games:
            games = 0, 0
        elif self._games_to_win is None:
            games = games[0] - games[1], 0
        state = (*points, *games, lead, hands_left)
        if state not in self._known:
            self._known[state] = self._compute_value(points, games, lead, hands_left)
        return self._known[state]

    def _compute_value(
        self, points: tuple[int, int], games: tuple[int, int], lead: int, hands_left: int
    ) -> tuple[float, float]:
        won = drawn = 0.0
        results = [(hand.probability, *self._apply_hand(hand, points, games, lead)) for hand in self._hands.hands]
        results.append((self._hands.idle, points, games, lead))
        for probability, (own_points, other), (ours, theirs), ahead in results:
            if probability:
                opponent_win, draw_chance = self.get_value((other, own_points), (theirs, ours), -ahead, hands_left - 1)
                won += probability * (1 - opponent_win - draw_chance)
                drawn += probability * draw_chance
        return won, drawn

    def _apply_hand(
        self, hand: _Hand, points: tuple[int, int], games: tuple[int, int], lead: int
    ) -> tuple[tuple[int, int], tuple[int, int], int]:
        """Return points, games and lead after a hand, from the side that dealt it."""
        place, sign = (0, 1) if hand.is_dealers else (1, -1)
        is_outright = hand.points == _OUTRIGHT
        gained = 0 if is_outright else hand.points
        total = points[place] + gained
        if not is_outright and total < self._target:
            new_points = (total, points[1]) if place == 0 else (points[0], total)
            return new_points, games, lead + sign * gained
        if self._by_points and is_outright:
            gained = max(0, self._target - total) if self._worth is None else self._worth
        won = (games[0] + 1, games[1]) if place == 0 else (games[0], games[1] + 1)
        return (0, 0), won, lead + sign * gained


def _count_max_hands(results: int) -> int:
    """Return the largest number of hands with at most ``MAX_CASES`` cases, for so many ``results`` of a hand."""
    count = 1
    while comb(results + count, count + 1) <= MAX_CASES:
        count += 1
    return count


@lru_cache(maxsize=64)
def _get_hand_limit_table(chances: Chances) -> _HandLimitTable:
    return _HandLimitTable(chances)
