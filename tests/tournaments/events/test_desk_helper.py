"""A desk helper may check in, type score sheets and answer calls, but not draw, correct or rule."""

import datetime

import pytest

from clubs.calendar import get_club_today
from clubs.models import Membership, Role
from rules import MatchFormat
from scoring.log_values import MarkStatus
from scoring.models import Mark
from tests.builders import build_account, build_event, get_score, mark, play_round
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, build_hand_form, post_form, press_kind, tap
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Event
from tournaments.rounds.services.rounds import draw_round

pytestmark = pytest.mark.django_db


def add_helper(hall: Hall, name: str = "Noëlla Guy") -> Browser:
    account = build_account(name)
    Membership.objects.create(club=hall.event.club, account=account, role=Role.DESK)
    return Browser(account=account)


def list_form_actions(page: Page) -> set[str]:
    """Return the addresses of the page's forms, except those of the menu."""
    return {one.attrs["action"] for one in page.find_all("form")} - {"/language", "/sign-out"}


class TestHelperDesk:
    @pytest.mark.long
    def test_helper_sees_tables_without_director_buttons(self) -> None:
        hall = Hall()
        helper = add_helper(hall)
        page = helper.open(f"/e/{hall.event.short}/desk")
        assert page.find_link("Table 1") == hall.desk_match
        assert list_form_actions(page) == set()
        play_round(hall.event)
        page = helper.open(f"/e/{hall.event.short}/desk")
        assert "Round 1 is closed." in page.text
        assert list_form_actions(page) == set()

    @pytest.mark.slow
    def test_helper_pages_link_to_no_forbidden_page(self) -> None:
        hall = Hall()
        mark(hall.match, "A 6 7")
        helper = add_helper(hall)
        preparing = build_event(4, club=hall.event.club)
        seen = {
            f"/club/{hall.event.club.slug}",
            f"/e/{preparing.short}/desk",
            hall.desk_match,
            f"{hall.desk_match}/hands",
        }
        seen |= {f"/e/{hall.event.short}/desk{rest}" for rest in ("", "/entries/check-in", "/print")}
        for path in seen:
            page = helper.open(path)
            assert page.status == 200, path
            for link in page.find_all("a"):
                target = link.attrs["href"]
                if target.startswith("/"):
                    assert helper.open(target).status == 200, (path, target)

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_past_night_is_closed_to_helpers_after_a_day(self) -> None:
        hall = Hall()
        helper, desk = add_helper(hall), f"/e/{hall.event.short}/desk"
        play_round(hall.event)
        end_event(event_id=hall.event.pk)
        today = get_club_today(hall.event.club)
        for days, status in ((0, 200), (1, 200), (2, 403)):
            Event.objects.filter(pk=hall.event.pk).update(held_on=today - datetime.timedelta(days=days))
            assert helper.open(desk).status == status
            assert (
                desk in {link.attrs["href"] for link in helper.open(f"/club/{hall.event.club.slug}").find_all("a")}
            ) is (status == 200)
        assert "Ask a director to open it" in helper.open(desk).text
        assert hall.desk.open(desk).status == 200

    @pytest.mark.long
    def test_helper_sees_no_draft(self) -> None:
        hall = Hall()
        play_round(hall.event)
        draw_round(event_id=hall.event.pk)
        helper = add_helper(hall)
        assert "Draft, not public yet." in hall.desk.open(f"/e/{hall.event.short}/desk").text
        page = helper.open(f"/e/{hall.event.short}/desk")
        assert "Draft, not public yet." not in page.text
        assert "Round 1 is closed." in page.text
        assert "Round 2" not in helper.open(f"/e/{hall.event.short}/desk/print/round").text
        assert helper.open(f"/e/{hall.event.short}/desk/print/round?round=2").text == (
            helper.open(f"/e/{hall.event.short}/desk/print/round").text
        )

    @pytest.mark.long
    def test_helper_desk_before_the_start_is_the_check_in(self) -> None:
        hall = Hall()
        event = build_event(4, club=hall.event.club)
        assert add_helper(hall).open(f"/e/{event.short}/desk").path == f"/e/{event.short}/desk/entries/check-in"

    def test_helper_is_referred_to_the_director(self) -> None:
        hall = Hall()
        page = add_helper(hall).open(f"/e/{hall.event.short}/desk/settings")
        assert page.status == 403
        assert "Access denied" in page.text
        assert "Only the director can do this. Ask the director." in page.text

    @pytest.mark.long
    def test_helper_gets_no_cached_director_page(self) -> None:
        hall = Hall()
        path = f"/e/{hall.event.short}/desk"
        revision = hall.desk.open(path).revision
        assert add_helper(hall).open(path, **{"If-None-Match": revision}).status == 200


class TestHelperCheckIn:
    @pytest.mark.long
    def test_helper_checks_in_entries_and_adds_a_guest(self) -> None:
        hall = Hall()
        helper, event = add_helper(hall), build_event(4, club=hall.event.club)
        path = f"/e/{event.short}/desk/entries/check-in"
        helper.send(page := helper.open(path), page.find_all("form", method="post")[0], ("present", "1"))
        page = helper.open(path)
        helper.send(page, page.find_form(control_name="player_1"), player_1="Zoé Zed", player_2="Yves Yale")
        assert event.entries.filter(present_at=None).count() == 3
        assert event.entries.count() == 5


class TestHelperTable:
    @pytest.mark.long
    def test_helper_mark_is_attributed_in_the_history(self) -> None:
        hall = Hall()
        helper = add_helper(hall)
        tap(helper, helper.open(hall.desk_match), "A-6-7")
        assert get_score(hall.match) == [6, 0]
        assert Mark.objects.get().account is None
        assert (
            "Noëlla Guy, at the desk"
            in hall.desk.open(f"{hall.desk_match}/hands").find_one("ol", class_="history").text
        )

    @pytest.mark.long
    def test_helper_corrects_and_undoes_table_marks(self) -> None:
        hall = Hall()
        mark(hall.match, "A 6 7")
        helper = add_helper(hall)
        tap(helper, helper.open(f"{hall.desk_match}/hands/1"), "A-7-7")
        assert get_score(hall.match) == [7, 0]
        press_kind(helper, helper.open(hall.desk_match), "undone")
        assert get_score(hall.match) == [0, 0]

    @pytest.mark.slow
    def test_helper_types_a_score_sheet(self) -> None:
        hall = Hall()
        helper = add_helper(hall)
        page = helper.open(f"{hall.desk_match}/sheet")
        helper.send(page, page.find_form("/sheet"), points_a="34", points_b="12")
        stored_mark = Mark.objects.get()
        assert (stored_mark.record_data["kind"], stored_mark.account, stored_mark.reason) == (
            "totals",
            None,
            "score sheet",
        )

    @pytest.mark.long
    def test_helper_score_sheet_can_end_a_match_by_hands(self) -> None:
        hall = Hall(match_format=MatchFormat(hands=8))
        helper = add_helper(hall)
        page = helper.open(f"{hall.desk_match}/sheet")
        helper.send(page, page.find_form("/sheet"), points_a="12", points_b="20")
        assert hall.match.is_over

    @pytest.mark.long
    def test_helper_cannot_make_a_ruling(self) -> None:
        hall = Hall()
        helper = add_helper(hall)
        assert "Forfeit or other score" not in helper.open(hall.desk_match).text
        award = build_hand_form(hall.match, kind="totals", points_a="0", points_b="0", winner="A", awarded="1")
        for path in (hall.desk_match, f"{hall.desk_match}/sheet"):
            refused = post_form(helper, path, award | {"reason": "mine"})
            assert refused.status == 403
        assert not Mark.objects.exists()

    @pytest.mark.long
    def test_helper_cannot_change_director_marks(self) -> None:
        hall = Hall()
        mark(hall.match, "A 6 7", director=hall.owner)
        helper = add_helper(hall)
        page = tap(helper, helper.open(f"{hall.desk_match}/hands/1"), "A-7-7")
        assert page.status == 403
        assert Mark.objects.get().status == MarkStatus.CURRENT

    @pytest.mark.long
    def test_helper_cannot_mark_in_a_closed_round(self) -> None:
        hall = Hall()
        play_round(hall.event)
        before = Mark.objects.count()
        refused = post_form(add_helper(hall), hall.desk_match, build_hand_form(hall.match, number=1, contract="7"))
        assert refused.status == 409
        assert Mark.objects.count() == before

    @pytest.mark.long
    def test_helper_answers_a_desk_call(self) -> None:
        hall = Hall()
        helper, phone = add_helper(hall), hall.add_phone()
        phone.send(page := phone.open(hall.table), page.find_form("/dispute"))
        page = helper.open(hall.desk_match)
        helper.send(page, page.find_form("/settle"), ruling="Both agree now")
        assert hall.match.disputes.get().ruling == "Both agree now"
        assert hall.match.disputes.get().settled_by.name == "Noëlla Guy"  # type: ignore[union-attr]

    def test_phone_cannot_pose_as_a_helper(self) -> None:
        hall = Hall()
        body = build_hand_form(hall.match)
        hand = {name: body.pop(name) for name in ("side", "contract", "tricks")}
        sent = Browser().client.post(
            f"/api/tables/{hall.code}/hands",
            body | {"hand": hand, "device": "@Noëlla Guy"},
            content_type="application/json",
        )
        assert sent.status_code == 201
        assert Mark.objects.get().helper == ""
