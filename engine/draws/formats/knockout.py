"""Knockout: one loss and you are out. The standard order of seeds, byes for the top ones.

``places`` says what is played out: the winner alone, third place too, or every place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from engine.draws.brackets.rounds import draw_bracket, seeded_bracket, settled_before, slots_of_bracket
from engine.draws.brackets.structure import Bracket, BracketPlan, Source, seed_lines, soonest
from engine.draws.settings import check_setting_names, choice, names
from engine.draws.values import BracketPlaces, Draw, DrawInput, EntryId, Format, KeepsApart

PLACES = ("winner", "third", "all")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockoutSettings:
    """Settings of a knockout. ``separate``: kinds of bonds whose members meet as late as possible, as do
    entries that the director keeps apart."""

    places: str = "winner"
    separate: tuple[str, ...] = ()

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> "KnockoutSettings":
        """Read the settings. Refuses: no_such_setting, no_such_choice, not_a_list."""
        check_setting_names(plain, ("places", "separate"))
        return cls(places=choice(plain, "places", PLACES), separate=names(plain, "separate"))


@lru_cache(maxsize=32)
def knockout_bracket(entrants: int, *, places: str = "winner") -> Bracket:
    """Return the bracket for so many entrants: slots ``W1-2`` (round 1, match 2), ``P3.3-1`` (for third
    place)."""
    plan = BracketPlan()
    _play(plan, "W", seed_lines(entrants), level=1, best=1, places=places)
    return plan.bracket()


def _play(
    plan: BracketPlan, name: str, sides: Sequence[Source | None], *, level: int, best: int, places: str
) -> None:
    """Plan all matches among these sides for the places from ``best`` on."""
    if len(sides) <= 1:
        plan.place(*sides)
        return
    ways = plan.level(f"{name}{level}", level, sides)
    winners, losers = [way.winner for way in ways], [way.loser for way in ways]
    _play(plan, name, winners, level=level + 1, best=best, places=places)
    third = best + len(winners)
    if places == "all" or (places == "third" and third == 3):
        _play(plan, f"P{third}.", losers, level=level + 1, best=third, places=places)
    else:
        plan.place(*losers)


def draw_knockout(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what the settings refuse; winner_missing."""
    settings = KnockoutSettings.of(draw_input.settings)
    return draw_bracket(
        "knockout", draw_input, *knockout_of(draw_input, settings), separate=settings.separate
    )


def knockout_places(draw_input: DrawInput) -> BracketPlaces:
    """Return the places; those that are not played out are shared."""
    settings = KnockoutSettings.of(draw_input.settings)
    return settled_before(draw_input, *knockout_of(draw_input, settings)).places


def knockout_of(draw_input: DrawInput, settings: KnockoutSettings) -> tuple[Bracket, tuple[EntryId, ...]]:
    bracket_of = partial(knockout_bracket, places=settings.places)
    return seeded_bracket(draw_input, bracket_of, settings.separate)


def _rounds(entrants: int, plain: Mapping[str, Any]) -> int:
    return soonest(knockout_bracket(entrants, places=KnockoutSettings.of(plain).places)).rounds


def _slots_ahead(draw_input: DrawInput) -> frozenset[str] | None:
    return slots_of_bracket(draw_input, *knockout_of(draw_input, KnockoutSettings.of(draw_input.settings)))


FORMAT = Format(
    key="knockout",
    draw=draw_knockout,
    slots_ahead=_slots_ahead,
    check=KnockoutSettings.of,
    rounds=_rounds,
    places=knockout_places,
    keeps_apart=KeepsApart.SEEDING,
)
