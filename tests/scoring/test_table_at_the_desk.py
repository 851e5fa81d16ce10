"""Table screen at the desk: corrections with a reason, paper score sheets, awarded games."""

from typing import Any

import pytest

from rules import MatchFormat, Side
from scoring.models import Mark
from scoring.services.agreement import record_agreement
from tests.builders import get_score, mark, matches_of, play_round, reload_match
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, build_hand_form, confirm_hand, post_form, press_kind, tap

pytestmark = pytest.mark.django_db


def award(hall: Hall, winner: str = "B") -> Page:
    """Return the page that asks for confirmation before the game at table 1 is awarded."""
    page = hall.desk.open(f"/e/{hall.event.short}/desk/rounds/1/tables/1")
    return hall.desk.send(page, page.find_form(control_name="awarded"), ("winner", winner))


class TestDeskTable:
    @pytest.mark.long
    def test_desk_table_links_to_all_its_hands(self) -> None:
        hall = Hall()
        mark(hall.match, "A 6 7")
        address = hall.desk.open(hall.desk_match).find_link("Correct a hand")
        assert hall.desk.open(address).find_one("ol", class_="history")

    @pytest.mark.parametrize("page", ["", "/hands", "/codes", "/rules", "/ruling", "/sheet"])
    def test_every_desk_page_links_back_to_the_tables(self, page: str) -> None:
        hall = Hall()
        band = hall.desk.open(f"{hall.desk_match}{page}").find_one("header", class_="band")
        assert band.find_one("a", class_="chip").attrs["href"] == hall.match.card.desk_page

    def test_conflicting_marks_page_links_back_to_the_tables(self) -> None:
        hall = Hall()
        for hand in ("A 6 7", "B 5 5"):
            mark(hall.match, hand, number=1)
        page = hall.desk.open(hall.desk_match)
        assert "Choose between two scores Hand 1" in page.text
        band = page.find_one("header", class_="band")
        assert band.find_one("a", class_="chip").attrs["href"] == hall.match.card.desk_page

    @pytest.mark.long
    def test_phone_pages_do_not_link_to_the_desk(self) -> None:
        hall = Hall()
        for page in ("", "/hands", "/rules", "/ruling"):
            assert hall.match.card.desk_page not in Browser().open(f"{hall.table}{page}").html

    @pytest.mark.slow
    def test_desk_correction_shows_its_reason_in_history(self) -> None:
        hall = Hall()
        mark(hall.match, "A 6 7")
        confirmation = tap(hall.desk, hall.desk.open(f"{hall.desk_match}/hands/1"), "A-7-7")
        assert Mark.objects.count() == 1
        confirm_hand(hall.desk, confirmation, reason="Read wrong")
        assert get_score(hall.match) == [7, 0]
        history = hall.desk.open(f"{hall.desk_match}/hands").find_one("ol", class_="history").text
        assert "Read wrong" in history
        assert hall.owner.name in history
        assert "replaced" in history
        assert not Browser().open(f"{hall.table}/hands").find_all("ol", class_="history")

    @pytest.mark.slow
    @pytest.mark.snapshot
    @pytest.mark.parametrize("change", ["corrected", "undone"])
    def test_desk_change_warns_that_it_cancels_a_confirmation(self, change: str) -> None:
        hall = Hall()
        mark(hall.match, "A 6 made")
        mark(hall.match, "A gros_charlemagne made")
        cancels_it = "This cancels the confirmation of game 1."

        def get_question() -> str:
            if change == "undone":
                return press_kind(hall.desk, hall.desk.open(hall.desk_match), "undone").text
            return tap(hall.desk, hall.desk.open(f"{hall.desk_match}/hands/2"), "A-7-7").text

        assert cancels_it not in get_question()
        record_agreement(match_id=hall.match.pk, side=Side.A, game=1)
        assert cancels_it in get_question()

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_desk_undoes_a_hand_with_a_reason(self) -> None:
        hall = Hall()
        mark(hall.match, "A 6 7")
        confirmation = press_kind(hall.desk, hall.desk.open(hall.desk_match), "undone")
        assert confirmation.status == 200
        assert confirmation.find_field("reason")
        confirm_hand(hall.desk, confirmation, reason="Wrong table")
        assert get_score(hall.match) == [0, 0]

    @pytest.mark.slow
    @pytest.mark.parametrize("kind", ["misdeal", "void", "time_called", "passed_out"])
    def test_desk_records_special_hands_with_a_reason(self, kind: str) -> None:
        hall = Hall()
        confirmation = press_kind(hall.desk, hall.desk.open(hall.desk_match), kind)
        assert confirmation.find_one(role="alertdialog")
        confirm_hand(hall.desk, confirmation, reason="I was there")
        assert Mark.objects.get().record_data["kind"] == kind

    @pytest.mark.slow
    def test_desk_change_without_a_reason_is_asked_again(self) -> None:
        hall = Hall()
        mark(hall.match, "A 6 7")
        confirmation = tap(hall.desk, hall.desk.open(f"{hall.desk_match}/hands/1"), "A-7-7")
        assert confirm_hand(hall.desk, confirmation, reason=" ").find_all("input", name="reason")
        assert Mark.objects.count() == 1

    @pytest.mark.long
    def test_new_hand_at_the_desk_comes_with_its_reason(self) -> None:
        hall = Hall()
        confirm_hand(hall.desk, tap(hall.desk, hall.desk.open(hall.desk_match), "A-6-7"))
        assert Mark.objects.get().reason == "Entered at the desk"

    @pytest.mark.slow
    def test_desk_awards_the_game(self) -> None:
        hall = Hall()
        mark(hall.match, "A 6 7")
        confirm_hand(hall.desk, award(hall), reason="They left")
        assert reload_match(hall.match).summary["games"] == [{"points": [6, 0], "winner": "B", "by": "awarded"}]

    @pytest.mark.long
    @pytest.mark.parametrize(
        ("language", "question"), [("en", "Award the game to {}?"), ("fr", "Accorder la partie à {}?")]
    )
    def test_award_question_names_the_winning_side(self, language: str, question: str) -> None:
        hall = Hall()
        hall.desk = Browser(account=hall.owner, language=language)
        people = [player.person.name for player in hall.match.players.all() if player.seat % 2]
        named = f"{people[0]} {'et' if language == 'fr' else 'and'} {people[1]}"
        assert question.format(named) in award(hall).find_one(id="sentence").text

    @pytest.mark.long
    def test_awarded_game_is_shown_as_a_decision(self) -> None:
        hall, phone = Hall(), Browser()
        confirm_hand(hall.desk, award(hall), ready="Entry error")
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

    @pytest.mark.long
    def test_desk_table_lists_its_possible_actions(self) -> None:
        hall = Hall()
        rows = hall.desk.open(hall.desk_match).find_one("ul", class_="rows").find_all("li")
        assert [row.text.partition("No conflicting")[0] for row in rows] == [
            "Choose between two scores",
            "Correct a hand",
            "Forfeit or other score",
            "Message this table",
            "Call this table",
        ]

    def test_conflicting_marks_are_compared_side_by_side(self) -> None:
        hall = Hall()
        mark(hall.match, "A 8 made", device="abcdef")
        mark(hall.match, "A 8 failed", number=1, director=hall.owner)
        choices = list(hall.desk.open(hall.desk_match).find_one("div", class_="marks").find_all("form"))
        assert [one.find_one("li", class_="difference").text for one in choices] == ["made", "failed"]
        for one, who in zip(choices, ("phone abcd", f"the desk ({hall.owner.name})"), strict=True):
            assert one.text.startswith(who)

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_desk_corrects_a_closed_round_but_phones_cannot(self) -> None:
        hall, phone = Hall(), Browser()
        play_round(hall.event)
        refused = post_form(
            phone, hall.table, build_hand_form(hall.match, number="1", supersedes=str(get_first_mark_id(hall)))
        )
        assert refused.status == 409
        assert "Round closed: corrections at the desk." in refused.alert
        confirmation = tap(hall.desk, hall.desk.open(f"{hall.desk_match}/hands/1"), "B-7-7")
        confirm_hand(hall.desk, confirmation, reason="The sheet says so")
        assert reload_match(hall.match).summary["games"][0]["points"] == [32, 7]

    @pytest.mark.long
    def test_phone_cannot_replace_a_desk_mark(self) -> None:
        hall, phone = Hall(), Browser()
        mark(hall.match, "A 6 7", director=hall.owner)
        page = tap(phone, phone.open(f"{hall.table}/hands/1"), "A-7-7")
        assert page.status == 403
        assert page.alert == "Only the director can do this. Ask the director."
        assert get_score(hall.match) == [6, 0]


class TestPaperSheet:
    @pytest.mark.slow
    def test_sheet_records_two_totals(self) -> None:
        hall = Hall()
        page = hall.desk.open(f"{hall.desk_match}/sheet")
        page = hall.desk.send(page, page.find_form("/sheet"), points_a="34", points_b="12")
        assert page.path == f"/e/{hall.event.short}/desk"
        assert reload_match(hall.match).summary["games"] == [{"points": [34, 12], "winner": "A", "by": "points"}]

    def test_sheet_page_gives_the_outbox_its_table_and_address(self) -> None:
        hall = Hall()
        page = hall.desk.open(f"{hall.desk_match}/sheet")
        assert page.find_one("body").attrs["data-table"] == str(hall.match.card.number)
        again = hall.desk.open(page.find_one("body").attrs["data-hands"])
        assert (again.status, again.path) == (200, f"{hall.desk_match}/sheet")

    @pytest.mark.parametrize(
        ("typed", "sentence"),
        [
            ({"points_a": "34", "points_b": "33"}, "Only one side can reach 32"),
            ({"points_a": "x", "points_b": "33"}, "“x” is not a whole number. Use digits."),
            ({"points_a": "", "points_b": "33"}, "Enter the total."),
            ({"points_a": "-1", "points_b": "33"}, "A total is from 0 to 63. Check the score sheet."),
        ],
    )
    def test_invalid_sheet_keeps_the_typed_values(self, typed: dict[str, Any], sentence: str) -> None:
        hall = Hall()
        page = hall.desk.open(f"{hall.desk_match}/sheet")
        page = hall.desk.send(page, page.find_form("/sheet"), **typed)
        assert page.status == 422
        assert sentence in page.alert
        assert {name: page.find_field(name).value for name in typed} == typed
        assert not Mark.objects.exists()

    @pytest.mark.long
    def test_sheet_leads_to_the_next_game(self) -> None:
        hall = Hall(match_format=MatchFormat(games_to_win=2))
        page = hall.desk.open(f"{hall.desk_match}/sheet")
        page = hall.desk.send(page, page.find_form("/sheet"), points_a="34", points_b="12")
        assert "Games won: 1 to 0." in page.text
        assert page.path == f"{hall.desk_match}/sheet"
        page = hall.desk.send(page, page.find_form("/sheet"), points_a="40", points_b="0")
        assert page.path == f"/e/{hall.event.short}/desk"
        assert reload_match(hall.match).summary["games_won"] == [2, 0]

    @pytest.mark.slow
    def test_unfinished_game_requires_confirmation(self) -> None:
        hall = Hall()
        page = hall.desk.open(f"{hall.desk_match}/sheet")
        page = hall.desk.send(page, page.find_form("/sheet"), points_a="12", points_b="20")
        assert page.status == 422
        alert_text = "Neither side has 32 points. Check the score sheet, or record an unfinished game below."
        assert alert_text in page.alert
        assert not Mark.objects.exists()
        hall.desk.send(page, page.find_form("/sheet"), ("goes_on", ""))
        assert (get_score(hall.match), hall.match.is_over) == ([12, 20], False)

    @pytest.mark.long
    @pytest.mark.parametrize("length", [MatchFormat(hands=8), MatchFormat(minutes=30)])
    def test_sheet_ends_a_match_limited_by_hands_or_time(self, length: MatchFormat) -> None:
        hall = Hall(match_format=length)
        page = hall.desk.open(f"{hall.desk_match}/sheet")
        page = hall.desk.send(page, page.find_form("/sheet"), points_a="12", points_b="20")
        assert page.path == f"/e/{hall.event.short}/desk"
        assert (hall.match.is_over, hall.match.summary["winner"]) == (True, "B")

    @pytest.mark.slow
    def test_sheet_can_end_a_match_after_a_won_game(self) -> None:
        hall = Hall(match_format=MatchFormat(hands=8))
        page = hall.desk.open(f"{hall.desk_match}/sheet")
        page = hall.desk.send(page, page.find_form("/sheet"), points_a="34", points_b="12")
        assert not hall.match.is_over
        hall.desk.send(page, page.find_form("/sheet"), ("kind", "time_called"))
        assert (hall.match.is_over, hall.match.summary["winner"]) == (True, "A")

    @pytest.mark.long
    def test_sheet_leads_to_the_next_table_with_a_summary(self) -> None:
        hall = Hall(6)
        one, two, three = matches_of(hall.event)
        mark(two, "A 6 7")
        page = hall.desk.open(f"{hall.desk_match}/sheet")
        assert "Record and open table 3" in page.find_form("/sheet").text
        page = hall.desk.send(page, page.find_form("/sheet"), ("next", ""), points_a="12", points_b="34")
        assert page.path == f"/match/{three.pk}/sheet"
        assert "34 to 12" in page.find_one("div", role="status").text
        assert page.find_link("Correct") == f"/match/{one.pk}"
        page = hall.desk.send(page, page.find_form("/sheet"), points_a="34", points_b="12")
        assert page.path == f"/e/{hall.event.short}/desk"

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_sheet_summary_gives_the_deciding_games(self) -> None:
        hall = Hall(4, match_format=MatchFormat(hands=8))
        page = hall.desk.open(f"{hall.desk_match}/sheet")
        page = hall.desk.send(page, page.find_form("/sheet"), points_a="34", points_b="30")
        page = hall.desk.send(page, page.find_form("/sheet"), ("next", ""), points_a="0", points_b="22")
        assert "1 to 0." in page.find_one("div", role="status").text

    @pytest.mark.slow
    def test_conflicting_sheets_lead_to_the_choice(self) -> None:
        hall = Hall()
        one, other = (hall.desk.open(f"{hall.desk_match}/sheet") for _ in range(2))
        hall.desk.send(one, one.find_form("/sheet"), points_a="34", points_b="12")
        page = hall.desk.send(other, other.find_form("/sheet"), points_a="12", points_b="34")
        assert page.path == hall.desk_match
        assert "Choose between two scores Hand 1" in page.text
        assert hall.desk.open(f"{hall.desk_match}/sheet").path == hall.desk_match

    def test_sheet_of_a_finished_match_shows_the_match(self) -> None:
        hall = Hall()
        mark(hall.match, "totals 34 12")
        assert hall.desk.open(f"{hall.desk_match}/sheet").path == hall.desk_match


def get_first_mark_id(hall: Hall) -> int:
    return Mark.objects.filter(match=hall.match).earliest("pk").pk
