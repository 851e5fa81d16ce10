"""Many clubs as one: what their feeds tell, who is who, and what it adds up to.

A feed is what a club lets everybody know, signed. Everything here is a function of feeds and of the rule that
a federation sets, so whoever has the same feeds has the same standings.
"""

from .identities import CODE_LETTERS, group_people, identity_key, read_code, statement_of, written_code
from .standing import (
    FederationStandings,
    GainLine,
    PersonLine,
    RatedLine,
    federation_standings,
)
from .values import Feed, FeedDate, FeedMatch, FeedNight, FeedPerson, FeedPlace

__all__ = [
    "CODE_LETTERS",
    "FederationStandings",
    "Feed",
    "FeedDate",
    "FeedMatch",
    "FeedNight",
    "FeedPerson",
    "FeedPlace",
    "GainLine",
    "PersonLine",
    "RatedLine",
    "federation_standings",
    "group_people",
    "identity_key",
    "read_code",
    "statement_of",
    "written_code",
]
