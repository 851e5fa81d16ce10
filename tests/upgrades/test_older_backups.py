"""A backup made by an older version and restored by the current one."""

import pytest
from django.core.management import call_command

from operations.backup import restore
from tests.upgrades.conftest import FOLDER
from tests.upgrades.crawler import crawl_all_owners
from tournaments.models import Event, Standings
from tournaments.rounds.queries.event_snapshot import read_event_snapshot
from tournaments.standings.queries.standings import compute_event_standings

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("rows of older versions, and sequences"),
]


@pytest.mark.long("opens every page of an older version, like test_older_data.py")
def test_older_backup_is_restored_and_every_page_opens() -> None:
    restore(FOLDER / "07-club-life.zip")
    walker = crawl_all_owners()
    assert {address: status for address, status in walker.opened.items() if status != 200} == {}
    for standings in Standings.objects.exclude(rows=[]):
        event = Event.objects.get(pk=standings.event_id)
        now = compute_event_standings(event, read_event_snapshot(event))["rows"]
        assert standings.rows == [{name: row[name] for name in row.keys() - {"plays_on"}} for row in now]
    call_command("rebuild_matches")
