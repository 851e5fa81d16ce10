"""A night continues while the clock of the hall's laptop is changed, ahead or back, and then corrected.

It changes for all processes at the same moment, as the system's clock does.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest

from operations.data_dir import DATABASE_FILE
from tests import external_tools
from tests.operations.up.conftest import RunningUp, prepare_night, run_manage
from tests.support.waiting import TIMEOUT_SECONDS, wait_until

from .clocks import WrongClock
from .phones import Phones
from .test_read_only_disks import check_nothing_is_lost, run_up

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"),
    pytest.mark.skipif(external_tools.find_compiler() is None, reason="no compiler to make a clock with"),
]

TABLES = 2
NAME, PASSWORD = "Odile Fabre", "sept piques en trois temps"
SHIFT_TO_1970 = datetime(1970, 1, 2, tzinfo=UTC) - datetime.now(UTC)
SET = {
    "an hour ahead": timedelta(hours=1),
    "an hour back": timedelta(hours=-1),
    "three years ahead": timedelta(days=3 * 365),
    "to 1970, as without a battery": SHIFT_TO_1970,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    up: RunningUp
    clock: WrongClock
    tables: list[dict[str, Any]]

    def send_request(self, query: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.up.data / DATABASE_FILE, timeout=TIMEOUT_SECONDS)) as database, database:
            return database.execute(query).fetchall()

    @contextmanager
    def set_clock(self, wrong_by: timedelta) -> Iterator[None]:
        """Change the clock; after the block, wait until `up` reports it: round times are adjusted by then."""
        so_far = self.count_clock_changes()
        self.clock.set_wrong_by(wrong_by)
        yield
        wait_until(lambda: self.count_clock_changes() > so_far)

    def count_clock_changes(self) -> int:
        return self.up.read_output().count("The clock of this computer was changed while the program runs")

    def get_start_time(self) -> datetime:
        ((begun,),) = self.send_request("SELECT started_at FROM tournaments_round")
        return datetime.fromisoformat(begun)

    def look_for_lost_work(self) -> None:
        """Wait until a job whose message was lost has run: only the sweep, started by the beat, finds it."""
        moment = self.get_wrong_time()
        self.send_request(
            "INSERT INTO jobs_job (kind, key, status, attempts, created_at, sent_at, error)"
            f" SELECT 'refresh_seasons', id, 'queued', 0, '{moment}', '{moment}', '' FROM clubs_club"
        )
        wait_until(lambda: not self.send_request("SELECT 1 FROM jobs_job WHERE ended_at IS NULL"))
        assert self.send_request("SELECT kind, error FROM jobs_job WHERE status <> 'done'") == []

    def get_wrong_time(self) -> str:
        return str(datetime.now(UTC).replace(tzinfo=None) + self.clock.wrong_by)

    def sign_in(self) -> bool:
        """Sign in on a new device."""
        browser = build_opener(HTTPCookieProcessor(CookieJar()))
        submit_form(browser, f"{self.address}/sign-in", name=NAME, password=PASSWORD)
        page = browser.open(f"{self.address}/account", timeout=TIMEOUT_SECONDS)
        return str(page.geturl()).endswith("/account")

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.up.port}"


def submit_form(browser: Any, address: str, **fields: str) -> None:
    """Submit the form of the page."""
    page = browser.open(Request(address, headers={"Accept-Language": "en"}), timeout=TIMEOUT_SECONDS).read().decode()
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert found, page
    fields |= {"csrfmiddlewaretoken": found[1]}
    browser.open(Request(address, urlencode(fields).encode()), timeout=TIMEOUT_SECONDS).read()


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory, prepared_folder: Any) -> Iterator[Night]:
    folder = tmp_path_factory.mktemp("clock")
    data = shutil.copytree(prepared_folder, folder / "data")
    night_data, clock = prepare_night(data, TABLES).data, WrongClock(folder)
    with run_up(data, **clock.variables) as up:
        night = Night(up=up, clock=clock, tables=night_data["tables"])
        browser = build_opener(HTTPCookieProcessor(CookieJar()))
        answers = {
            "club_name": "Les Valets",
            "language": "fr",
            "time_zone": "America/Montreal",
            "ruleset": "canadian",
        }
        submit_form(browser, up.find_first_link(), name=NAME, password=PASSWORD, **answers)
        night.send_request(f"UPDATE tournaments_round SET state = 'playing', started_at = '{night.get_wrong_time()}'")
        yield night


@pytest.mark.long("a night with a wrong clock; tests/jobs/test_clock_set_back.py is not long")
@pytest.mark.parametrize("wrong_by", SET.values(), ids=SET)
def test_night_continues_through_a_clock_change(night: Night, wrong_by: timedelta) -> None:
    for set_to in (wrong_by, timedelta()):
        before, was = night.get_start_time(), night.clock.wrong_by
        with Phones(night.up.port, night.tables) as phones, night.set_clock(set_to):
            print(f"hands go on after {phones.wait_for_more():.1f} s")
        moved = night.get_start_time() - before
        assert abs(moved - (set_to - was)) < timedelta(seconds=1), "the round is as long under way as before"
        night.look_for_lost_work()
        assert night.sign_in()
        assert phones.met.keys() <= {200, 201, 503}, phones.met
        check_nothing_is_lost(night.up.data, phones)


@pytest.mark.long("a night with a wrong clock")
def test_doctor_reports_a_wrong_clock(night: Night) -> None:
    with night.set_clock(timedelta(hours=-1)):
        pass
    process = run_manage("doctor", "--data", str(night.up.data), **night.clock.variables)
    assert "Some recent records are dated in the future (" in process.stdout
