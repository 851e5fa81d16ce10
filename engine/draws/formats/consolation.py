"""Consolation, or groups A and B: early losers continue in a second bracket, and can still win that one.

The losers of first matches drop into the B bracket, from the first round or, after a bye, from the second:
everybody plays twice at least, unless a bye in the B bracket stands in. With ``feed_in`` 2 or more, the
losers of all matches in that many rounds drop too. A walkover is a match: an entry that advances by one and
loses next is out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from engine.draws.brackets.rounds import draw_bracket, seeded_bracket, settled_before, slots_of_bracket
from engine.draws.brackets.structure import Bracket, BracketPlan, LoserOf, Source, soonest
from engine.draws.settings import check_setting_names, names, whole_number
from engine.draws.values import BracketPlaces, Draw, DrawInput, EntryId, Format, KeepsApart

from .double_elimination import losers_bracket, winners_bracket


@lru_cache(maxsize=32)
def consolation_bracket(entrants: int, *, feed_in: int = 1) -> Bracket:
    """Return bracket A, slots ``W2-1``, and bracket B of its early losers, slots ``L1-1``.

    The losers of the final do not drop, unless it was their first match.
    """
    plan = BracketPlan()
    rounds = max(0, entrants - 1).bit_length()
    feeding = min(feed_in, max(1, rounds - 1))
    winner, losers = winners_bracket(plan, entrants, drops=feeding)
    plan.place(winner)
    if rounds <= 1:
        for level in losers:
            plan.place(*level)
        return plan.bracket()
    drops, stays = losers[:feeding], losers[feeding:]
    if feeding == 1:
        drops, stays[0] = _first_losses(losers[0], losers[1])
    consoled, beaten = losers_bracket(plan, drops)
    for group in (*reversed(stays), [consoled], *reversed(beaten)):
        plan.place(*group)
    return plan.bracket()


def _first_losses(
    first: Sequence[Source | None], second: Sequence[Source | None]
) -> tuple[list[list[Source | None]], list[Source | None]]:
    """Return the losers who drop after one loss, and the second-round losers who do not.

    After a bye, the line of the B bracket is for the entry that lost right after it.
    """
    drop: list[Source | None] = []
    stay: list[Source | None] = []
    for match, loser in enumerate(second):
        pair = first[2 * match : 2 * match + 2]
        if None in pair and isinstance(loser, LoserOf):
            drop += [
                next((source for source in pair if source is not None), None),
                replace(loser, first=True),
            ]
            stay.append(replace(loser, first=False))
        else:
            drop += pair
            stay.append(loser)
    return [drop], stay


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolationSettings:
    """Settings of a consolation. ``feed_in``: in how many rounds the losers drop to bracket B. ``separate``:
    kinds of bonds whose members meet as late as possible, as do entries that the director keeps apart."""

    feed_in: int = 1
    separate: tuple[str, ...] = ()

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> "ConsolationSettings":
        """Read the settings. Refuses: no_such_setting, not_a_number, number_too_small, not_a_list."""
        check_setting_names(plain, ("feed_in", "separate"))
        return cls(feed_in=whole_number(plain, "feed_in", least=1) or 1, separate=names(plain, "separate"))


def draw_consolation(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what the settings refuse; winner_missing."""
    separate = ConsolationSettings.of(draw_input.settings).separate
    return draw_bracket("consolation", draw_input, *consolation_of(draw_input), separate=separate)


def consolation_places(draw_input: DrawInput) -> BracketPlaces:
    """Return the places of bracket A first, then those of bracket B."""
    return settled_before(draw_input, *consolation_of(draw_input)).places


def consolation_of(draw_input: DrawInput) -> tuple[Bracket, tuple[EntryId, ...]]:
    settings = ConsolationSettings.of(draw_input.settings)
    bracket_of = partial(consolation_bracket, feed_in=settings.feed_in)
    return seeded_bracket(draw_input, bracket_of, settings.separate)


def _rounds(entrants: int, plain: Mapping[str, Any]) -> int:
    return soonest(consolation_bracket(entrants, feed_in=ConsolationSettings.of(plain).feed_in)).rounds


FORMAT = Format(
    key="consolation",
    draw=draw_consolation,
    slots_ahead=lambda ahead: slots_of_bracket(ahead, *consolation_of(ahead)),
    check=ConsolationSettings.of,
    rounds=_rounds,
    places=consolation_places,
    keeps_apart=KeepsApart.SEEDING,
)
