"""The way from a sign-up to the own pages of whom it brought in."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from clubs.models import Person
from engine.visibility import Names
from tournaments.entries.own_letters import own_link
from tournaments.entries.queries.entries import looking_for_partner, player_alone
from tournaments.models import Action, Entry, Event


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnWay:
    """Where somebody's own page is: ``opens`` by itself, or asks for the letters of the badge."""

    name: str
    address: str
    opens: bool


def own_ways(action: Action, entry: Entry) -> tuple[OwnWay, ...]:
    """Of each player of what was signed up; of whoever signed up alone, no way but their own. Whoever sent
    the form may speak for those whom the form made, and for nobody whom the club knew before: that one's
    letters are on the badge. No query."""
    alone = player_alone(action, entry)
    players = entry.players if alone is None else [alone]
    return tuple(_own_way(action, entry, person) for person in players)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class LookingView:
    """How many look for a partner, and the ``names`` of those of them whom everybody may read in full."""

    count: int
    names: tuple[str, ...]


def looking_view(event: Event) -> LookingView:
    """Initials would help nobody to find a partner: so there stand only the names of those who agreed to be
    read in full, where the event lets them be read. One query, or none."""
    looking = looking_for_partner(event)
    are_named = event.visible.entries and event.visible.names is Names.AGREED
    people = [entry.player_1 for entry in looking if are_named]
    named = [person.name_in_public(event.club) for person in people]
    return LookingView(
        count=len(looking),
        names=tuple(name for person, name in zip(people, named, strict=True) if name == person.name),
    )
