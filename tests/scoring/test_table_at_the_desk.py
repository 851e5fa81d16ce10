"""The table screen as the director has it: rulings with a reason, paper sheets, awarded games."""

from typing import Any

import pytest

from rules import MatchFormat, Side
from scoring.models import Mark
from scoring.services import agree
from tests.builders import (
    fresh,
    mark,
    matches_of,
    play_round,
    score,
)
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, confirm, post, press, tap, typed_hand

pytestmark = pytest.mark.django_db


def award(hall: Hall, winner: str = "B") -> Page:
    """The question before the game at the first table is awarded."""
    page = hall.desk.open(f"/e/{hall.event.short}/desk/rounds/1/tables/1")
    return hall.desk.send(page, page.form(having="awarded"), ("winner", winner))


class TestTheDesk:
    def test_leads_from_the_table_to_all_its_hands(self) -> None:
        hall = Hall()
        mark(hall.match, "A 6 7")
        address = hall.desk.open(hall.ruled).link("Correct a hand")
        assert hall.desk.open(address).one("ol", class_="history")

    @pytest.mark.parametrize("page", ["", "/hands", "/codes", "/rules", "/ruling", "/sheet"])
    def test_gets_back_to_its_tables_from_the_band_of_every_page(self, page: str) -> None:
        hall = Hall()
        band = hall.desk.open(f"{hall.ruled}{page}").one("header", class_="band")
        assert band.one("a", class_="chip").attrs["href"] == hall.match.card.desk_page

    def test_gets_back_to_its_tables_where_two_marks_wait(self) -> None:
        hall = Hall()
        for hand in ("A 6 7", "B 5 5"):
            mark(hall.match, hand, number=1)
        page = hall.desk.open(hall.ruled)
        assert "Choose between two scores Hand 1" in page.text
        band = page.one("header", class_="band")
        assert band.one("a", class_="chip").attrs["href"] == hall.match.card.desk_page

    def test_a_phone_at_the_table_is_led_to_no_desk(self) -> None:
        hall = Hall()
        for page in ("", "/hands", "/rules", "/ruling"):
            assert hall.match.card.desk_page not in Browser().open(f"{hall.table}{page}").html

    @pytest.mark.slow
    def test_changes_a_hand_with_a_reason_that_history_shows(self) -> None:
        hall = Hall()
        mark(hall.match, "A 6 7")
        asked = tap(hall.desk, hall.desk.open(f"{hall.ruled}/hands/1"), "A-7-7")
        assert Mark.objects.count() == 1
        confirm(hall.desk, asked, reason="Read wrong")
        assert score(hall.match) == [7, 0]
        history = hall.desk.open(f"{hall.ruled}/hands").one("ol", class_="history").text
        assert "Read wrong" in history
        assert hall.owner.name in history
        assert "replaced" in history
        assert not Browser().open(f"{hall.table}/hands").every("ol", class_="history")

    @pytest.mark.slow
    @pytest.mark.snapshot
    @pytest.mark.parametrize("change", ["corrected", "undone"])
    def test_is_told_before_which_agreed_game_a_change_makes_another(self, change: str) -> None:
        hall = Hall()
        mark(hall.match, "A 6 made")
        mark(hall.match, "A gros_charlemagne made")
        cancels_it = "This cancels the confirmation of game 1."

        def asked() -> str:
            if change == "undone":
                return press(hall.desk, hall.desk.open(hall.ruled), "undone").text
            return tap(hall.desk, hall.desk.open(f"{hall.ruled}/hands/2"), "A-7-7").text

        assert cancels_it not in asked()
        agree(match_id=hall.match.pk, side=Side.A, game=1)
        assert cancels_it in asked()

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_undoes_a_hand_with_a_reason(self) -> None:
        hall = Hall()
        mark(hall.match, "A 6 7")
        asked = press(hall.desk, hall.desk.open(hall.ruled), "undone")
        assert asked.status == 200
        assert asked.field("reason")
        confirm(hall.desk, asked, reason="Wrong table")
        assert score(hall.match) == [0, 0]

    @pytest.mark.parametrize("kind", ["misdeal", "void", "time_called", "passed_out"])
    def test_writes_whatever_was_dealt_with_a_reason(self, kind: str) -> None:
        hall = Hall()
        asked = press(hall.desk, hall.desk.open(hall.ruled), kind)
        assert asked.one(role="alertdialog")
        confirm(hall.desk, asked, reason="I was there")
        assert Mark.objects.get().record_data["kind"] == kind

    def test_without_its_reason_is_asked_again(self) -> None:
        hall = Hall()
        asked = tap(hall.desk, hall.desk.open(hall.ruled), "A-6-7")
        assert confirm(hall.desk, asked, reason=" ").every("input", name="reason")
        assert not Mark.objects.exists()

    def test_awards_the_game(self) -> None:
        hall = Hall()
        mark(hall.match, "A 6 7")
        confirm(hall.desk, award(hall), reason="They left")
        assert fresh(hall.match).summary["games"] == [{"points": [6, 0], "winner": "B", "by": "awarded"}]

    @pytest.mark.parametrize(
        ("language", "question"), [("en", "Award the game to {}?"), ("fr", "Accorder la partie à {}?")]
    )
    def test_asks_to_whom_the_game_is_awarded(self, language: str, question: str) -> None:
        hall = Hall()
        hall.desk = Browser(account=hall.owner, language=language)
        people = [player.person.name for player in hall.match.players.all() if player.seat % 2]
        named = f"{people[0]} {'et' if language == 'fr' else 'and'} {people[1]}"
        assert question.format(named) in award(hall).one(id="sentence").text

    @pytest.mark.slow
    def test_shows_an_awarded_game_as_a_decision_at_the_table_and_in_public(self) -> None:
        hall, phone = Hall(), Browser()
        confirm(hall.desk, award(hall), ready="Entry error")
        (mark,) = Mark.objects.all()
        assert mark.reason == "Entry error"
        table = phone.open(hall.table).text
        assert "Game awarded to" in table
        assert "Each side confirms" not in table
        start = f"/e/{hall.event.short}"
        assert "Awarded by the director" in phone.open(start).text
        assert "Awarded by the director" in phone.open(f"{start}/rounds/1/tables/1").text
        file = hall.desk.open(f"{start}/desk/rounds/1.csv")
        assert "Awarded by the director" in file.html

    def test_has_a_row_for_each_thing_it_decides_there(self) -> None:
        hall = Hall()
        rows = hall.desk.open(hall.ruled).one("ul", class_="rows").every("li")
        assert [row.text.partition("No conflicting")[0] for row in rows] == [
            "Choose between two scores",
            "Correct a hand",
            "Award or forfeit",
            "Message this table",
            "Call this table",
        ]

    def test_sees_two_marks_side_by_side_with_who_and_when_and_the_difference(self) -> None:
        hall = Hall()
        mark(hall.match, "A 8 made", device="abcdef")
        mark(hall.match, "A 8 failed", number=1, director=hall.owner)
        choices = list(hall.desk.open(hall.ruled).one("div", class_="marks").every("form"))
        assert [one.one("li", class_="differs").text for one in choices] == ["made", "failed"]
        for one, who in zip(choices, ("phone abcd", f"the desk ({hall.owner.name})"), strict=True):
            assert one.text.startswith(who)

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_corrects_after_the_round_is_closed_and_a_phone_does_not(self) -> None:
        hall, phone = Hall(), Browser()
        play_round(hall.event)
        refused = post(
            phone, hall.table, typed_hand(hall.match, number="1", supersedes=str(first_mark(hall)))
        )
        assert refused.status == 409
        assert "Round closed: corrections at the desk." in refused.alert
        asked = tap(hall.desk, hall.desk.open(f"{hall.ruled}/hands/1"), "B-7-7")
        confirm(hall.desk, asked, reason="The sheet says so")
        assert fresh(hall.match).summary["games"][0]["points"] == [32, 7]

    def test_what_it_wrote_a_phone_does_not_replace(self) -> None:
        hall, phone = Hall(), Browser()
        mark(hall.match, "A 6 7", director=hall.owner)
        page = tap(phone, phone.open(f"{hall.table}/hands/1"), "A-7-7")
        assert page.status == 403
        assert page.alert == "Only the director can do this. Ask the director."
        assert score(hall.match) == [6, 0]


class TestAPaperSheet:
    def test_is_two_totals(self) -> None:
        hall = Hall()
        page = hall.desk.open(f"{hall.ruled}/sheet")
        page = hall.desk.send(page, page.form("/sheet"), points_a="34", points_b="12")
        assert page.path == f"/e/{hall.event.short}/desk"
        assert fresh(hall.match).summary["games"] == [{"points": [34, 12], "winner": "A", "by": "points"}]

    def test_that_waits_to_be_sent_is_kept_with_its_table_under_the_address_where_it_was_typed(self) -> None:
        hall = Hall()
        page = hall.desk.open(f"{hall.ruled}/sheet")
        assert page.one("body").attrs["data-table"] == str(hall.match.card.number)
        again = hall.desk.open(page.one("body").attrs["data-hands"])
        assert (again.status, again.path) == (200, f"{hall.ruled}/sheet")

    @pytest.mark.parametrize(
        ("typed", "sentence"),
        [
            ({"points_a": "34", "points_b": "33"}, "Only one side can reach 32"),
            ({"points_a": "x", "points_b": "33"}, "“x” is not a whole number. Use digits."),
            ({"points_a": "", "points_b": "33"}, "Enter the total."),
            ({"points_a": "-1", "points_b": "33"}, "A total is from 0 to 63. Check the score sheet."),
        ],
    )
    def test_that_cannot_be_is_refused_and_stays_in_the_form(
        self, typed: dict[str, Any], sentence: str
    ) -> None:
        hall = Hall()
        page = hall.desk.open(f"{hall.ruled}/sheet")
        page = hall.desk.send(page, page.form("/sheet"), **typed)
        assert page.status == 422
        assert sentence in page.alert
        assert {name: page.field(name).value for name in typed} == typed
        assert not Mark.objects.exists()

    @pytest.mark.slow
    def test_leads_to_the_sheet_of_the_next_game_while_the_match_goes_on(self) -> None:
        hall = Hall(match_format=MatchFormat(games_to_win=2))
        page = hall.desk.open(f"{hall.ruled}/sheet")
        page = hall.desk.send(page, page.form("/sheet"), points_a="34", points_b="12")
        assert page.path == f"{hall.ruled}/sheet"
        page = hall.desk.send(page, page.form("/sheet"), points_a="40", points_b="0")
        assert page.path == f"/e/{hall.event.short}/desk"
        assert fresh(hall.match).summary["games_won"] == [2, 0]

    def test_of_a_game_that_nobody_has_won_is_taken_for_a_slip_unless_they_go_on(self) -> None:
        hall = Hall()
        page = hall.desk.open(f"{hall.ruled}/sheet")
        page = hall.desk.send(page, page.form("/sheet"), points_a="12", points_b="20")
        assert page.status == 422
        said = "Neither side has 32 points. Check the score sheet, or record an unfinished game below."
        assert said in page.alert
        assert not Mark.objects.exists()
        hall.desk.send(page, page.form("/sheet"), ("goes_on", ""))
        assert (score(hall.match), hall.match.is_over) == ([12, 20], False)

    @pytest.mark.slow
    @pytest.mark.parametrize("length", [MatchFormat(hands=8), MatchFormat(minutes=30)])
    def test_ends_a_match_that_may_stop_within_a_game(self, length: MatchFormat) -> None:
        hall = Hall(match_format=length)
        page = hall.desk.open(f"{hall.ruled}/sheet")
        page = hall.desk.send(page, page.form("/sheet"), points_a="12", points_b="20")
        assert page.path == f"/e/{hall.event.short}/desk"
        assert (hall.match.is_over, hall.match.summary["winner"]) == (True, "B")

    def test_ends_a_match_of_several_games_after_the_last_one_that_was_won(self) -> None:
        hall = Hall(match_format=MatchFormat(hands=8))
        page = hall.desk.open(f"{hall.ruled}/sheet")
        page = hall.desk.send(page, page.form("/sheet"), points_a="34", points_b="12")
        assert not hall.match.is_over
        hall.desk.send(page, page.form("/sheet"), ("kind", "time_called"))
        assert (hall.match.is_over, hall.match.summary["winner"]) == (True, "A")

    @pytest.mark.slow
    def test_leads_on_to_the_next_table_that_has_none_and_says_what_was_written(self) -> None:
        hall = Hall(6)
        one, two, three = matches_of(hall.event)
        mark(two, "A 6 7")
        page = hall.desk.open(f"{hall.ruled}/sheet")
        assert "Record and open table 3" in page.form("/sheet").text
        page = hall.desk.send(page, page.form("/sheet"), ("next", ""), points_a="12", points_b="34")
        assert page.path == f"/match/{three.pk}/sheet"
        assert "34 to 12" in page.one("div", role="status").text
        assert page.link("Correct") == f"/match/{one.pk}"
        page = hall.desk.send(page, page.form("/sheet"), points_a="34", points_b="12")
        assert page.path == f"/e/{hall.event.short}/desk"

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_says_the_games_that_decided_a_match_and_not_the_points_of_its_last_one(self) -> None:
        hall = Hall(4, match_format=MatchFormat(hands=8))
        page = hall.desk.open(f"{hall.ruled}/sheet")
        page = hall.desk.send(page, page.form("/sheet"), points_a="34", points_b="30")
        page = hall.desk.send(page, page.form("/sheet"), ("next", ""), points_a="0", points_b="22")
        assert "1 to 0." in page.one("div", role="status").text

    @pytest.mark.slow
    def test_that_two_have_typed_differently_leads_to_the_choice_between_them(self) -> None:
        hall = Hall()
        one, other = (hall.desk.open(f"{hall.ruled}/sheet") for _ in range(2))
        hall.desk.send(one, one.form("/sheet"), points_a="34", points_b="12")
        page = hall.desk.send(other, other.form("/sheet"), points_a="12", points_b="34")
        assert page.path == hall.ruled
        assert "Choose between two scores Hand 1" in page.text
        assert hall.desk.open(f"{hall.ruled}/sheet").path == hall.ruled

    def test_of_a_match_that_is_over_is_the_match(self) -> None:
        hall = Hall()
        mark(hall.match, "totals 34 12")
        assert hall.desk.open(f"{hall.ruled}/sheet").path == hall.ruled


def first_mark(hall: Hall) -> int:
    return Mark.objects.filter(match=hall.match).earliest("pk").pk
