"""Where everything stands in the lines of a report: columns as the handbook counts them, from 1."""

from collections.abc import Mapping

PLAYER = "001"
Columns = tuple[int, int]
"""First and last column."""

NUMBER: Columns = (5, 8)
NAME: Columns = (15, 47)
RATING: Columns = (49, 52)
POINTS: Columns = (81, 84)
RANK: Columns = (86, 89)

TEXTS: Mapping[str, str] = {
    "012": "name",
    "022": "city",
    "032": "federation",
    "042": "starts_on",
    "052": "ends_on",
    "092": "system",
    "102": "arbiter",
}
"""Lines of free text from column 5, by their code: the field of the report."""

WORTH: Mapping[str, str] = {
    "BBW": "win",
    "BBD": "draw",
    "BBL": "loss",
    "BBU": "bye",
    "BBZ": "absence",
    "BBF": "forfeit_loss",
}
"""Lines of points in columns 5 to 8, by their code: the field of the point system."""


def opponent_in(played_round: int) -> Columns:
    """The opponent's starting number."""
    return (82 + 10 * played_round, 85 + 10 * played_round)


def colour_in(played_round: int) -> Columns:
    return (87 + 10 * played_round, 87 + 10 * played_round)


def result_in(played_round: int) -> Columns:
    return (89 + 10 * played_round, 89 + 10 * played_round)
