"""Query plans of PostgreSQL for pages, phones and the worker: no scan of a table that grows."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from bench.many_clubs.club_copies import continue_sequences, copy_clubs, copy_nights, set_sequences
from bench.many_clubs.numbers import FIRST_NIGHT, TONIGHT
from bench.many_clubs.one_club import finish_queued_jobs
from config.celery import app
from scoring.services.marks import record_hand
from tests.builders import build_account, build_club, build_played_night, build_running_night, compute_standings, play
from tests.every_page.test_query_counts import MAX_QUERIES, capture_queries
from tests.support.hall import Hall
from tests.support.sequences import restart_sequences
from tournaments.events.services.lifecycle import end_event

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("PostgreSQL's query plans"),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no such plans"),
]

NIGHTS, CLUBS = 20, 50
GROWING_TABLES = {
    *("scoring_mark", "scoring_match", "scoring_player", "scoring_tablecard", "scoring_terms"),
    *("tournaments_event", "tournaments_entry", "tournaments_round", "tournaments_table"),
    *("tournaments_seating", "tournaments_action", "tournaments_standings", "tournaments_tally"),
    *("clubs_person", "clubs_clubaction", "clubs_devicesession", "clubs_webhookdelivery"),
    *("live_revision", "jobs_job"),
}
"""Tables that every night, club or phone adds to."""
FILL_STATEMENTS = (
    """INSERT INTO jobs_job (kind, key, status, attempts, last_attempt, created_at, sent_at, ended_at, error)
    SELECT 'refresh_standings', n, 'done', 1, 5, at, at, at, '' FROM (
        SELECT n, now() - n * interval '20 seconds' AS at FROM generate_series(1, 20000) AS n
    ) AS jobs""",
    """INSERT INTO clubs_devicesession (session_key, session_data, expire_date, device, begun_at, seen_at)
    SELECT md5(n::text), '', now() + n * interval '1 minute', '', now(), now()
    FROM generate_series(1, 20000) AS n""",
    """INSERT INTO clubs_webhookdelivery (webhook_id, message_id, kind, lane, subject, noticed_at, state,
        attempts, due_at, trouble, answer)
    SELECT id, 'm' || n, 'table.result', 'event:' || n, '', now(), 'delivered', 1, now(), '', ''
    FROM clubs_webhook, generate_series(1, 300) AS n""",
)
"""Rows that fifty clubs add in a week, and that no page of the test creates."""


@pytest.fixture
def hall() -> Iterator[Hall]:
    """A running night in one of fifty clubs, each with many past nights."""
    set_sequences(FIRST_NIGHT)
    owner = build_account()
    club = build_club(owner=owner)
    night = build_played_night(8, club=club)
    end_event(event_id=night.pk)
    finish_queued_jobs()
    copy_nights(NIGHTS)
    set_sequences(TONIGHT)
    hall = Hall.__new__(Hall)
    hall.owner, hall.event, hall.phones = owner, build_running_night(8, club=club), 0
    assert hall.webhook
    play(hall.match, "A 6 made")
    compute_standings(hall.event)
    for _, path in MAX_QUERIES.values():
        path(hall)
    finish_queued_jobs()
    with connection.cursor() as cursor:
        list(copy_clubs(CLUBS, bare=False))
        for statement in FILL_STATEMENTS:
            cursor.execute(statement)
        cursor.execute("ANALYZE")
    continue_sequences()
    yield hall
    restart_sequences()


def find_scanned_tables(sql: str) -> set[str]:
    """Return the growing tables that the statement reads row by row.

    The cost of a page is raised a hundredfold, because PostgreSQL scans small tables whatever indexes they have.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL seq_page_cost = 100")
        cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}")
        (found,) = cursor.fetchone()
    return {each["Relation Name"] for each in _iter_steps(found) if each["Node Type"] == "Seq Scan"} & GROWING_TABLES


def _iter_steps(plan: object) -> Iterator[dict[str, str]]:
    match plan:
        case list():
            for each in plan:
                yield from _iter_steps(each)
        case dict():
            if "Node Type" in plan:
                yield plan
            for each in plan.values():
                yield from _iter_steps(each)


def find_scans(captured: list[str]) -> set[tuple[str, str]]:
    readable = [sql for sql in captured if sql.startswith(("SELECT", "UPDATE", "DELETE", "INSERT"))]
    return {(table, sql) for sql in readable for table in find_scanned_tables(sql)}


def test_no_query_scans_a_growing_table(hall: Hall) -> None:
    found = {name: find_scans(capture_queries(hall, path(hall))) for name, (_, path) in MAX_QUERIES.items()}
    with CaptureQueriesContext(connection) as marked:
        hand = {"side": "A", "contract": "6", "tricks": "7"}
        number = hall.match.summary["next"]
        record_hand(match_id=hall.match.pk, entry_key=uuid4(), number=number, hand=hand, device="phone")
    found["a hand recorded"] = find_scans([query["sql"] for query in marked.captured_queries])
    for entry in app.conf.beat_schedule.values():
        with CaptureQueriesContext(connection) as swept:
            app.tasks[entry["task"]]()
        found[entry["task"]] = find_scans([query["sql"] for query in swept.captured_queries])
    assert {name: sorted(scans) for name, scans in found.items() if scans} == {}
