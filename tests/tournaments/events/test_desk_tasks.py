"""Tasks that need attention come first on the desk, each with a link to its solution."""

from datetime import timedelta

import pytest
from django.db.models import F

from rules import Side
from scoring.models import Match
from scoring.services.agreement import call_desk, record_agreement
from tests.builders import TWO_GAMES, mark, matches_of, play, win
from tests.support.browser import Page
from tests.support.hall import Hall

pytestmark = pytest.mark.django_db


def open_desk(hall: Hall) -> Page:
    return hall.desk.open(f"/e/{hall.event.short}/desk")


def list_waiting(page: Page) -> list[str]:
    return [one.attrs["data-waits"] for one in page.find_all("li") if "data-waits" in one.attrs]


def advance_minutes(match: Match, minutes: int = 12) -> None:
    """Make the last recorded hand of the match so many minutes older."""
    Match.objects.filter(pk=match.pk).update(last_marked_at=F("last_marked_at") - timedelta(minutes=minutes))


def win_all(hall: Hall) -> None:
    for match in matches_of(hall.event):
        win(match)


def close(hall: Hall) -> Page:
    page = open_desk(hall)
    return hall.desk.send(page, page.find_form("/close"))


@pytest.fixture
def hall() -> Hall:
    return Hall(pairs=8)


class TestDeskTasks:
    @pytest.mark.long
    def test_desk_has_no_tasks_while_all_is_well(self, hall: Hall) -> None:
        mark(hall.match, "A 6 7")
        assert list_waiting(open_desk(hall)) == []

    @pytest.mark.slow
    def test_desk_tasks_are_sorted_by_urgency(self, hall: Hall) -> None:
        first, second, third, fourth = matches_of(hall.event)
        win(first)
        record_agreement(match_id=first.pk, side=Side.A, game=1)
        mark(second, "A 6 7")
        advance_minutes(second)
        mark(third, "A 6 7")
        mark(third, "B 6 7", number=1)
        call_desk(match_id=fourth.pk)
        page = open_desk(hall)
        assert list_waiting(page) == ["disputed-4", "two_marks-3", "silent-2", "one_agreement-1"]
        assert "Table 4: calls the desk. And 3 more tables need attention." in page.find_one(id="next").text

    @pytest.mark.slow
    def test_table_appears_once_with_its_score(self) -> None:
        hall = Hall(pairs=4, match_format=TWO_GAMES)
        play(hall.match, "A 8 8", "B 7 7")
        mark(hall.match, "A 8 made")
        mark(hall.match, "A 8 failed", number=3)
        page = open_desk(hall)
        (tile,) = [one for one in page.find_all("li") if list(one.find_all("a", id="table-1"))]
        assert "8–7" in tile.text
        assert "games 0–0" in tile.text
        assert page.text.count("2 scores") == 1
        assert "without a result" not in page.text
        assert "without a result" not in close(hall).text

    @pytest.mark.long
    def test_desk_task_links_to_its_remedy(self, hall: Hall) -> None:
        call_desk(match_id=hall.match.pk)
        page = open_desk(hall)
        page = hall.desk.open(page.find_link("Answer table 1"))
        hall.desk.send(page, page.find_form("/settle"), ruling="Play on.")
        assert list_waiting(open_desk(hall)) == []

    def test_paper_table_creates_no_task(self, hall: Hall) -> None:
        Match.objects.update(opened_at=F("opened_at") - timedelta(hours=1))
        assert list_waiting(open_desk(hall)) == []

    @pytest.mark.long
    def test_closed_round_clears_the_tasks(self, hall: Hall) -> None:
        win_all(hall)
        record_agreement(match_id=hall.match.pk, side=Side.A, game=1)
        assert list_waiting(open_desk(hall)) == ["one_agreement-1"]
        assert list_waiting(close(hall)) == []


@pytest.mark.long
class TestCloseRound:
    @pytest.mark.snapshot
    def test_refused_close_lists_missing_tables_with_actions(self, hall: Hall) -> None:
        for match in matches_of(hall.event)[1:3]:
            win(match)
        page = close(hall)
        assert page.status == 409
        missing = page.find_one("section", id="missing")
        assert [one.text.split(" ")[1] for one in missing.find_all("b")] == ["1:", "4:"]
        people = [player.person.name.split()[-1] for player in matches_of(hall.event)[3].players.all()]
        assert all(name in missing.text for name in people)
        assert {link.text.rpartition(" ")[0] for link in missing.find_all("a")} == {
            "See the table",
            "Enter the score sheet",
            "Forfeit or other score",
        }
        called = hall.desk.send(page, page.find_form("/tables/4/call"))
        assert "Table 4 called to the desk at" in called.text

    def test_missing_tables_stay_listed_after_a_refresh(self, hall: Hall) -> None:
        again = close(hall).find_one("main").attrs["hx-get"]
        assert hall.desk.open(again).find_all("section", id="missing") != []
        win_all(hall)
        assert hall.desk.open(again).find_all("section", id="missing") == []

    def test_director_closes_draws_and_publishes_in_three_taps(self, hall: Hall) -> None:
        win_all(hall)
        page = close(hall)
        page = hall.desk.send(page, page.find_form("/desk/draw"))
        page = hall.desk.send(page, page.find_form("/publish"))
        assert [drawn.state for drawn in hall.event.rounds.order_by("number")] == ["closed", "published"]
