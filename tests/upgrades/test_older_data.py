"""Data of each older version: every page opens, the standings are what they were, the logs prove it."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from django.core.management import call_command

from clubs.models import Club, ClubAction
from clubs.services import undo_club_action
from errors import Refusal
from jobs.models import Job, Status
from operations.backup import open_backup
from operations.backup.tables import model_of
from operations.upgrading.schema import migrations_on_disk
from operations.upgrading.verified_copy import digest_tables
from tests.long import IS_LONG
from tests.saved_states import taken_back
from tests.upgrades.conftest import WALKED, Older, Tables, tables_of_database
from tests.upgrades.walker import pages_of_everybody, pages_told_otherwise
from tournaments.history.queries import WROTE_NOTHING
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Event, Standings
from tournaments.rounds.queries.event_snapshot import event_snapshot
from tournaments.standings.queries.standings import standings_now

pytestmark = pytest.mark.postgresql("data of older versions is brought to today's tables")

WITHOUT_PLACES = ("01-first-night", "02-desk-and-deal", "03-whole-game", "04-draws", "05-director")
"""Before there were tournaments, how far one came in a bracket did not rank, nor was it told as the reason:
ranks and points are the same, only what decided them is said otherwise."""
WITHOUT_HISTORY = ("01-first-night", "02-desk-and-deal", "03-whole-game", "04-draws")


@pytest.fixture(autouse=True)
def untouched(older: Older) -> Iterator[None]:
    """Each test finds the data as the upgrade left it, in whatever order processes take them."""
    with taken_back():
        yield


def contents_of(file: Path) -> str:
    with closing(sqlite3.connect(file)) as database:
        return digest_tables(database)


@pytest.mark.slow
def test_the_tables_are_those_of_a_new_installation(older: Older, new_tables: Tables) -> None:
    """A new one takes one step for all those that an older one took."""
    tables = tables_of_database()
    assert tables.keys() == new_tables.keys()
    assert {name: shape for name, shape in tables.items() if shape != new_tables[name]} == {}


@pytest.mark.slow
def test_every_page_opens(older: Older) -> None:
    """In an ordinary run, of the versions that are ``WALKED``. Once the others are brought up to date, almost
    nothing in them has a form that is in none of these: of those, what has is opened."""
    is_walked = IS_LONG or older.name in WALKED
    walker = pages_of_everybody() if is_walked else pages_told_otherwise()
    assert {address: status for address, status in walker.opened.items() if status != 200} == {}
    assert len(walker.kinds) > (90 if is_walked else 8)


def test_a_copy_was_made_before_and_says_what_the_data_said(older: Older) -> None:
    copies = list(older.folder.glob("backups/*"))
    if not copies:
        taken = set(older.stored("SELECT app, name FROM django_migrations"))
        assert all("_squashed_" in name for _, name in migrations_on_disk() - taken)
        return  # nothing had to be brought up to date
    (copy,) = copies
    if copy.suffix == ".sqlite3":
        assert contents_of(copy) == contents_of(older.file)
        return
    backup = open_backup(copy)
    backup.check()
    for label, table in backup.tables.items():
        columns = older.stored(f"SELECT count(*) FROM {model_of(label)._meta.db_table}")
        assert columns == [(table["rows"],)], label


@pytest.mark.slow
def test_standings_are_what_they_were(older: Older) -> None:
    before = older.stored_json("SELECT event_id, rows FROM tournaments_standings")
    assert before
    for event_id, rows in before.items():
        event = Event.objects.get(pk=event_id)
        now = standings_now(event, event_snapshot(event))["rows"]
        otherwise = {"decided_by"} if event.has_bracket and older.name in WITHOUT_PLACES else set()
        for was, row in zip(rows, now, strict=True):
            assert {name: row[name] for name in was.keys() - otherwise} == {
                name: was[name] for name in was.keys() - otherwise
            }


@pytest.mark.slow
def test_all_that_is_kept_beside_a_log_says_what_the_log_says(older: Older) -> None:
    call_command("rebuild_matches")


def test_what_is_derived_is_asked_for_where_an_older_version_did_not_know_it(older: Older) -> None:
    bare = Standings.objects.filter(counted={}).exclude(rows=[]).values_list("event", flat=True)
    drawn = Standings.objects.exclude(charts=[]).values_list("event", "charts")
    without_scores = {event for event, charts in drawn if '"score"' not in json.dumps(charts)}
    asked = Job.objects.filter(kind="refresh_standings", status=Status.QUEUED).values_list("key", flat=True)
    assert {str(event) for event in {*bare} | without_scores} <= set(asked)


def test_nobody_has_corrected_anything(older: Older) -> None:
    tables = ("tournaments_action", "clubs_clubaction")
    known = {name for (name,) in older.stored("SELECT name FROM sqlite_master")}
    before = [older.stored(f"SELECT id, kind FROM {name} ORDER BY id") for name in tables if name in known]
    after = [list(model.objects.order_by("pk").values_list("pk", "kind")) for model in (Action, ClubAction)]
    assert [lines for lines in after if lines] == [lines for lines in before if lines]


@pytest.mark.slow
def test_what_was_done_last_is_undone(older: Older) -> None:
    undone = 0
    for event in Event.objects.all():
        last = event.actions.filter(undone_by=None).exclude(WROTE_NOTHING).first()
        if last is not None:
            with suppress(Refusal):
                undone += undo_action(event_id=event.pk, action_id=last.pk) is not None
    for club in Club.objects.all():
        done = club.actions.filter(undone_by=None).exclude(rows=[]).first()
        if done is not None:
            with suppress(Refusal):
                undone += undo_club_action(club_id=club.pk, action_id=done.pk) is not None
    assert bool(undone) == (older.name not in WITHOUT_HISTORY)
