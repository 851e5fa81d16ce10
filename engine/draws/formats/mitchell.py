"""A fixed movement, as J. T. Mitchell's: half of the entries keep their tables, the others move up one table
after each round.

Cards are not carried between tables, so nobody needs to skip a table when the number of tables is even: after
as many rounds as there are tables everybody of one half has met everybody of the other, and nobody twice.
With an odd number of entries one table is for sitting out; the next late entry takes its free place.

Two entries who both miss their opponent play each other if they belong to the same half: by the movement they
never meet. When late entries add a table, the movement is over; from then on each round plays as many new
meetings as possible.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from engine.draws.rounds import Plan, build_draw, sort_by_number
from engine.draws.schedules.round_schedule import Meeting, Schedule, build_plan, get_schedule_slots
from engine.draws.settings import check_setting_names, parse_choice, parse_whole_number
from engine.draws.values import Draw, DrawInput, Entrant, Format

STAYS = ("even_numbers", "odd_numbers", "first_half")


@dataclass(frozen=True, slots=True, kw_only=True)
class MitchellSettings:
    """Settings of a Mitchell movement. ``stays``: even_numbers, odd_numbers or first_half of the starting
    list. ``rounds``: fewer than there are tables."""

    stays: str = "even_numbers"
    rounds: int | None = None

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> "MitchellSettings":
        """Read the settings. Refuses: no_such_setting, no_such_choice, not_a_number, number_too_small."""
        check_setting_names(data, ("stays", "rounds"))
        return cls(
            stays=parse_choice(data, "stays", STAYS),
            rounds=parse_whole_number(data, "rounds", least=1),
        )


def split_entrants(
    entrants: Sequence[Entrant], settings: MitchellSettings
) -> tuple[list[Entrant | None], list[Entrant | None]]:
    """Return the entries that stay, by table from 1, and those that move, by their first table; None: nobody.

    Of two entries that begin at one table, the one who cannot change tables stays.
    """
    tables = -(-len(entrants) // 2)
    seats: list[Entrant | None] = [*entrants, *[None] * (2 * tables - len(entrants))]
    if settings.stays == "first_half":
        first, second = seats[: len(entrants) // 2], seats[len(entrants) // 2 : len(entrants)]
        first += [None] * (tables - len(first))
    elif settings.stays == "odd_numbers":
        first, second = seats[::2], seats[1::2]
    else:
        first, second = seats[1::2], seats[::2]
    for table, (one, other) in enumerate(zip(first, second, strict=True)):
        if other is not None and other.table is not None and (one is None or one.table is None):
            first[table], second[table] = other, one
    return first, second


def build_movement(stationary: Sequence[Entrant | None], moving: Sequence[Entrant | None], rounds: int) -> Schedule:
    """Return the schedule of the movement: by round, the meeting at each table."""
    tables = len(stationary)
    return Schedule(
        rounds=tuple(
            tuple(_build_meeting(one, moving[(table - place) % tables]) for table, one in enumerate(stationary))
            for place in range(rounds)
        ),
        strangers_meet=True,
    )


def _build_meeting(one: Entrant | None, other: Entrant | None) -> Meeting:
    """Return the meeting of these two. At most one place of all is free, so each table has somebody."""
    first, *second = (entrant.id for entrant in (one, other) if entrant is not None)
    return first, second[0] if second else None


def draw_mitchell(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what the settings refuse."""
    stationary, _ = _split_halves(draw_input)
    plan = build_plan(_build_schedule(draw_input), draw_input)
    return build_draw("mitchell", _assign_tables(draw_input, stationary, plan), plan)


def _build_schedule(draw_input: DrawInput) -> Schedule:
    rounds = count_mitchell_rounds(len(draw_input.entrants), draw_input.settings)
    return build_movement(*_split_halves(draw_input), rounds)


def _split_halves(draw_input: DrawInput) -> tuple[list[Entrant | None], list[Entrant | None]]:
    return split_entrants(sort_by_number(draw_input.entrants), MitchellSettings.parse(draw_input.settings))


def count_mitchell_rounds(entrants: int, settings: Mapping[str, Any]) -> int:
    """Return the number of rounds: as many as there are tables, including the one for sitting out. Refuses:
    what the settings refuse."""
    tables = 0 if entrants < 2 else entrants - entrants // 2
    return min(tables, MitchellSettings.parse(settings).rounds or tables)


def _assign_tables(draw_input: DrawInput, stationary: Sequence[Entrant | None], plan: Plan) -> DrawInput:
    """Return the field with a table for each entry that stays, unless its opponent must sit at another."""
    fixed = {entrant.id: entrant.table for entrant in draw_input.entrants if entrant.table is not None}
    free = (number for number in count(1) if number not in fixed.values())
    tables = {one.id: next(free) for one in stationary if one is not None and one.id not in fixed}
    for planned in plan[0]:
        pair = (*planned.a, *planned.b)
        if any(entry in fixed for entry in pair):
            tables = {entry: number for entry, number in tables.items() if entry not in pair}
    tables |= fixed
    return replace(draw_input, entrants=tuple(replace(e, table=tables.get(e.id)) for e in draw_input.entrants))


FORMAT = Format(
    key="mitchell",
    draw=draw_mitchell,
    next_slots=lambda ahead: get_schedule_slots([_build_schedule(ahead)], ahead),
    check=MitchellSettings.parse,
    rounds=count_mitchell_rounds,
)
