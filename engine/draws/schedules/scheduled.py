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
from engine.draws.pairing_cost.blossom import least_matching
from engine.draws.rounds import Plan, UnnumberedTable, by_number, byes_asked, to_be_drawn
from engine.draws.seating import Seats, choose_sides
from engine.draws.values import DrawInput, DrawnBye, Entrant, EntryId, Reason, ReasonCode
from rules import Side

from .fewest_rounds import Pair, fewest_rounds

Meeting = tuple[EntryId, EntryId | None]
"""Side A and side B; None: a bye."""

SHORTENED_SINCE = 7
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
    def due(self) -> Mapping[frozenset[EntryId], tuple[int, ...]]:
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

    def of_round(self, number: int) -> tuple[Meeting, ...]:
        return self.rounds[number - 1] if 1 <= number <= len(self.rounds) else ()


def plan_of(schedule: Schedule, draw_input: DrawInput, **details: Any) -> Plan:
    """Return the tables and byes of this round; ``details`` are added to the reasons of scheduled
    meetings."""
    return _Round(schedule, draw_input, details).plan()


def slots_of_schedules(schedules: Iterable[Schedule], draw_input: DrawInput) -> frozenset[str] | None:
    """Return the slots of the schedules that have a table ahead, without deciding who plays it."""
    found = [_Round(schedule, draw_input, {}).slots_ahead() for schedule in schedules]
    told = [slots for slots in found if slots is not None]
    return frozenset().union(*told) if told or byes_asked(draw_input) else None


def in_their_seats(one: Entrant, other: Entrant) -> Seats:
    """Return the two as scheduled, side A first, unless one of them must sit on the other side."""
    one_minds = one.side is Side.B and other.side is not Side.B
    other_minds = other.side is Side.A and one.side is not Side.A
    return ((other.id,), (one.id,)) if one_minds or other_minds else ((one.id,), (other.id,))


def least_left_out(
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
    matched = least_matching(2 * count, edges).pairs
    made = [(one, other) for one, other in matched if other < count]
    return made, [one for one, double in matched if one < count <= double]


def _without(pairs: Sequence[Pair], made: Iterable[Pair]) -> list[Pair]:
    """Return the meetings that are left once those were made, in either order of their entries."""
    left = list(pairs)
    for one, other in made:
        left.remove((one, other) if (one, other) in left else (other, one))
    return left


class _Round:
    def __init__(self, schedule: Schedule, draw_input: DrawInput, details: Mapping[str, Any]) -> None:
        self.schedule, self.draw_input, self.details = schedule, draw_input, details
        concerned = schedule.opponents.keys()
        self.history = History(
            (played for played in draw_input.history if not concerned.isdisjoint((*played.a, *played.b))),
            entrants=draw_input.entrants,
        )
        self.met = Counter(dict(self.history.meetings))
        self.entrants = {entrant.id: entrant for entrant in draw_input.entrants}
        self.wanted = schedule.of_round(draw_input.round)
        self.here = [entrant.id for entrant in by_number(to_be_drawn(draw_input)) if entrant.id in concerned]
        self.shortens = schedule.shortens and draw_input.version >= SHORTENED_SINCE

    def plan(self) -> Plan:
        followed, idle, holds = self._follow_schedule()
        others, left = self._from_what_is_owed(idle, schedule_holds=holds)
        tables = [self._as_scheduled(*meeting) for meeting in followed] + [self._made_up(*m) for m in others]
        byes = (self._bye(entry, holds=holds) for entry in left)
        return tables, [bye for bye in byes if bye is not None]

    def slots_ahead(self) -> frozenset[str] | None:
        """Return the slot of the schedule, if it has a table now; an empty set if all sit out."""
        followed, idle, holds = self._follow_schedule()
        if followed or any(self._open_pairs(idle, schedule_holds=holds)):
            return frozenset({self.schedule.slot})
        return frozenset() if any(self._bye(entry, holds=holds) for entry in idle) else None

    def _follow_schedule(self) -> tuple[list[tuple[EntryId, EntryId]], list[EntryId], bool]:
        """Return the scheduled meetings, the entries left idle, and whether the schedule still holds."""
        holds = self._holds()
        here = set(self.here)
        followed = [
            (one, other)
            for one, other in self.wanted
            if holds and other is not None and one in here and other in here
        ]
        seated_so = {entry for meeting in followed for entry in meeting}
        idle = [entry for entry in self.here if entry not in seated_so]
        return followed, idle, holds and bool(self.wanted) and not self._is_crossed()

    def _holds(self) -> bool:
        """Return whether all earlier meetings were in rounds for which they were scheduled, and the remaining
        rounds are needed."""
        due = self.schedule.due
        return all(
            played.round in due[pair]
            for played in self.draw_input.history
            if played.b and (pair := frozenset((*played.a, *played.b))) in due
        ) and not (self.shortens and self._can_be_shorter())

    def _can_be_shorter(self) -> bool:
        """Return whether somebody has left, and the others need fewer rounds than the schedule has for
        them."""
        number = self.draw_input.round
        if not any(self._has_left(entry) for entry in self.schedule.opponents):
            return False
        left_over = self._left_over()
        ahead = {
            pair: [due for due in self.schedule.due[pair] if due >= number]
            for pair in map(frozenset, left_over)
        }
        is_made_up = any(self._legs_due(*pair) > len(rounds) for pair, rounds in ahead.items())
        last = max([number, *chain.from_iterable(ahead.values())])
        return len(fewest_rounds(left_over, self._away())) < last - number + 1 + is_made_up

    def _left_over(self) -> list[Pair]:
        """Return the meetings that can still be played, each as often as it is due."""
        locked = Counter(frozenset((*table.a, *table.b)) for table in self.draw_input.locked)
        return [
            (one, other)
            for one, other in combinations(self.schedule.opponents, 2)
            if not self._has_left(one) and not self._has_left(other)
            for _ in range(self._legs_due(one, other) - locked[frozenset((one, other))])
        ]

    def _away(self) -> frozenset[EntryId]:
        return frozenset(self.schedule.opponents.keys() - set(self.here))

    def _has_left(self, entry: EntryId) -> bool:
        return self.entrants[entry].has_left(self.draw_input.round)

    def _is_crossed(self) -> bool:
        """Return whether a locked table takes an entry from a scheduled opponent who is present."""
        wanted = {frozenset(meeting) for meeting in self.wanted}
        here = {entry for meeting in self.wanted for entry in meeting}
        return any(
            frozenset((*table.a, *table.b)) not in wanted and here & {*table.a, *table.b}
            for table in self.draw_input.locked
        )

    def _legs_due(self, one: EntryId, other: EntryId) -> int:
        pair = frozenset((one, other))
        return len(self.schedule.due.get(pair, ())) - self.met[pair]

    def _from_what_is_owed(
        self, idle: Sequence[EntryId], *, schedule_holds: bool
    ) -> tuple[list[tuple[EntryId, EntryId]], list[EntryId]]:
        """Pair idle entries; return the pairs and the entries still idle. While the schedule holds, its
        meetings wait for their rounds; else as many as possible are made, entries with the most meetings left
        first."""
        pairs = dict(self._open_pairs(idle, schedule_holds=schedule_holds))
        if not pairs:
            return [], list(idle)
        before = [self._still_before(entry) for entry in idle]
        byes = [self.history.idle_rounds(entry) for entry in idle]
        most = (1 + max(before, default=0)) * (1 + max(byes, default=0))
        step = 1 + sum(sorted(pairs.values(), reverse=True)[: len(idle)])
        costs = [
            step * (len(idle) * most + owed * (1 + max(byes)) + had)
            for owed, had in zip(before, byes, strict=True)
        ]
        made, left = least_left_out(costs, pairs)
        others = [(idle[one], idle[other]) for one, other in made]
        is_free = self.shortens and not schedule_holds and len(idle) == len(self.here)
        if is_free and (better := self._without_loss_of_rounds(others)):
            return better, [entry for entry in idle if entry not in {*chain.from_iterable(better)}]
        return others, [idle[place] for place in left]

    def _without_loss_of_rounds(self, made: Sequence[Pair]) -> list[Pair]:
        """Return other meetings for this round if these would make all outstanding ones take a round more;
        else none."""
        left_over = self._left_over()
        best, *_ = rounds = fewest_rounds(left_over, self._away())
        if len(fewest_rounds(_without(left_over, made))) < len(rounds):
            return []
        seated = {*self._away(), *chain.from_iterable(best)}
        for pair in _without(left_over, best):
            if seated.isdisjoint(pair):
                seated.update(pair)
                best.append(pair)
        return best

    def _open_pairs(
        self, idle: Sequence[EntryId], *, schedule_holds: bool
    ) -> Iterator[tuple[tuple[int, int], int]]:
        """Yield the idle pairs that may play each other, and their prices."""
        wanted = {frozenset(meeting) for meeting in self.wanted}
        for at, place in combinations(range(len(idle)), 2):
            pair = frozenset((idle[at], idle[place]))
            if pair in self.schedule.due:
                if not schedule_holds and self._legs_due(*pair) > 0:
                    yield (at, place), 4 * self.met[pair] + (pair not in wanted)
            elif self.schedule.strangers_meet and self.wanted and not self.met[pair]:
                yield (at, place), 2

    def _still_before(self, entry: EntryId) -> int:
        """Count the meetings that the entry still has to play; opponents who have left for good do not
        count."""
        return sum(
            max(0, self._legs_due(entry, other))
            for other in self.schedule.opponents[entry]
            if not self._has_left(other)
        )

    def _as_scheduled(self, one: EntryId, other: EntryId) -> UnnumberedTable:
        a, b = in_their_seats(self.entrants[one], self.entrants[other])
        reason = self._reason(ReasonCode.SCHEDULED)
        return UnnumberedTable(a=a, b=b, slot=self.schedule.slot, reasons=(reason,))

    def _made_up(self, one: EntryId, other: EntryId) -> UnnumberedTable:
        chance = Random(f"{self.draw_input.seed}/{self.here.index(one)}")  # noqa: S311 - no secret
        a, b = choose_sides(self.entrants[one], self.entrants[other], history=self.history, chance=chance)
        rounds = self.schedule.due.get(frozenset((one, other)))
        if rounds is None:
            reason = Reason(code=ReasonCode.INSTEAD_OF_BYES)
        else:
            reason = Reason(code=ReasonCode.YET_TO_MEET, details={"rounds": rounds, **self.details})
        return UnnumberedTable(a=a, b=b, slot=self.schedule.slot, reasons=(reason,))

    def _bye(self, entry: EntryId, *, holds: bool) -> DrawnBye | None:
        """Return the bye of an idle entry; None if it has no meetings left."""
        slot = self.schedule.slot
        if not holds:
            if not self._still_before(entry):
                return None
            return DrawnBye(entry=entry, slot=slot, reasons=(Reason(code=ReasonCode.NO_OPPONENT_LEFT),))
        opponent = next(
            (other if one == entry else one for one, other in self.wanted if entry in (one, other)), None
        )
        reason = self._reason(ReasonCode.SCHEDULED)
        if opponent is not None:
            reason = Reason(code=ReasonCode.OPPONENT_MISSING, details={"entry": opponent})
        return DrawnBye(entry=entry, slot=slot, reasons=(reason,))

    def _reason(self, code: ReasonCode) -> Reason:
        return Reason(code=code, details={"round": self.draw_input.round, **self.details})
