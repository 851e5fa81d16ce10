"""Contracts: the possible bids, the tricks that make them, and their points.

A contract is a value; each ruleset has its own.

=========  ==========================  =====================================================================
document   section                     here
=========  ==========================  =====================================================================
P          bids and scores (Canada)    ``build_number_bid``, ``build_no_trick_bid``, ``build_all_trick_bid``
P, G       scores (Maine)              ``build_number_bid``; 8 / 8 for Le Petit and High Card No Trump
J          Enchères spéciales          the same; Charlemagne ends the game: ``ends_game``
RULES §2   the table of contracts      every value in ``rulesets``
RULES D12  ways of playing             ``modes``
=========  ==========================  =====================================================================
"""

from dataclasses import dataclass
from enum import StrEnum

TRICKS = 8
"""Tricks in a hand, in every ruleset."""

LOWEST_PLAYED_BID = 5
"""Number bids below this are information only, or mean a new deal, unless low bids are played (P, J; D1)."""

RESERVE = "reserve+"
"""Prefix of the modes in which the declarer has taken the réserve (J; D4, D12)."""


class TrumpRule(StrEnum):
    """The trumps of a contract.

    They are a suit that the declarer names, nothing at all, or only the Jokers; and where the Jokers are
    forced, a player who holds one and cannot follow suit must play it (P, the Mulots).
    """

    NAMED = "named"
    NONE = "none"
    JOKERS = "jokers"
    FORCED_JOKERS = "forced_jokers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """A contract in the order of bids.

    The contract is made when the declaring side takes from ``least`` to ``most`` tricks. ``made`` points go
    to the declaring side, or ``failed`` points to the other one; if ``ends_game`` is set no points move and
    the game itself is won or lost. ``is_alone`` says that the partner never plays, whatever the mode;
    ``open_after`` how many tricks are played before the declarer's hand is laid open.
    """

    key: str
    number: int | None
    least: int
    most: int
    trump: TrumpRule
    made: int
    failed: int
    ends_game: bool
    is_alone: bool
    open_after: int | None
    modes: tuple[str, ...]

    def is_made_with(self, tricks: int) -> bool:
        return self.least <= tricks <= self.most


def build_number_bid(tricks: int, *, modes: tuple[str, ...]) -> Contract:
    """Return a number bid: it pays its number either way; overtricks and undertricks pay nothing (P, V, G,
    J)."""
    return Contract(
        key=str(tricks),
        number=tricks,
        least=tricks,
        most=TRICKS,
        trump=TrumpRule.NAMED,
        made=tricks,
        failed=tricks,
        ends_game=False,
        is_alone=False,
        open_after=None,
        modes=modes,
    )


def build_no_trick_bid(
    key: str,
    *,
    trump: TrumpRule,
    pays: tuple[int, int],
    modes: tuple[str, ...],
    open_after: int | None = None,
) -> Contract:
    """Return a bid to take no trick at all: the Mulots and the Petite."""
    return Contract(
        key=key,
        number=None,
        least=0,
        most=0,
        trump=trump,
        made=pays[0],
        failed=pays[1],
        ends_game=False,
        is_alone=True,
        open_after=open_after,
        modes=modes,
    )


def build_all_trick_bid(
    key: str,
    *,
    trump: TrumpRule,
    pays: tuple[int, int] | None,
    modes: tuple[str, ...],
    is_alone: bool = False,
) -> Contract:
    """Return a bid to take all eight tricks: the Grosse and the Charlemagnes. One that pays None ends the
    game."""
    made, failed = pays or (0, 0)
    return Contract(
        key=key,
        number=None,
        least=TRICKS,
        most=TRICKS,
        trump=trump,
        made=made,
        failed=failed,
        ends_game=pays is None,
        is_alone=is_alone,
        open_after=None,
        modes=modes,
    )
