"""Location of the test map, which holds the lines that each test reaches; git ignores it."""

from __future__ import annotations

from operations.data_dir import PROJECT

FOLDER = PROJECT / ".test-map"
VARIABLE = "CHARLEMAGNE_TEST_MAP"
"""Environment variable that gives the folder to the processes that record."""
LINES, DURATIONS, SETTINGS, SOURCES = "lines", "durations.json", "coveragerc", "sources"
"""Names in the folder: coverage data, seconds by test, coverage settings, copies of the source files."""
