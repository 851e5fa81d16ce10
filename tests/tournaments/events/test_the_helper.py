"""A helper at the desk: checks in, types sheets, answers calls; draws, corrects and rules nothing."""

import datetime

import pytest

from clubs.calendar import today_in
from clubs.models import Membership, Role
from rules import MatchFormat
from scoring.log_values import MarkStatus
from scoring.models import Mark
from tests.builders import an_account, an_event, mark, play_round, score
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, post, press, tap, typed_hand
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Event
from tournaments.rounds.services.rounds import draw_round

pytestmark = pytest.mark.django_db


def a_helper(hall: Hall, name: str = "Noëlla Guy") -> Browser:
    account = an_account(name)
    Membership.objects.create(club=hall.event.club, account=account, role=Role.DESK)
    return Browser(account=account)


def forms_of(page: Page) -> set[str]:
    """Return where the page's forms lead, but for those of the menu."""
    return {one.attrs["action"] for one in page.every("form")} - {"/language", "/sign-out"}


class TestTheDesk:
    @pytest.mark.slow
    def test_shows_the_tables_and_no_button_of_the_directors(self) -> None:
        hall = Hall()
        helper = a_helper(hall)
        page = helper.open(f"/e/{hall.event.short}/desk")
        assert page.link("Table 1") == hall.ruled
        assert forms_of(page) == set()
        play_round(hall.event)
        page = helper.open(f"/e/{hall.event.short}/desk")
        assert "Round 1 is closed." in page.text
        assert forms_of(page) == set()

    @pytest.mark.slow
    def test_leads_to_no_page_that_would_be_refused(self) -> None:
        hall = Hall()
        mark(hall.match, "A 6 7")
        helper = a_helper(hall)
        preparing = an_event(4, club=hall.event.club)
        seen = {
            f"/club/{hall.event.club.slug}",
            f"/e/{preparing.short}/desk",
            hall.ruled,
            f"{hall.ruled}/hands",
        }
        seen |= {f"/e/{hall.event.short}/desk{rest}" for rest in ("", "/entries/check-in", "/print")}
        for path in seen:
            page = helper.open(path)
            assert page.status == 200, path
            for link in page.every("a"):
                target = link.attrs["href"]
                if target.startswith("/"):
                    assert helper.open(target).status == 200, (path, target)

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_of_a_night_that_is_over_is_the_directors_alone_from_the_second_day_on(self) -> None:
        hall = Hall()
        helper, desk = a_helper(hall), f"/e/{hall.event.short}/desk"
        play_round(hall.event)
        end_event(event_id=hall.event.pk)
        today = today_in(hall.event.club)
        for days, status in ((0, 200), (1, 200), (2, 403)):
            Event.objects.filter(pk=hall.event.pk).update(held_on=today - datetime.timedelta(days=days))
            assert helper.open(desk).status == status
            assert (
                desk
                in {link.attrs["href"] for link in helper.open(f"/club/{hall.event.club.slug}").every("a")}
            ) is (status == 200)
        assert "Ask a director to open it" in helper.open(desk).text
        assert hall.desk.open(desk).status == 200

    @pytest.mark.slow
    def test_shows_no_draft(self) -> None:
        hall = Hall()
        play_round(hall.event)
        draw_round(event_id=hall.event.pk)
        helper = a_helper(hall)
        assert "Draft, not public yet." in hall.desk.open(f"/e/{hall.event.short}/desk").text
        page = helper.open(f"/e/{hall.event.short}/desk")
        assert "Draft, not public yet." not in page.text
        assert "Round 1 is closed." in page.text
        assert "Round 2" not in helper.open(f"/e/{hall.event.short}/desk/print/round").text
        assert helper.open(f"/e/{hall.event.short}/desk/print/round?round=2").text == (
            helper.open(f"/e/{hall.event.short}/desk/print/round").text
        )

    def test_of_an_evening_in_preparation_is_its_check_in(self) -> None:
        hall = Hall()
        event = an_event(4, club=hall.event.club)
        assert a_helper(hall).open(f"/e/{event.short}/desk").path == f"/e/{event.short}/desk/entries/check-in"

    def test_says_whose_it_is_where_a_role_is_not_enough(self) -> None:
        hall = Hall()
        page = a_helper(hall).open(f"/e/{hall.event.short}/desk/settings")
        assert page.status == 403
        assert "Access denied" in page.text
        assert "Only the director can do this. Ask the director." in page.text

    def test_is_kept_apart_from_the_directors_in_the_same_browser(self) -> None:
        hall = Hall()
        path = f"/e/{hall.event.short}/desk"
        revision = hall.desk.open(path).revision
        assert a_helper(hall).open(path, **{"If-None-Match": revision}).status == 200


class TestCheckIn:
    @pytest.mark.slow
    def test_is_done_and_a_guest_added(self) -> None:
        hall = Hall()
        helper, event = a_helper(hall), an_event(4, club=hall.event.club)
        path = f"/e/{event.short}/desk/entries/check-in"
        helper.send(page := helper.open(path), page.every("form", method="post")[0], ("present", "1"))
        page = helper.open(path)
        helper.send(page, page.form(having="player_1"), player_1="Zoé Zed", player_2="Yves Yale")
        assert event.entries.filter(present_at=None).count() == 3
        assert event.entries.count() == 5


class TestATable:
    @pytest.mark.slow
    def test_is_marked_as_by_the_table_and_history_says_by_whom(self) -> None:
        hall = Hall()
        helper = a_helper(hall)
        tap(helper, helper.open(hall.ruled), "A-6-7")
        assert score(hall.match) == [6, 0]
        assert Mark.objects.get().account is None
        assert (
            "Noëlla Guy, at the desk"
            in hall.desk.open(f"{hall.ruled}/hands").one("ol", class_="history").text
        )

    @pytest.mark.slow
    def test_has_its_own_marks_corrected_and_undone(self) -> None:
        hall = Hall()
        mark(hall.match, "A 6 7")
        helper = a_helper(hall)
        tap(helper, helper.open(f"{hall.ruled}/hands/1"), "A-7-7")
        assert score(hall.match) == [7, 0]
        press(helper, helper.open(hall.ruled), "undone")
        assert score(hall.match) == [0, 0]

    def test_has_its_paper_sheet_typed(self) -> None:
        hall = Hall()
        helper = a_helper(hall)
        page = helper.open(f"{hall.ruled}/sheet")
        helper.send(page, page.form("/sheet"), points_a="34", points_b="12")
        kept = Mark.objects.get()
        assert (kept.record_data["kind"], kept.account, kept.reason) == ("totals", None, "score sheet")

    @pytest.mark.slow
    def test_has_its_paper_sheet_typed_that_ends_a_match_by_hands(self) -> None:
        hall = Hall(match_format=MatchFormat(hands=8))
        helper = a_helper(hall)
        page = helper.open(f"{hall.ruled}/sheet")
        helper.send(page, page.form("/sheet"), points_a="12", points_b="20")
        assert hall.match.is_over

    @pytest.mark.slow
    def test_is_not_ruled_on(self) -> None:
        hall = Hall()
        helper = a_helper(hall)
        assert "Award or forfeit" not in helper.open(hall.ruled).text
        award = typed_hand(hall.match, kind="totals", points_a="0", points_b="0", winner="A", awarded="1")
        for path in (hall.ruled, f"{hall.ruled}/sheet"):
            refused = post(helper, path, award | {"reason": "mine"})
            assert refused.status == 403
        assert not Mark.objects.exists()

    def test_keeps_what_a_director_wrote(self) -> None:
        hall = Hall()
        mark(hall.match, "A 6 7", director=hall.owner)
        helper = a_helper(hall)
        page = tap(helper, helper.open(f"{hall.ruled}/hands/1"), "A-7-7")
        assert page.status == 403
        assert Mark.objects.get().status == MarkStatus.CURRENT

    def test_is_not_written_for_once_its_round_is_closed(self) -> None:
        hall = Hall()
        play_round(hall.event)
        before = Mark.objects.count()
        refused = post(a_helper(hall), hall.ruled, typed_hand(hall.match, number=1, contract="7"))
        assert refused.status == 409
        assert Mark.objects.count() == before

    @pytest.mark.slow
    def test_has_its_game_agreed_and_its_call_answered(self) -> None:
        hall = Hall()
        helper, phone = a_helper(hall), hall.phone()
        phone.send(page := phone.open(hall.table), page.form("/dispute"))
        page = helper.open(hall.ruled)
        helper.send(page, page.form("/settle"), ruling="Both agree now")
        assert hall.match.disputes.get().ruling == "Both agree now"
        assert hall.match.disputes.get().settled_by.name == "Noëlla Guy"  # type: ignore[union-attr]

    def test_that_a_phone_marks_cannot_be_said_to_be_a_helpers(self) -> None:
        hall = Hall()
        body = typed_hand(hall.match)
        hand = {name: body.pop(name) for name in ("side", "contract", "tricks")}
        sent = Browser().client.post(
            f"/api/tables/{hall.code}/hands",
            body | {"hand": hand, "device": "@Noëlla Guy"},
            content_type="application/json",
        )
        assert sent.status_code == 201
        assert Mark.objects.get().helper == ""
