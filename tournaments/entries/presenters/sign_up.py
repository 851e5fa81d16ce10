"""Links from a sign-up to the players' own pages, and the list of players who look for a partner."""

from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from clubs.models import Person
from engine.visibility import Names
from tournaments.entries.badge_codes import build_player_link
from tournaments.entries.queries.entries import looking_for_partner, player_alone
from tournaments.models import Action, Entry, Event


def build_player_links(action: Action, entry: Entry) -> list[dict[str, Any]]:
    """Return the link to the own page of each player of a sign-up, or only of the one who signed up alone.

    It ``opens_directly``, without badge letters, only for people created by this sign-up. People whom the club knew
    before need the letters on their badge. No query.
    """
    lone_player = player_alone(action, entry)
    players = entry.players if lone_player is None else [lone_player]
    return [_build_player_link(action, entry, person) for person in players]


def _build_player_link(action: Action, entry: Entry, person: Person) -> dict[str, Any]:
    opens = _is_made_by(action, entry, person)
    name_address = f"{reverse('own-page', args=[entry.event.short])}?{urlencode({'who': person.name})}"
    return {
        "name": person.name,
        "address": build_player_link(entry.event, person.pk) if opens else name_address,
        "opens_directly": opens,
    }


def _is_made_by(action: Action, entry: Entry, person: Person) -> bool:
    """Check that this sign-up created the person and that nobody was merged into them since."""
    signed_up_at = entry.signed_up_at
    return signed_up_at is not None and signed_up_at <= person.added_at <= action.created_at and not person.merged_ids


def build_partner_seekers_view(event: Event) -> dict[str, Any]:
    """Return the number of players who look for a partner, and the names that may be published in full: initials
    would not help. One query, or none."""
    entries = looking_for_partner(event)
    has_public_names = event.visible.entries and event.visible.names is Names.AGREED
    people = [entry.player_1 for entry in entries if has_public_names]
    public_names = [person.get_public_name(event.club) for person in people]
    return {
        "count": len(entries),
        "names": tuple(name for person, name in zip(people, public_names, strict=True) if name == person.name),
    }
