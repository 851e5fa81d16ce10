"""Round robin: everybody meets everybody, once or twice, by the Berger tables.

The tables are those of the FIDE Handbook, C.05 Annex 1, for any number: the last number stays, the others
turn by half a circle a round. Of two that turn, the lower number is on side A if the numbers differ by an odd
number; the last number is on side A against the upper half. So sides differ by one at most, and not at all
with an odd number of entrants, where the place of the last number is the bye. In the second leg sides change.

A late entry extends the list. The schedule of the longer list differs from the meetings played, so from then
on each round plays as many outstanding meetings as possible; none is repeated.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.draws.rounds import build_draw, sort_by_number
from engine.draws.schedules.round_schedule import Meeting, Schedule, build_plan, get_schedule_slots
from engine.draws.settings import MIXES, check_setting_names, parse_boolean, parse_choice
from engine.draws.values import Draw, DrawInput, EntryId, Format

KEEP, ANNUL = "keep", "annul"
LEAVERS = (KEEP, ANNUL)
"""The treatment of results of an entry that leaves before half of the schedule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRobinSettings:
    """Settings of a round robin. ``legs``: how often everybody meets everybody. ``leavers``: whether the
    ranking annuls the results of entries that left before half of their matches."""

    legs: int = 1
    leavers: str = KEEP

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> "RoundRobinSettings":
        """Read the settings. Refuses: no_such_setting, no_such_choice."""
        check_setting_names(data, ("legs", "leavers", MIXES))
        parse_boolean(data, MIXES)
        return cls(legs=parse_choice(data, "legs", (1, 2)), leavers=parse_choice(data, "leavers", LEAVERS))


def count_berger_rounds(count: int) -> int:
    """Return how many rounds it takes until everybody has met everybody."""
    return count - 1 + count % 2 if count > 1 else 0


def build_berger_table(count: int) -> tuple[tuple[tuple[int, int | None], ...], ...]:
    """Return by round the pairs of the numbers 1 to count, side A first; None is the bye."""
    rounds = count_berger_rounds(count)
    return tuple(tuple(_build_berger_round(count, place)) for place in range(rounds))


def _build_berger_round(count: int, place: int) -> Iterator[tuple[int, int | None]]:
    turning = count_berger_rounds(count)
    last = turning + 1
    middle = place * (last // 2) % turning
    if last > count:
        yield middle + 1, None
    else:
        yield (middle + 1, last) if 2 * (middle + 1) <= last else (last, middle + 1)
    for step in range(1, last // 2):
        yield (middle + step) % turning + 1, (middle - step) % turning + 1


def build_round_robin(entries: Sequence[EntryId], *, legs: int, slot: str = "") -> Schedule:
    """Return the schedule of these entries, in the order of their numbers."""
    table = build_berger_table(len(entries))
    first = tuple(tuple((entries[a - 1], None if b is None else entries[b - 1]) for a, b in pairs) for pairs in table)
    second = tuple(tuple(map(_reverse_meeting, meetings)) for meetings in first)
    return Schedule(rounds=first + second if legs == 2 else first, shortens=True, slot=slot)


def draw_round_robin(draw_input: DrawInput) -> Draw:
    """Draw the next round; after the last, the meetings that were missed. Refuses: what the settings
    refuse."""
    return build_draw("round_robin", draw_input, build_plan(_build_schedule(draw_input), draw_input))


def _build_schedule(draw_input: DrawInput) -> Schedule:
    entries = [entrant.id for entrant in sort_by_number(draw_input.entrants)]
    return build_round_robin(entries, legs=RoundRobinSettings.parse(draw_input.settings).legs)


def count_round_robin_rounds(count: int, settings: Mapping[str, Any]) -> int:
    """Return the number of rounds. Refuses: what the settings refuse."""
    return count_berger_rounds(count) * RoundRobinSettings.parse(settings).legs


def _reverse_meeting(meeting: Meeting) -> Meeting:
    one, other = meeting
    return (one, None) if other is None else (other, one)


FORMAT = Format(
    key="round_robin",
    draw=draw_round_robin,
    next_slots=lambda ahead: get_schedule_slots([_build_schedule(ahead)], ahead),
    check=RoundRobinSettings.parse,
    rounds=count_round_robin_rounds,
    separates_sections=True,
    catches_up=True,
)
