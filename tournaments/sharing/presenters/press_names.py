"""Names in texts about an event: public names, with namesakes told apart."""

from collections import Counter
from collections.abc import Iterable, Sequence

from clubs.models import Person
from clubs.wording import numbered_name
from tournaments.events.presenters.names import public_naming
from tournaments.models import Entry, Event
from tournaments.sharing.press import People
from web.names import fold_name


class PressNames:
    """Public names for an event with these entries. No query; two where people are numbers."""

    def __init__(self, event: Event, entries: Iterable[Entry]) -> None:
        self._named = public_naming(event)
        names = {entry: tuple(map(self._named, entry.players)) for entry in entries}
        times = Counter(map(_fold_names, names.values()))
        self._of_entry: dict[frozenset[int], People] = {
            frozenset(person.pk for person in entry.players): told
            if times[_fold_names(told)] == 1
            else (*told[:-1], numbered_name(told[-1], entry.number))
            for entry, told in names.items()
        }

    def of(self, people: Sequence[Person]) -> People:
        """Return the names of an entry, of several people who sit together, or of a substitute."""
        whole = self._of_entry.get(frozenset(person.pk for person in people))
        return whole or tuple(name for person in people for name in self._of_one(person))

    def _of_one(self, person: Person) -> People:
        return self._of_entry.get(frozenset({person.pk})) or (self._named(person),)

    def of_a_feat(self, people: Sequence[Person]) -> People | None:
        """Return their names, or None if one of them opted out of records."""
        return self.of(people) if all(one.is_rated and not one.is_hidden for one in people) else None


def _fold_names(names: People) -> tuple[str, ...]:
    return tuple(map(fold_name, names))
