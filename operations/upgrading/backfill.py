"""Completion of data that older versions left."""

from django.db import transaction

from clubs.models import Club
from clubs.services.folded_names import refold_names
from scoring.models import Match
from scoring.services.cache_check import complete_summaries
from scoring.services.log_repair import complete_chains
from tournaments.standings.services import refresh_older_standings


@transaction.atomic
def complete_derived_values(club: Club | None = None) -> None:
    """Add the values that older versions did not compute, of one club or of all. No data entered by people
    change."""
    refold_names()
    matches = None if club is None else Match.objects.filter(card__club=club)
    complete_summaries(matches)
    complete_chains(matches)
    refresh_older_standings()
