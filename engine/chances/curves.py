"""The course of a match as chances, hand by hand, and the hand that turned it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.hands import HandCounts
from rules import Line, MatchState, PlayedHand, Side

from .tables import Chance, get_chances, get_position


@dataclass(frozen=True, slots=True, kw_only=True)
class Swing:
    """A hand that was played, with the chances before and after it."""

    line: Line
    before: Chance
    after: Chance

    def get_gain(self, side: Side) -> float:
        """Return by how much it raised the chance of a side."""
        return self.after.get_win_probability(side) - self.before.get_win_probability(side)


def compute_chance(match: MatchState, counts: HandCounts | None = None) -> Chance | None:
    """Return the chances now, as ``get_chances`` does: certain once the match is over, None where they are unknown."""
    if not match.is_over:
        return get_chances(match.ruleset, match.match_format, counts).get_chance(get_position(match))
    if match.winner is None:
        return Chance(0.0, 1.0, 0.0)
    return Chance(float(match.winner is Side.A), 0.0, float(match.winner is Side.B))


def compute_swings(match: MatchState, counts: HandCounts | None = None) -> tuple[Swing, ...]:
    """Return the hands played, with the chances that they changed, as far as these are known.

    A match that the clock has ended counts as one of as many hands, as their number is known by then.
    """
    return tuple(_iterate_swings(match, counts))


def _iterate_swings(match: MatchState, counts: HandCounts | None) -> Iterator[Swing]:
    form = match.match_format
    if match.is_over and form.minutes is not None:
        is_out_of_time = not match.has_games_to_win
        form = replace(form, minutes=None, hands=match.deals if is_out_of_time else form.hands)
    state = MatchState(ruleset=match.ruleset, match_format=form, dealer=match.dealer)
    if match.lines:
        state = replace(state, dealer=match.lines[0].dealer)
    before = compute_chance(state, counts)
    for line in match.lines:
        if line.is_surplus:
            continue
        state = replace(state.add_record(line.number, line.record), lines=())
        after = compute_chance(state, counts)
        if isinstance(line.record, PlayedHand) and not line.record.awarded and before and after:
            yield Swing(line=line, before=before, after=after)
        before = after


def find_lowest_chance(match: MatchState, counts: HandCounts | None = None) -> Swing | None:
    """Return the hand after which the winner's chance was lowest, the first of equal ones. None if nobody won, or no
    chances are known."""
    winner = match.winner
    if winner is None:
        return None
    return min(compute_swings(match, counts), key=lambda swing: swing.after.get_win_probability(winner), default=None)


def find_turning_hand(match: MatchState, counts: HandCounts | None = None) -> Swing | None:
    """Return the turning hand of a match that is won: the one that raised the winner's chance most, the first
    of equal ones. None if no hand that was played raised it."""
    winner = match.winner
    if winner is None:
        return None
    swings = [swing for swing in compute_swings(match, counts) if swing.get_gain(winner) > 0]
    return max(swings, key=lambda swing: swing.get_gain(winner), default=None)
