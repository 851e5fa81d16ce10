"""Export of everything that a club stores about a person, as plain values, for that person.

>>> list(RELATED.values()).count("matches") > 3
True
"""

from collections.abc import Callable, Mapping
from typing import Any

from clubs.models import Club, Person

from .figures import subject_figures, subject_seasons
from .history import subject_history, subject_incidents
from .money import subject_elsewhere, subject_payments, subject_prizes
from .person import subject_alerts, subject_consents, subject_identity
from .played import subject_entries, subject_matches

Lines = list[dict[str, Any]]

SECTIONS: Mapping[str, Callable[[Club, Person], Lines]] = {
    "person": subject_identity,
    "consents": subject_consents,
    "entries": subject_entries,
    "matches": subject_matches,
    "alerts": subject_alerts,
    "figures": subject_figures,
    "seasons": subject_seasons,
    "payments": subject_payments,
    "prizes": subject_prizes,
    "elsewhere": subject_elsewhere,
    "history": subject_history,
    "incidents": subject_incidents,
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
"""Section of the export by relation to a person, an entry or a match."""


def everything_about(club: Club, person: Person) -> dict[str, Lines]:
    """Return each section by its key, with its lines, as JSON values with dates and times."""
    return {key: told(club, person) for key, told in SECTIONS.items()}
