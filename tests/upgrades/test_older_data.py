"""Upgraded data of each older version: pages open, standings are unchanged, matches agree with their logs."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from django.core.management import call_command

from clubs.models import Club, ClubAction
from clubs.services.undo import undo_club_action
from errors import Refusal
from jobs.models import Job, Status
from operations.backup import open_backup
from operations.backup.tables import get_model
from operations.upgrading.schema import list_own_migrations
from operations.upgrading.verified_copy import compute_tables_digest
from tests.saved_states import rolled_back
from tests.upgrades.conftest import OlderInstallation, Tables, read_tables
from tests.upgrades.crawler import crawl_all_owners
from tournaments.history.queries import IS_EMPTY_CHANGE
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Event, Standings
from tournaments.rounds.queries.event_snapshot import read_event_snapshot
from tournaments.standings.queries.standings import compute_event_standings

pytestmark = [pytest.mark.postgresql("migrations of older data"), pytest.mark.slow]


VERSIONS_WITHOUT_PLACES = ("01-first-night", "02-desk-and-deal", "03-whole-game", "04-draws", "05-director")
"""Versions that did not rank by the place in a bracket: there, only ``decided_by`` may differ after the upgrade."""
VERSIONS_WITHOUT_HISTORY = ("01-first-night", "02-desk-and-deal", "03-whole-game", "04-draws")


@pytest.fixture(autouse=True)
def untouched(older: OlderInstallation) -> Iterator[None]:
    """Roll back the changes of each test, so that tests may run in any order and process."""
    with rolled_back():
        yield


def digest_database(file: Path) -> str:
    with closing(sqlite3.connect(file)) as database:
        return compute_tables_digest(database)


def test_upgraded_tables_match_a_new_installation(older: OlderInstallation, new_tables: Tables) -> None:
    """A new installation applies squashed migrations, the older one those that they replace."""
    tables = read_tables()
    assert tables.keys() == new_tables.keys()
    assert {name: shape for name, shape in tables.items() if shape != new_tables[name]} == {}


@pytest.mark.long
def test_every_page_of_upgraded_data_opens(older: OlderInstallation) -> None:
    crawler = crawl_all_owners()
    assert {address: status for address, status in crawler.opened.items() if status != 200} == {}
    assert len(crawler.kinds) > 90


@pytest.mark.long
def test_upgrade_makes_a_copy_with_the_same_rows(older: OlderInstallation) -> None:
    copies = list(older.folder.glob("backups/*"))
    if not copies:
        taken = set(older.query_old_database("SELECT app, name FROM django_migrations"))
        assert all("_squashed_" in name for _, name in list_own_migrations() - taken)
        return  # the version has nothing to upgrade
    (copy,) = copies
    if copy.suffix == ".sqlite3":
        assert digest_database(copy) == digest_database(older.file)
        return
    backup = open_backup(copy)
    backup.check()
    for label, table in backup.tables.items():
        columns = older.query_old_database(f"SELECT count(*) FROM {get_model(label)._meta.db_table}")
        assert columns == [(table["rows"],)], label


def test_upgraded_standings_are_unchanged(older: OlderInstallation) -> None:
    before = older.read_old_json("SELECT event_id, rows FROM tournaments_standings")
    assert before
    for event_id, rows in before.items():
        event = Event.objects.get(pk=event_id)
        now = compute_event_standings(event, read_event_snapshot(event))["rows"]
        otherwise = {"decided_by"} if event.has_bracket and older.name in VERSIONS_WITHOUT_PLACES else set()
        for was, row in zip(rows, now, strict=True):
            assert {name: row[name] for name in was.keys() - otherwise} == {
                name: was[name] for name in was.keys() - otherwise
            }


@pytest.mark.long
def test_upgraded_matches_agree_with_their_logs(older: OlderInstallation) -> None:
    call_command("rebuild_matches")


@pytest.mark.long
def test_upgrade_requests_data_missing_in_the_older_version(older: OlderInstallation) -> None:
    bare = Standings.objects.filter(counted={}).exclude(rows=[]).values_list("event", flat=True)
    drawn = Standings.objects.exclude(charts=[]).values_list("event", "charts")
    without_scores = {event for event, charts in drawn if '"score"' not in json.dumps(charts)}
    job_keys = Job.objects.filter(kind="refresh_standings", status=Status.QUEUED).values_list("key", flat=True)
    assert {str(event) for event in {*bare} | without_scores} <= set(job_keys)


@pytest.mark.long
def test_upgrade_adds_no_history_entries(older: OlderInstallation) -> None:
    tables = ("tournaments_action", "clubs_clubaction")
    table_names = {name for (name,) in older.query_old_database("SELECT name FROM sqlite_master")}
    before = [
        older.query_old_database(f"SELECT id, kind FROM {name} ORDER BY id") for name in tables if name in table_names
    ]
    after = [list(model.objects.order_by("pk").values_list("pk", "kind")) for model in (Action, ClubAction)]
    assert [lines for lines in after if lines] == [lines for lines in before if lines]


@pytest.mark.long
def test_last_change_of_upgraded_data_can_be_undone(older: OlderInstallation) -> None:
    undone = 0
    for event in Event.objects.all():
        last = event.actions.filter(undone_by=None).exclude(IS_EMPTY_CHANGE).first()
        if last is not None:
            with suppress(Refusal):
                undone += undo_action(event_id=event.pk, action_id=last.pk) is not None
    for club in Club.objects.all():
        done = club.actions.filter(undone_by=None).exclude(rows=[]).first()
        if done is not None:
            with suppress(Refusal):
                undone += undo_club_action(club_id=club.pk, action_id=done.pk) is not None
    assert bool(undone) == (older.name not in VERSIONS_WITHOUT_HISTORY)
