"""Schedule outstanding meetings in as few rounds as possible: an edge colouring.

The least number of rounds is found by recolouring: a meeting that fits in no round exchanges two rounds along
the chain that blocks it, or takes the place of another one, which then looks for a place itself. By Vizing's
theorem one round more than the most meetings of one entry is enough where each two meet once.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import count
from random import Random

from engine.draws.values import EntryId

Pair = tuple[EntryId, EntryId]

_STEPS, _MAX_STEPS = 100, 5_000
"""The most attempts per meeting before one round more is tried, and of all meetings together. Each meeting
has two attempts in any case: in enough rounds, it needs one."""


def schedule_fewest_rounds(pairs: Sequence[Pair], absent: Collection[EntryId] = frozenset()) -> list[list[Pair]]:
    """Return the meetings by round, in as few rounds as possible; ``absent`` entries miss the first round."""
    if not pairs:
        return []
    for rounds in count(_compute_lower_bound(pairs, absent)):
        if (found := _Rounds(rounds, absent).place(pairs)) is not None:
            return found
    raise AssertionError("enough rounds fit every meeting")


def _compute_lower_bound(pairs: Sequence[Pair], absent: Collection[EntryId]) -> int:
    """Return a lower bound of the rounds: by the meetings of one entry, or of connected entries together."""
    times = Counter(entry for pair in pairs for entry in pair)
    max_meetings = max(meetings + (entry in absent) for entry, meetings in times.items())
    return max(
        max_meetings,
        *(_compute_component_bound(component, frozenset(absent)) for component in _split_components(pairs)),
    )


def _compute_component_bound(pairs: Sequence[Pair], absent: frozenset[EntryId]) -> int:
    """Return a lower bound of the rounds of connected entries. It counts the tables that they fill in the
    first round, and in each other one."""
    entries = {entry for pair in pairs for entry in pair}
    first, later = len(entries - absent) // 2, len(entries) // 2
    return 1 - (first - len(pairs)) // later


def _split_components(pairs: Iterable[Pair]) -> Iterable[list[Pair]]:
    """Split the meetings into parts that share no entries."""
    parts: list[tuple[set[EntryId], list[Pair]]] = []
    for pair in pairs:
        adjacent_parts = [part for part in parts if not part[0].isdisjoint(pair)]
        parts = [part for part in parts if part[0].isdisjoint(pair)]
        members = {*pair}.union(*(part[0] for part in adjacent_parts))
        parts.append((members, [each for part in adjacent_parts for each in part[1]] + [pair]))
    return [component_pairs for _, component_pairs in parts]


class _Rounds:
    """Meetings in a number of rounds, none of which has an entry twice."""

    def __init__(self, rounds: int, absent: Collection[EntryId]) -> None:
        self.rounds, self.away = rounds, frozenset(absent)
        self.places: defaultdict[EntryId, dict[int, Pair]] = defaultdict(dict)

    def place(self, pairs: Sequence[Pair]) -> list[list[Pair]] | None:
        """Return the meetings of each round; None if no place was found for all."""
        chance = Random(len(pairs))  # noqa: S311 - no secret
        queue = list(reversed(pairs))
        for _ in range(min(_STEPS * len(pairs), max(_MAX_STEPS, 2 * len(pairs)))):
            if not queue:
                break
            pair = queue.pop()
            if not self._fit(pair):
                queue += self._push_out(pair, chance)
        return None if queue else list(self._iterate_rounds(pairs))

    def _list_free_rounds(self, entry: EntryId) -> list[int]:
        first = int(entry in self.away)
        return [number for number in range(first, self.rounds) if number not in self.places[entry]]

    def _fit(self, pair: Pair) -> bool:
        """Place the meeting, exchanging two rounds along a chain if needed; return whether it has a place."""
        one, other = pair
        free = self._list_free_rounds(other)
        for mine in self._list_free_rounds(one):
            for theirs in free:
                if mine == theirs or self._exchange(other, mine, theirs, end_entry=one):
                    self._set(pair, mine)
                    return True
        return False

    def _exchange(self, start: EntryId, first_round: int, second_round: int, *, end_entry: EntryId) -> bool:
        """Exchange two rounds along the chain of meetings that begins with the ``first_round`` of an entry.

        Return False, without an exchange, if the chain ends at ``end_entry``, or if it includes the first round of
        the schedule and an entry absent from it.
        """
        chain, entry, number = [], start, first_round
        while (pair := self.places[entry].get(number)) is not None:
            chain.append((pair, number))
            entry, number = pair[pair[0] == entry], first_round + second_round - number
        chain_entries = {start}.union(*(pair for pair, _ in chain))
        if entry == end_entry or (0 in (first_round, second_round) and not chain_entries.isdisjoint(self.away)):
            return False
        for pair, number in chain:
            self._remove(pair, number)
        for pair, number in chain:
            self._set(pair, first_round + second_round - number)
        return True

    def _push_out(self, pair: Pair, chance: Random) -> Iterator[Pair]:
        """Place the meeting, and yield those that it displaced."""
        first = int(not self.away.isdisjoint(pair))
        number = first + int(chance.random() * (self.rounds - first))
        taken = (self.places[entry][number] for entry in pair if number in self.places[entry])
        for other in dict.fromkeys(taken):
            self._remove(other, number)
            yield other
        self._set(pair, number)

    def _set(self, pair: Pair, number: int) -> None:
        for entry in pair:
            self.places[entry][number] = pair

    def _remove(self, pair: Pair, number: int) -> None:
        for entry in pair:
            del self.places[entry][number]

    def _iterate_rounds(self, pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
        """Yield the meetings of each round in the order of ``pairs``, whatever the ids."""
        place = {pair: number for number, pair in enumerate(pairs)}
        for number in range(self.rounds):
            yield sorted(
                {rounds_of_entry[number] for rounds_of_entry in self.places.values() if number in rounds_of_entry},
                key=place.__getitem__,
            )
