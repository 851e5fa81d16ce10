"""Queries that compare an event file with the club's event and people."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from clubs.models import Club, Person
from clubs.name_matching import MatchKind, NameIndex, normalize_spelling
from tournaments.event_files.queries import IMPORT_KIND
from tournaments.event_files.schema import PLACE_PART, Content
from tournaments.event_files.writer import get_file_key
from tournaments.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedPerson:
    """A person of a file, by the place in its list, and their matches in the club: one person if the ``likeness``
    is ``KNOWN``, possible ones if it is ``UNCERTAIN``, or nobody."""

    number: int
    name: str
    likeness: MatchKind
    matches: tuple[Person, ...] = ()

    @property
    def field(self) -> str:
        """Name of the form field that asks who it is."""
        return f"person.{self.number}"


def find_existing_event(club: Club, summary: Mapping[str, Any]) -> Event | None:
    """Return the event that the club made from the file with this summary, or the one of which the file is a copy. A
    copy has the same lot and one of these: the same short name, the same name and date, or the origin of that event,
    which is a club and the short name there. At most two queries."""
    events = club.events.filter(is_arriving=False, is_put_away=False)
    is_copy = Q(short=summary["short"]) | Q(name=summary["name"], held_on=summary["held_on"])
    origin = {"actions__details__club": summary["club"], "actions__details__short": summary["short"]}
    copies = events.filter(is_copy | Q(actions__kind=IMPORT_KIND, **origin), lot=summary["lot"])
    return events.filter(key=summary["key"]).first() or copies.order_by("-pk").first()


def find_event_of_file(club: Club, content: Content) -> Event | None:
    """Return the club's event of which this file is one, or a copy. At most two queries."""
    return find_existing_event(club, {**content["event"], **content[PLACE_PART], "key": get_file_key(content)})


def match_people(club: Club | None, names: Sequence[str], *, copy_of: Event | None = None) -> list[ImportedPerson]:
    """Match the people of a file with those of the club, in the order of its list. In a copy, a name that
    belongs to one player of that event is that player. Two queries, three for a copy."""
    people = Person.objects.filter(club=club, anonymized_at=None).order_by("pk")
    known_names = NameIndex(people.values_list("pk", "name"))
    player_names = NameIndex() if copy_of is None else NameIndex(_list_players(copy_of))
    spelling_counts = Counter(normalize_spelling(name) for name in names)
    matches = {
        number: (
            player_names.find_same_spelling(name) or known_names.find_same_spelling(name),
            known_names.find_same_words(name),
        )
        for number, name in enumerate(names, start=1)
    }
    people_by_id = people.in_bulk({pk for ways in matches.values() for way in ways for pk in way})
    return [
        ImportedPerson(
            number=number,
            name=name,
            likeness=_rate_likeness(*matches[number], is_alone=spelling_counts[normalize_spelling(name)] == 1),
            matches=tuple(people_by_id[pk] for pk in matches[number][0] or matches[number][1]),
        )
        for number, name in enumerate(names, start=1)
    ]


def _list_players(event: Event) -> set[tuple[int, str]]:
    """Return the players of the event, by key and name. One query."""
    entries = event.entries.select_related("player_1", "player_2")
    return {(person.pk, person.name) for entry in entries for person in entry.players}


def _rate_likeness(exact: Sequence[int], similar: Sequence[int], *, is_alone: bool) -> MatchKind:
    """Rate the likeness: a single person of that spelling on both sides is the same person."""
    if len(exact) == 1 and is_alone:
        return MatchKind.KNOWN
    return MatchKind.UNCERTAIN if exact or similar else MatchKind.NEW


def get_matched_ids(people: Iterable[ImportedPerson]) -> Mapping[int, int]:
    """Return the keys of the people who are matched beyond doubt, by place in the list."""
    return {person.number: person.matches[0].pk for person in people if person.likeness == MatchKind.KNOWN}
