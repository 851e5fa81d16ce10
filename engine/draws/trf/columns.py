"""Columns of the lines of a report, counted from 1 as in the handbook."""

from collections.abc import Mapping

PLAYER = "001"
Columns = tuple[int, int]
"""First and last column."""

NUMBER: Columns = (5, 8)
NAME: Columns = (15, 47)
RATING: Columns = (49, 52)
POINTS: Columns = (81, 84)
RANK: Columns = (86, 89)

BYE_KIND: Columns = (5, 5)
BYE_ROUND: Columns = (7, 9)
FIRST_ROUND: Columns = (5, 7)
LAST_ROUND: Columns = (9, 11)

GIVEN_KIND: Columns = (5, 5)
GIVEN_POINTS: Columns = (14, 17)
GIVEN_ROUND: Columns = (20, 22)

BYES, APART, GIVEN = "240", "260", "299"
TEAMS: Mapping[str, tuple[Columns, int]] = {"013": ((5, 36), 37), "310": ((9, 40), 74)}
"""Team lines, by their code: the name, and the column at which the list of players begins."""
LISTS: Mapping[str, int] = {BYES: 11, APART: 13, GIVEN: 24}
"""Other lists of starting numbers, by their code: the column at which each begins."""
LIST_STEP = 5
"""The distance from one starting number in a list to the next."""

EXTENSION = "### charlemagne "
"""The beginning of the comment line with data of this program that the format has no line for."""

TEXTS: Mapping[str, str] = {
    "012": "name",
    "022": "city",
    "032": "federation",
    "042": "starts_on",
    "052": "ends_on",
    "092": "system",
    "102": "arbiter",
}
"""Lines of free text from column 5, by code, with the field of the report."""

RESULT_POINTS: Mapping[str, str] = {
    "BBW": "win",
    "BBD": "draw",
    "BBL": "loss",
    "BBU": "bye",
    "BBZ": "absence",
    "BBF": "forfeit_loss",
}
"""Lines of points in columns 5 to 8, by code, with the field of the point system."""


def get_opponent_columns(played_round: int) -> Columns:
    """Return the columns of the opponent's starting number."""
    return (82 + 10 * played_round, 85 + 10 * played_round)


def get_colour_columns(played_round: int) -> Columns:
    return (87 + 10 * played_round, 87 + 10 * played_round)


def get_result_columns(played_round: int) -> Columns:
    return (89 + 10 * played_round, 89 + 10 * played_round)
