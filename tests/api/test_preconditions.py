"""Preconditions (If-Match): a change is refused if the resource has changed since it was read."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from api.operation import SAFE
from api.operations import OPERATIONS
from tests.api.operation_paths import build_body, build_hall_with_paths
from tests.api.program import Program, create_secret
from tests.builders import mark, play_round
from tests.saved_states import rolled_back
from tests.support.hall import Hall
from tournaments.rounds.services.rounds import draw_round
from tournaments.rounds.services.tables import swap_entries

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

RESULT = {"games": [1, 0], "points": [32, 12]}


@pytest.fixture
def hall() -> Hall:
    return Hall()


@pytest.fixture
def program(hall: Hall) -> Program:
    return Program(create_secret(hall.event.club, hall.owner))


def fetch_tag(program: Program, path: str) -> str:
    tag: str = program.send_request("get", path).headers["ETag"]
    return tag


def get_table_path(hall: Hall) -> str:
    return f"events/{hall.event.short}/rounds/1/tables/1"


@pytest.mark.long
class TestConditionalResults:
    def test_result_with_a_stale_tag_is_refused_with_the_current_one(self, hall: Hall, program: Program) -> None:
        tag = fetch_tag(program, get_table_path(hall))
        bodies = [{**RESULT, "points": [32, points]} for points in (1, 2, 3)]
        answers = [
            program.send_request("post", f"{get_table_path(hall)}/result", body, **{"if-match": tag}) for body in bodies
        ]
        assert [answer.status_code for answer in answers] == [200, 412, 412]
        for answer in answers[1:]:
            problem = answer.json()
            assert (problem["code"], problem["field"]) == ("precondition_failed", "If-Match")
            assert [side["points"] for side in problem["current"]["sides"]] == [32, 1]
            assert problem["current"] == program.get(get_table_path(hall))
        assert program.get(get_table_path(hall))["ruling"] == "adjusted"

    def test_forfeit_is_refused_after_another_hand(self, hall: Hall, program: Program) -> None:
        tag = fetch_tag(program, get_table_path(hall))
        mark(hall.match, "A 6 7")
        refused = program.send_request("post", f"{get_table_path(hall)}/forfeit", {"winner": "A"}, **{"if-match": tag})
        assert refused.status_code == 412
        now = fetch_tag(program, get_table_path(hall))
        done = program.send_request(
            "post", f"{get_table_path(hall)}/forfeit", {"winner": "A"}, **{"if-match": f"W/{now}"}
        )
        assert done.status_code == 200

    def test_repeated_key_succeeds_despite_a_stale_tag(self, hall: Hall, program: Program) -> None:
        headers = {"if-match": fetch_tag(program, get_table_path(hall)), "idempotency-key": str(uuid4())}
        for _ in range(2):
            assert program.send_request("post", f"{get_table_path(hall)}/result", RESULT, **headers).status_code == 200

    def test_result_without_if_match_replaces_the_current_one(self, hall: Hall, program: Program) -> None:
        for points in (1, 2):
            program.call("post", f"{get_table_path(hall)}/result", {**RESULT, "points": [32, points]})
        assert program.get(get_table_path(hall))["sides"][1]["points"] == 2


class TestConditionalDrafts:
    @pytest.fixture
    def draft(self, hall: Hall) -> str:
        play_round(hall.event)
        draw_round(event_id=hall.event.pk, seed=7)
        return f"events/{hall.event.short}/rounds/2"

    def swap(self, hall: Hall, program: Program, draft: str) -> None:
        one, other = (each["sides"][0]["entries"][0] for each in program.get(draft)["tables"])
        swap_entries(event_id=hall.event.pk, number=2, one=one, other=other)

    @pytest.mark.long
    def test_draft_with_new_swaps_is_not_drawn_again(self, hall: Hall, program: Program, draft: str) -> None:
        tag = fetch_tag(program, draft)
        self.swap(hall, program, draft)
        swapped = program.get(draft)
        path = f"events/{hall.event.short}/rounds"
        refused = program.send_request("post", path, {"seed": 8}, **{"if-match": tag})
        assert (refused.status_code, refused.json()["current"]) == (412, swapped)
        assert program.get(draft) == swapped
        assert (
            program.send_request("post", path, {"seed": 8}, **{"if-match": fetch_tag(program, draft)}).status_code
            == 201
        )

    @pytest.mark.long
    def test_swap_is_refused_after_the_draft_changed(self, hall: Hall, program: Program, draft: str) -> None:
        tag = fetch_tag(program, draft)
        one, other = (each["sides"][0]["entries"][0] for each in program.get(draft)["tables"])
        self.swap(hall, program, draft)
        body = {"one": one, "other": other}
        assert program.send_request("post", f"{draft}/swap", body, **{"if-match": tag}).status_code == 412

    def test_missing_draft_is_reported_as_null(self, hall: Hall, program: Program) -> None:
        play_round(hall.event)
        refused = program.send_request("post", f"events/{hall.event.short}/rounds", {}, **{"if-match": "*"})
        assert (refused.status_code, refused.json()["current"]) == (412, None)


@pytest.mark.long
def test_change_of_a_person_or_webhook_needs_the_current_tag(hall: Hall, program: Program) -> None:
    club = f"clubs/{hall.event.club.slug}"
    hook = {"address": "https://example.org/hook", "kinds": ["table.result"]}
    for path, body in (
        (f"{club}/people/{hall.event.club.people.earliest('pk').pk}", {"contact": "418 555-0101"}),
        (f"{club}/webhooks/{program.call('post', f'{club}/webhooks', hook)['id']}", {"kinds": ["night.changed"]}),
    ):
        seen = {"if-match": fetch_tag(program, path)}
        assert program.send_request("put", path, body, **seen).status_code == 200
        refused = program.send_request("put", path, body, **seen)
        assert (refused.status_code, refused.json()["current"]) == (412, program.get(path))


@pytest.mark.long
def test_read_with_a_known_tag_gets_304(hall: Hall, program: Program) -> None:
    tag = fetch_tag(program, get_table_path(hall))
    again = program.send_request("get", get_table_path(hall), **{"if-none-match": tag})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql("row locks")
def test_only_one_of_three_concurrent_results_is_accepted(hall: Hall, program: Program) -> None:
    tag = fetch_tag(program, get_table_path(hall))

    def give(points: int) -> int:
        try:
            each: Any = Program(secret)
            answer = each.send_request(
                "post", f"{get_table_path(hall)}/result", {**RESULT, "points": [32, points]}, **{"if-match": tag}
            )
            return int(answer.status_code)
        finally:
            connection.close()

    secret = create_secret(hall.event.club, hall.owner)
    with ThreadPoolExecutor(3) as pool:
        assert sorted(pool.map(give, (1, 2, 3))) == [200, 412, 412]


@pytest.mark.long
def test_stale_tag_is_refused_at_every_write() -> None:
    hall, paths = build_hall_with_paths()
    program = Program(create_secret(hall.event.club, hall.owner))
    accepted, refused, others = [], set(), []
    for operation in OPERATIONS:
        if operation.method in SAFE:
            continue
        with rolled_back():
            body, tag = build_body(operation), {"if-match": '"stale"'}
            answer = program.send_request(operation.method, paths[operation.name], body, **tag)
        accepted += [operation.name] if answer.status_code < 400 else []
        if answer.status_code == 412 and operation.resource is not None and answer.json()["current"] is not None:
            refused.add(operation.name)
            is_current = answer.json()["current"] == program.get(paths[operation.resource.name])
            others += [] if is_current else [operation.name]
    assert (accepted, others) == ([], [])
    assert {"markHandAtDesk", "settleDispute", "markHand", "changeSeason", "addPrizeCategory"} <= refused
