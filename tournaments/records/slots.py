"""Changes that ratings and records follow."""

from clubs.services.changes import ClubChange
from tournaments.standings.queries.delays import CLUB_TASK_KINDS, RECORDS_KIND

CLUB_TASK_KINDS.append(RECORDS_KIND)
# Of a person: whether they are somebody else, or left out; of the club: whether it rates its people; of an
# event: whether a copy of it counts instead.
ClubChange.register_job(RECORDS_KIND, ("person", "event", "club"))
