"""A round of a prepared schedule: the meetings that can be played, and new ones for idle entries.

A schedule holds as long as all tables played are in it. After a table made by the director, or when a late
entry has changed the list, it is only a list of meetings due: then each round plays as many of them as
possible, which also makes up for meetings missed, in rounds after the last. A meeting is not repeated:
entries with nothing left to play are left out.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from random import Random
from typing import Any

from engine.draws.history import History
from engine.draws.pairing_cost.blossom import find_min_cost_matching
from engine.draws.rounds import Plan, UnnumberedTable, build_requested_byes, list_drawable_entrants, sort_by_number
from engine.draws.seating import Seats, choose_sides
from engine.draws.values import DrawInput, DrawnBye, Entrant, EntryId, Reason, ReasonCode
from rules import Side

from .fewest_rounds import Pair, schedule_fewest_rounds

Meeting = tuple[EntryId, EntryId | None]
"""Side A and side B; None: a bye."""

SHORTENING_VERSION = 7
"""The version of draws from which on outstanding meetings take as few rounds as possible."""


@dataclass(frozen=True)
class Schedule:
    """The meetings of each round. ``strangers_meet``: two idle entries who never meet by the schedule may
    play each other. ``shortens``: the remaining entries play in as few rounds as possible once somebody has
    left. ``slot`` names its part of the event."""

    rounds: tuple[tuple[Meeting, ...], ...]
    strangers_meet: bool = False
    shortens: bool = False
    slot: str = ""

    @cached_property
    def meeting_rounds(self) -> Mapping[frozenset[EntryId], tuple[int, ...]]:
        """The rounds in which each pair meets."""
        found: defaultdict[frozenset[EntryId], list[int]] = defaultdict(list)
        for number, meetings in enumerate(self.rounds, start=1):
            for one, other in meetings:
                if other is not None:
                    found[frozenset((one, other))].append(number)
        return {pair: tuple(rounds) for pair, rounds in found.items()}

    @cached_property
    def opponents(self) -> Mapping[EntryId, tuple[EntryId, ...]]:
        """The opponents of each entry in the order of the rounds, once each."""
        found: dict[EntryId, dict[EntryId, None]] = {}
        for meetings in self.rounds:
            for one, other in meetings:
                found.setdefault(one, {})
                if other is not None:
                    found.setdefault(one, {})[other] = None
                    found.setdefault(other, {})[one] = None
        return {entry: tuple(others) for entry, others in found.items()}

    def get_round(self, number: int) -> tuple[Meeting, ...]:
        return self.rounds[number - 1] if 1 <= number <= len(self.rounds) else ()


def build_plan(schedule: Schedule, draw_input: DrawInput, **details: Any) -> Plan:
    """Return the tables and byes of this round; ``details`` are added to the reasons of scheduled
    meetings."""
    return _ScheduledRound(schedule, draw_input, details).build_plan()


def get_schedule_slots(schedules: Iterable[Schedule], draw_input: DrawInput) -> frozenset[str] | None:
    """Return the slots of the schedules that have a table ahead, without deciding who plays it."""
    found = [_ScheduledRound(schedule, draw_input, {}).get_next_slots() for schedule in schedules]
    known_slots = [slots for slots in found if slots is not None]
    return frozenset().union(*known_slots) if known_slots or build_requested_byes(draw_input) else None


def assign_scheduled_sides(one: Entrant, other: Entrant) -> Seats:
    """Return the two as scheduled, side A first, unless one of them must sit on the other side."""
    one_needs_b = one.side is Side.B and other.side is not Side.B
    other_needs_a = other.side is Side.A and one.side is not Side.A
    return ((other.id,), (one.id,)) if one_needs_b or other_needs_a else ((one.id,), (other.id,))


def match_with_leftovers(
    costs: Sequence[int], pairs: Mapping[tuple[int, int], int]
) -> tuple[list[tuple[int, int]], list[int]]:
    """Return pairs of the places 0, 1, 2… and the places left out, at the least total price.

    ``costs`` are the costs of leaving each out, ``pairs`` (lower place first) those of each possible pair.
    One matching of twice the graph: each place with its own double is left out, and doubles of a pair are a
    pair for nothing.
    """
    count = len(costs)
    edges = [(place, count + place, cost) for place, cost in enumerate(costs)]
    for (one, other), cost in pairs.items():
        edges += [(one, other, cost), (count + one, count + other, 0)]
    matched = find_min_cost_matching(2 * count, edges).pairs
    matched_pairs = [(one, other) for one, other in matched if other < count]
    return matched_pairs, [one for one, double in matched if one < count <= double]


def _remove_pairs(pairs: Sequence[Pair], played_pairs: Iterable[Pair]) -> list[Pair]:
    """Return the meetings that are left once those were made, in either order of their entries."""
    remaining = list(pairs)
    for one, other in played_pairs:
        remaining.remove((one, other) if (one, other) in remaining else (other, one))
    return remaining


class _ScheduledRound:
    def __init__(self, schedule: Schedule, draw_input: DrawInput, details: Mapping[str, Any]) -> None:
        self.schedule, self.draw_input, self.details = schedule, draw_input, details
        schedule_entries = schedule.opponents.keys()
        self.history = History(
            (played for played in draw_input.history if not schedule_entries.isdisjoint((*played.a, *played.b))),
            entrants=draw_input.entrants,
        )
        self.met = Counter(dict(self.history.meetings))
        self.entrants = {entrant.id: entrant for entrant in draw_input.entrants}
        self.wanted = schedule.get_round(draw_input.round)
        self.here = [
            entrant.id
            for entrant in sort_by_number(list_drawable_entrants(draw_input))
            if entrant.id in schedule_entries
        ]
        shortens = schedule.shortens and draw_input.version >= SHORTENING_VERSION
        self.is_shortened = shortens and any(self._has_left(entry) for entry in schedule_entries)

    def build_plan(self) -> Plan:
        scheduled, idle, holds = self._follow_schedule()
        others, unpaired = self._pair_idle_entries(idle, schedule_holds=holds)
        tables = [self._build_scheduled_table(*meeting) for meeting in scheduled] + [
            self._build_extra_table(*m) for m in others
        ]
        byes = (self._build_bye(entry, holds=holds) for entry in unpaired)
        return tables, [bye for bye in byes if bye is not None]

    def get_next_slots(self) -> frozenset[str] | None:
        """Return the slot of the schedule, if it has a table now; an empty set if all sit out."""
        scheduled, idle, holds = self._follow_schedule()
        if scheduled or any(self._iterate_open_pairs(idle, schedule_holds=holds)):
            return frozenset({self.schedule.slot})
        return frozenset() if any(self._build_bye(entry, holds=holds) for entry in idle) else None

    def _follow_schedule(self) -> tuple[list[tuple[EntryId, EntryId]], list[EntryId], bool]:
        """Return the scheduled meetings, the entries left idle, and whether the schedule still holds."""
        holds = self._is_valid()
        present = set(self.here)
        scheduled = [
            (one, other)
            for one, other in self.wanted
            if holds and other is not None and one in present and other in present
        ]
        seated = {entry for meeting in scheduled for entry in meeting}
        idle = [entry for entry in self.here if entry not in seated]
        return scheduled, idle, holds and bool(self.wanted) and not self._is_crossed()

    def _is_valid(self) -> bool:
        """Return whether all earlier meetings were in rounds for which they were scheduled, and the remaining
        rounds are needed."""
        meeting_rounds = self.schedule.meeting_rounds
        return all(
            played.round in meeting_rounds[pair]
            for played in self.draw_input.history
            if played.b and (pair := frozenset((*played.a, *played.b))) in meeting_rounds
        ) and not (self.is_shortened and self._can_be_shorter())

    def _can_be_shorter(self) -> bool:
        """Return whether the remaining entries need fewer rounds than the schedule has for them."""
        number = self.draw_input.round
        remaining = self._list_remaining_pairs()
        future_rounds = {
            pair: [due for due in self.schedule.meeting_rounds[pair] if due >= number]
            for pair in map(frozenset, remaining)
        }
        has_extra_meeting = any(self._count_legs_due(*pair) > len(rounds) for pair, rounds in future_rounds.items())
        last = max([number, *chain.from_iterable(future_rounds.values())])
        return len(schedule_fewest_rounds(remaining, self._list_absent())) < last - number + 1 + has_extra_meeting

    def _list_remaining_pairs(self) -> list[Pair]:
        """Return the meetings that can still be played, each as often as it is due."""
        locked = Counter(frozenset((*table.a, *table.b)) for table in self.draw_input.locked)
        return [
            (one, other)
            for one, other in combinations(self.schedule.opponents, 2)
            if not self._has_left(one) and not self._has_left(other)
            for _ in range(self._count_legs_due(one, other) - locked[frozenset((one, other))])
        ]

    def _list_absent(self) -> frozenset[EntryId]:
        return frozenset(self.schedule.opponents.keys() - set(self.here))

    def _has_left(self, entry: EntryId) -> bool:
        return self.entrants[entry].has_left(self.draw_input.round)

    def _is_crossed(self) -> bool:
        """Return whether a locked table takes an entry from a scheduled opponent who is present."""
        scheduled_pairs = {frozenset(meeting) for meeting in self.wanted}
        scheduled_entries = {entry for meeting in self.wanted for entry in meeting}
        return any(
            frozenset((*table.a, *table.b)) not in scheduled_pairs and scheduled_entries & {*table.a, *table.b}
            for table in self.draw_input.locked
        )

    def _count_legs_due(self, one: EntryId, other: EntryId) -> int:
        pair = frozenset((one, other))
        return len(self.schedule.meeting_rounds.get(pair, ())) - self.met[pair]

    def _pair_idle_entries(
        self, idle: Sequence[EntryId], *, schedule_holds: bool
    ) -> tuple[list[tuple[EntryId, EntryId]], list[EntryId]]:
        """Pair idle entries; return the pairs and the entries still idle. While the schedule holds and nobody
        has left, its meetings wait for their rounds; else as many as possible are made, entries with the most
        meetings left first."""
        pairs = dict(self._iterate_open_pairs(idle, schedule_holds=schedule_holds))
        if not pairs:
            return [], list(idle)
        remaining_counts = [self._count_remaining_meetings(entry) for entry in idle]
        byes = [self.history.count_idle_rounds(entry) for entry in idle]
        max_price = (1 + max(remaining_counts, default=0)) * (1 + max(byes, default=0))
        step = 1 + sum(sorted(pairs.values(), reverse=True)[: len(idle)])
        costs = [
            step * (len(idle) * max_price + remaining * (1 + max(byes)) + bye_count)
            for remaining, bye_count in zip(remaining_counts, byes, strict=True)
        ]
        matched, unpaired = match_with_leftovers(costs, pairs)
        others = [(idle[one], idle[other]) for one, other in matched]
        is_free = self.is_shortened and not schedule_holds and len(idle) == len(self.here)
        if is_free and (better := self._find_better_pairs(others)):
            return better, [entry for entry in idle if entry not in {*chain.from_iterable(better)}]
        return others, [idle[place] for place in unpaired]

    def _find_better_pairs(self, pairs: Sequence[Pair]) -> list[Pair]:
        """Return other meetings for this round if these would make all outstanding ones take a round more;
        else none."""
        remaining = self._list_remaining_pairs()
        best, *_ = rounds = schedule_fewest_rounds(remaining, self._list_absent())
        if len(schedule_fewest_rounds(_remove_pairs(remaining, pairs))) < len(rounds):
            return []
        seated = {*self._list_absent(), *chain.from_iterable(best)}
        for pair in _remove_pairs(remaining, best):
            if seated.isdisjoint(pair):
                seated.update(pair)
                best.append(pair)
        return best

    def _iterate_open_pairs(
        self, idle: Sequence[EntryId], *, schedule_holds: bool
    ) -> Iterator[tuple[tuple[int, int], int]]:
        """Yield the idle pairs that may play each other, and their prices."""
        scheduled_pairs = {frozenset(meeting) for meeting in self.wanted}
        for index, place in combinations(range(len(idle)), 2):
            pair = frozenset((idle[index], idle[place]))
            if pair in self.schedule.meeting_rounds:
                if (self.is_shortened or not schedule_holds) and self._count_legs_due(*pair) > 0:
                    yield (index, place), 4 * self.met[pair] + (pair not in scheduled_pairs)
            elif self.schedule.strangers_meet and self.wanted and not self.met[pair]:
                yield (index, place), 2

    def _count_remaining_meetings(self, entry: EntryId) -> int:
        """Count the meetings that the entry still has to play; opponents who have left for good do not
        count."""
        return sum(
            max(0, self._count_legs_due(entry, other))
            for other in self.schedule.opponents[entry]
            if not self._has_left(other)
        )

    def _build_scheduled_table(self, one: EntryId, other: EntryId) -> UnnumberedTable:
        a, b = assign_scheduled_sides(self.entrants[one], self.entrants[other])
        reason = self._build_reason(ReasonCode.SCHEDULED)
        return UnnumberedTable(a=a, b=b, slot=self.schedule.slot, reasons=(reason,))

    def _build_extra_table(self, one: EntryId, other: EntryId) -> UnnumberedTable:
        chance = Random(f"{self.draw_input.seed}/{self.here.index(one)}")  # noqa: S311 - no secret
        a, b = choose_sides(self.entrants[one], self.entrants[other], history=self.history, chance=chance)
        rounds = self.schedule.meeting_rounds.get(frozenset((one, other)))
        if rounds is None:
            reason = Reason(code=ReasonCode.INSTEAD_OF_BYES)
        else:
            reason = Reason(code=ReasonCode.YET_TO_MEET, details={"rounds": rounds, **self.details})
        return UnnumberedTable(a=a, b=b, slot=self.schedule.slot, reasons=(reason,))

    def _build_bye(self, entry: EntryId, *, holds: bool) -> DrawnBye | None:
        """Return the bye of an idle entry; None if it has no meetings left."""
        slot = self.schedule.slot
        if not holds:
            if not self._count_remaining_meetings(entry):
                return None
            return DrawnBye(entry=entry, slot=slot, reasons=(Reason(code=ReasonCode.NO_OPPONENT_LEFT),))
        opponent = next((other if one == entry else one for one, other in self.wanted if entry in (one, other)), None)
        reason = self._build_reason(ReasonCode.SCHEDULED)
        if opponent is not None:
            reason = Reason(code=ReasonCode.OPPONENT_MISSING, details={"entry": opponent})
        return DrawnBye(entry=entry, slot=slot, reasons=(reason,))

    def _build_reason(self, code: ReasonCode) -> Reason:
        return Reason(code=code, details={"round": self.draw_input.round, **self.details})
