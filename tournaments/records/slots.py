"""Changes that ratings and records follow."""

from clubs.services import ClubChange
from tournaments.standings.queries.delays import CLUB_COUNTS, RECORDS

CLUB_COUNTS.append(RECORDS)
# Of a person: whether they are somebody else, or left out; of the club: whether it rates its people; of an
# event: whether a copy of it counts instead.
ClubChange.is_followed_by(RECORDS, ("person", "event", "club"))
