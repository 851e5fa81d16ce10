"""What the rounds played so far mean for the next one."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations, product

from .values import EntryId, Played


class History:
    """Who met whom and when, who were partners, who sat out, where and how, in whatever order it is told."""

    def __init__(self, played: Iterable[Played], *, forfeits_count: bool = True) -> None:
        self._met: defaultdict[frozenset[EntryId], list[int]] = defaultdict(list)
        self._partnered: defaultdict[frozenset[EntryId], list[int]] = defaultdict(list)
        self._byes: defaultdict[EntryId, list[int]] = defaultdict(list)
        self._lean: Counter[EntryId] = Counter()
        self._floats: dict[tuple[EntryId, int], int] = {}
        for table in played:
            self._note(table, is_meeting=forfeits_count or not table.is_forfeit)

    def _note(self, table: Played, *, is_meeting: bool) -> None:
        if not table.b:
            for entry in table.a:
                self._byes[entry].append(table.round)
            return
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

    def rounds_met(self, entry: EntryId, opponent: EntryId) -> tuple[int, ...]:
        """The rounds in which the two met, ascending."""
        return tuple(sorted(self._met.get(frozenset((entry, opponent)), ())))

    def rounds_partnered(self, entry: EntryId, partner: EntryId) -> tuple[int, ...]:
        """The rounds in which the two were partners, ascending."""
        return tuple(sorted(self._partnered.get(frozenset((entry, partner)), ())))

    def byes(self, entry: EntryId) -> tuple[int, ...]:
        """The rounds in which the entry sat out, ascending."""
        return tuple(sorted(self._byes.get(entry, ())))

    def fewest_byes(self, entries: Sequence[EntryId]) -> list[EntryId]:
        """Those of the entries who have had the fewest byes among them, in the order given."""
        byes = {entry: len(self.byes(entry)) for entry in entries}
        fewest = min(byes.values(), default=0)
        return [entry for entry in entries if byes[entry] == fewest]

    def lean(self, entry: EntryId) -> int:
        """How many times more often the entry has sat on side A than on side B."""
        return self._lean[entry]

    def floated(self, entry: EntryId, in_round: int) -> int:
        """By how much the entry's score was above its opponent's in a round: above 0, it floated down."""
        return self._floats.get((entry, in_round), 0)

    @property
    def meetings(self) -> Iterable[tuple[frozenset[EntryId], int]]:
        """Each two who have met, and how often."""
        return ((pair, len(rounds)) for pair, rounds in self._met.items())
