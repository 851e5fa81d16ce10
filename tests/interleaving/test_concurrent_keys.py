"""One idempotency key, sent with two requests at once, serves one of them."""

from functools import partial
from typing import Any
from uuid import UUID

import pytest
from django.db import connection

from errors import Refusal
from tests.api.program import Program, create_secret
from tests.interleaving.database_state import SavedDatabase
from tests.interleaving.runners import LOCK_OR_WRITE, open_runners, run_two
from tests.support.hall import Hall

pytestmark = [
    pytest.mark.django_db(transaction=True, reset_sequences=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets one writer in after the other"),
    pytest.mark.postgresql("interleaved writers"),
]

REQUESTS: dict[str, tuple[str, dict[str, Any]]] = {
    "person": ("clubs/{club}/people", {"name": "Zoé Un"}),
    "other person": ("clubs/{club}/people", {"name": "Zoé Deux"}),
    "event": ("clubs/{club}/events", {"name": "Jeudi", "held_on": "2026-11-19", "ruleset": "maine", "tables": 4}),
    "event's tables": ("events/{event}/tables", {"table_count": 9}),
    "event's name": ("events/{event}/name", {"name": "Jeudi", "held_on": "2026-11-19"}),
}


def send(program: Program, path: str, body: dict[str, Any]) -> None:
    answer = program.send_request("post", path, body, **{"idempotency-key": str(UUID(int=4711))})
    if answer.status_code >= 400:
        raise Refusal(answer.json()["code"])


@pytest.mark.parametrize(
    "names",
    [
        ("person", "other person"),
        ("person", "event's name"),
        ("event", "person"),
        ("event's name", "event"),
        ("event's tables", "event's name"),
    ],
)
def test_key_of_two_requests_at_once_serves_one(names: tuple[str, str]) -> None:
    hall = Hall()
    program = Program(create_secret(hall.event.club, hall.owner))
    first, second = (
        partial(send, program, path.format(club=hall.event.club.slug, event=hall.event.short), body)
        for path, body in (REQUESTS[name] for name in names)
    )
    saved_database = SavedDatabase()
    endings = {}
    with open_runners() as runners:
        saved_database.take_up()
        endings[-1] = run_two(runners, first, second, after=None)
        statements = list(enumerate(runners[0].sent_statements))
        for after in [number for number, sql in statements if LOCK_OR_WRITE.search(sql)]:
            saved_database.take_up()
            endings[after] = run_two(runners, first, second, after=after)
    saved_database.drop()
    done_twice = {after: ending for after, ending in endings.items() if sorted(ending) != ["done", "key_reused"]}
    assert done_twice == {}
