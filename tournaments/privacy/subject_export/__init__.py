"""Everything that a club knows of one person, as plain values: for the person, who may ask for it.

>>> list(RELATED.values()).count("matches") > 3
True
"""

from collections.abc import Callable, Mapping
from typing import Any

from clubs.models import Club, Person

from .figures import figures_of, seasons_of
from .history import history_of, incidents_of
from .money import elsewhere_of, payments_of, prizes_of
from .person import alerts_of, consents_of_person, identity_of
from .played import entries_of, matches_of

Lines = list[dict[str, Any]]

SECTIONS: Mapping[str, Callable[[Club, Person], Lines]] = {
    "person": identity_of,
    "consents": consents_of_person,
    "entries": entries_of,
    "matches": matches_of,
    "alerts": alerts_of,
    "figures": figures_of,
    "seasons": seasons_of,
    "payments": payments_of,
    "prizes": prizes_of,
    "elsewhere": elsewhere_of,
    "history": history_of,
    "incidents": incidents_of,
}

RELATED: Mapping[str, str] = {
    "clubs.Person.club": "person",
    "clubs.Person.family": "person",
    "tournaments.Entry.player_1": "entries",
    "tournaments.Entry.player_2": "entries",
    "tournaments.Adjustment.entry": "entries",
    "tournaments.Seating.entry": "entries",
    "scoring.Player.person": "matches",
    "scoring.Player.match": "matches",
    "scoring.Mark.match": "matches",
    "scoring.RefusedMark.match": "matches",
    "scoring.Agreement.match": "matches",
    "scoring.Dispute.match": "matches",
    "tournaments.Table.match": "matches",
    "tournaments.Tally.match": "matches",
    "tournaments.PersonRecord.person": "figures",
    "tournaments.AlertSubscription.person": "alerts",
    "clubs.Dues.person": "payments",
    "tournaments.Fee.person": "payments",
    "tournaments.Prize.winner_1": "prizes",
    "tournaments.Prize.winner_2": "prizes",
    "federations.PersonIdentity.person": "person",
    "tournaments.Visitor.person": "elsewhere",
    "tournaments.Visitor.known_as": "elsewhere",
}
"""Each relation to a person, to an entry and to a match, and the section that tells of it."""


def everything_about(club: Club, person: Person) -> dict[str, Lines]:
    """Each section by its key, with its lines; values are those of JSON, but for days and moments."""
    return {key: told(club, person) for key, told in SECTIONS.items()}
