"""Invalid values at every operation: the API refuses them, and never answers with an internal error."""

import random
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any
from uuid import uuid4

import pytest

from api.operation import SAFE, Operation
from api.operations import OPERATIONS
from tests.api.operation_paths import VALUES, build_body, build_hall_with_paths
from tests.api.program import ROOT, Program, create_secret
from tests.long_runs import choose_count
from tests.saved_states import rolled_back

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

NONSENSE: tuple[Any, ...] = (
    *(None, True, 0, -1, 1, 99, 2**31, 2**63, 2**70, -(2**70), 1.5, 1e308, "", " ", "0", "A", "é" * 3000),
    *("\x00", "\ud800", "1e5", "2026-02-30", "9999-12-31", "0001-01-01", "23:59:59", "house-1", "house-x"),
    *([], [None], [[]], [1, 2, 3], ["a", "b"], [{}], {}, {"": None}, {"kind": []}, {"format": {}}),
    *({"kind": "totals"}, {"kind": "undone"}, [{"format": "swiss", "settings": {"pools": -1}}]),
    *([{"name": "A", "first_table": 9, "last_table": 1}], {"order": ["points_for", 7]}, {"win": "2"}),
)
QUERY = ("?cursor=x", "?limit=x&section=%00", "?state=%00", "?since=%F0", "?ladder=99", "?part=x&letters=%00")


def cycle_fields(operation: Operation, chance: random.Random) -> Iterator[str]:
    """Cycle through the body fields in random order, so that none is left out by chance."""
    names = sorted(operation.request_shape().fields) if operation.request_shape else ["more"]
    return cycle(chance.sample(names, k=len(names)))


def corrupt_body(operation: Operation, fields: Iterator[str], chance: random.Random) -> Any:
    """Build a body with one or more wrong values; sometimes replace all of it."""
    body: Any = build_body(operation)
    for name in islice(fields, chance.choice((1, 1, 2, 5))):
        body[name] = chance.choice([*NONSENSE, *VALUES.values()])
    return chance.choice(NONSENSE) if chance.random() < 0.05 else body


def corrupt_path(path: str, chance: random.Random) -> str:
    """Return the path, sometimes with another number or an invalid query."""
    parts = path.split("/")
    for place, part in enumerate(parts):
        if part.isdigit() and len(part) < 6 and chance.random() < 0.2:
            parts[place] = str(chance.choice((0, 2, 99, 2**31, 2**63, 10**30)))
    return "/".join(parts) + (chance.choice(QUERY) if chance.random() < 0.3 else "")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(choose_count(1, long=100)))
def test_random_input_is_refused_at_every_operation(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.views.A_TOKEN", 10**6)
    (hall, paths), chance = build_hall_with_paths(), random.Random(seed)
    program = Program(create_secret(hall.event.club, hall.owner))
    failed = {}
    for operation in OPERATIONS:
        fields = cycle_fields(operation, chance)
        for _ in range(3):
            body, address = corrupt_body(operation, fields, chance), corrupt_path(paths[operation.name], chance)
            with rolled_back():
                try:
                    answer = program.send_request(operation.method, address, body)
                    if answer.status_code >= 500:
                        failed[operation.name, address, str(body)[:200]] = answer.status_code
                except Exception as error:  # noqa: BLE001 (the test's client hands on what a server answers with 500)
                    failed[operation.name, address, str(body)[:200]] = repr(error)[:300]
    assert failed == {}


@pytest.mark.long
def test_lone_surrogate_is_refused_at_every_field(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.views.A_TOKEN", 10**6)
    hall, paths = build_hall_with_paths()
    program = Program(create_secret(hall.event.club, hall.owner))
    for operation in OPERATIONS:
        for name in operation.request_shape().fields if operation.request_shape else ():
            with rolled_back():
                body = build_body(operation) | {name: "\ud800"}
                answer = program.send_request(operation.method, paths[operation.name], body)
                assert answer.status_code < 500, (operation.name, name)


@pytest.mark.long
def test_unknown_field_is_refused_at_every_write() -> None:
    hall, paths = build_hall_with_paths()
    program = Program(create_secret(hall.event.club, hall.owner))
    accepted = []
    for operation in OPERATIONS:
        if operation.method not in SAFE:
            with rolled_back():
                body = build_body(operation) | {"mised": 8}
                refusal = program.get_refusal(operation.method, paths[operation.name], body)
                accepted += [] if refusal == (400, "field_unknown", "mised") else [(operation.name, refusal)]
    assert accepted == []


def test_form_without_its_boundary_is_refused_as_json() -> None:
    hall = build_hall_with_paths()[0]
    program = Program(create_secret(hall.event.club, hall.owner))
    answer = program.client.post(f"{ROOT}events/{hall.event.short}/start", "x", content_type="multipart/form-data")
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


@pytest.mark.long
def test_key_of_another_request_is_refused_at_every_write() -> None:
    hall, paths = build_hall_with_paths()
    program, key = Program(create_secret(hall.event.club, hall.owner)), {"idempotency-key": str(uuid4())}
    people = f"clubs/{hall.event.club.slug}/people"
    assert program.send_request("post", people, {"name": "Zoé Un"}, **key).status_code == 201
    accepted = []
    for operation in OPERATIONS:
        if operation.method not in SAFE:
            with rolled_back():
                answer = program.send_request(operation.method, paths[operation.name], build_body(operation), **key)
            accepted += [operation.name] if answer.status_code < 400 else []
    assert accepted == []
