"""Knockout: one loss and you are out. The standard order of seeds, byes for the top ones.

``places`` says what is played out: the winner alone, third place too, or every place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from engine.draws.brackets.rounds import build_seeded_bracket, draw_bracket, get_bracket_state, list_bracket_slots
from engine.draws.brackets.structure import Bracket, BracketPlan, Source, list_seed_lines, schedule_earliest
from engine.draws.settings import check_setting_names, parse_choice, parse_names
from engine.draws.values import BracketPlaces, Draw, DrawInput, EntryId, Format, SeparationTiming

PLACES = ("winner", "third", "all")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockoutSettings:
    """Settings of a knockout. ``separate``: kinds of bonds whose members meet as late as possible, as do
    entries that the director keeps apart."""

    places: str = "winner"
    separate: tuple[str, ...] = ()

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> "KnockoutSettings":
        """Read the settings. Refuses: no_such_setting, no_such_choice, not_a_list."""
        check_setting_names(data, ("places", "separate"))
        return cls(places=parse_choice(data, "places", PLACES), separate=parse_names(data, "separate"))


@lru_cache(maxsize=32)
def build_knockout_bracket(entrants: int, *, places: str = "winner") -> Bracket:
    """Return the bracket for so many entrants: slots ``W1-2`` (round 1, match 2), ``P3.3-1`` (for third
    place)."""
    plan = BracketPlan()
    _plan_matches(plan, "W", list_seed_lines(entrants), level=1, best=1, places=places)
    return plan.build()


def _plan_matches(
    plan: BracketPlan, name: str, sides: Sequence[Source | None], *, level: int, best: int, places: str
) -> None:
    """Plan all matches among these sides for the places from ``best`` on."""
    if len(sides) <= 1:
        plan.add_place(*sides)
        return
    ways = plan.add_level(f"{name}{level}", level, sides)
    winners, losers = [way.winner for way in ways], [way.loser for way in ways]
    _plan_matches(plan, name, winners, level=level + 1, best=best, places=places)
    third = best + len(winners)
    if places == "all" or (places == "third" and third == 3):
        _plan_matches(plan, f"P{third}.", losers, level=level + 1, best=third, places=places)
    else:
        plan.add_place(*losers)


def draw_knockout(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what the settings refuse; winner_missing."""
    settings = KnockoutSettings.parse(draw_input.settings)
    return draw_bracket("knockout", draw_input, *build_knockout(draw_input, settings), separate=settings.separate)


def get_knockout_places(draw_input: DrawInput) -> BracketPlaces:
    """Return the places; those that are not played out are shared."""
    settings = KnockoutSettings.parse(draw_input.settings)
    return get_bracket_state(draw_input, *build_knockout(draw_input, settings)).places


def build_knockout(draw_input: DrawInput, settings: KnockoutSettings) -> tuple[Bracket, tuple[EntryId, ...]]:
    build_bracket = partial(build_knockout_bracket, places=settings.places)
    return build_seeded_bracket(draw_input, build_bracket, settings.separate)


def _count_rounds(entrants: int, data: Mapping[str, Any]) -> int:
    return schedule_earliest(build_knockout_bracket(entrants, places=KnockoutSettings.parse(data).places)).rounds


def _list_next_slots(draw_input: DrawInput) -> frozenset[str] | None:
    return list_bracket_slots(draw_input, *build_knockout(draw_input, KnockoutSettings.parse(draw_input.settings)))


FORMAT = Format(
    key="knockout",
    draw=draw_knockout,
    next_slots=_list_next_slots,
    check=KnockoutSettings.parse,
    rounds=_count_rounds,
    places=get_knockout_places,
    separation=SeparationTiming.SEEDING,
)
