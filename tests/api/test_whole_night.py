"""A whole night over HTTP, from the club's people to the published standings.

``whole_night.py`` runs outside the project's folder, with the standard library alone.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.api.program import create_secret
from tests.builders import build_account, build_club

pytestmark = pytest.mark.slow

PROGRAM = Path(__file__).with_name("whole_night.py")


def run_program(*arguments: str, folder: Path) -> Any:
    ran = subprocess.run(
        [sys.executable, "-I", "-S", str(PROGRAM), *arguments],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.django_db(transaction=True)
def test_program_runs_a_night_from_people_to_standings(live_server: LiveServer, tmp_path: Path) -> None:
    owner = build_account()
    club = build_club(owner=owner)
    host = live_server.url.removeprefix("http://")
    standings = run_program(host, create_secret(club, owner), club.slug, folder=tmp_path)
    assert standings["is_final"]
    ranks = {row["entry"]: row["rank"] for row in standings["results"]}
    assert ranks.keys() == {1, 2, 3, 4}
    assert ranks[1] == 1 < ranks[4]
