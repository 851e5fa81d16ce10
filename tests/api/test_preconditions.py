"""If-Match: a program changes a round or a table only as it has seen it."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from tests.api.program import Program, a_secret
from tests.builders import mark, play_round
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
    return Program(a_secret(hall.event.club, hall.owner))


def seen(program: Program, path: str) -> str:
    tag: str = program.ask("get", path).headers["ETag"]
    return tag


def table(hall: Hall) -> str:
    return f"events/{hall.event.short}/rounds/1/tables/1"


class TestAResult:
    def test_given_three_times_at_once_counts_once_and_the_others_are_told_it(
        self, hall: Hall, program: Program
    ) -> None:
        tag = seen(program, table(hall))
        bodies = [{**RESULT, "points": [32, points]} for points in (1, 2, 3)]
        answers = [program.ask("post", f"{table(hall)}/result", body, **{"if-match": tag}) for body in bodies]
        assert [answer.status_code for answer in answers] == [200, 412, 412]
        for answer in answers[1:]:
            said = answer.json()
            assert (said["code"], said["field"]) == ("precondition_failed", "If-Match")
            assert [side["points"] for side in said["current"]["sides"]] == [32, 1]
            assert said["current"] == program.get(table(hall))
        assert program.get(table(hall))["ruling"] == "adjusted"

    def test_is_refused_after_another_hand_and_taken_as_it_is_now(self, hall: Hall, program: Program) -> None:
        tag = seen(program, table(hall))
        mark(hall.match, "A 6 7")
        refused = program.ask("post", f"{table(hall)}/forfeit", {"winner": "A"}, **{"if-match": tag})
        assert refused.status_code == 412
        now = seen(program, table(hall))
        done = program.ask("post", f"{table(hall)}/forfeit", {"winner": "A"}, **{"if-match": f"W/{now}"})
        assert done.status_code == 200

    def test_is_given_once_for_each_key_although_it_has_changed_the_table(
        self, hall: Hall, program: Program
    ) -> None:
        headers = {"if-match": seen(program, table(hall)), "idempotency-key": str(uuid4())}
        for _ in range(2):
            assert program.ask("post", f"{table(hall)}/result", RESULT, **headers).status_code == 200

    def test_without_the_header_replaces_what_is_there(self, hall: Hall, program: Program) -> None:
        for points in (1, 2):
            program.do("post", f"{table(hall)}/result", {**RESULT, "points": [32, points]})
        assert program.get(table(hall))["sides"][1]["points"] == 2


class TestADraft:
    @pytest.fixture
    def draft(self, hall: Hall) -> str:
        play_round(hall.event)
        draw_round(event_id=hall.event.pk, seed=7)
        return f"events/{hall.event.short}/rounds/2"

    def swap(self, hall: Hall, program: Program, draft: str) -> None:
        one, other = (each["sides"][0]["entries"][0] for each in program.get(draft)["tables"])
        swap_entries(event_id=hall.event.pk, number=2, one=one, other=other)

    def test_is_not_drawn_again_over_the_swaps_of_a_colleague(
        self, hall: Hall, program: Program, draft: str
    ) -> None:
        tag = seen(program, draft)
        self.swap(hall, program, draft)
        swapped = program.get(draft)
        path = f"events/{hall.event.short}/rounds"
        refused = program.ask("post", path, {"seed": 8}, **{"if-match": tag})
        assert (refused.status_code, refused.json()["current"]) == (412, swapped)
        assert program.get(draft) == swapped
        assert program.ask("post", path, {"seed": 8}, **{"if-match": seen(program, draft)}).status_code == 201

    def test_is_not_swapped_after_it_was_drawn_again(self, hall: Hall, program: Program, draft: str) -> None:
        tag = seen(program, draft)
        one, other = (each["sides"][0]["entries"][0] for each in program.get(draft)["tables"])
        self.swap(hall, program, draft)
        body = {"one": one, "other": other}
        assert program.ask("post", f"{draft}/swap", body, **{"if-match": tag}).status_code == 412

    def test_that_is_not_there_is_told_as_null(self, hall: Hall, program: Program) -> None:
        play_round(hall.event)
        refused = program.ask("post", f"events/{hall.event.short}/rounds", {}, **{"if-match": "*"})
        assert (refused.status_code, refused.json()["current"]) == (412, None)


def test_a_read_with_a_known_tag_is_answered_without_a_body(hall: Hall, program: Program) -> None:
    tag = seen(program, table(hall))
    again = program.ask("get", table(hall), **{"if-none-match": tag})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql("rows are locked")
def test_of_three_results_that_arrive_at_once_one_is_taken(hall: Hall, program: Program) -> None:
    tag = seen(program, table(hall))

    def give(points: int) -> int:
        try:
            each: Any = Program(secret)
            answer = each.ask(
                "post", f"{table(hall)}/result", {**RESULT, "points": [32, points]}, **{"if-match": tag}
            )
            return int(answer.status_code)
        finally:
            connection.close()

    secret = a_secret(hall.event.club, hall.owner)
    with ThreadPoolExecutor(3) as pool:
        assert sorted(pool.map(give, (1, 2, 3))) == [200, 412, 412]
