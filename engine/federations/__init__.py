"""Many clubs as one: their feeds, the identity of their people, and joint standings.

A feed is what a club publishes, signed. Everything here is a function of feeds and of the rule that a
federation sets, so the same feeds give the same standings everywhere.
"""

from .identities import build_statement, derive_identity_key, format_code, group_people, read_code
from .standings import FederationStandings, GainLine, PersonLine, RatedLine, compute_federation_standings
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
    "build_statement",
    "compute_federation_standings",
    "derive_identity_key",
    "format_code",
    "group_people",
    "read_code",
]
