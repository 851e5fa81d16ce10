"""Numbers in place of names, for an event that names nobody. They have no meaning elsewhere."""

from collections.abc import Mapping, Sequence

from scoring.models import Player
from tournaments.models import Entry, Event


def get_player_numbers(entry: Entry, event: Event) -> Sequence[int]:
    """Return the numbers of the players: 1 and 2 of the first pair, 3 and 4 of the second. No query."""
    first_number = (entry.number - 1) * event.entry_size + 1
    return range(first_number, first_number + len(entry.players))


def map_person_numbers(event: Event) -> Mapping[int, int]:
    """Return the number of each player by id; substitutes come last. Two queries."""
    entries = list(event.entries.select_related("player_1", "player_2"))
    numbers = {
        person.pk: number
        for entry in entries
        for person, number in zip(entry.players, get_player_numbers(entry, event), strict=True)
    }
    last_number = max(numbers.values(), default=0)
    players = Player.objects.filter(match__table__round__event=event).order_by("pk")
    others = dict.fromkeys(pk for pk in players.values_list("person", flat=True) if pk not in numbers)
    return numbers | {pk: number for number, pk in enumerate(others, start=last_number + 1)}
