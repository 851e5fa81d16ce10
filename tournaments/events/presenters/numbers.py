"""What people are called in an event that names nobody: numbers that mean nothing anywhere else."""

from collections.abc import Mapping, Sequence

from scoring.models import Player
from tournaments.models import Entry, Event


def numbers_of(entry: Entry, event: Event) -> Sequence[int]:
    """Those of its players: 1 and 2 of the first pair, 3 and 4 of the second. No query."""
    first = (entry.number - 1) * event.entry_size + 1
    return range(first, first + len(entry.players))


def people_numbered(event: Event) -> Mapping[int, int]:
    """The number of everybody who takes part, by id; then of those who sat in for somebody. Two queries."""
    entries = list(event.entries.select_related("player_1", "player_2"))
    numbers = {
        person.pk: number
        for entry in entries
        for person, number in zip(entry.players, numbers_of(entry, event), strict=True)
    }
    last = max(numbers.values(), default=0)
    seated = Player.objects.filter(match__table__round__event=event).order_by("pk")
    others = dict.fromkeys(pk for pk in seated.values_list("person", flat=True) if pk not in numbers)
    return numbers | {pk: number for number, pk in enumerate(others, start=last + 1)}
