"""The desk's buttons: each in its turn only, and a repeat is taken for what it is."""

import pytest

from tests.pages.hall import Hall, post
from tournaments.models import Round

pytestmark = pytest.mark.django_db


class TestTheDesk:
    def test_closes_no_round_with_tables_missing_and_names_them(self) -> None:
        hall = Hall(pairs=6)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        page = hall.desk.send(page, page.form("/close"))
        assert page.status == 409
        assert page.alert.startswith("Tables without a result: 1, 2 and 3.")
        assert "3 tables are missing: 1, 2 and 3." in page.text
        assert Round.objects.get().state == "published"

    def test_that_refused_a_step_is_loaded_again_without_it(self) -> None:
        hall = Hall(pairs=6)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        page = hall.desk.send(page, page.form("/close"))
        assert page.path.endswith("/desk/rounds/1/close")
        again = hall.desk.open(page.path)
        assert (again.status, again.path, again.alert) == (200, f"/e/{hall.event.short}/desk", "")

    @pytest.mark.parametrize(
        "path", ["rounds/9/close", "rounds/9/publish", "rounds/99999999999999999999/close"]
    )
    def test_takes_no_step_of_a_round_that_is_not_there(self, path: str) -> None:
        hall = Hall()
        page = post(hall.desk, f"/e/{hall.event.short}/desk/{path}", {})
        assert page.status == 404
        assert "There is no round" in page.alert

    @pytest.mark.parametrize("path", ["dance", "rounds/1/dance"])
    def test_takes_no_step_that_there_is_not(self, path: str) -> None:
        hall = Hall()
        assert post(hall.desk, f"/e/{hall.event.short}/desk/{path}", {}).status == 404

    @pytest.mark.parametrize(
        ("path", "sentence"),
        [
            ("draw", "Round 1 is not closed. Close it first."),
            ("end", "Round 1 is not closed. Close it first."),
            ("resume", ""),
            ("start", ""),
            ("rounds/1/reopen", ""),
            ("rounds/1/publish", ""),
            ("rounds/1/discard", ""),
        ],
    )
    def test_takes_each_step_in_its_turn_only_and_a_repeat_for_what_it_is(
        self, path: str, sentence: str
    ) -> None:
        hall = Hall()
        page = post(hall.desk, f"/e/{hall.event.short}/desk/{path}", {})
        assert page.status == (409 if sentence else 200)
        assert page.alert == sentence
        assert Round.objects.get().state == "published"
