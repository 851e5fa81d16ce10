"""A page that is requested while a change commits is never cached as if it showed that change."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from clubs.models import Club
from live.revisions import Reach, raise_revisions
from tests.builders import build_account, build_club, build_running_night
from tests.tournaments.seasons.test_seasons import build_season
from tournaments.models import Event, Season

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("commits between two statements"),
    pytest.mark.slow,
]
NEW_NAME = "Renamed meanwhile"
PAGES = {
    "event": "/e/{event.short}",
    "round": "/e/{event.short}/rounds/1",
    "standings": "/e/{event.short}/standings",
    "rules": "/e/{event.short}/rules",
    "wall screen": "/e/{event.short}/board",
    "season": "/c/{event.club.slug}/seasons/{season.pk}",
    "club": "/c/{event.club.slug}",
    "desk": "/e/{event.short}/desk",
    "API": "/api/v1/events/{event.short}",
}
LAST_STATEMENT = 6
"""Statements of a page before which the change is tried: those that find what it shows, and its revision."""


def rename_everything(event: Event, season: Season) -> None:
    """Rename the event, its season and its club, and raise their revisions, over another connection."""
    try:
        with transaction.atomic():
            for model in (Event, Season, Club):
                model.objects.update(name=NEW_NAME)
            topics = (*event.topics, event.club.calendar_topic, season.topic)
            raise_revisions(dict.fromkeys(sorted(topics), Reach.EVERYBODY))
    finally:
        connection.close()


@contextmanager
def change_before_statement(number: int, change: Callable[[], None]) -> Iterator[None]:
    """Let another thread make the change before this thread's query of that number."""
    queries = 0

    def execute(run: Callable[..., Any], sql: str, *rest: Any) -> Any:
        nonlocal queries
        queries += sql.startswith("SELECT")
        if queries == number:
            queries += 1
            with ThreadPoolExecutor() as threads:
                threads.submit(change).result()
        return run(sql, *rest)

    with connection.execute_wrapper(execute):
        yield


@pytest.mark.parametrize("address", PAGES.values(), ids=list(PAGES))
def test_page_requested_during_a_change_shows_it_when_requested_again(address: str) -> None:
    owner = build_account()
    event = build_running_night(2, club=build_club(owner=owner))
    client = Client()
    client.force_login(owner)
    season = build_season(event.club)
    names = [(model, row.pk, row.name) for model in (Event, Season, Club) for row in model.objects.all()]
    url = address.format(event=event, season=season)
    for number in range(1, LAST_STATEMENT + 1):
        for model, pk, name in names:
            model.objects.filter(pk=pk).update(name=name)
        with change_before_statement(number, lambda: rename_everything(event, season)):
            first = client.get(url)
        second = client.get(url, headers={"If-None-Match": first.headers["ETag"]})
        shown = first if second.status_code == HTTPStatus.NOT_MODIFIED else second
        assert NEW_NAME in shown.content.decode(), f"changed before query {number}"
