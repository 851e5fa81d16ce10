"""Completion of data that older versions left."""

from django.db import transaction

from clubs.services import refold_names
from scoring.services import complete_chains, complete_summaries
from tournaments.standings.services import refresh_older_standings


@transaction.atomic
def complete_what_is_derived() -> None:
    """Add the values that older versions did not compute. No data entered by people change."""
    refold_names()
    complete_summaries()
    complete_chains()
    refresh_older_standings()
