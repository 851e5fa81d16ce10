"""Recorded nights: a folder of paper sheets, typed in. Plain Python.

``night.json`` has the ruleset and the games that win a match; ``entries.csv`` (entry, player_1, player_2),
``tables.csv`` (round, table, side_a, side_b) and ``hands.csv`` (round, table, hand, dealer, side, contract,
trump, tricks, outcome) have the rest. ``docs/api/recorded-nights.md`` describes every column.
"""

from .files import (
    FILES,
    RECORDED,
    Files,
    file_named,
    files_in_folder,
    files_in_zip,
    recorded_nights,
    texts_of,
)
from .reading import NightTable, RecordedNight, read_night

__all__ = [
    "FILES",
    "RECORDED",
    "Files",
    "NightTable",
    "RecordedNight",
    "file_named",
    "files_in_folder",
    "files_in_zip",
    "read_night",
    "recorded_nights",
    "texts_of",
]
