"""Home and away in a round robin of teams: the return match is played at the other team's place."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from .values import EntryId, PlayedPairing

HomeMatch = tuple[int, int]
"""The places of two teams in the list of teams, the home team first."""


def list_home_matches(history: Iterable[PlayedPairing], team_by_entry: Mapping[EntryId, int]) -> list[HomeMatch]:
    """Return the matches of teams in the order of their rounds. The home team is on side A of most tables; of two
    equals, it is the first one in the list of teams."""
    boards: defaultdict[tuple[int, frozenset[int]], Counter[HomeMatch]] = defaultdict(Counter)
    for played in history:
        teams = tuple(team_by_entry[side[0]] for side in (played.a, played.b) if side and side[0] in team_by_entry)
        if len(teams) == 2 and teams[0] != teams[1]:
            boards[played.round, frozenset(teams)][teams] += 1
    matches = sorted(
        (number, *min(counts, key=lambda match: (-counts[match], match))) for (number, _), counts in boards.items()
    )
    return [(home, away) for _, home, away in matches]


def choose_home(one: int, other: int, played: Iterable[HomeMatch]) -> HomeMatch:
    """Return the two teams, home team first: the one that was away when they met last, else the one with fewer
    matches at home than away.

    >>> choose_home(1, 2, [(1, 2)]), choose_home(1, 2, [(1, 3)]), choose_home(1, 2, [(3, 1)])
    ((2, 1), (2, 1), (1, 2))
    """
    balance: Counter[int] = Counter()
    last = None
    for home, away in played:
        balance.update({home: 1, away: -1})
        last = (home, away) if {home, away} == {one, other} else last
    if last is not None:
        return last[1], last[0]
    return (other, one) if balance[other] < balance[one] else (one, other)
