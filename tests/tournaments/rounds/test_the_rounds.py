"""Corrections at a table of a published round, their effect shown first; the history with its undo."""

from typing import Any
from urllib.parse import urlencode

import pytest

from rules import Side
from scoring.models import Match
from tests.builders import TWO_GAMES, mark, matches_of, next_round, play, play_round, standings_after, win
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, typed_hand
from tests.support.markup import Element
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.entry_actions import substitute_player
from tournaments.events.presenters.names import full_names
from tournaments.history.services.undo import undo_action
from tournaments.models import Event
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import adjust_table, forfeit_table, let_cards_count
from tournaments.seasons.services import close_season, open_season

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def wins(event: Event) -> dict[int, int]:
    return {row["entry"]: row["match_wins"] for row in standings_after(event)}


def at(hall: Hall, table: int, number: int = 1) -> str:
    return f"/e/{hall.event.short}/desk/rounds/{number}/tables/{table}"


def names(hall: Hall, table: int, side: str) -> str:
    """Return who sits on that side, as the history names them."""
    return full_names(hall.event.entries.get(seatings__table__number=table, seatings__side=Side[side]))


def press(hall: Hall, page: Page, what: str, **typed: Any) -> Page:
    form = next(form for form in page.every("form") if any(form.every("button", name="what", value=what)))
    return hall.desk.send(page, form, ("what", what), **typed)


def confirmed(hall: Hall, page: Page, **typed: Any) -> Page:
    return hall.desk.send(page, page.form(having="confirmed"), ("confirmed", "1"), **typed)


def undos(page: Page) -> list[Element]:
    """The forms that undo a line, newest first."""
    return [form for form in page.every("form") if (form.attrs.get("action") or "").endswith("/undo")]


class TestAForfeit:
    def test_is_shown_with_its_effect_and_then_done_with_its_reason(self) -> None:
        hall = Hall(pairs=4)
        page = press(hall, hall.desk.open(at(hall, 1)), "forfeit_b")
        assert "Table 1: forfeit by" in page.text
        assert "New rank" in page.text
        assert set(wins(hall.event).values()) == {0}
        page = confirmed(hall, page, reason="Left at nine")
        assert "Forfeit" in page.text
        assert sorted(wins(hall.event).values()) == [0, 0, 0, 1]
        page = hall.desk.open(f"/e/{hall.event.short}/desk/history")
        lost = names(hall, 1, "B")
        assert f"Round 1: forfeit at table 1, {lost} " in page.text
        assert "“Left at nine”" in page.text
        assert hall.owner.name in page.text

    def test_is_told_at_its_table_until_it_is_taken_back_or_the_next_round_is_there(self) -> None:
        hall = Hall(pairs=4)
        mark(hall.match, "A 6 7")
        match, other = matches_of(hall.event)
        at_table: Any = {"event_id": hall.event.pk, "number": 1, "table": 1}
        told = "The desk ruled a forfeit. Hands recorded here do not count."

        def is_told(match: Match) -> bool:
            return told in Browser().open(f"/t/{match.card.code}?card={match.card.secret}").text

        forfeit_table(**at_table, winner=Side.B)
        assert (is_told(match), is_told(other)) == (True, False)
        let_cards_count(**at_table)
        assert not is_told(match)
        adjust_table(**at_table, games=(0, 1), points=(6, 32))
        assert "The desk changed the score" in hall.desk.open(f"/match/{match.pk}").text
        undo_action(event_id=hall.event.pk, action_id=hall.event.actions.latest("pk").pk)
        assert "The desk changed the score" not in hall.desk.open(f"/match/{match.pk}").text
        forfeit_table(**at_table, winner=Side.B)
        win(other)
        close_round(event_id=hall.event.pk, number=1)
        next_round(hall.event)
        assert not is_told(matches_of(hall.event, 2)[0])

    @pytest.mark.snapshot
    def test_of_both_sides_says_who_they_are(self) -> None:
        hall = Hall(pairs=4)
        page = press(hall, hall.desk.open(at(hall, 1)), "forfeit_both")
        both = f"{names(hall, 1, 'A')} and {names(hall, 1, 'B')}"
        assert f"Round 1: forfeit at table 1, {both}" in page.text

    def test_confirmed_twice_is_done_once(self) -> None:
        hall = Hall(pairs=4)
        page = press(hall, hall.desk.open(at(hall, 1)), "forfeit_b")
        confirmed(hall, page)
        confirmed(hall, page)
        assert hall.event.actions.filter(kind="forfeit_table").count() == 1

    def test_may_be_taken_back_at_the_table(self) -> None:
        hall = Hall(pairs=4)
        win(matches_of(hall.event)[0], "B")
        before = wins(hall.event)
        confirmed(hall, press(hall, hall.desk.open(at(hall, 1)), "forfeit_b"))
        assert wins(hall.event) != before
        confirmed(hall, press(hall, hall.desk.open(at(hall, 1)), "cards"))
        assert wins(hall.event) == before
        sides = f"{names(hall, 1, 'A')} – {names(hall, 1, 'B')}"
        page = hall.desk.open(f"/e/{hall.event.short}/desk/history")
        assert f"Round 1, table 1: recorded hands count again, {sides}" in page.text


class TestAnotherScore:
    def test_counts_instead_of_the_marked_one(self) -> None:
        hall = Hall(pairs=4)
        win(matches_of(hall.event)[0], "B")
        score = {"games_a": "1", "games_b": "0", "points_a": "32", "points_b": "0"}
        page = press(hall, hall.desk.open(at(hall, 1)), "adjust", **score)
        assert "Table 1: set 32–0 points, 1–0 games?" in page.text
        page = confirmed(hall, page)
        assert "Score given by the director" in page.text
        sides = f"{names(hall, 1, 'A')} – {names(hall, 1, 'B')}"
        page = hall.desk.open(f"/e/{hall.event.short}/desk/history")
        assert f"Round 1, table 1: director’s score, {sides}, 32–0 points, games 1–0" in page.text

    @pytest.mark.parametrize(
        ("draw_format", "winner", "told"),
        [
            ("round_robin", "A", "Round 2: this change would not alter the draw."),
            ("swiss", "B", "Round 2, if drawn with this change"),
        ],
    )
    def test_says_of_each_later_round_whether_others_would_have_met(
        self, draw_format: str, winner: str, told: str
    ) -> None:
        hall = Hall(pairs=8, draw_format=draw_format)
        for match in matches_of(hall.event):
            win(match, "A")
        close_round(event_id=hall.event.pk, number=1)
        next_round(hall.event)
        points = {"points_a": "40", "points_b": "8"} if winner == "A" else {"points_a": "8", "points_b": "40"}
        games = {"games_a": str(int(winner == "A")), "games_b": str(int(winner == "B"))}
        page = press(hall, hall.desk.open(at(hall, 1)), "adjust", **games, **points)
        assert told in page.text

    def test_begins_with_the_match_so_far_and_not_with_the_running_game(self) -> None:
        hall = Hall(pairs=4, match_format=TWO_GAMES)
        match = matches_of(hall.event)[0]
        play(match, "A gros_charlemagne made", "A 5 made", "B mulot made", "B 7 made")
        form = hall.desk.open(at(hall, 1)).form(having="games_a")
        names = ("games_a", "points_a", "games_b", "points_b")
        assert [form.one("input", name=name).value for name in names] == ["1", "37", "0", "22"]

    def test_with_something_that_is_no_number_is_refused_and_nothing_typed_is_lost(self) -> None:
        hall = Hall(pairs=4)
        page = press(hall, hall.desk.open(at(hall, 1)), "adjust", games_a="two", points_a="32")
        assert page.status == 422
        assert page.one("input", name="games_a").value == "two"
        assert page.form(having="games_a").one("input", name="points_a").value == "32"
        assert page.said_at("games_a") == "“two” is not a whole number. Use digits."
        assert page.said_at("games_b") == page.said_at("points_a") == page.alert == ""

    def test_that_another_director_has_given_meanwhile_is_not_replaced_unseen(self) -> None:
        hall = Hall(pairs=4)
        first, second = {"points_a": "32", "points_b": "20"}, {"points_a": "20", "points_b": "32"}
        asked = press(hall, hall.desk.open(at(hall, 1)), "adjust", games_a="1", games_b="0", **first)
        late = press(hall, hall.desk.open(at(hall, 1)), "adjust", games_a="0", games_b="1", **second)
        confirmed(hall, asked, reason="The sheet")
        page = confirmed(hall, late, reason="The other sheet")
        assert page.status == 409
        assert page.alert == "This has changed meanwhile. Check it, then make your change."
        assert hall.event.rounds.get().tables.get(number=1).ruling["points"] == [32, 20]
        assert page.field("points_a").value == "20"
        page = press(hall, page, "adjust")
        confirmed(hall, page, reason="Both sheets read")
        assert hall.event.rounds.get().tables.get(number=1).ruling["points"] == [20, 32]

    def test_is_refused_at_the_numbers_that_are_too_large(self) -> None:
        hall = Hall(pairs=4)
        score = {"games_a": "1", "games_b": "0", "points_a": "100001", "points_b": "12"}
        page = press(hall, hall.desk.open(at(hall, 1)), "adjust", **score)
        assert page.status == 422
        assert page.said_at("points_a") == page.said_at("points_b") != ""
        assert page.said_at("games_a") == page.alert == ""
        assert page.field("points_a").value == "100001"


class TestInABracket:
    @pytest.mark.snapshot
    def test_a_draw_is_refused_where_the_score_is_typed(self) -> None:
        hall = Hall(pairs=4, draw_format="knockout")
        score = {"games_a": "0", "games_b": "0", "points_a": "20", "points_b": "20"}
        page = press(hall, hall.desk.open(at(hall, 1)), "adjust", **score)
        assert page.status == 422
        said = "A bracket match needs a winner, by lot if necessary."
        assert page.said_at("points_a") == page.said_at("points_b") == said
        assert page.field("points_b").value == "20"

    @pytest.mark.snapshot
    def test_a_forfeit_of_both_sides_leaves_both_out(self) -> None:
        hall = Hall(pairs=4, draw_format="knockout")
        page = press(hall, hall.desk.open(at(hall, 1)), "forfeit_both")
        assert confirmed(hall, page).status == 200
        assert hall.event.rounds.get().tables.get(number=1).ruling == {"kind": "forfeit", "winner": None}


class TestAWrongPair:
    def test_that_is_found_two_rounds_later_says_what_stays_as_it_is(self) -> None:
        hall = Hall(pairs=8)
        for number in (1, 2):
            play_round(hall.event, number)
            next_round(hall.event)
        path = f"/e/{hall.event.short}/desk/rounds/1/swap"
        page = hall.desk.open(f"{path}?one=1&other=2")
        page = hall.desk.send(page, page.form("/swap"))
        assert "Rounds 2 and 3 are already published and do not change." in page.text
        page = confirmed(hall, page)
        assert page.status == 200
        assert hall.event.actions.first().kind == "swap_entries"  # type: ignore[union-attr]


class TestACorrectionInAClosedRound:
    def test_is_shown_with_what_it_touches_before_it_is_made(self) -> None:
        hall = Hall(pairs=4)
        play_round(hall.event)
        next_round(hall.event)
        before = wins(hall.event)
        last = hall.match.marks.get(number=2)
        asked = typed_hand(hall.match, number=2, supersedes=last.pk, side="B", contract="gros_charlemagne")
        del asked["tricks"]
        page = hall.desk.open(f"{at(hall, 1)}/correction?{urlencode(asked | {'outcome': 'made'})}")
        assert "New rank" in page.text
        assert "Round 2 is already published and does not change." in page.text
        assert wins(hall.event) == before

    @pytest.mark.snapshot
    def test_names_the_closed_season_that_counts_the_event_and_stays_as_it_is(self) -> None:
        hall = Hall(pairs=4)
        play_round(hall.event)
        next_round(hall.event)
        day = hall.event.held_on
        season = open_season(
            club=hall.event.club, name="Autumn", starts=day, ends=day, ladders=[{"name": "All"}]
        )
        score = {"games_a": "0", "games_b": "1", "points_a": "0", "points_b": "32"}
        told = "Season “Autumn” is closed. Reopen it to update its standings."
        assert told not in press(hall, hall.desk.open(at(hall, 1)), "adjust", **score).text
        standings_after(hall.event)
        close_season(season_id=season.pk)
        assert told in press(hall, hall.desk.open(at(hall, 1)), "adjust", **score).text

    def test_says_who_would_have_met_in_the_rounds_that_are_published(self) -> None:
        hall = Hall(pairs=8, draw_format="swiss")
        play_round(hall.event)
        next_round(hall.event)
        score = {"games_a": "0", "games_b": "1", "points_a": "0", "points_b": "32"}
        page = press(hall, hall.desk.open(at(hall, 1)), "adjust", **score)
        assert "Round 2, if drawn with this change" in page.text
        told = next(each for each in page.every("details") if ", if drawn with this change" in each.text)
        others = [one.text for one in told.every("li")]
        assert len(others) >= 2
        together = hall.desk.open(f"/e/{hall.event.short}/desk/rounds/2").text
        assert all(" – " in other and other not in together for other in others)

    @pytest.mark.snapshot
    def test_of_a_bracket_says_which_table_it_contradicts(self) -> None:
        hall = Hall(pairs=4, draw_format="knockout")
        play_round(hall.event)
        next_round(hall.event)
        last = hall.match.marks.get(number=2)
        asked = typed_hand(hall.match, number=2, supersedes=last.pk, side="B", contract="gros_charlemagne")
        del asked["tricks"]
        page = hall.desk.open(f"{at(hall, 1)}/correction?{urlencode(asked | {'outcome': 'made'})}")
        assert "Round 2, table 1: with this result, the bracket would seat others there." in page.text

    @pytest.mark.snapshot
    def test_that_is_no_hand_is_refused(self) -> None:
        hall = Hall(pairs=4)
        play_round(hall.event)
        page = hall.desk.open(f"{at(hall, 1)}/correction?{urlencode(typed_hand(hall.match, tricks='99'))}")
        assert page.status == 422


class TestOneTableMore:
    @pytest.mark.snapshot
    def test_seats_the_pair_that_sits_out_and_one_that_came_late(self) -> None:
        hall = Hall(pairs=5)
        add_entry(event_id=hall.event.pk, players=("Zoé Zed", "Yves Yale"))
        page = hall.desk.open(f"/e/{hall.event.short}/desk/rounds/1")
        page = hall.desk.send(page, page.form("/more"), other="6")
        assert "Add a table for these two?" in page.text
        assert "Round 1, table 3" in page.text
        page = confirmed(hall, page)
        assert "Zoé Zed" in page.text
        assert len(matches_of(hall.event)) == 3

    def test_of_one_and_the_same_pair_is_refused(self) -> None:
        hall = Hall(pairs=5)
        add_entry(event_id=hall.event.pk, players=("Zoé Zed", "Yves Yale"))
        page = hall.desk.open(f"/e/{hall.event.short}/desk/rounds/1")
        page = hall.desk.send(page, page.form("/more"), one="6", other="6")
        assert page.status == 422

    def test_is_not_offered_in_a_closed_round_where_it_could_have_no_result(self) -> None:
        hall = Hall(pairs=5)
        add_entry(event_id=hall.event.pk, players=("Zoé Zed", "Yves Yale"))
        page = f"/e/{hall.event.short}/desk/rounds/1"
        assert "Extra table" in hall.desk.open(page).text
        play_round(hall.event)
        assert "Extra table" not in hall.desk.open(page).text

    def test_is_not_offered_to_who_is_out_of_the_bracket(self) -> None:
        hall = Hall(pairs=4, draw_format="knockout")
        play_round(hall.event)
        next_round(hall.event)
        page = f"/e/{hall.event.short}/desk/rounds/2"
        assert "Extra table" not in hall.desk.open(page).text
        for name in ("Zed", "Zwicky"):
            add_entry(event_id=hall.event.pk, players=(f"Zoé {name}", f"Zach {name}"))
        offered = hall.desk.open(page).form("/more").every("option")
        assert {option.attrs["value"] for option in offered} == {"5", "6"}


def test_a_round_names_who_played_it_though_somebody_else_has_taken_the_place_since() -> None:
    hall = Hall()
    play_round(hall.event)
    pair = hall.event.entries.get(seatings__table__number=1, seatings__side=0)
    played = " and ".join(player.name for player in pair.players)
    substitute_player(event_id=hall.event.pk, number=pair.number, place=1, name="Zoé Zed")
    table = hall.desk.open(f"/e/{hall.event.short}/desk/rounds/1").one("li", id="table-1")
    assert next(table.every("li")).text.startswith(played)


class TestTheHistory:
    def test_undoes_a_line_and_undoes_the_undo(self) -> None:
        hall = Hall(pairs=4)
        path = f"/e/{hall.event.short}/desk/history"
        confirmed(hall, press(hall, hall.desk.open(at(hall, 1)), "forfeit_b"))
        done = wins(hall.event)
        page = hall.desk.open(path)
        page = hall.desk.send(page, undos(page)[0])
        assert wins(hall.event) == done
        page = confirmed(hall, page, reason="They were there")
        assert "Undid: Round 1: forfeit at table 1" in page.text
        assert "“They were there”" in page.text
        assert set(wins(hall.event).values()) == {0}
        page = hall.desk.send(page, undos(page)[0])
        assert "Restore “Round 1" in page.text
        assert "Restore" in page.form(having="confirmed").text
        confirmed(hall, page)
        assert wins(hall.event) == done

    def test_shows_first_what_an_undo_would_change_as_doing_did(self) -> None:
        hall = Hall(pairs=4)
        page = press(hall, hall.desk.open(at(hall, 1)), "forfeit_b")
        shown = [row.text for row in page.one("tbody").every("tr")]
        confirmed(hall, page)
        page = hall.desk.open(f"/e/{hall.event.short}/desk/history")
        page = hall.desk.send(page, undos(page)[0])
        assert "Undo the forfeit (round 1, table 1)?" in page.text
        assert "New rank" in page.text
        assert len(list(page.one("tbody").every("tr"))) == len(shown)
        assert not hall.event.actions.filter(kind="undo").exists()

    @pytest.mark.snapshot
    def test_says_that_a_table_of_a_closed_round_would_have_no_result_and_the_desk_goes_on_saying_so(
        self,
    ) -> None:
        hall = Hall(pairs=4)
        confirmed(hall, press(hall, hall.desk.open(at(hall, 1)), "forfeit_b"))
        win(matches_of(hall.event)[1])
        close_round(event_id=hall.event.pk, number=1)
        next_round(hall.event)
        page = press(hall, hall.desk.open(at(hall, 1)), "cards")
        said = "Round 1 is closed, but table 1 would have no result."
        assert said in page.text
        forfeit = hall.event.actions.get(kind="forfeit_table")
        page = hall.desk.open(f"/e/{hall.event.short}/desk/history")
        form = next(each for each in undos(page) if f"/{forfeit.pk}/" in each.attrs["action"])
        page = hall.desk.send(page, form)
        assert said in page.text
        confirmed(hall, page)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert "Round 1 closed: no result at table 1." in page.text
        assert page.link("Enter a result") == at(hall, 1)
        close = page.form("/close")
        for match in matches_of(hall.event, 2):
            win(match)
        hall.desk.send(page, close)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        page = hall.desk.send(page, page.form("/end"))
        assert page.status == 409
        assert "Round 1 has tables without a result: no. 1." in page.text

    def test_refuses_to_undo_what_later_steps_rest_on(self) -> None:
        hall = Hall(pairs=4)
        play_round(hall.event)
        next_round(hall.event)
        closed = hall.event.actions.get(kind="close_round")
        page = hall.desk.open(f"/e/{hall.event.short}/desk/history")
        form = next(each for each in undos(page) if f"/{closed.pk}/" in each.attrs["action"])
        page = hall.desk.send(page, form)
        assert page.status == 409
        assert "Later steps depend on this." in page.text

    @pytest.mark.snapshot
    def test_shows_first_what_an_undo_would_take_from_the_tables(self) -> None:
        hall = Hall(pairs=4)
        mark(hall.match, "A 6 made")
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        page = hall.desk.send(page, undos(page)[0])
        assert "Set aside: 1 table with recorded hands." in page.text
        assert hall.event.rounds.get().state == "published"
        confirmed(hall, page)
        assert hall.event.rounds.get().state == "draft"

    @pytest.mark.snapshot
    def test_goes_further_back_with_each_undo_at_the_desk(self) -> None:
        hall = Hall(pairs=4)
        for left in ("Publish round 1", "No round yet"):
            page = hall.desk.open(f"/e/{hall.event.short}/desk")
            page = confirmed(hall, hall.desk.send(page, undos(page)[0]))
            assert left in page.text

    @pytest.mark.parametrize(
        ("language", "question"),
        [("en", "Undo publishing round 1?"), ("fr", "Annuler la publication de la ronde 1?")],
    )
    def test_asks_before_the_last_step_is_undone_from_the_desk(self, language: str, question: str) -> None:
        hall = Hall(pairs=4)
        hall.desk = Browser(account=hall.owner, language=language)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        page = hall.desk.send(page, undos(page)[0])
        assert question in page.text
        assert hall.event.rounds.get().state == "published"
        confirmed(hall, page)
        assert hall.event.rounds.get().state == "draft"


@pytest.mark.snapshot
def test_a_round_of_a_bracket_says_who_waits_for_the_next_match() -> None:
    hall = Hall(pairs=3, draw_format="knockout")
    page = hall.desk.open(f"/e/{hall.event.short}/desk/rounds/1")
    assert "Waiting for the next match: " in page.text
