"""Location of the test map, which git ignores: the lines that each test reaches."""

from __future__ import annotations

from operations.data_dir import PROJECT

FOLDER = PROJECT / ".test-map"
VARIABLE = "CHARLEMAGNE_TEST_MAP"
"""Names the folder to the processes that record."""
LINES, DURATIONS, SETTINGS, SOURCES = "lines", "durations.json", "coveragerc", "sources"
"""In it: coverage's data, seconds by test, coverage's settings, and the files as they were."""
