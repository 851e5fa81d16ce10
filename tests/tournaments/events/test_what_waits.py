"""Tasks that wait for the desk: first on its page, each a tap from its remedy."""

from datetime import timedelta

import pytest
from django.db.models import F

from rules import Side
from scoring.models import Match
from scoring.services import agree, dispute
from tests.builders import TWO_GAMES, mark, matches_of, play, win
from tests.support.browser import Page
from tests.support.hall import Hall

pytestmark = pytest.mark.django_db


def desk(hall: Hall) -> Page:
    return hall.desk.open(f"/e/{hall.event.short}/desk")


def waiting(page: Page) -> list[str]:
    return [one.attrs["data-waits"] for one in page.every("li") if "data-waits" in one.attrs]


def minutes_pass(match: Match, minutes: int = 12) -> None:
    """Since anything was marked in it."""
    Match.objects.filter(pk=match.pk).update(last_marked_at=F("last_marked_at") - timedelta(minutes=minutes))


def all_win(hall: Hall) -> None:
    """At every table one side has won."""
    for match in matches_of(hall.event):
        win(match)


def close(hall: Hall) -> Page:
    page = desk(hall)
    return hall.desk.send(page, page.form("/close"))


@pytest.fixture
def hall() -> Hall:
    return Hall(pairs=8)


class TestWhatWaits:
    def test_is_nothing_while_all_is_well(self, hall: Hall) -> None:
        mark(hall.match, "A 6 7")
        assert waiting(desk(hall)) == []

    def test_comes_first_the_most_urgent_of_all_at_its_head(self, hall: Hall) -> None:
        first, second, third, fourth = matches_of(hall.event)
        win(first)
        agree(match_id=first.pk, side=Side.A, game=1)
        mark(second, "A 6 7")
        minutes_pass(second)
        mark(third, "A 6 7")
        mark(third, "B 6 7", number=1)
        dispute(match_id=fourth.pk)
        page = desk(hall)
        assert waiting(page) == ["disputed-4", "two_marks-3", "silent-2", "one_agreement-1"]
        assert "Table 4: calls the desk. And 3 more tables need attention." in page.one(id="next").text

    @pytest.mark.slow
    def test_is_said_of_a_table_once_and_with_its_score(self) -> None:
        hall = Hall(pairs=4, match_format=TWO_GAMES)
        play(hall.match, "A 8 8", "B 7 7")
        mark(hall.match, "A 8 made")
        mark(hall.match, "A 8 failed", number=3)
        page = desk(hall)
        (tile,) = [one for one in page.every("li") if list(one.every("a", id="table-1"))]
        assert "8–7" in tile.text
        assert "games 0–0" in tile.text
        assert page.text.count("2 scores") == 1
        assert "without a result" not in page.text
        assert "without a result" not in close(hall).text

    @pytest.mark.slow
    def test_is_a_tap_from_what_helps(self, hall: Hall) -> None:
        dispute(match_id=hall.match.pk)
        page = desk(hall)
        page = hall.desk.open(page.link("Answer table 1"))
        hall.desk.send(page, page.form("/settle"), ruling="Play on.")
        assert waiting(desk(hall)) == []

    def test_is_no_table_that_plays_on_paper(self, hall: Hall) -> None:
        Match.objects.update(opened_at=F("opened_at") - timedelta(hours=1))
        assert waiting(desk(hall)) == []

    @pytest.mark.slow
    def test_is_nothing_of_a_round_that_is_closed(self, hall: Hall) -> None:
        all_win(hall)
        agree(match_id=hall.match.pk, side=Side.A, game=1)
        assert waiting(desk(hall)) == ["one_agreement-1"]
        assert waiting(close(hall)) == []


@pytest.mark.slow
class TestARoundThatIsToBeClosed:
    @pytest.mark.snapshot
    def test_names_the_tables_it_waits_for_each_with_what_can_be_done(self, hall: Hall) -> None:
        for match in matches_of(hall.event)[1:3]:
            win(match)
        page = close(hall)
        assert page.status == 409
        missing = page.one("section", id="missing")
        assert [one.text.split(" ")[1] for one in missing.every("b")] == ["1:", "4:"]
        people = [player.person.name.split()[-1] for player in matches_of(hall.event)[3].players.all()]
        assert all(name in missing.text for name in people)
        assert {link.text.rpartition(" ")[0] for link in missing.every("a")} == {
            "See the table",
            "Enter the score sheet",
            "Forfeit or other score",
        }
        called = hall.desk.send(page, page.form("/tables/4/call"))
        assert "Table 4 called to the desk at" in called.text

    def test_goes_on_naming_them_when_the_page_brings_itself_up_to_date(self, hall: Hall) -> None:
        again = close(hall).one("main").attrs["hx-get"]
        assert hall.desk.open(again).every("section", id="missing") != []
        all_win(hall)
        assert hall.desk.open(again).every("section", id="missing") == []

    def test_is_closed_drawn_and_published_in_three_taps(self, hall: Hall) -> None:
        all_win(hall)
        page = close(hall)
        page = hall.desk.send(page, page.form("/desk/draw"))
        page = hall.desk.send(page, page.form("/publish"))
        assert [drawn.state for drawn in hall.event.rounds.order_by("number")] == ["closed", "published"]
