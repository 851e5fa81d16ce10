"""Who takes part."""

from collections.abc import Sequence

from clubs.models import Person
from tournaments.draws.lineups import Lineup
from tournaments.models import Entry, Event


def entries_of(event: Event) -> list[Entry]:
    """Who takes part, by number. One query."""
    return list(event.entries.select_related("player_1", "player_2").order_by("number"))


def entries_in(lineup: Lineup) -> dict[int, Entry]:
    """The entries of a line-up by id, with their players. One query."""
    ids = {entry for table in lineup.tables for entry in (*table.a, *table.b)}
    ids |= {bye.entry for bye in lineup.byes}
    return Entry.objects.select_related("player_1", "player_2").in_bulk(ids)


def in_seats(sides: Sequence[Sequence[Person]]) -> list[Person]:
    """The players of both sides clockwise: A, B, A, B; or A, B where two people play."""
    return [side[place] for place in range(len(sides[0])) for side in sides]
