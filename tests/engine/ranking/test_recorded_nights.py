"""Two recorded nights: every match as played, and the standings that they must give."""

import pytest

from engine.draws import EntryId
from engine.ranking import USUAL_ORDER, Outcome, RankingRules, Result, Row, rank_entries

# A line for each round; of each table the two entries, the games won and the points.
CANADIAN = """
6-11 1:0 35:31 / 2-1 0:1 6:50 / 3-9 1:0 36:19 / 8-4 1:0 35:8 / 5-7 1:0 35:23 / 12-10 1:0 34:20
1-10 1:0 36:10 / 7-4 0:1 12:35 / 5-8 0:1 24:36 / 2-9 0:1 25:36 / 11-12 0:1 20:32 / 3-6 1:0 32:19
1-3 1:0 32:23 / 4-5 1:0 34:21 / 12-7 0:1 26:35 / 2-11 1:0 37:19 / 9-6 1:0 54:8 / 10-8 0:1 27:32
9-8 1:0 35:0 / 3-5 1:0 32:6 / 7-6 1:0 32:17 / 12-1 0:1 0:33 / 11-10 1:0 32:5 / 4-2 1:0 38:12
9-11 1:0 36:0 / 5-2 0:1 13:37 / 8-12 0:1 31:60 / 6-4 0:1 13:32 / 10-3 0:1 5:40 / 7-1 0:1 5:37
3-7 1:0 45:22 / 1-4 1:0 32:0 / 10-9 0:1 5:33 / 2-12 0:1 6:32 / 6-8 0:1 5:36 / 11-5 0:1 6:36
"""

BAS_SAINT_LAURENT = """
10-3 2:0 21:6 / 14-12 0:2 11:42 / 2-11 2:0 27:17 / 16-6 0:2 0:33 / 8-1 0:2 14:46 / 7-4 0:2 25:50 / 15-13 1:2 60:51 / 9-5 0:2 24:44
3-5 0:2 19:46 / 11-10 0:2 0:46 / 13-2 2:0 31:29 / 1-16 2:0 44:29 / 7-14 2:1 51:53 / 12-6 2:1 55:38 / 4-15 2:0 32:25 / 9-8 0:2 5:22
8-6 0:2 8:44 / 2-1 0:2 19:47 / 13-12 0:2 7:45 / 9-7 2:0 47:6 / 5-14 2:1 60:31 / 11-15 1:2 41:54 / 16-10 0:2 13:45 / 4-3 1:2 37:59
6-2 2:0 48:0 / 16-7 2:0 49:23 / 14-4 0:2 0:45 / 10-12 0:2 29:45 / 9-15 1:2 44:65 / 11-1 1:2 40:46 / 5-8 2:1 48:34 / 13-3 2:0 50:24
12-2 2:0 23:0 / 9-3 1:2 50:65 / 16-11 2:1 34:54 / 5-13 2:1 44:34 / 8-10 0:2 0:26 / 7-6 0:2 0:36 / 4-1 2:0 23:6 / 15-14 2:0 48:19
"""  # noqa: E501

# Rank, entry, match wins, games won, difference, points for.
CANADIAN_STANDINGS = """
1 1 6 6 176 220
2 9 5 5 139 213
3 3 5 5 105 208
4 12 4 4 39 184
5 4 4 4 22 147
6 8 4 4 11 170
7 5 2 2 -33 135
8 2 2 2 -65 123
9 7 2 2 -66 129
10 11 1 1 -73 108
11 6 1 1 -120 97
12 10 0 0 -135 72
"""

BAS_SAINT_LAURENT_STANDINGS = """
1 12 5 10 125 210
2 5 5 10 100 242
3 6 4 9 136 199
4 4 4 9 72 187
5 10 4 8 103 167
6 1 4 8 64 189
7 15 3 7 65 252
8 13 3 7 -29 173
9 3 2 4 -31 173
10 16 2 4 -74 125
11 9 1 4 -32 170
12 8 1 3 -91 78
13 2 1 2 -91 75
14 7 1 2 -130 105
15 11 0 3 -55 152
16 14 0 2 -132 114
"""


def read_results(night: str) -> dict[EntryId, list[Result]]:
    by_entry: dict[EntryId, list[Result]] = {}
    for number, line in enumerate(night.split("\n")[1:-1], start=1):
        for match in line.split(" / "):
            sides, games, points = match.split()
            entries = [EntryId(int(entry)) for entry in sides.split("-")]
            won, made = ([int(count) for count in counts.split(":")] for counts in (games, points))
            for side, other in ((0, 1), (1, 0)):
                by_entry.setdefault(entries[side], []).append(
                    Result(
                        round=number,
                        outcome=Outcome.WON if won[side] > won[other] else Outcome.LOST,
                        opponents=(entries[other],),
                        games_won=won[side],
                        games_lost=won[other],
                        points_for=made[side],
                        points_against=made[other],
                    )
                )
    return by_entry


def rank_night(night: str) -> tuple[Row, ...]:
    by_entry = read_results(night)
    return rank_entries({entry: int(entry) for entry in by_entry}, by_entry, RankingRules())


@pytest.mark.parametrize(
    ("night", "expected"),
    [(CANADIAN, CANADIAN_STANDINGS), (BAS_SAINT_LAURENT, BAS_SAINT_LAURENT_STANDINGS)],
    ids=["canadian, 6 tables", "bas-saint-laurent, 8 tables"],
)
def test_recorded_night_gives_its_known_standings(night: str, expected: str) -> None:
    rows = rank_night(night)
    assert [(row.rank, row.entry, *(row.values[key] for key in USUAL_ORDER)) for row in rows] == [
        tuple(map(int, line.split())) for line in expected.strip().split("\n")
    ]


def test_every_row_of_a_night_names_the_deciding_metric() -> None:
    decided_by = {row.entry: row.decided_by for row in rank_night(BAS_SAINT_LAURENT)}
    assert decided_by[EntryId(12)] is None
    assert decided_by[EntryId(5)] == "difference"
    assert decided_by[EntryId(6)] == "match_wins"
    assert decided_by[EntryId(2)] == "games_won"
