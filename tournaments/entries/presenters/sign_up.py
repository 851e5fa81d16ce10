"""Links from a sign-up to the players' own pages, and the list of players who look for a partner."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from clubs.models import Person
from engine.visibility import Names
from tournaments.entries.badge_codes import own_link
from tournaments.entries.queries.entries import looking_for_partner, player_alone
from tournaments.models import Action, Entry, Event


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnWay:
    """The address of a player's own page. If it ``opens``, no badge letters are needed."""

    name: str
    address: str
    opens: bool


def own_ways(action: Action, entry: Entry) -> tuple[OwnWay, ...]:
    """Return the link for each player of a sign-up, or only for the one who signed up alone.

    It opens without badge letters only for people created by this sign-up. People whom the club knew before
    need the letters on their badge. No query.
    """
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
    """Check that this sign-up created the person and that nobody was merged into them since."""
    began_at = entry.signed_up_at
    return began_at is not None and began_at <= person.added_at <= action.created_at and not person.merged_ids


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerSeekersView:
    """The number of players who look for a partner, and the ``names`` that may be published in full."""

    count: int
    names: tuple[str, ...]


def partner_seekers(event: Event) -> PartnerSeekersView:
    """Build the list of players who look for a partner. Initials would not help, so only full names that may
    be published are listed. One query, or none."""
    looking = looking_for_partner(event)
    are_named = event.visible.entries and event.visible.names is Names.AGREED
    people = [entry.player_1 for entry in looking if are_named]
    named = [person.name_in_public(event.club) for person in people]
    return PartnerSeekersView(
        count=len(looking),
        names=tuple(name for person, name in zip(people, named, strict=True) if name == person.name),
    )
