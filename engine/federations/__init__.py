"""Many clubs as one: their feeds, the identity of their people, and joint standings.

A feed is what a club publishes, signed. Everything here is a function of feeds and of the rule that a
federation sets, so the same feeds give the same standings everywhere.
"""

from .identities import group_people, identity_key, read_code, statement_of, written_code
from .standing import (
    FederationStandings,
    GainLine,
    PersonLine,
    RatedLine,
    federation_standings,
)
from .values import Feed, FeedDate, FeedMatch, FeedNight, FeedPerson, FeedPlace

__all__ = [
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
