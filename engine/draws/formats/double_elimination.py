"""Double elimination: two losses and you are out.

Losers in the winners' bracket drop into the losers' bracket, as far as possible from earlier opponents.
A position in a round is a binary number, leading digit first: the half, the quarter of it, and so on. The
losers of round r invert those digits that are ones in r - 1 written backwards. So the losers of two rounds
in a row drop into different halves; of rounds two apart, into the same half but different quarters; of rounds
four apart, into different eighths. No other choice of digits puts the first possible rematch later.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from engine.draws.brackets.rounds import build_seeded_bracket, draw_bracket, get_bracket_state, list_bracket_slots
from engine.draws.brackets.structure import Bracket, BracketPlan, Source, list_seed_lines, schedule_earliest
from engine.draws.settings import check_setting_names, parse_boolean, parse_names
from engine.draws.values import BracketPlaces, Draw, DrawInput, EntryId, Format, SeparationTiming


def drop_order(matches: int, winners_round: int) -> list[int]:
    """Return for each place where losers of this round drop in the match (from 0) whose loser comes there.

    >>> drop_order(8, 2), drop_order(4, 3)
    ([4, 5, 6, 7, 0, 1, 2, 3], [1, 0, 3, 2])
    """
    digits = matches.bit_length() - 1
    changed = sum((winners_round - 1 >> digit & 1) << digits - 1 - digit for digit in range(digits))
    return [place ^ changed for place in range(matches)]


def build_losers_bracket(
    plan: BracketPlan, drops: Sequence[Sequence[Source | None]]
) -> tuple[Source | None, list[list[Source | None]]]:
    """Build the losers' bracket: the first losers play each other, then each next group plays those who are
    left.

    Returns the winner of it, and the losers of each level, first level first.
    """
    sides, losers, number = list(drops[0]), [], 1
    waiting = [list(drop) for drop in drops[1:]]
    while len(sides) > 1 or waiting:
        if number % 2 == 0 and waiting:
            drop = waiting.pop(0)
            order = drop_order(len(drop), number // 2 + 1)
            sides = [side for place, match in enumerate(order) for side in (drop[match], sides[place])]
        if len(sides) > 1:
            ways = plan.add_level(f"L{number}", number + 1, sides)
            sides = [way.winner for way in ways]
            losers.append([way.loser for way in ways])
        number += 1
    return sides[0], losers


def build_winners_bracket(
    plan: BracketPlan, entrants: int, *, drops: int | None = None
) -> tuple[Source | None, list[list[Source | None]]]:
    """Build the knockout whose losers drop, in its first ``drops`` rounds or in all.

    Returns the winner of it, and the losers of each round, first round first.
    """
    sides = list_seed_lines(entrants)
    losers: list[list[Source | None]] = []
    dropping = drops if drops is not None else (len(sides) - 1).bit_length()
    while len(sides) > 1:
        number = len(losers) + 1
        ways = plan.add_level(f"W{number}", compute_winners_level(number, dropping), sides)
        sides = [way.winner for way in ways]
        losers.append([way.loser for way in ways])
    return sides[0], losers


def compute_winners_level(number: int, drops: int) -> int:
    """Return when a round of the winners' bracket is played: just in time for its losers to drop.

    From the second drop on, each takes the losers' bracket two rounds.

    >>> [compute_winners_level(number, 3) for number in (1, 2, 3, 4, 5)]
    [1, 2, 4, 5, 6]
    """
    dropping = min(number, drops)
    return max(1, 2 * dropping - 2) + number - dropping


@lru_cache(maxsize=32)
def build_elimination_bracket(entrants: int, *, second_final: bool = True) -> Bracket:
    """Return the bracket for so many entrants: slots ``W2-1``, ``L3-2``, the final ``F1``, the second final
    ``F2``."""
    plan = BracketPlan()
    unbeaten, drops = build_winners_bracket(plan, entrants)
    if not drops:
        plan.add_place(unbeaten)
        return plan.build()
    beaten, losers = build_losers_bracket(plan, drops)
    final = plan.add_match("F1", 2 * len(drops), unbeaten, beaten)
    if second_final:
        final = plan.add_rematch("F2", "F1")
    for group in ([final.winner], [final.loser], *reversed(losers)):
        plan.add_place(*group)
    return plan.build()


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubleEliminationSettings:
    """Settings of a double elimination. ``second_final``: whether the unbeaten finalist, if beaten, gets
    another one. ``separate``: kinds of bonds whose members meet as late as possible, as do entries that the
    director keeps apart."""

    second_final: bool = True
    separate: tuple[str, ...] = ()

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> "DoubleEliminationSettings":
        """Read the settings. Refuses: no_such_setting, no_such_choice, not_a_list."""
        check_setting_names(data, ("second_final", "separate"))
        return cls(second_final=parse_boolean(data, "second_final", usual=True), separate=parse_names(data, "separate"))


def draw_double_elimination(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what the settings refuse; winner_missing."""
    separate = DoubleEliminationSettings.parse(draw_input.settings).separate
    return draw_bracket("double_elimination", draw_input, *build_double_elimination(draw_input), separate=separate)


def get_double_elimination_places(draw_input: DrawInput) -> BracketPlaces:
    """Return the places; losers of the same round of the losers’ bracket tie."""
    return get_bracket_state(draw_input, *build_double_elimination(draw_input)).places


def build_double_elimination(draw_input: DrawInput) -> tuple[Bracket, tuple[EntryId, ...]]:
    settings = DoubleEliminationSettings.parse(draw_input.settings)
    build_bracket = partial(build_elimination_bracket, second_final=settings.second_final)
    return build_seeded_bracket(draw_input, build_bracket, settings.separate)


def _count_rounds(entrants: int, data: Mapping[str, Any]) -> int:
    second_final = DoubleEliminationSettings.parse(data).second_final
    return schedule_earliest(build_elimination_bracket(entrants, second_final=second_final)).rounds


FORMAT = Format(
    key="double_elimination",
    draw=draw_double_elimination,
    next_slots=lambda ahead: list_bracket_slots(ahead, *build_double_elimination(ahead)),
    check=DoubleEliminationSettings.parse,
    rounds=_count_rounds,
    places=get_double_elimination_places,
    separation=SeparationTiming.SEEDING,
)
