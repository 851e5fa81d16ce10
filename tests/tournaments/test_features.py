"""A night also runs in an installation without the optional features."""

import subprocess
import sys

import pytest
from django.conf import settings

from operations.data_dir import PROJECT

NEEDED = {"agenda", "public", "sharing"}
"""Features whose pages the public page of an event links to without asking whether they are loaded."""


@pytest.mark.slow
def test_night_runs_with_only_the_required_features() -> None:
    left_out = [each for each in settings.TOURNAMENT_FEATURES if each not in NEEDED]
    command = [sys.executable, "-m", "tests.tournaments.a_night_without_features", *left_out]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
