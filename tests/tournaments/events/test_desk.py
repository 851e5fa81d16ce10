"""Steps at the desk: refused out of turn, and accepted without effect when repeated."""

import pytest

from rules import MatchFormat, Side
from scoring.services.agreement import call_desk, record_agreement
from tests.builders import (
    build_account,
    build_club,
    build_event,
    compute_standings,
    mark,
    matches_of,
    play,
    play_round,
    win,
)
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, post_form
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Round
from tournaments.rounds.services.rounds import draw_round, publish_round, unpublish_round

pytestmark = pytest.mark.django_db


def list_tables(page: Page) -> list[str]:
    """Return the numbers of the tables shown, in page order."""
    return [tile.text.removeprefix("Table ") for tile in page.find_all("span", class_="tile")]


class TestDeskSteps:
    @pytest.mark.parametrize("path", ["/e/{}/desk", "/e/{}/desk/history", "/club/{}", "/club/{}/people"])
    def test_desk_header_links_to_its_menu(self, path: str) -> None:
        hall = Hall()
        page = hall.desk.open(path.format(hall.event.short if "/e/" in path else hall.event.club.slug))
        assert page.find_link("Menu") == "#menu"
        assert page.find_one("nav", id="menu").find_all("a")

    @pytest.mark.parametrize(
        "path", ["rounds/1/tables/1", "entries/file", "hands/file", "rounds/1", "entries/1", "history"]
    )
    def test_desk_subpages_keep_the_menu(self, path: str) -> None:
        hall = Hall()
        page = hall.desk.open(f"/e/{hall.event.short}/desk/{path}")
        assert page.find_one("nav", id="menu").find_all("a")

    @pytest.mark.long
    def test_preview_and_comparison_pages_keep_the_menu(self) -> None:
        hall = Hall()
        page = hall.desk.open(f"/e/{hall.event.short}/desk/rounds/1/tables/1")
        page = hall.desk.send(page, page.find_form(control_name="what"), ("what", "forfeit_a"))
        assert page.find_form(control_name="confirmed")
        assert page.find_one("nav", id="menu").find_all("a")
        assert hall.desk.open(hall.comparison).find_one("nav", id="menu").find_all("a")

    @pytest.mark.slow
    def test_close_with_missing_tables_is_refused_and_names_them(self) -> None:
        hall = Hall(pairs=6)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        page = hall.desk.send(page, page.find_form("/close"))
        assert page.status == 409
        assert page.alert.startswith("Round 1: waiting for 3 tables")
        assert "Table 3:" in page.text
        assert Round.objects.get().state == "published"

    @pytest.mark.long
    def test_reloading_a_refused_step_returns_to_the_desk(self) -> None:
        hall = Hall(pairs=6)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        page = hall.desk.send(page, page.find_form("/close"))
        assert page.path.endswith("/desk/rounds/1/close")
        again = hall.desk.open(page.path)
        assert (again.status, again.path, again.alert) == (200, f"/e/{hall.event.short}/desk", "")

    @pytest.mark.long
    def test_close_is_the_primary_button_once_all_results_are_in(self) -> None:
        hall = Hall()

        def close() -> dict[str, str]:
            page = hall.desk.open(f"/e/{hall.event.short}/desk")
            return page.find_form("/close").find_one("button").attrs

        assert "primary" not in close()["class"]
        for match in matches_of(hall.event):
            win(match)
        assert "primary" in close()["class"]

    @pytest.mark.long
    @pytest.mark.parametrize("path", ["rounds/9/close", "rounds/9/publish", "rounds/999999999999/close"])
    def test_step_of_an_unknown_round_is_404(self, path: str) -> None:
        hall = Hall()
        page = post_form(hall.desk, f"/e/{hall.event.short}/desk/{path}", {})
        assert page.status == 404
        assert "does not exist. Reload the page." in page.alert

    @pytest.mark.parametrize("path", ["dance", "rounds/1/dance"])
    def test_unknown_desk_step_is_404(self, path: str) -> None:
        hall = Hall()
        assert post_form(hall.desk, f"/e/{hall.event.short}/desk/{path}", {}).status == 404

    @pytest.mark.long
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
    def test_out_of_turn_step_is_refused_but_a_repeat_succeeds(self, path: str, sentence: str) -> None:
        hall = Hall()
        page = post_form(hall.desk, f"/e/{hall.event.short}/desk/{path}", {})
        assert page.status == (409 if sentence else 200)
        assert page.alert == sentence
        assert Round.objects.get().state == "published"

    @pytest.mark.slow
    @pytest.mark.parametrize(("rounds", "heading"), [(0, "No round was played"), (1, "Round 1: 2 of 2 tables done")])
    def test_ended_event_offers_to_resume_and_promises_no_round(self, rounds: int, heading: str) -> None:
        hall = Hall()
        if rounds:
            play_round(hall.event)
            draw_round(event_id=hall.event.pk)
        else:
            unpublish_round(event_id=hall.event.pk, number=1)
        end_event(event_id=hall.event.pk)
        compute_standings(hall.event)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert page.find_one("h2").text == heading
        assert [name for name in ("Draw", "Publish round", "Draft") if name in page.find_one("main").text] == []
        assert "Resume the event" in page.text
        public = hall.desk.open(f"/e/{hall.event.short}").text
        assert "appears here" not in public
        assert ("No round was played" in public, "Recap" in public) == (not rounds, bool(rounds))


class TestDeskTables:
    @pytest.fixture
    def hall(self) -> Hall:
        """Build a hall where table 1 plays, 2 is disputed, 3 has one confirmation and 4 is over."""
        hall = Hall(pairs=8)
        first, second, third, fourth = matches_of(hall.event)
        play(first, "A 6 7")
        call_desk(match_id=second.pk)
        win(third)
        record_agreement(match_id=third.pk, side=Side.A, game=1)
        win(fourth)
        return hall

    @pytest.mark.long
    def test_tables_needing_attention_come_first(self, hall: Hall) -> None:
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert list_tables(page) == ["2", "4", "3", "1"]
        assert [link.text for link in page.find_one("nav", id="groups").find_all("a")] == [
            "All 4",
            "Needs attention 3",
            "Playing 1",
        ]

    @pytest.mark.slow
    def test_refreshed_desk_keeps_the_table_order(self, hall: Hall) -> None:
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert page.find_all("a", id="sort") == []
        call_desk(match_id=matches_of(hall.event)[0].pk)
        again = hall.desk.open(page.find_one("main").attrs["hx-get"], **{"HX-Request": "true"})
        assert list_tables(again) == ["2", "4", "3", "1"]
        assert list_tables(hall.desk.open(again.find_link("Sort"))) == ["1", "2", "4", "3"]

    @pytest.mark.slow
    def test_typed_score_sheet_needs_no_confirmation(self) -> None:
        hall = Hall()
        play(hall.match, "A 6 7")
        mark(hall.match, "totals 32 12")
        for side in Side:
            page = hall.desk.open(f"/e/{hall.event.short}/desk")
            assert list_tables(page) == ["2", "1"]
            assert [chip.text for chip in page.find_all("span", class_="chip")] == ["Not started", "Finished"]
            record_agreement(match_id=hall.match.pk, side=side, game=1)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert page.find_all("span", class_="chip")[1].text == "Confirmed"

    @pytest.mark.long
    def test_desk_shows_the_card_hint_until_a_table_scores(self) -> None:
        hall = Hall()
        hint = "Phones join with their table card."
        assert hint in hall.desk.open(f"/e/{hall.event.short}/desk").text
        play(hall.match, "A 6 7")
        assert hint not in hall.desk.open(f"/e/{hall.event.short}/desk").text

    @pytest.mark.long
    def test_sides_with_equal_surnames_show_full_names(self) -> None:
        hall = Hall(pairs=2)
        people = hall.event.club.people.order_by("pk")
        names = ("Anne Roy", "Bruno Caron", "Cécile Caron", "Donat Roy")
        for person, name in zip(people, names, strict=True):
            people.filter(pk=person.pk).update(name=name)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert "Anne Roy and Bruno Caron" in page.text
        assert "Cécile Caron and Donat Roy" in page.text

    @pytest.mark.slow
    def test_drawn_partners_with_equal_surnames_show_initials(self) -> None:
        owner = build_account()
        event = build_event(0, club=build_club(owner=owner), tables=2, draw_format="rotation")
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

    @pytest.mark.parametrize(("filter_label", "shown"), [("Needs attention 3", ["2", "4", "3"]), ("Playing 1", ["1"])])
    @pytest.mark.long
    def test_table_filter_survives_a_refresh(self, hall: Hall, filter_label: str, shown: list[str]) -> None:
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        page = hall.desk.open(page.find_link(filter_label))
        assert list_tables(page) == shown
        assert list_tables(hall.desk.open(page.find_one("main").attrs["hx-get"])) == shown
        assert page.find_one("nav", id="groups").find_one("a", **{"aria-current": "page"}).text == filter_label

    @pytest.mark.long
    def test_missing_confirmation_does_not_block_the_close(self) -> None:
        hall = Hall()
        for match in matches_of(hall.event):
            win(match)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert "All tables have a result." in page.text

    @pytest.mark.long
    @pytest.mark.parametrize(
        ("hands", "expected_text"),
        [
            (["A gros_charlemagne made"], "To confirm"),
            (["B 6 made", "time_called"], "Finished"),
            (["time_called"], "Finished"),
        ],
    )
    def test_only_a_game_that_ends_the_match_is_confirmed(self, hands: list[str], expected_text: str) -> None:
        hall = Hall(pairs=2, match_format=MatchFormat(games_to_win=2, minutes=50))
        play(hall.match, "A gros_charlemagne made")
        record_agreement(match_id=hall.match.pk, side=Side.A, game=1)
        play(hall.match, *hands)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert page.find_one("span", class_="chip").text == expected_text

    @pytest.mark.slow
    def test_closed_round_ignores_the_table_filter(self) -> None:
        hall = Hall()
        play_round(hall.event)
        page = hall.desk.open(f"/e/{hall.event.short}/desk?group=playing")
        assert list_tables(page) == ["1", "2"]
        assert "group" not in page.find_one("main").attrs["hx-get"]
        assert [chip.text for chip in page.find_all("span", class_="chip")] == ["Not confirmed", "Not confirmed"]
        assert [age.text for age in page.find_all("span", class_="age")] == ["", ""]
