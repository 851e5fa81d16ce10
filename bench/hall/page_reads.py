"""Open pages one after the other in this process, and count their queries."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.test import Client

    from tournaments.models import Event

_Figures = dict[str, list[float]]


def print_page_reads(times: int) -> None:
    """Print, by page, the number of statements and the median processor time in ms over ``times`` requests."""
    from django.conf import settings
    from django.test import Client

    from clubs.services.accounts import create_account, make_owner
    from tournaments.models import Event
    from tournaments.rounds.services.rounds import draw_round

    settings.ALLOWED_HOSTS = ["*"]
    event = Event.objects.latest("pk")
    owner = create_account(name="Bench", password="trente-deux points", language="en")
    make_owner(club=event.club, account=owner)
    client = Client()
    client.force_login(owner)
    figures = {page: _measure_page(client, page, times) for page in _list_pages(event)}
    _close_round(event)
    figures["desk between rounds"] = _measure_page(client, f"/e/{event.short}/desk", times)
    draw_round(event_id=event.pk, seed=4)
    figures["desk with a draft"] = _measure_page(client, f"/e/{event.short}/desk", times)
    print(json.dumps({_replace_names(page, event): each for page, each in figures.items()}))


def _list_pages(event: Event) -> list[str]:
    from scoring.models import Match, TableCard

    night, front, office = f"/e/{event.short}", f"/c/{event.club.slug}", f"/club/{event.club.slug}"
    card = TableCard.objects.get(topic=event.topic, number=1)
    match = Match.objects.filter(card=card).latest("pk")
    return [
        "/",
        f"/t/{card.code}",
        f"/t/{card.code}/hands",
        night,
        f"{night}?who=paul 7",
        f"{night}/rounds/3",
        f"{night}/standings",
        f"{night}/standings/1",
        f"{night}/charts",
        f"{night}/board",
        front,
        f"{front}/records",
        office,
        f"{night}/desk",
        f"{night}/desk/entries",
        f"{night}/desk/standings",
        f"{night}/desk/rounds/3",
        f"/match/{match.pk}",
    ]


def _measure_page(client: Client, page: str, times: int) -> list[float]:
    from django.core.cache import caches
    from django.db import connection

    queries: list[str] = []

    def record_query(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        queries.append(sql)
        return execute(sql, *rest)

    client.get(page)
    caches["pages"].clear()
    with connection.execute_wrapper(record_query):
        answer = client.get(page)
    if answer.status_code != 200:
        raise RuntimeError(f"{page} answered {answer.status_code}")
    seconds = []
    for _ in range(times):
        caches["pages"].clear()
        started = time.process_time()
        client.get(page)
        seconds.append(time.process_time() - started)
    return [len(queries), round(1000 * statistics.median(seconds), 1)]


def _close_round(event: Event) -> None:
    from tournaments.models import Table
    from tournaments.rounds.services.rounds import close_round
    from tournaments.rounds.services.tables import adjust_table
    from tournaments.standings.services import refresh_standings

    for table in Table.objects.filter(round__event=event, round__number=3):
        points = (32, table.number % 32)
        adjust_table(event_id=event.pk, number=3, table=table.number, games=(1, 0), points=points)
    close_round(event_id=event.pk, number=3)
    refresh_standings(event_id=event.pk)


def _replace_names(page: str, event: Event) -> str:
    from scoring.models import TableCard

    code = TableCard.objects.get(topic=event.topic, number=1).code
    return page.replace(event.short, "event").replace(event.club.slug, "club").replace(code, "table")
