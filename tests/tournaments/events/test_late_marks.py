"""Late marks from phones: what they changed, or why they were refused."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db.models import F

from scoring.bundles import Kind, build_frames, derive_bundle_key
from scoring.fold import fold_match, format_game_result, load_log
from scoring.models import Agreement, Mark, Match, RefusedMark, TablePhone
from scoring.services.bundles import record_bundles
from scoring.services.phones import write_phone_reports
from tests.builders import compute_standings, mark, matches_of, play_round, start_next_round, win
from tests.support.browser import Browser, Page
from tests.support.event_files import assert_round_trip, export_event
from tests.support.hall import Hall, build_hand_form, post_form
from tournaments.events.services.lifecycle import end_event
from tournaments.rounds.services.rounds import close_round

pytestmark = pytest.mark.django_db


def age_by_hour(hall: Hall) -> Hall:
    Match.objects.update(opened_at=F("opened_at") - timedelta(hours=1))
    return hall


def send_late_hand(hall: Hall, waited: object, /, **fields: Any) -> Page:
    """Send a hand that a phone at table 1 could not send for so many seconds."""
    return post_form(hall.add_phone(), hall.table, build_hand_form(hall.match, waited=waited, **fields), follow=False)


def get_late_page_text(hall: Hall) -> str:
    return hall.desk.open(f"/e/{hall.event.short}/desk/late").find_one("main").text


class TestMarkDelay:
    @pytest.mark.parametrize(("delay", "stored_delay"), [("754", 754), ("60", 60), ("59", 0), ("0", 0)])
    def test_mark_stores_a_delay_of_a_minute_or_more(self, delay: str, stored_delay: int) -> None:
        send_late_hand(age_by_hour(Hall()), delay)
        assert Mark.objects.get().waited == stored_delay

    @pytest.mark.parametrize("delay", ["", "-5", "soon", "1e3", "9" * 30])
    def test_invalid_delay_counts_as_none(self, delay: str) -> None:
        assert send_late_hand(age_by_hour(Hall()), delay).status == 302
        assert Mark.objects.get().waited == 0

    def test_delay_is_capped_at_the_age_of_the_match(self) -> None:
        send_late_hand(age_by_hour(Hall()), 86_400)
        assert 3_600 <= Mark.objects.get().waited < 3_700

    def test_mark_in_a_new_match_has_no_delay(self) -> None:
        send_late_hand(Hall(), 86_400)
        assert Mark.objects.get().waited == 0

    @pytest.mark.long
    def test_timely_mark_stays_timely_when_resent(self) -> None:
        hall = age_by_hour(Hall())
        hand = build_hand_form(hall.match, waited=2)
        for waited in (2, 900):
            post_form(hall.add_phone(), hall.table, hand | {"waited": waited})
        assert Mark.objects.get().waited == 0

    @pytest.mark.long
    def test_desk_mark_is_never_late(self) -> None:
        hall = age_by_hour(Hall())
        post_form(hall.desk, hall.desk_match, build_hand_form(hall.match, waited=900, reason="Paper"))
        assert Mark.objects.get().waited == 0


class TestLateMarksAtDesk:
    @pytest.mark.long
    def test_late_page_is_empty_when_all_marks_are_timely(self) -> None:
        hall = age_by_hour(Hall())
        send_late_hand(hall, 3)
        assert "Nothing received late" in get_late_page_text(hall)
        assert "something late" not in hall.desk.open(f"/e/{hall.event.short}/desk").text

    @pytest.mark.long
    def test_late_page_lists_delays_and_changed_scores(self) -> None:
        hall = age_by_hour(Hall())
        mark(hall.match, "A 6 7")
        send_late_hand(hall, 754, side="B", contract="7", tricks="8")
        desk = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert "Table 1: hand or confirmation received late." in desk.text
        text = Page(hall.desk.client.get(desk.find_link("Received late"))).find_one("main").text
        assert "Hand 2" in text
        assert "12 minutes late" in text
        without, _, with_them = text.partition("After:")
        assert [" 6 (0)" in without, " 0 (0)" in without, " 7 (0)" in with_them] == [True, True, True]
        assert "counted" not in text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_late_page_warns_of_an_already_counted_result(self) -> None:
        hall = age_by_hour(Hall())
        win(hall.match)
        last = hall.match.marks.latest("pk")
        compute_standings(hall.event)
        correction = {"number": last.number, "supersedes": last.pk, "side": "B", "tricks": "7"}
        send_late_hand(hall, 600, **correction)
        text = get_late_page_text(hall)
        assert "The earlier result already counted in the standings." in text

    def test_late_page_reports_an_unchanged_score(self) -> None:
        hall = age_by_hour(Hall())
        mark(hall.match, "A 6 7")
        send_late_hand(hall, 600, number=1)
        assert Mark.objects.latest("pk").status == "echo"
        assert "The score did not change." in get_late_page_text(hall)

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_late_page_tracks_later_changes(self) -> None:
        hall = age_by_hour(Hall())
        mark(hall.match, "A 6 7")
        send_late_hand(hall, 754, number=1, side="B", contract="7", tricks="8")
        text = get_late_page_text(hall)
        assert "12 minutes late · conflicting score" in text
        assert "Changed since" not in text
        mark(hall.match, "A 6 7", replaced=hall.match.marks.latest("pk"))
        text = get_late_page_text(hall)
        assert "12 minutes late · replaced" in text
        _, _, now = text.partition("Changed since.")
        assert [" 6 (0)" in now, " 0 (0)" in now] == [True, True]

    @pytest.mark.long
    def test_late_hand_of_an_earlier_round_is_reported(self) -> None:
        hall = age_by_hour(Hall())
        before = hall.match
        play_round(hall.event)
        start_next_round(hall.event)
        send_late_hand(hall, 900, match=before.pk, number=1)
        desk = hall.desk.open(f"/e/{hall.event.short}/desk").text
        assert "Table 1: hand or confirmation received late." in desk


class TestRefusedLateMarks:
    @pytest.mark.long
    def test_late_hand_for_a_closed_round_is_saved_as_refused(self) -> None:
        hall = age_by_hour(Hall())
        play_round(hall.event)
        before = hall.match
        close_round(event_id=hall.event.pk, number=1)
        mine = hall.match.summary
        answer = send_late_hand(hall, 900, number=1, side="B", tricks="8", supersedes=before.marks.earliest("pk").pk)
        assert answer.status == 409
        assert "Not recorded: the round was closed." in get_late_page_text(hall)
        assert "Hand 1" in get_late_page_text(hall)
        assert hall.match.summary == mine
        assert "confirmation received late." in hall.desk.open(f"/e/{hall.event.short}/desk").text

    @pytest.mark.long
    def test_resent_refused_hand_is_saved_once(self) -> None:
        hall = age_by_hour(Hall())
        win(hall.match)
        hand = build_hand_form(hall.match, waited=900)
        for _ in range(2):
            assert post_form(hall.add_phone(), hall.table, hand, follow=False).status == 409
        assert "Not recorded: the match was over." in get_late_page_text(hall)
        assert RefusedMark.objects.count() == 1

    def test_refused_late_undo_is_saved(self) -> None:
        hall = age_by_hour(Hall())
        for hand in ("A 6 made", "B 7 made"):
            mark(hall.match, hand)
        assert send_late_hand(hall, 900, kind="undone", number=1).status == 409
        assert RefusedMark.objects.get().code == "not_last_hand"

    def test_hand_refused_without_delay_is_not_saved(self) -> None:
        hall = age_by_hour(Hall())
        win(hall.match)
        assert send_late_hand(hall, 5).status == 409
        assert not RefusedMark.objects.exists()

    @pytest.mark.long
    @pytest.mark.snapshot
    @pytest.mark.parametrize(("waited", "is_kept"), [(40, True), (20, True), (18, False), (0, False)])
    def test_refused_hand_is_saved_only_if_tapped_before_the_close(self, waited: int, is_kept: bool) -> None:
        hall = age_by_hour(Hall())
        play_round(hall.event)
        before = hall.match.marks.earliest("pk")
        close_round(event_id=hall.event.pk, number=1)
        Match.objects.update(closed_at=F("closed_at") - timedelta(seconds=20))
        assert send_late_hand(hall, waited, number=1, side="B", tricks="8", supersedes=before.pk).status == 409
        assert RefusedMark.objects.exists() is is_kept
        assert ("confirmation received late." in hall.desk.open(f"/e/{hall.event.short}/desk").text) is is_kept
        if is_kept:
            assert "less than a minute late Not recorded: the round was closed." in get_late_page_text(hall)

    def test_unreadable_late_hand_is_not_saved(self) -> None:
        hall = age_by_hour(Hall())
        assert send_late_hand(hall, 900, contract="no such").status == 422
        assert not RefusedMark.objects.exists()


@pytest.mark.long
class TestLateMarksAfterTheEvent:
    def build_ended_night(self) -> tuple[Hall, Browser]:
        """Build a night that has ended, and a phone that was at its first table."""
        hall = age_by_hour(Hall())
        phone = hall.add_phone()
        phone.open(hall.table)
        play_round(hall.event)
        close_round(event_id=hall.event.pk, number=1)
        end_event(event_id=hall.event.pk)
        return hall, phone

    def test_late_hand_after_the_event_reaches_the_desk(self) -> None:
        hall, phone = self.build_ended_night()
        answer = post_form(phone, hall.table, build_hand_form(hall.match, number=1, waited=900), follow=False)
        assert answer.status == 409
        assert "confirmation received late." in hall.desk.open(f"/e/{hall.event.short}/desk").text
        assert "Not recorded: the round was closed." in get_late_page_text(hall)

    def test_late_confirmation_after_the_event_counts(self) -> None:
        hall, phone = self.build_ended_night()
        agreement_form = {"match": hall.match.pk, "game": 1, "side": "A", "entry_key": str(uuid4()), "waited": 900}
        (game,) = fold_match(hall.match, load_log(hall.match).places).games
        agreement_form |= {"seen": format_game_result(game)}
        assert post_form(phone, f"{hall.table}/agree", agreement_form, follow=False).status == 302
        assert "Game 1, " in get_late_page_text(hall)

    def test_table_of_an_ended_event_stays_closed(self) -> None:
        hall, phone = self.build_ended_night()
        post_form(phone, hall.table, build_hand_form(hall.match, number=1, waited=900), follow=False)
        assert phone.open(hall.table).response.headers["Refresh"].endswith("/mine")
        write_phone_reports()
        assert not TablePhone.objects.exists()

    def test_unknown_phone_cannot_send_late_marks(self) -> None:
        hall, _ = self.build_ended_night()
        answer = post_form(
            hall.add_phone(), hall.table, build_hand_form(hall.match, number=1, waited=900), follow=False
        )
        assert answer.status == 404
        assert not RefusedMark.objects.exists()


@pytest.mark.long
def test_offline_table_hands_are_listed_in_order() -> None:
    hall = age_by_hour(Hall())
    for number, waited in enumerate((2_400, 1_800, 900), start=1):
        send_late_hand(hall, waited, number=number)
    text = get_late_page_text(hall)
    assert [text.index(f"{minutes} minutes late") for minutes in (40, 30, 15)] == sorted(
        text.index(f"{minutes} minutes late") for minutes in (40, 30, 15)
    )
    assert len(matches_of(hall.event)[0].marks.filter(waited__gt=0)) == 3


@pytest.mark.slow
class TestLateConfirmations:
    def send_agreement(self, hall: Hall, waited: int) -> Page:
        agreement_form = {"match": hall.match.pk, "game": 1, "side": "A", "entry_key": str(uuid4()), "waited": waited}
        (game,) = fold_match(hall.match, load_log(hall.match).places).games
        return post_form(
            hall.add_phone(), f"{hall.table}/agree", agreement_form | {"seen": format_game_result(game)}, follow=False
        )

    @pytest.mark.snapshot
    def test_late_confirmation_is_reported_at_the_desk(self) -> None:
        hall = age_by_hour(Hall())
        win(hall.match)
        assert self.send_agreement(hall, 754).status == 302
        assert "confirmation received late." in hall.desk.open(f"/e/{hall.event.short}/desk").text
        text = get_late_page_text(hall)
        assert "Game 1, " in text
        assert "confirmed" in text
        assert "12 minutes late" in text
        assert "The score did not change" not in text

    @pytest.mark.slow
    def test_timely_confirmation_stays_timely_when_resent(self) -> None:
        hall = age_by_hour(Hall())
        win(hall.match)
        for waited in (2, 900):
            self.send_agreement(hall, waited)
        assert "Nothing received late" in get_late_page_text(hall)

    @pytest.mark.long
    def test_event_file_preserves_the_confirmation_delay(self) -> None:
        hall = age_by_hour(Hall())
        win(hall.match)
        self.send_agreement(hall, 754)
        copy = assert_round_trip(export_event(hall.event))
        assert Agreement.objects.get(match__terms=copy.terms_id).waited == 754


def test_qr_code_bundle_preserves_the_delay() -> None:
    hall = age_by_hour(Hall())
    match = hall.match
    hands = [{"number": str(number), "side": "A", "contract": "6", "tricks": "7"} for number in (1, 9)]
    entries = [
        {"path": "", "values": hand | {"match": str(match.pk), "entry_key": str(uuid4()), "waited": "754"}}
        for hand in hands
    ]
    value = {"device": "phone", "entries": entries}
    text = "".join(build_frames(Kind.HANDS, hall.code, value, derive_bundle_key(hall.code)))
    for _ in range(2):
        record_bundles(topic=match.card.topic, text=text)
    assert Mark.objects.get().waited == 754
    assert RefusedMark.objects.get().number == 9
    assert get_late_page_text(hall).count("12 minutes late") == 2
