"""Names of entries and people, on public pages and at the desk."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from clubs.models import Club, Person
from clubs.wording import by_surname, join_names, numbered_name, numbered_player
from engine.visibility import Names
from tournaments.models import Entry, Event
from web.names import fold_name, forms_of_surname, tell_apart

from .numbers import numbers_of, people_numbered

Named = Callable[[Person], str]
EntryNamed = Callable[[Entry], str]
SideNamed = Callable[[Sequence[str]], str]


def sides_by_surname(event: Event, hall: Iterable[str]) -> SideNamed:
    """Return a function that names a side by surnames: ``Roy and Dubé``. Where partners are drawn and the
    ``hall`` has another Roy: ``J. Roy and Dubé``."""
    if event.entry_size > 1:
        return by_surname
    shown = tell_apart({name: forms_of_surname(name) for name in hall})
    return lambda names: join_names([shown[name] for name in names])


def named_publicly(club: Club) -> Named:
    """Return a function that names people of the club in public: in full only if they agreed."""
    return partial(Person.name_in_public, club=club)


def people_told_apart(named: Named, people: Iterable[Person]) -> Mapping[int, str]:
    """Return the name of each of ``people``, by id. People with equal names get their number, which reveals
    no more than they agreed to. No query."""
    names = [(person, named(person)) for person in people]
    times = Counter(fold_name(name) for _, name in names)
    return {
        person.pk: numbered_name(name, person.pk)
        if times[fold_name(name)] > 1 and person.anonymized_at is None
        else name
        for person, name in names
    }


def public_naming(event: Event) -> Named:
    """Return a function that names people on the event's public pages, as far as names are visible. No query;
    two where people are numbers."""
    names = event.release.names
    if names is Names.NUMBERS:
        return _numbered_in(event)
    return partial(Person.name_in_public, club=event.club, in_full=names is Names.AGREED)


def entries_named_in(event: Event, entries: Iterable[Entry]) -> EntryNamed:
    """Return a function that names entries as far as the event shows names: ``Jeannine R. and Marcel D.``.
    Equal names among ``entries`` get their numbers. No query."""
    if event.release.names is Names.NUMBERS:
        return lambda entry: join_names([numbered_player(number) for number in numbers_of(entry, event)])
    return _named_apart(public_naming(event), entries)


def entries_named_in_full(entries: Iterable[Entry]) -> EntryNamed:
    """Return a function that names entries by full names, as the desk shows them; equal names get their
    numbers. No query."""
    return _named_apart(full_name, entries)


def _named_apart(named: Named, entries: Iterable[Entry]) -> EntryNamed:
    def name_of(entry: Entry) -> str:
        return join_names([named(person) for person in entry.players])

    named_entries = [(entry, name_of(entry)) for entry in entries]
    times = Counter(fold_name(name) for _, name in named_entries)
    shared = {name for _, name in named_entries if times[fold_name(name)] > 1}
    told = {
        entry.pk: numbered_name(name, entry.number) if name in shared else name
        for entry, name in named_entries
    }
    return lambda entry: told.get(entry.pk) or name_of(entry)


def _numbered_in(event: Event) -> Named:
    """Return a function that names people by numbers of this event, which tell nothing elsewhere."""
    numbers = people_numbered(event)
    return lambda person: numbered_player(numbers.get(person.pk, "–"))


def full_name(person: Person) -> str:
    return person.name


def full_names(entry: Entry) -> str:
    return join_names([full_name(person) for person in entry.players])


def club_played_for(event: Event, entry: Entry) -> str:
    """Return the club that an entry plays for: its team, or the club that holds the event; "" for a house
    player."""
    return "" if entry.is_house else entry.team or event.club.name
