"""Recorded nights: a folder of paper sheets, typed in. Plain Python.

``night.json`` has the ruleset and the games that win a match; ``entries.csv`` (entry, player_1, player_2),
``tables.csv`` (round, table, side_a, side_b) and ``hands.csv`` (round, table, hand, dealer, side, contract,
trump, tricks, outcome) have the rest. ``docs/api/recorded-nights.md`` describes every column.
"""

from .files import (
    NIGHT_FILES,
    SAMPLES_FOLDER,
    Files,
    match_file_name,
    read_folder,
    read_text_file,
    read_texts,
    read_zip,
    recorded_nights,
)
from .parser import (
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
    "NIGHT_FILES",
    "NIGHT_LISTS",
    "NO_LAYOUTS",
    "SAMPLES_FOLDER",
    "Files",
    "Layouts",
    "NightTable",
    "RecordedNight",
    "layouts_from_json",
    "layouts_to_json",
    "match_file_name",
    "read_folder",
    "read_night",
    "read_text_file",
    "read_texts",
    "read_zip",
    "recorded_nights",
]
