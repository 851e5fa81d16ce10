"""The way from a sign-up to the own pages of whom it brought in."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from clubs.models import Person
from tournaments.entries.own_letters import own_link
from tournaments.models import Action, Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnWay:
    """Where somebody's own page is: ``opens`` by itself, or asks for the letters of the badge."""

    name: str
    address: str
    opens: bool


def own_ways(action: Action, entry: Entry) -> tuple[OwnWay, ...]:
    """Of each player of what was signed up. Whoever sent the form may speak for those whom the form made, and
    for nobody whom the club knew before: that one's letters are on the badge. No query."""
    return tuple(_own_way(action, entry, person) for person in entry.players)


def _own_way(action: Action, entry: Entry, person: Person) -> OwnWay:
    opens = _is_made_by(action, entry, person)
    by_name = f"{reverse('own-page', args=[entry.event.short])}?{urlencode({'who': person.name})}"
    return OwnWay(
        name=person.name,
        address=own_link(entry.event, person.pk) if opens else by_name,
        opens=opens,
    )


def _is_made_by(action: Action, entry: Entry, person: Person) -> bool:
    """Somebody new with this sign-up, who has turned out to be nobody else since."""
    began_at = entry.signed_up_at
    return began_at is not None and began_at <= person.added_at <= action.created_at and not person.merged_ids
