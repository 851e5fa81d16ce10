"""Queries that compare an event file with the club's event and people."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import Q

from clubs.models import Club, Person
from clubs.name_matching import KnownNames, Likeness, spelling
from tournaments.event_files import PLACE, Content, key_of_file
from tournaments.event_files.queries import BROUGHT_IN
from tournaments.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedInFile:
    """A person of a file, by the place in its list, and their match in the club. It is the person who is
    ``THERE``, those who are ``PERHAPS`` the same, or nobody."""

    number: int
    name: str
    likeness: Likeness
    known: tuple[Person, ...] = ()

    @property
    def field(self) -> str:
        """Name of the form field that asks who it is."""
        return f"person.{self.number}"


def there_already(
    club: Club, *, key: UUID | str, origin: str, short: str, name: str, held_on: date | str, lot: int
) -> Event | None:
    """Return the event that the club made from this file, or the one of which the file is a copy. A copy has
    the same lot and one of these: the same short name, the same name and date, or the origin of that event,
    which is the club of ``origin`` and the short name there. At most two queries."""
    events = club.events.filter(is_arriving=False, is_put_away=False)
    is_copy = Q(short=short) | Q(name=name, held_on=held_on)
    came = Q(actions__kind=BROUGHT_IN, actions__details__club=origin, actions__details__short=short)
    return events.filter(key=key).first() or events.filter(is_copy | came, lot=lot).order_by("-pk").first()


def file_there_already(club: Club, content: Content) -> Event | None:
    """Return the club's event of which this file is one, or a copy. At most two queries."""
    event = content["event"]
    return there_already(
        club,
        key=key_of_file(content),
        origin=content[PLACE]["club"],
        short=content[PLACE]["short"],
        name=event["name"],
        held_on=event["held_on"],
        lot=event["lot"],
    )


def people_in_file(
    club: Club | None, listed: Sequence[str], *, copy_of: Event | None = None
) -> list[NamedInFile]:
    """Match the people of a file with those of the club, in the order of its list. In a copy, a name that
    belongs to one player of that event is that player. Two queries, three for a copy."""
    people = Person.objects.filter(club=club, anonymized_at=None).order_by("pk")
    known = KnownNames(people.values_list("pk", "name"))
    players = KnownNames() if copy_of is None else KnownNames(_players_of(copy_of))
    spelled = Counter(spelling(name) for name in listed)
    alike = {
        number: (players.spelled_like(name) or known.spelled_like(name), known.made_of(name))
        for number, name in enumerate(listed, start=1)
    }
    found = people.in_bulk({pk for ways in alike.values() for way in ways for pk in way})
    return [
        NamedInFile(
            number=number,
            name=name,
            likeness=_likeness(*alike[number], is_alone=spelled[spelling(name)] == 1),
            known=tuple(found[pk] for pk in alike[number][0] or alike[number][1]),
        )
        for number, name in enumerate(listed, start=1)
    ]


def _players_of(event: Event) -> set[tuple[int, str]]:
    """Return the players of the event, by key and name. One query."""
    entries = event.entries.select_related("player_1", "player_2")
    return {(person.pk, person.name) for entry in entries for person in entry.players}


def _likeness(there: Sequence[int], perhaps: Sequence[int], *, is_alone: bool) -> Likeness:
    """Rate the likeness: a single person of that spelling on both sides is the same person."""
    if len(there) == 1 and is_alone:
        return Likeness.THERE
    return Likeness.PERHAPS if there or perhaps else Likeness.NEW


def those_there(people: Iterable[NamedInFile]) -> Mapping[int, int]:
    """Return the keys of the people who are matched beyond doubt, by place in the list."""
    return {each.number: each.known[0].pk for each in people if each.likeness == Likeness.THERE}
