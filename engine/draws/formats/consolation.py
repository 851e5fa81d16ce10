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

from engine.draws.brackets.rounds import build_seeded_bracket, draw_bracket, get_bracket_state, list_bracket_slots
from engine.draws.brackets.structure import Bracket, BracketPlan, SlotLoser, Source, schedule_earliest
from engine.draws.settings import check_setting_names, parse_names, parse_whole_number
from engine.draws.values import BracketPlaces, Draw, DrawInput, EntryId, Format, SeparationTiming

from .double_elimination import build_losers_bracket, build_winners_bracket


@lru_cache(maxsize=32)
def build_consolation_bracket(entrants: int, *, feed_in: int = 1) -> Bracket:
    """Return bracket A, slots ``W2-1``, and bracket B of its early losers, slots ``L1-1``.

    The losers of the final do not drop, unless it was their first match.
    """
    plan = BracketPlan()
    rounds = max(0, entrants - 1).bit_length()
    feeding = min(feed_in, max(1, rounds - 1))
    winner, losers = build_winners_bracket(plan, entrants, drops=feeding)
    plan.add_place(winner)
    if rounds <= 1:
        for level in losers:
            plan.add_place(*level)
        return plan.build()
    drops, stays = losers[:feeding], losers[feeding:]
    if feeding == 1:
        drops, stays[0] = _split_first_losers(losers[0], losers[1])
    consolation_winner, beaten = build_losers_bracket(plan, drops)
    for group in (*reversed(stays), [consolation_winner], *reversed(beaten)):
        plan.add_place(*group)
    return plan.build()


def _split_first_losers(
    first_losers: Sequence[Source | None], second_losers: Sequence[Source | None]
) -> tuple[list[list[Source | None]], list[Source | None]]:
    """Return the losers who drop after one loss, and the second-round losers who do not.

    After a bye, the line of the B bracket is for the entry that lost right after it.
    """
    drop: list[Source | None] = []
    stay: list[Source | None] = []
    for match, loser in enumerate(second_losers):
        pair = first_losers[2 * match : 2 * match + 2]
        if None in pair and isinstance(loser, SlotLoser):
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
    def parse(cls, data: Mapping[str, Any]) -> "ConsolationSettings":
        """Read the settings. Refuses: no_such_setting, not_a_number, number_too_small, not_a_list."""
        check_setting_names(data, ("feed_in", "separate"))
        return cls(feed_in=parse_whole_number(data, "feed_in", least=1) or 1, separate=parse_names(data, "separate"))


def draw_consolation(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what the settings refuse; winner_missing."""
    separate = ConsolationSettings.parse(draw_input.settings).separate
    return draw_bracket("consolation", draw_input, *build_consolation(draw_input), separate=separate)


def get_consolation_places(draw_input: DrawInput) -> BracketPlaces:
    """Return the places of bracket A first, then those of bracket B."""
    return get_bracket_state(draw_input, *build_consolation(draw_input)).places


def build_consolation(draw_input: DrawInput) -> tuple[Bracket, tuple[EntryId, ...]]:
    settings = ConsolationSettings.parse(draw_input.settings)
    build_bracket = partial(build_consolation_bracket, feed_in=settings.feed_in)
    return build_seeded_bracket(draw_input, build_bracket, settings.separate)


def _count_rounds(entrants: int, data: Mapping[str, Any]) -> int:
    return schedule_earliest(
        build_consolation_bracket(entrants, feed_in=ConsolationSettings.parse(data).feed_in)
    ).rounds


FORMAT = Format(
    key="consolation",
    draw=draw_consolation,
    next_slots=lambda ahead: list_bracket_slots(ahead, *build_consolation(ahead)),
    check=ConsolationSettings.parse,
    rounds=_count_rounds,
    places=get_consolation_places,
    separation=SeparationTiming.SEEDING,
)
