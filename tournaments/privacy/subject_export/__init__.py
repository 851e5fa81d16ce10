"""Export of everything that a club stores about a person, as plain values, for that person.

>>> list(RELATION_SECTIONS.values()).count("matches") > 3
True
"""

from collections.abc import Callable, Mapping
from typing import Any

from clubs.models import Club, Person

from .figures import export_figures, export_seasons
from .history import export_history, export_incidents
from .matches import export_entries, export_matches
from .money import export_other_clubs, export_payments, export_prizes
from .person import export_alerts, export_consents, export_identity

Lines = list[dict[str, Any]]

SECTIONS: Mapping[str, Callable[[Club, Person], Lines]] = {
    "person": export_identity,
    "consents": export_consents,
    "entries": export_entries,
    "matches": export_matches,
    "alerts": export_alerts,
    "figures": export_figures,
    "seasons": export_seasons,
    "payments": export_payments,
    "prizes": export_prizes,
    "elsewhere": export_other_clubs,
    "history": export_history,
    "incidents": export_incidents,
}

RELATION_SECTIONS: Mapping[str, str] = {
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


def export_person_data(club: Club, person: Person) -> dict[str, Lines]:
    """Return each section by its key, with its lines, as JSON values with dates and times."""
    return {key: export(club, person) for key, export in SECTIONS.items()}
