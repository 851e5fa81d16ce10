"""Names in texts about an event: public names, with namesakes told apart."""

from collections import Counter
from collections.abc import Iterable, Sequence

from clubs.models import Person
from clubs.name_formats import add_number
from tournaments.events.presenters.names import build_public_person_formatter
from tournaments.models import Entry, Event
from tournaments.sharing.press.values import People
from web.names import fold_name


class PressNames:
    """Public names for an event with these entries. No query; two where people are numbers."""

    def __init__(self, event: Event, entries: Iterable[Entry]) -> None:
        self._format_name = build_public_person_formatter(event)
        names = {entry: tuple(map(self._format_name, entry.players)) for entry in entries}
        times = Counter(map(_fold_names, names.values()))
        self._names_by_players: dict[frozenset[int], People] = {
            frozenset(person.pk for person in entry.players): entry_names
            if times[_fold_names(entry_names)] == 1
            else (*entry_names[:-1], add_number(entry_names[-1], entry.number))
            for entry, entry_names in names.items()
        }

    def format_names(self, people: Sequence[Person]) -> People:
        """Return the names of an entry, of several people who sit together, or of a substitute."""
        entry_names = self._names_by_players.get(frozenset(person.pk for person in people))
        return entry_names or tuple(name for person in people for name in self._format_person(person))

    def _format_person(self, person: Person) -> People:
        return self._names_by_players.get(frozenset({person.pk})) or (self._format_name(person),)

    def format_feat_names(self, people: Sequence[Person]) -> People | None:
        """Return their names, or None if one of them opted out of records."""
        return self.format_names(people) if all(person.is_rated and not person.is_hidden for person in people) else None


def _fold_names(names: People) -> tuple[str, ...]:
    return tuple(map(fold_name, names))
