"""A backup that an older version made, restored by this one."""

import pytest
from django.core.management import call_command

from operations.backup import restore
from tests.upgrades.conftest import HERE
from tests.upgrades.walker import pages_of_everybody
from tournaments.models import Event, Standings
from tournaments.rounds.queries.event_snapshot import event_snapshot
from tournaments.standings.queries.standings import standings_now

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("rows of older versions are written, and numbered on"),
]


@pytest.mark.long("every page of an older version: test_older_data.py opens them")
def test_a_backup_of_an_older_version_is_restored_and_every_page_opens() -> None:
    restore(HERE / "07-club-life.zip")
    walker = pages_of_everybody()
    assert {address: status for address, status in walker.opened.items() if status != 200} == {}
    for kept in Standings.objects.exclude(rows=[]):
        event = Event.objects.get(pk=kept.event_id)
        now = standings_now(event, event_snapshot(event))["rows"]
        assert kept.rows == [{name: row[name] for name in row.keys() - {"plays_on"}} for row in now]
    call_command("rebuild_matches")
