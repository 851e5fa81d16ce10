"""Corrections at a table of a published round, with a preview of their effects, a history and an undo."""

from typing import Any
from urllib.parse import urlencode

import pytest

from rules import Side
from scoring.models import Match
from tests.builders import TWO_GAMES, compute_standings, mark, matches_of, play, play_round, start_next_round, win
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, build_hand_form
from tests.support.markup import Element
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.entry_actions import substitute_player
from tournaments.events.presenters.names import format_full_names
from tournaments.history.services.undo import undo_action
from tournaments.models import Event
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import adjust_table, forfeit_table, let_cards_count
from tournaments.seasons.services import close_season, open_season

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def get_wins(event: Event) -> dict[int, int]:
    return {row["entry"]: row["match_wins"] for row in compute_standings(event)}


def get_table_path(hall: Hall, table: int, number: int = 1) -> str:
    return f"/e/{hall.event.short}/desk/rounds/{number}/tables/{table}"


def get_side_names(hall: Hall, table: int, side: str) -> str:
    """Return the names of the entry on that side, as the history writes them."""
    return format_full_names(hall.event.entries.get(seatings__table__number=table, seatings__side=Side[side]))


def press(hall: Hall, page: Page, what: str, **typed: Any) -> Page:
    form = next(form for form in page.find_all("form") if any(form.find_all("button", name="what", value=what)))
    return hall.desk.send(page, form, ("what", what), **typed)


def confirm_form(hall: Hall, page: Page, **typed: Any) -> Page:
    return hall.desk.send(page, page.find_form(control_name="confirmed"), ("confirmed", "1"), **typed)


def list_undo_forms(page: Page) -> list[Element]:
    """Return the forms that undo a line of the history, newest first."""
    return [form for form in page.find_all("form") if (form.attrs.get("action") or "").endswith("/undo")]


class TestForfeit:
    @pytest.mark.long
    def test_forfeit_is_previewed_then_recorded_with_its_reason(self) -> None:
        hall = Hall(pairs=4)
        page = press(hall, hall.desk.open(get_table_path(hall, 1)), "forfeit_b")
        assert "Table 1: forfeit by" in page.text
        assert "New rank" in page.text
        assert set(get_wins(hall.event).values()) == {0}
        page = confirm_form(hall, page, reason="Left at nine")
        assert "Forfeit" in page.text
        assert sorted(get_wins(hall.event).values()) == [0, 0, 0, 1]
        page = hall.desk.open(f"/e/{hall.event.short}/desk/history")
        lost = get_side_names(hall, 1, "B")
        assert f"Round 1: forfeit at table 1, {lost} " in page.text
        assert "“Left at nine”" in page.text
        assert hall.owner.name in page.text

    @pytest.mark.long
    def test_table_shows_the_forfeit_until_lifted_or_next_round(self) -> None:
        hall = Hall(pairs=4)
        mark(hall.match, "A 6 7")
        match, other = matches_of(hall.event)
        at_table: Any = {"event_id": hall.event.pk, "number": 1, "table": 1}
        notice = "The desk ruled a forfeit. Hands recorded here do not count."

        def is_shown(match: Match) -> bool:
            return notice in Browser().open(f"/t/{match.card.code}?card={match.card.secret}").text

        forfeit_table(**at_table, winner=Side.B)
        assert (is_shown(match), is_shown(other)) == (True, False)
        let_cards_count(**at_table)
        assert not is_shown(match)
        adjust_table(**at_table, games=(0, 1), points=(6, 32))
        assert "The desk changed the score" in hall.desk.open(f"/match/{match.pk}").text
        undo_action(event_id=hall.event.pk, action_id=hall.event.actions.latest("pk").pk)
        assert "The desk changed the score" not in hall.desk.open(f"/match/{match.pk}").text
        forfeit_table(**at_table, winner=Side.B)
        win(other)
        close_round(event_id=hall.event.pk, number=1)
        start_next_round(hall.event)
        assert not is_shown(matches_of(hall.event, 2)[0])

    @pytest.mark.snapshot
    def test_double_forfeit_names_both_sides(self) -> None:
        hall = Hall(pairs=4)
        page = press(hall, hall.desk.open(get_table_path(hall, 1)), "forfeit_both")
        both = f"{get_side_names(hall, 1, 'A')} and {get_side_names(hall, 1, 'B')}"
        assert f"Round 1: forfeit at table 1, {both}" in page.text

    @pytest.mark.long
    def test_repeated_confirmation_records_one_forfeit(self) -> None:
        hall = Hall(pairs=4)
        page = press(hall, hall.desk.open(get_table_path(hall, 1)), "forfeit_b")
        confirm_form(hall, page)
        confirm_form(hall, page)
        assert hall.event.actions.filter(kind="forfeit_table").count() == 1

    @pytest.mark.long
    def test_forfeit_can_be_lifted_at_the_table(self) -> None:
        hall = Hall(pairs=4)
        win(matches_of(hall.event)[0], "B")
        before = get_wins(hall.event)
        confirm_form(hall, press(hall, hall.desk.open(get_table_path(hall, 1)), "forfeit_b"))
        assert get_wins(hall.event) != before
        confirm_form(hall, press(hall, hall.desk.open(get_table_path(hall, 1)), "cards"))
        assert get_wins(hall.event) == before
        sides = f"{get_side_names(hall, 1, 'A')} – {get_side_names(hall, 1, 'B')}"
        page = hall.desk.open(f"/e/{hall.event.short}/desk/history")
        assert f"Round 1, table 1: recorded hands count again, {sides}" in page.text


class TestAdjustedScore:
    @pytest.mark.long
    def test_adjusted_score_replaces_the_recorded_one(self) -> None:
        hall = Hall(pairs=4)
        win(matches_of(hall.event)[0], "B")
        score = {"games_a": "1", "games_b": "0", "points_a": "32", "points_b": "0"}
        page = press(hall, hall.desk.open(get_table_path(hall, 1)), "adjust", **score)
        assert "Table 1: change the score to 32–0 (games 1–0)?" in page.text
        page = confirm_form(hall, page)
        assert "Score given by the director" in page.text
        sides = f"{get_side_names(hall, 1, 'A')} – {get_side_names(hall, 1, 'B')}"
        page = hall.desk.open(f"/e/{hall.event.short}/desk/history")
        assert f"Round 1, table 1: director’s score, {sides}, 32–0 points, games 1–0" in page.text

    @pytest.mark.parametrize(
        ("draw_format", "winner", "expected_text"),
        [
            ("round_robin", "A", "Round 2: this change would not alter the draw."),
            ("swiss", "B", "Round 2, if drawn with this change"),
        ],
    )
    @pytest.mark.long
    def test_preview_says_whether_later_draws_would_change(
        self, draw_format: str, winner: str, expected_text: str
    ) -> None:
        hall = Hall(pairs=8, draw_format=draw_format)
        for match in matches_of(hall.event):
            win(match, "A")
        close_round(event_id=hall.event.pk, number=1)
        start_next_round(hall.event)
        points = {"points_a": "40", "points_b": "8"} if winner == "A" else {"points_a": "8", "points_b": "40"}
        games = {"games_a": str(int(winner == "A")), "games_b": str(int(winner == "B"))}
        page = press(hall, hall.desk.open(get_table_path(hall, 1)), "adjust", **games, **points)
        assert expected_text in page.text

    @pytest.mark.long
    def test_adjustment_form_starts_with_the_match_totals(self) -> None:
        hall = Hall(pairs=4, match_format=TWO_GAMES)
        match = matches_of(hall.event)[0]
        play(match, "A gros_charlemagne made", "A 5 made", "B mulot made", "B 7 made")
        form = hall.desk.open(get_table_path(hall, 1)).find_form(control_name="games_a")
        names = ("games_a", "points_a", "games_b", "points_b")
        assert [form.find_one("input", name=name).value for name in names] == ["1", "37", "0", "22"]

    def test_invalid_number_keeps_the_typed_score(self) -> None:
        hall = Hall(pairs=4)
        page = press(hall, hall.desk.open(get_table_path(hall, 1)), "adjust", games_a="two", points_a="32")
        assert page.status == 422
        assert page.find_one("input", name="games_a").value == "two"
        assert page.find_form(control_name="games_a").find_one("input", name="points_a").value == "32"
        assert page.get_field_error("games_a") == "“two” is not a whole number. Use digits."
        assert page.get_field_error("games_b") == page.get_field_error("points_a") == page.alert == ""

    @pytest.mark.long
    def test_stale_form_cannot_replace_another_adjustment(self) -> None:
        hall = Hall(pairs=4)
        first, second = {"points_a": "32", "points_b": "20"}, {"points_a": "20", "points_b": "32"}
        confirmation = press(hall, hall.desk.open(get_table_path(hall, 1)), "adjust", games_a="1", games_b="0", **first)
        late = press(hall, hall.desk.open(get_table_path(hall, 1)), "adjust", games_a="0", games_b="1", **second)
        confirm_form(hall, confirmation, reason="The sheet")
        page = confirm_form(hall, late, reason="The other sheet")
        assert page.status == 409
        assert page.alert == "This has changed meanwhile. Check it, then make your change."
        assert hall.event.rounds.get().tables.get(number=1).ruling["points"] == [32, 20]
        assert page.find_field("points_a").value == "20"
        page = press(hall, page, "adjust")
        confirm_form(hall, page, reason="Both sheets read")
        assert hall.event.rounds.get().tables.get(number=1).ruling["points"] == [20, 32]

    def test_excessive_score_is_refused_at_its_fields(self) -> None:
        hall = Hall(pairs=4)
        score = {"games_a": "1", "games_b": "0", "points_a": "100001", "points_b": "12"}
        page = press(hall, hall.desk.open(get_table_path(hall, 1)), "adjust", **score)
        assert page.status == 422
        assert page.get_field_error("points_a") == page.get_field_error("points_b") != ""
        assert page.get_field_error("games_a") == page.alert == ""
        assert page.find_field("points_a").value == "100001"


class TestBracketRulings:
    @pytest.mark.long
    @pytest.mark.snapshot
    def test_drawn_bracket_score_is_refused_at_its_fields(self) -> None:
        hall = Hall(pairs=4, draw_format="knockout")
        score = {"games_a": "0", "games_b": "0", "points_a": "20", "points_b": "20"}
        page = press(hall, hall.desk.open(get_table_path(hall, 1)), "adjust", **score)
        assert page.status == 422
        message = "A bracket match needs a winner, by lot if necessary."
        assert page.get_field_error("points_a") == page.get_field_error("points_b") == message
        assert page.find_field("points_b").value == "20"

    @pytest.mark.snapshot
    def test_double_forfeit_is_accepted_in_a_bracket(self) -> None:
        hall = Hall(pairs=4, draw_format="knockout")
        page = press(hall, hall.desk.open(get_table_path(hall, 1)), "forfeit_both")
        assert confirm_form(hall, page).status == 200
        assert hall.event.rounds.get().tables.get(number=1).ruling == {"kind": "forfeit", "winner": None}


class TestWrongPair:
    def test_late_swap_lists_rounds_that_do_not_change(self) -> None:
        hall = Hall(pairs=8)
        for number in (1, 2):
            play_round(hall.event, number)
            start_next_round(hall.event)
        path = f"/e/{hall.event.short}/desk/rounds/1/swap"
        page = hall.desk.open(f"{path}?one=1&other=2")
        page = hall.desk.send(page, page.find_form("/swap"))
        assert "Rounds 2 and 3 are already published: their tables do not change." in page.text
        page = confirm_form(hall, page)
        assert page.status == 200
        assert hall.event.actions.first().kind == "swap_entries"  # type: ignore[union-attr]


class TestClosedRoundCorrection:
    @pytest.mark.long
    def test_correction_is_previewed_before_it_is_made(self) -> None:
        hall = Hall(pairs=4)
        play_round(hall.event)
        start_next_round(hall.event)
        before = get_wins(hall.event)
        last = hall.match.marks.get(number=2)
        hand_form = build_hand_form(hall.match, number=2, supersedes=last.pk, side="B", contract="gros_charlemagne")
        del hand_form["tricks"]
        page = hall.desk.open(f"{get_table_path(hall, 1)}/correction?{urlencode(hand_form | {'outcome': 'made'})}")
        assert "New rank" in page.text
        assert "Round 2 is already published: its tables do not change." in page.text
        assert get_wins(hall.event) == before

    @pytest.mark.snapshot
    def test_correction_names_the_closed_season_it_leaves_unchanged(self) -> None:
        hall = Hall(pairs=4)
        play_round(hall.event)
        start_next_round(hall.event)
        day = hall.event.held_on
        season = open_season(club=hall.event.club, name="Autumn", starts=day, ends=day, ladders=[{"name": "All"}])
        score = {"games_a": "0", "games_b": "1", "points_a": "0", "points_b": "32"}
        notice = "Season “Autumn” is closed. Reopen it to update its standings."
        assert notice not in press(hall, hall.desk.open(get_table_path(hall, 1)), "adjust", **score).text
        compute_standings(hall.event)
        close_season(season_id=season.pk)
        assert notice in press(hall, hall.desk.open(get_table_path(hall, 1)), "adjust", **score).text

    @pytest.mark.long
    def test_correction_shows_how_published_rounds_would_differ(self) -> None:
        hall = Hall(pairs=8, draw_format="swiss")
        play_round(hall.event)
        start_next_round(hall.event)
        score = {"games_a": "0", "games_b": "1", "points_a": "0", "points_b": "32"}
        page = press(hall, hall.desk.open(get_table_path(hall, 1)), "adjust", **score)
        assert "Round 2, if drawn with this change" in page.text
        redraw_details = next(each for each in page.find_all("details") if ", if drawn with this change" in each.text)
        others = [one.text for one in redraw_details.find_all("li")]
        assert len(others) >= 2
        together = hall.desk.open(f"/e/{hall.event.short}/desk/rounds/2").text
        assert all(" – " in other and other not in together for other in others)

    @pytest.mark.snapshot
    def test_bracket_correction_names_the_contradicted_table(self) -> None:
        hall = Hall(pairs=4, draw_format="knockout")
        play_round(hall.event)
        start_next_round(hall.event)
        last = hall.match.marks.get(number=2)
        hand_form = build_hand_form(hall.match, number=2, supersedes=last.pk, side="B", contract="gros_charlemagne")
        del hand_form["tricks"]
        page = hall.desk.open(f"{get_table_path(hall, 1)}/correction?{urlencode(hand_form | {'outcome': 'made'})}")
        assert "Round 2, table 1: with this result, the bracket would seat others there." in page.text

    @pytest.mark.snapshot
    def test_invalid_hand_correction_is_refused(self) -> None:
        hall = Hall(pairs=4)
        play_round(hall.event)
        page = hall.desk.open(
            f"{get_table_path(hall, 1)}/correction?{urlencode(build_hand_form(hall.match, tricks='99'))}"
        )
        assert page.status == 422


class TestExtraTable:
    @pytest.mark.snapshot
    def test_extra_table_seats_bye_and_late_entry(self) -> None:
        hall = Hall(pairs=5)
        add_entry(event_id=hall.event.pk, players=("Zoé Zed", "Yves Yale"))
        page = hall.desk.open(f"/e/{hall.event.short}/desk/rounds/1")
        page = hall.desk.send(page, page.find_form("/more"), other="6")
        assert "Add a table for these two?" in page.text
        assert "Round 1, table 3" in page.text
        page = confirm_form(hall, page)
        assert "Zoé Zed" in page.text
        assert len(matches_of(hall.event)) == 3

    def test_extra_table_refuses_one_pair_against_itself(self) -> None:
        hall = Hall(pairs=5)
        add_entry(event_id=hall.event.pk, players=("Zoé Zed", "Yves Yale"))
        page = hall.desk.open(f"/e/{hall.event.short}/desk/rounds/1")
        page = hall.desk.send(page, page.find_form("/more"), one="6", other="6")
        assert page.status == 422

    @pytest.mark.long
    def test_extra_table_is_not_offered_in_a_closed_round(self) -> None:
        hall = Hall(pairs=5)
        add_entry(event_id=hall.event.pk, players=("Zoé Zed", "Yves Yale"))
        page = f"/e/{hall.event.short}/desk/rounds/1"
        assert "Extra table" in hall.desk.open(page).text
        play_round(hall.event)
        assert "Extra table" not in hall.desk.open(page).text

    @pytest.mark.long
    def test_extra_table_is_not_offered_to_eliminated_entries(self) -> None:
        hall = Hall(pairs=4, draw_format="knockout")
        play_round(hall.event)
        start_next_round(hall.event)
        page = f"/e/{hall.event.short}/desk/rounds/2"
        assert "Extra table" not in hall.desk.open(page).text
        for name in ("Zed", "Zwicky"):
            add_entry(event_id=hall.event.pk, players=(f"Zoé {name}", f"Zach {name}"))
        offered = hall.desk.open(page).find_form("/more").find_all("option")
        assert {option.attrs["value"] for option in offered} == {"5", "6"}


@pytest.mark.long
def test_round_page_keeps_the_names_of_its_players() -> None:
    hall = Hall()
    play_round(hall.event)
    pair = hall.event.entries.get(seatings__table__number=1, seatings__side=0)
    played = " and ".join(player.name for player in pair.players)
    substitute_player(event_id=hall.event.pk, number=pair.number, place=1, name="Zoé Zed")
    table = hall.desk.open(f"/e/{hall.event.short}/desk/rounds/1").find_one("li", id="table-1")
    assert next(table.find_all("li")).text.startswith(played)


class TestHistory:
    @pytest.mark.long
    def test_history_undoes_a_line_and_the_undo(self) -> None:
        hall = Hall(pairs=4)
        path = f"/e/{hall.event.short}/desk/history"
        confirm_form(hall, press(hall, hall.desk.open(get_table_path(hall, 1)), "forfeit_b"))
        done = get_wins(hall.event)
        page = hall.desk.open(path)
        page = hall.desk.send(page, list_undo_forms(page)[0])
        assert get_wins(hall.event) == done
        page = confirm_form(hall, page, reason="They were there")
        assert "Undid: Round 1: forfeit at table 1" in page.text
        assert "“They were there”" in page.text
        assert set(get_wins(hall.event).values()) == {0}
        page = hall.desk.send(page, list_undo_forms(page)[0])
        assert "Restore “Round 1" in page.text
        assert "Restore" in page.find_form(control_name="confirmed").text
        confirm_form(hall, page)
        assert get_wins(hall.event) == done

    @pytest.mark.long
    def test_history_previews_the_effect_of_an_undo(self) -> None:
        hall = Hall(pairs=4)
        page = press(hall, hall.desk.open(get_table_path(hall, 1)), "forfeit_b")
        shown = [row.text for row in page.find_one("tbody").find_all("tr")]
        confirm_form(hall, page)
        page = hall.desk.open(f"/e/{hall.event.short}/desk/history")
        page = hall.desk.send(page, list_undo_forms(page)[0])
        assert "Undo the forfeit (round 1, table 1)?" in page.text
        assert "New rank" in page.text
        assert len(list(page.find_one("tbody").find_all("tr"))) == len(shown)
        assert not hall.event.actions.filter(kind="undo").exists()

    @pytest.mark.snapshot
    def test_undo_warns_about_a_table_without_a_result(
        self,
    ) -> None:
        hall = Hall(pairs=4)
        confirm_form(hall, press(hall, hall.desk.open(get_table_path(hall, 1)), "forfeit_b"))
        win(matches_of(hall.event)[1])
        close_round(event_id=hall.event.pk, number=1)
        start_next_round(hall.event)
        page = press(hall, hall.desk.open(get_table_path(hall, 1)), "cards")
        warning = "Round 1 is closed, but table 1 would have no result."
        assert warning in page.text
        forfeit = hall.event.actions.get(kind="forfeit_table")
        page = hall.desk.open(f"/e/{hall.event.short}/desk/history")
        form = next(each for each in list_undo_forms(page) if f"/{forfeit.pk}/" in each.attrs["action"])
        page = hall.desk.send(page, form)
        assert warning in page.text
        confirm_form(hall, page)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert "Round 1 closed: no result at table 1." in page.text
        assert page.find_link("Enter a result") == get_table_path(hall, 1)
        close = page.find_form("/close")
        for match in matches_of(hall.event, 2):
            win(match)
        hall.desk.send(page, close)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        page = hall.desk.send(page, page.find_form("/end"))
        assert page.status == 409
        assert "Round 1 has tables without a result: no. 1." in page.text

    @pytest.mark.long
    def test_history_refuses_to_undo_steps_with_dependents(self) -> None:
        hall = Hall(pairs=4)
        play_round(hall.event)
        start_next_round(hall.event)
        closed = hall.event.actions.get(kind="close_round")
        page = hall.desk.open(f"/e/{hall.event.short}/desk/history")
        form = next(each for each in list_undo_forms(page) if f"/{closed.pk}/" in each.attrs["action"])
        page = hall.desk.send(page, form)
        assert page.status == 409
        assert "Later steps depend on this." in page.text

    @pytest.mark.snapshot
    def test_undo_preview_lists_tables_with_recorded_hands(self) -> None:
        hall = Hall(pairs=4)
        mark(hall.match, "A 6 made")
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        page = hall.desk.send(page, list_undo_forms(page)[0])
        assert "Set aside: 1 table with recorded hands." in page.text
        assert hall.event.rounds.get().state == "published"
        confirm_form(hall, page)
        assert hall.event.rounds.get().state == "draft"

    @pytest.mark.snapshot
    def test_desk_undo_goes_back_step_by_step(self) -> None:
        hall = Hall(pairs=4)
        for left in ("Publish round 1", "No round yet"):
            page = hall.desk.open(f"/e/{hall.event.short}/desk")
            page = confirm_form(hall, hall.desk.send(page, list_undo_forms(page)[0]))
            assert left in page.text

    @pytest.mark.long
    @pytest.mark.parametrize(
        ("language", "question"),
        [("en", "Undo publishing round 1?"), ("fr", "Annuler la publication de la ronde 1?")],
    )
    def test_desk_asks_before_undoing_the_last_step(self, language: str, question: str) -> None:
        hall = Hall(pairs=4)
        hall.desk = Browser(account=hall.owner, language=language)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        page = hall.desk.send(page, list_undo_forms(page)[0])
        assert question in page.text
        assert hall.event.rounds.get().state == "published"
        confirm_form(hall, page)
        assert hall.event.rounds.get().state == "draft"


@pytest.mark.long
@pytest.mark.snapshot
def test_bracket_round_shows_who_waits_for_the_next_match() -> None:
    hall = Hall(pairs=3, draw_format="knockout")
    page = hall.desk.open(f"/e/{hall.event.short}/desk/rounds/1")
    assert "Waiting for the next match: " in page.text
