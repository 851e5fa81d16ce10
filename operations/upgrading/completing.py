"""What older programs did not do yet, of the data that they left."""

from django.db import transaction

from clubs.services import refold_names
from scoring.services import complete_summaries
from tournaments.standings.services import refresh_older_standings


@transaction.atomic
def complete_what_is_derived() -> None:
    """What older programs did not count yet is counted: nothing of it was ever said by anybody."""
    refold_names()
    complete_summaries()
    refresh_older_standings()
