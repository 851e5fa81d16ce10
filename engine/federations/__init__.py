"""Many clubs as one: their feeds, the identity of their people, and joint standings.

A feed is what a club publishes, signed. Everything here is a function of feeds and of the rule that a
federation sets, so the same feeds give the same standings everywhere.
"""

from .identities import build_statement as build_statement
from .identities import derive_identity_key as derive_identity_key
from .identities import format_code as format_code
from .identities import group_people as group_people
from .identities import read_code as read_code
from .standings import FederationStandings as FederationStandings
from .standings import PersonLine as PersonLine
from .standings import RatedLine as RatedLine
from .standings import compute_federation_standings as compute_federation_standings
from .values import Feed as Feed
from .values import FeedDate as FeedDate
from .values import FeedMatch as FeedMatch
from .values import FeedNight as FeedNight
from .values import FeedPerson as FeedPerson
from .values import FeedPlace as FeedPlace
