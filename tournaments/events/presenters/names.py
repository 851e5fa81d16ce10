"""Names of entries and people, on public pages and at the desk."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from clubs.models import Club, Person
from clubs.name_formats import add_number, format_numbered_player, join_names, join_surnames
from engine.visibility import Names
from scoring.models import Player
from tournaments.models import Entry, Event
from web.names import disambiguate_names, fold_name, list_surname_forms


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


PersonFormatter = Callable[[Person], str]
EntryFormatter = Callable[[Entry], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSide:
    """The full ``names`` of the people on a side of a table, and the ``numbers`` of their entries."""

    names: Sequence[str]
    numbers: Sequence[int]


def shorten_side_names(event: Event, entries: Iterable[Entry], sides: Mapping[Any, NamedSide]) -> Mapping[Any, str]:
    """Return the name of each side, as short as is unique among the ``sides`` and the ``entries`` on none of
    them: ``Roy and Dubé``, else full names, else with the number of the first entry. If partners are drawn,
    each name is unique by itself: ``J. Roy and Dubé``. No query."""
    seated_numbers = {number for side in sides.values() for number in side.numbers}
    named_sides = dict(sides) | {
        entry: NamedSide(names=[person.name for person in entry.players], numbers=[entry.number])
        for entry in entries
        if not entry.is_waiting and entry.number not in seated_numbers
    }
    if event.entry_size > 1:
        return disambiguate_names({key: _iter_side_forms(side) for key, side in named_sides.items()})
    people = {key: list(zip(side.names, side.numbers, strict=True)) for key, side in named_sides.items()}
    short_names = disambiguate_names(
        {
            (name, number): (*list_surname_forms(name), add_number(name, number))
            for name, number in chain.from_iterable(people.values())
        }
    )
    return {key: join_names([short_names[person] for person in side]) for key, side in people.items()}


def _iter_side_forms(side: NamedSide) -> Iterator[str]:
    full_names = join_names(side.names)
    yield join_surnames(side.names)
    yield full_names
    yield add_number(full_names, side.numbers[0])


def build_club_person_formatter(club: Club) -> PersonFormatter:
    """Return a function that names people of the club in public: in full only if they agreed."""
    return partial(Person.get_public_name, club=club)


def build_unique_person_names(format_person: PersonFormatter, people: Iterable[Person]) -> Mapping[int, str]:
    """Return the name of each of ``people``, by id. People with equal names get their number, which reveals
    no more than they agreed to. No query."""
    names = [(person, format_person(person)) for person in people]
    times = Counter(fold_name(name) for _, name in names)
    return {
        person.pk: add_number(name, person.pk) if times[fold_name(name)] > 1 and person.anonymized_at is None else name
        for person, name in names
    }


def build_public_person_formatter(event: Event) -> PersonFormatter:
    """Return a function that names people on the event's public pages, as far as names are visible. No query;
    two where people are numbers."""
    names = event.release.names
    if names is Names.NUMBERS:
        return _build_number_formatter(event)
    return partial(Person.get_public_name, club=event.club, in_full=names is Names.AGREED)


def build_public_entry_formatter(event: Event, entries: Iterable[Entry]) -> EntryFormatter:
    """Return a function that names entries as far as the event shows names: ``Jeannine R. and Marcel D.``.
    Equal names among ``entries`` get their numbers. No query."""
    if event.release.names is Names.NUMBERS:
        return lambda entry: join_names([format_numbered_player(number) for number in get_player_numbers(entry, event)])
    return _build_unique_entry_formatter(build_public_person_formatter(event), entries)


def build_full_entry_formatter(entries: Iterable[Entry]) -> EntryFormatter:
    """Return a function that names entries by full names, as the desk shows them; equal names get their
    numbers. No query."""
    return _build_unique_entry_formatter(get_full_name, entries)


def _build_unique_entry_formatter(format_person: PersonFormatter, entries: Iterable[Entry]) -> EntryFormatter:
    def format_entry(entry: Entry) -> str:
        return join_names([format_person(person) for person in entry.players])

    named_entries = [(entry, format_entry(entry)) for entry in entries]
    times = Counter(fold_name(name) for _, name in named_entries)
    shared_names = {name for _, name in named_entries if times[fold_name(name)] > 1}
    unique_names = {
        entry.pk: add_number(name, entry.number) if name in shared_names else name for entry, name in named_entries
    }
    return lambda entry: unique_names.get(entry.pk) or format_entry(entry)


def _build_number_formatter(event: Event) -> PersonFormatter:
    """Return a function that names people by numbers of this event, which tell nothing elsewhere."""
    numbers = map_person_numbers(event)
    return lambda person: format_numbered_player(numbers.get(person.pk, "–"))


def get_full_name(person: Person) -> str:
    return person.name


def format_full_names(entry: Entry) -> str:
    return join_names([get_full_name(person) for person in entry.players])


def get_entry_club(event: Event, entry: Entry) -> str:
    """Return the club that an entry plays for: its team, or the club that holds the event; "" for a house
    player."""
    return "" if entry.is_house else entry.team or event.club.name
