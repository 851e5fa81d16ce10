"""Export of everything that a club stores about a person, as plain values, for that person."""

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


def export_person_data(club: Club, person: Person) -> dict[str, Lines]:
    """Return each section by its key, with its lines, as JSON values with dates and times."""
    return {key: export(club, person) for key, export in SECTIONS.items()}
