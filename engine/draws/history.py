"""History of the rounds played so far, as the next draw needs it."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import combinations, product

from .values import DrawInput, Entrant, EntryId, PlayedPairing


class History:
    """Meetings, partnerships, byes, tables for two, sides and floats of all entries. The order of the tables
    given does not matter."""

    def __init__(
        self,
        pairings: Iterable[PlayedPairing],
        *,
        entrants: Iterable[Entrant] = (),
        forfeits_count: bool = True,
    ) -> None:
        pairings = list(pairings)
        rounds = {table.round for table in pairings if table.round > 0}
        self._missed = {
            entrant.id: {number for number in rounds if not entrant.is_present(number)} for entrant in entrants
        }
        self._met: defaultdict[frozenset[EntryId], list[int]] = defaultdict(list)
        self._partnered: defaultdict[frozenset[EntryId], list[int]] = defaultdict(list)
        self._byes: defaultdict[EntryId, list[int]] = defaultdict(list)
        self._duels: Counter[EntryId] = Counter()
        self._lean: Counter[EntryId] = Counter()
        self._floats: dict[tuple[EntryId, int], int] = {}
        for table in pairings:
            self._record(table, is_meeting=forfeits_count or not table.is_forfeit)

    def _record(self, table: PlayedPairing, *, is_meeting: bool) -> None:
        for entry in (*table.a, *table.b):
            self._missed.get(entry, set()).discard(table.round)
        if not table.b:
            for entry in table.a:
                self._byes[entry].append(table.round)
            return
        if len(table.a) == len(table.b) == 1:
            self._duels.update((*table.a, *table.b))
        if not is_meeting:
            return
        for entry, opponent in product(table.a, table.b):
            self._met[frozenset((entry, opponent))].append(table.round)
        for side, lean, down in ((table.a, 1, 0), (table.b, -1, 1)):
            for pair in combinations(side, 2):
                self._partnered[frozenset(pair)].append(table.round)
            for entry in side:
                self._lean[entry] += lean
                self._floats[entry, table.round] = table.scores[down] - table.scores[1 - down]

    def get_rounds_met(self, entry: EntryId, opponent: EntryId) -> tuple[int, ...]:
        """Return the rounds in which the two met, ascending."""
        return tuple(sorted(self._met.get(frozenset((entry, opponent)), ())))

    def get_rounds_partnered(self, entry: EntryId, partner: EntryId) -> tuple[int, ...]:
        """Return the rounds in which the two were partners, ascending."""
        return tuple(sorted(self._partnered.get(frozenset((entry, partner)), ())))

    def get_bye_rounds(self, entry: EntryId) -> tuple[int, ...]:
        """Return the rounds in which the entry sat out, ascending."""
        return tuple(sorted(self._byes.get(entry, ())))

    def count_idle_rounds(self, entry: EntryId) -> int:
        """Count the rounds that the entry did not play: its byes, and those missed as late or absent."""
        return len(self.get_bye_rounds(entry)) + len(self._missed.get(entry, ()))

    def count_duels(self, entry: EntryId) -> int:
        """Count the rounds that the entry played one against one, including at a table for two."""
        return self._duels[entry]

    def count_leftover_rounds(self, entry: EntryId) -> int:
        """Count the rounds that a person did not play at a table of four."""
        return self.count_idle_rounds(entry) + self.count_duels(entry)

    def get_side_balance(self, entry: EntryId) -> int:
        """Return how many times more often the entry has sat on side A than on side B."""
        return self._lean[entry]

    def get_float(self, entry: EntryId, played_round: int) -> int:
        """Return by how much the entry's score was above its opponent's in a round: above 0, it floated
        down."""
        return self._floats.get((entry, played_round), 0)

    def count_consecutive_floats(self, entry: EntryId, next_round: int, *, is_down: bool) -> int:
        """Count the consecutive rounds, up to the one before, in which the entry floated this way."""
        way, count = 1 if is_down else -1, 0
        while self.get_float(entry, next_round - count - 1) * way > 0:
            count += 1
        return count

    @property
    def meetings(self) -> Iterable[tuple[frozenset[EntryId], int]]:
        """The pairs of entries that have met, and how often."""
        return ((pair, len(rounds)) for pair, rounds in self._met.items())


def build_history(draw_input: DrawInput, *, forfeits_count: bool = True) -> History:
    """Return the history for a draw: the rounds before it, and the rounds that entries of its field
    missed."""
    return History(draw_input.history, entrants=draw_input.entrants, forfeits_count=forfeits_count)
