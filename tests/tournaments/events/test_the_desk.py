"""The desk's buttons: each in its turn only, and a repeat is taken for what it is."""

import pytest

from rules import MatchFormat, Side
from scoring.services import agree, dispute
from tests.builders import a_club, an_account, an_event, mark, matches_of, play, play_round, win
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, post
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.lifecycle import start_event
from tournaments.models import Round
from tournaments.rounds.services.rounds import draw_round, publish_round

pytestmark = pytest.mark.django_db


def tables(page: Page) -> list[str]:
    """The numbers of the tables shown, from the top."""
    return [tile.text.removeprefix("Table ") for tile in page.every("span", class_="tile")]


class TestTheDesk:
    @pytest.mark.parametrize("path", ["/e/{}/desk", "/e/{}/desk/history", "/club/{}", "/club/{}/people"])
    def test_leads_from_its_head_to_the_menu_which_a_phone_has_at_the_end(self, path: str) -> None:
        hall = Hall()
        page = hall.desk.open(path.format(hall.event.short if "/e/" in path else hall.event.club.slug))
        assert page.link("Menu") == "#menu"
        assert page.one("nav", id="menu").every("a")

    @pytest.mark.parametrize(
        "path", ["rounds/1/tables/1", "entries/file", "hands/file", "rounds/1", "entries/1", "history"]
    )
    def test_keeps_its_menu_on_the_pages_below(self, path: str) -> None:
        hall = Hall()
        page = hall.desk.open(f"/e/{hall.event.short}/desk/{path}")
        assert page.one("nav", id="menu").every("a")

    @pytest.mark.slow
    def test_keeps_its_menu_where_effects_are_shown_first_and_beside_the_programs_draw(self) -> None:
        hall = Hall()
        page = hall.desk.open(f"/e/{hall.event.short}/desk/rounds/1/tables/1")
        page = hall.desk.send(page, page.form(having="what"), ("what", "forfeit_a"))
        assert page.form(having="confirmed")
        assert page.one("nav", id="menu").every("a")
        assert hall.desk.open(hall.comparison).one("nav", id="menu").every("a")

    @pytest.mark.slow
    def test_closes_no_round_with_tables_missing_and_names_them(self) -> None:
        hall = Hall(pairs=6)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        page = hall.desk.send(page, page.form("/close"))
        assert page.status == 409
        assert page.alert.startswith("Round 1: waiting for 3 tables")
        assert "Waiting for tables 1, 2 and 3." in page.text
        assert Round.objects.get().state == "published"

    @pytest.mark.slow
    def test_that_refused_a_step_is_loaded_again_without_it(self) -> None:
        hall = Hall(pairs=6)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        page = hall.desk.send(page, page.form("/close"))
        assert page.path.endswith("/desk/rounds/1/close")
        again = hall.desk.open(page.path)
        assert (again.status, again.path, again.alert) == (200, f"/e/{hall.event.short}/desk", "")

    @pytest.mark.slow
    def test_offers_to_close_a_round_as_its_next_step_once_all_tables_have_a_result(self) -> None:
        hall = Hall()

        def close() -> dict[str, str]:
            page = hall.desk.open(f"/e/{hall.event.short}/desk")
            return page.form("/close").one("button").attrs

        assert "primary" not in close()["class"]
        for match in matches_of(hall.event):
            win(match)
        assert "primary" in close()["class"]

    @pytest.mark.parametrize(
        "path", ["rounds/9/close", "rounds/9/publish", "rounds/99999999999999999999/close"]
    )
    def test_takes_no_step_of_a_round_that_is_not_there(self, path: str) -> None:
        hall = Hall()
        page = post(hall.desk, f"/e/{hall.event.short}/desk/{path}", {})
        assert page.status == 404
        assert "does not exist. Reload the page." in page.alert

    @pytest.mark.parametrize("path", ["dance", "rounds/1/dance"])
    def test_takes_no_step_that_there_is_not(self, path: str) -> None:
        hall = Hall()
        assert post(hall.desk, f"/e/{hall.event.short}/desk/{path}", {}).status == 404

    @pytest.mark.parametrize(
        ("path", "sentence"),
        [
            ("draw", "Close round 1 first."),
            ("end", "Close round 1 first."),
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


class TestTheTablesOfTheDesk:
    @pytest.fixture
    def hall(self) -> Hall:
        """Table 1 plays, 2 is disputed, 3 has one agreement, 4 is over."""
        hall = Hall(pairs=8)
        first, second, third, fourth = matches_of(hall.event)
        play(first, "A 6 7")
        dispute(match_id=second.pk)
        win(third)
        agree(match_id=third.pk, side=Side.A, game=1)
        win(fourth)
        return hall

    def test_are_all_there_first_those_to_see(self, hall: Hall) -> None:
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert tables(page) == ["2", "4", "3", "1"]
        assert [link.text for link in page.one("nav", id="groups").every("a")] == [
            "All 4",
            "Needs attention 3",
            "Playing 1",
        ]

    @pytest.mark.slow
    def test_stay_where_they_are_when_the_page_brings_itself_up_to_date(self, hall: Hall) -> None:
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert page.every("a", id="sort") == []
        dispute(match_id=matches_of(hall.event)[0].pk)
        again = hall.desk.open(page.one("main").attrs["hx-get"], **{"HX-Request": "true"})
        assert tables(again) == ["2", "4", "3", "1"]
        assert tables(hall.desk.open(again.link("Sort"))) == ["1", "2", "4", "3"]

    def test_typed_from_a_signed_sheet_ask_for_no_agreement(self) -> None:
        hall = Hall()
        mark(hall.match, "totals 32 12")
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert tables(page) == ["2", "1"]

    @pytest.mark.slow
    def test_show_the_cards_until_a_table_has_marked(self) -> None:
        hall = Hall()
        hint = "Phones join with their table card."
        assert hint in hall.desk.open(f"/e/{hall.event.short}/desk").text
        play(hall.match, "A 6 7")
        assert hint not in hall.desk.open(f"/e/{hall.event.short}/desk").text

    def test_tell_sides_apart_that_have_the_same_surnames_in_another_order(self) -> None:
        hall = Hall(pairs=2)
        people = hall.event.club.people.order_by("pk")
        names = ("Anne Roy", "Bruno Caron", "Cécile Caron", "Donat Roy")
        for person, name in zip(people, names, strict=True):
            people.filter(pk=person.pk).update(name=name)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert "Anne Roy and Bruno Caron" in page.text
        assert "Cécile Caron and Donat Roy" in page.text

    @pytest.mark.slow
    def test_say_which_of_one_surname_plays_with_whom_where_partners_are_drawn(self) -> None:
        owner = an_account()
        event = an_event(0, club=a_club(owner=owner), tables=2, draw_format="rotation")
        names = (
            "Anne Roy",
            "Bruno Roy",
            "Cécile Roy",
            "Donat Roy",
            "Luc Dubé",
            "Marc Cyr",
            "Rita Morin",
            "Yvon Côté",
        )
        add_entries(event_id=event.pk, entries=dict(enumerate(([name] for name in names), start=1)))
        start_event(event_id=event.pk)
        draw_round(event_id=event.pk)
        desk = Browser(account=owner)
        draft = desk.open(f"/e/{event.short}/desk").text
        publish_round(event_id=event.pk, number=1)
        for page in (draft, desk.open(f"/e/{event.short}/desk").text):
            for initial in "ABCD":
                assert f"{initial}. Roy" in page
            assert "L. Dubé" not in page, "the only one of that name needs no more"

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("said", "shown"), [("Needs attention 3", ["2", "4", "3"]), ("Playing 1", ["1"])]
    )
    def test_are_those_to_see_or_playing_where_that_is_asked_also_when_it_brings_itself_up_to_date(
        self, hall: Hall, said: str, shown: list[str]
    ) -> None:
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        page = hall.desk.open(page.link(said))
        assert tables(page) == shown
        assert tables(hall.desk.open(page.one("main").attrs["hx-get"])) == shown
        assert page.one("nav", id="groups").one("a", **{"aria-current": "page"}).text == said

    @pytest.mark.slow
    def test_that_miss_one_agreement_hold_nobody_up(self) -> None:
        hall = Hall()
        for match in matches_of(hall.event):
            win(match)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert "All tables have a result." in page.text

    @pytest.mark.slow
    @pytest.mark.parametrize("ending", ["A gros_charlemagne made", "time_called"])
    def test_say_nothing_of_agreement_where_it_was_to_an_earlier_game(self, ending: str) -> None:
        hall = Hall(pairs=2, match_format=MatchFormat(games_to_win=2, minutes=50))
        play(hall.match, "A gros_charlemagne made")
        for side in Side:
            agree(match_id=hall.match.pk, side=side, game=1)
        play(hall.match, *(["B 6 made", ending] if ending == "time_called" else [ending]))
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert page.one("span", class_="chip").text == "To confirm"

    @pytest.mark.slow
    def test_are_all_there_whatever_was_asked_once_the_round_is_closed(self) -> None:
        hall = Hall()
        play_round(hall.event)
        page = hall.desk.open(f"/e/{hall.event.short}/desk?group=playing")
        assert tables(page) == ["1", "2"]
        assert "group" not in page.one("main").attrs["hx-get"]
