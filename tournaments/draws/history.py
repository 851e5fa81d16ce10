"""What the rounds played so far mean for the next one."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from .values import EntryId, Meeting


class History:
    """Who met whom and when, who sat out, and who has sat on which side, in whatever order it is told."""

    def __init__(self, meetings: Iterable[Meeting]) -> None:
        self._rounds: defaultdict[frozenset[EntryId | None], list[int]] = defaultdict(list)
        self._lean: Counter[EntryId] = Counter()
        for meeting in meetings:
            self._rounds[frozenset((meeting.a, meeting.b))].append(meeting.round)
            if meeting.b is not None:
                self._lean[meeting.a] += 1
                self._lean[meeting.b] -= 1

    def rounds_met(self, entry: EntryId, opponent: EntryId | None) -> tuple[int, ...]:
        """The rounds in which the two met, ascending; without an opponent, the entry's byes."""
        return tuple(sorted(self._rounds.get(frozenset((entry, opponent)), ())))

    def fewest_byes(self, entries: Sequence[EntryId]) -> list[EntryId]:
        """Those of the entries who have had the fewest byes among them, in the order given."""
        byes = {entry: len(self.rounds_met(entry, None)) for entry in entries}
        fewest = min(byes.values(), default=0)
        return [entry for entry in entries if byes[entry] == fewest]

    def lean(self, entry: EntryId) -> int:
        """How many times more often the entry has sat on side A than on side B."""
        return self._lean[entry]
