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
    read_text_file,
    recorded_nights,
    texts_of,
)
from .reading import (
    NIGHT_LISTS,
    NO_LAYOUTS,
    Layouts,
    NightTable,
    RecordedNight,
    layouts_from_json,
    layouts_to_json,
    read_night,
)

__all__ = [
    "FILES",
    "NIGHT_LISTS",
    "NO_LAYOUTS",
    "RECORDED",
    "Files",
    "Layouts",
    "NightTable",
    "RecordedNight",
    "file_named",
    "files_in_folder",
    "files_in_zip",
    "layouts_from_json",
    "layouts_to_json",
    "read_night",
    "read_text_file",
    "recorded_nights",
    "texts_of",
]
