"""A double forfeit is shown wherever the results of its round are."""

import csv
import io
from typing import Any

import pytest

from rules import Side
from tests.support.browser import Browser
from tests.support.hall import Hall
from tournaments.rounds.rulings import RulingKind, get_ruling_kind
from tournaments.rounds.services.clock import begin_round
from tournaments.rounds.services.tables import adjust_table, forfeit_table

pytestmark = pytest.mark.django_db

DOUBLE_FORFEIT = "Double forfeit"


def read_csv(response: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))


@pytest.fixture
def hall() -> Hall:
    """A hall in which neither side came to the first of two tables."""
    hall = Hall(pairs=4)
    forfeit_table(event_id=hall.event.pk, number=1, table=1, winner=None)
    return hall


@pytest.mark.parametrize(
    "path",
    [
        "/e/{short}",
        "/e/{short}/rounds/1",
        "/e/{short}/rounds/1/tables/1",
        "/e/{short}/embed",
        "/e/{short}/desk",
        "/e/{short}/desk/rounds/1",
        "/e/{short}/desk/rounds/1/tables/1",
    ],
)
def test_pages_show_a_double_forfeit_once(hall: Hall, path: str) -> None:
    page = hall.desk.open(path.format(short=hall.event.short))
    assert page.status == 200
    assert page.text.count(DOUBLE_FORFEIT) == 1
    assert "None" not in page.text


@pytest.mark.long
def test_double_forfeit_has_no_points_at_the_desk(hall: Hall) -> None:
    adjust_table(event_id=hall.event.pk, number=1, table=2, games=(1, 0), points=(32, 0))
    page = hall.desk.open(f"/e/{hall.event.short}/desk")
    points = [
        [span.text for span in page.find_one("a", id=row).find_all("span") if "num" in span.attrs.get("class", "")]
        for row in ("table-1", "table-2")
    ]
    assert points == [["", ""], ["32", "0"]]


@pytest.mark.parametrize("path", ["/e/{short}.csv?round=1", "/e/{short}/desk/rounds/1.csv"])
def test_round_file_reports_a_double_forfeit(hall: Hall, path: str) -> None:
    first, second = read_csv(hall.desk.client.get(path.format(short=hall.event.short)))
    assert (first["Director’s ruling"], first["Won by"]) == (DOUBLE_FORFEIT, "")
    assert second["Director’s ruling"] == ""


@pytest.mark.slow
def test_board_shows_a_double_forfeit(hall: Hall) -> None:
    begin_round(event_id=hall.event.pk, number=1)
    shown = Browser().open(f"/e/{hall.event.short}/board")
    assert shown.text.count(DOUBLE_FORFEIT) == 1


def test_json_reports_a_double_forfeit_as_a_code(hall: Hall) -> None:
    first, second = Browser().client.get(f"/e/{hall.event.short}.json?round=1").json()["rows"]
    assert first["ruling"] == "forfeit_of_both"
    assert second["ruling"] is None


@pytest.mark.parametrize(("winner", "result_text"), [(Side.A, "Forfeit"), (None, DOUBLE_FORFEIT)])
def test_pages_distinguish_single_and_double_forfeits(winner: Side | None, result_text: str) -> None:
    hall = Hall(pairs=4)
    forfeit_table(event_id=hall.event.pk, number=1, table=1, winner=winner)
    page = Browser().open(f"/e/{hall.event.short}/rounds/1")
    assert result_text in [line.text for line in page.find_all("li")]


def test_adjusted_score_is_attributed_to_the_director() -> None:
    hall = Hall(pairs=4)
    adjust_table(event_id=hall.event.pk, number=1, table=1, games=(1, 0), points=(32, 6))
    page = Browser().open(f"/e/{hall.event.short}/rounds/1")
    assert page.text.count("Score given by the director") == 1


def test_adjusted_score_without_a_winner_is_no_forfeit() -> None:
    given = {"kind": "adjusted", "winner": None, "games_won": [0, 0], "points": [20, 20]}
    assert get_ruling_kind(given) is RulingKind.ADJUSTED
