"""Late marks of phones: what they changed, or why they were refused."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db.models import F

from scoring.bundles import Kind, bundle_key, frames_of
from scoring.fold import agreed_text, fold_match, log_of
from scoring.models import Agreement, Mark, Match, RefusedMark, TablePhone
from scoring.services import read_bundles, write_phones
from tests.builders import mark, matches_of, next_round, play_round, standings_after, win
from tests.support.browser import Browser, Page
from tests.support.event_files import assert_the_same, file_of
from tests.support.hall import Hall, post, typed_hand
from tournaments.events.services.lifecycle import end_event
from tournaments.rounds.services.rounds import close_round

pytestmark = pytest.mark.django_db


def an_hour_old(hall: Hall) -> Hall:
    Match.objects.update(opened_at=F("opened_at") - timedelta(hours=1))
    return hall


def sends(hall: Hall, waited: object, /, **said: Any) -> Page:
    """A phone at table 1 that had kept a hand for so many seconds."""
    return post(hall.phone(), hall.table, typed_hand(hall.match, waited=waited, **said), follow=False)


def late(hall: Hall) -> str:
    return hall.desk.open(f"/e/{hall.event.short}/desk/late").one("main").text


class TestAHand:
    @pytest.mark.parametrize(("said", "kept"), [("754", 754), ("60", 60), ("59", 0), ("0", 0)])
    def test_says_for_how_long_it_waited_where_that_was_a_minute_or_more(self, said: str, kept: int) -> None:
        sends(an_hour_old(Hall()), said)
        assert Mark.objects.get().waited == kept

    @pytest.mark.parametrize("said", ["", "-5", "soon", "1e3", "9" * 30])
    def test_whose_phone_says_nonsense_waited_for_nothing(self, said: str) -> None:
        assert sends(an_hour_old(Hall()), said).status == 302
        assert Mark.objects.get().waited == 0

    def test_waited_no_longer_than_its_match_is_open_whatever_the_clock_of_the_phone_did(self) -> None:
        sends(an_hour_old(Hall()), 86_400)
        assert 3_600 <= Mark.objects.get().waited < 3_700

    def test_of_a_match_that_was_just_opened_did_not_wait(self) -> None:
        sends(Hall(), 86_400)
        assert Mark.objects.get().waited == 0

    def test_that_was_recorded_in_time_is_not_late_when_it_is_sent_again(self) -> None:
        hall = an_hour_old(Hall())
        hand = typed_hand(hall.match, waited=2)
        for waited in (2, 900):
            post(hall.phone(), hall.table, hand | {"waited": waited})
        assert Mark.objects.get().waited == 0

    def test_typed_at_the_desk_does_not_come_late(self) -> None:
        hall = an_hour_old(Hall())
        post(hall.desk, hall.ruled, typed_hand(hall.match, waited=900, reason="Paper"))
        assert Mark.objects.get().waited == 0


class TestTheDesk:
    def test_has_nothing_to_read_where_all_came_in_time(self) -> None:
        hall = an_hour_old(Hall())
        sends(hall, 3)
        assert "Nothing received late" in late(hall)
        assert "something late" not in hall.desk.open(f"/e/{hall.event.short}/desk").text

    @pytest.mark.slow
    def test_reads_which_hands_came_late_by_how_much_and_what_they_changed(self) -> None:
        hall = an_hour_old(Hall())
        mark(hall.match, "A 6 7")
        sends(hall, 754, side="B", contract="7", tricks="8")
        desk = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert "Table 1 sent something late." in desk.text
        text = Page(hall.desk.client.get(desk.link("Received late"))).one("main").text
        assert "Hand 2" in text
        assert "12 minutes late" in text
        without, _, with_them = text.partition("After:")
        assert [" 6 (0)" in without, " 0 (0)" in without, " 7 (0)" in with_them] == [True, True, True]
        assert "counted" not in text

    @pytest.mark.snapshot
    def test_is_told_that_a_result_without_them_was_counted_already(self) -> None:
        hall = an_hour_old(Hall())
        win(hall.match)
        last = hall.match.marks.latest("pk")
        standings_after(hall.event)
        correction = {"number": last.number, "supersedes": last.pk, "side": "B", "tricks": "7"}
        sends(hall, 600, **correction)
        text = late(hall)
        assert "The earlier result already counted in the standings." in text

    def test_is_told_where_they_changed_nothing(self) -> None:
        hall = an_hour_old(Hall())
        mark(hall.match, "A 6 7")
        sends(hall, 600, number=1)
        assert Mark.objects.latest("pk").status == "echo"
        assert "The score did not change." in late(hall)

    @pytest.mark.snapshot
    def test_is_told_what_has_become_of_them_since(self) -> None:
        hall = an_hour_old(Hall())
        mark(hall.match, "A 6 7")
        sends(hall, 754, number=1, side="B", contract="7", tricks="8")
        text = late(hall)
        assert "12 minutes late · conflicting score" in text
        assert "Changed since" not in text
        mark(hall.match, "A 6 7", replacing=hall.match.marks.latest("pk"))
        text = late(hall)
        assert "12 minutes late · replaced" in text
        _, _, now = text.partition("Changed since.")
        assert [" 6 (0)" in now, " 0 (0)" in now] == [True, True]

    @pytest.mark.slow
    def test_sees_a_hand_of_an_earlier_round_that_came_in_this_one(self) -> None:
        hall = an_hour_old(Hall())
        before = hall.match
        play_round(hall.event)
        next_round(hall.event)
        sends(hall, 900, match=before.pk, number=1)
        desk = hall.desk.open(f"/e/{hall.event.short}/desk").text
        assert "Table 1 sent something late." in desk


class TestAHandThatIsRefused:
    @pytest.mark.slow
    def test_because_its_round_is_closed_is_kept_with_what_it_says(self) -> None:
        hall = an_hour_old(Hall())
        play_round(hall.event)
        before = hall.match
        close_round(event_id=hall.event.pk, number=1)
        mine = hall.match.summary
        answer = sends(hall, 900, number=1, side="B", tricks="8", supersedes=before.marks.earliest("pk").pk)
        assert answer.status == 409
        assert "Not recorded: the round was closed." in late(hall)
        assert "Hand 1" in late(hall)
        assert hall.match.summary == mine
        assert "sent something late" in hall.desk.open(f"/e/{hall.event.short}/desk").text

    def test_is_kept_once_however_often_it_is_sent(self) -> None:
        hall = an_hour_old(Hall())
        win(hall.match)
        hand = typed_hand(hall.match, waited=900)
        for _ in range(2):
            assert post(hall.phone(), hall.table, hand, follow=False).status == 409
        assert "Not recorded: the match was over." in late(hall)
        assert RefusedMark.objects.count() == 1

    def test_an_undo_of_a_hand_after_which_others_have_marked_is_kept(self) -> None:
        hall = an_hour_old(Hall())
        for said in ("A 6 made", "B 7 made"):
            mark(hall.match, said)
        assert sends(hall, 900, kind="undone", number=1).status == 409
        assert RefusedMark.objects.get().code == "not_last_hand"

    def test_at_once_was_read_by_whoever_tapped_it_and_is_not_kept(self) -> None:
        hall = an_hour_old(Hall())
        win(hall.match)
        assert sends(hall, 5).status == 409
        assert not RefusedMark.objects.exists()

    @pytest.mark.slow
    @pytest.mark.snapshot
    @pytest.mark.parametrize(("waited", "is_kept"), [(40, True), (20, True), (18, False), (0, False)])
    def test_of_a_round_closed_twenty_seconds_ago_is_kept_if_it_was_tapped_before(
        self, waited: int, is_kept: bool
    ) -> None:
        hall = an_hour_old(Hall())
        play_round(hall.event)
        before = hall.match.marks.earliest("pk")
        close_round(event_id=hall.event.pk, number=1)
        Match.objects.update(closed_at=F("closed_at") - timedelta(seconds=20))
        assert sends(hall, waited, number=1, side="B", tricks="8", supersedes=before.pk).status == 409
        assert RefusedMark.objects.exists() is is_kept
        assert ("sent something late" in hall.desk.open(f"/e/{hall.event.short}/desk").text) is is_kept
        if is_kept:
            assert "less than a minute late Not recorded: the round was closed." in late(hall)

    def test_since_it_cannot_be_read_is_not_kept(self) -> None:
        hall = an_hour_old(Hall())
        assert sends(hall, 900, contract="no such").status == 422
        assert not RefusedMark.objects.exists()


@pytest.mark.slow
class TestAfterTheEvening:
    def ended(self) -> tuple[Hall, Browser]:
        """An evening that is over, and a phone that was at its table."""
        hall = an_hour_old(Hall())
        phone = hall.phone()
        phone.open(hall.table)
        play_round(hall.event)
        close_round(event_id=hall.event.pk, number=1)
        end_event(event_id=hall.event.pk)
        return hall, phone

    def test_a_hand_that_a_phone_of_the_table_still_had_is_read_at_the_desk(self) -> None:
        hall, phone = self.ended()
        answer = post(phone, hall.table, typed_hand(hall.match, number=1, waited=900), follow=False)
        assert answer.status == 409
        assert "sent something late" in hall.desk.open(f"/e/{hall.event.short}/desk").text
        assert "Not recorded: the round was closed." in late(hall)

    def test_an_agreement_that_it_still_had_counts(self) -> None:
        hall, phone = self.ended()
        said = {"match": hall.match.pk, "game": 1, "side": "A", "entry_key": str(uuid4()), "waited": 900}
        (game,) = fold_match(hall.match, log_of(hall.match).places).games
        said |= {"seen": agreed_text(game)}
        assert post(phone, f"{hall.table}/agree", said, follow=False).status == 302
        assert "Game 1, " in late(hall)

    def test_its_table_opens_no_more_and_no_phone_is_listed(self) -> None:
        hall, phone = self.ended()
        post(phone, hall.table, typed_hand(hall.match, number=1, waited=900), follow=False)
        assert phone.open(hall.table).response.headers["Refresh"].endswith("/mine")
        write_phones()
        assert not TablePhone.objects.exists()

    def test_whoever_was_not_there_brings_nothing(self) -> None:
        hall, _ = self.ended()
        answer = post(hall.phone(), hall.table, typed_hand(hall.match, number=1, waited=900), follow=False)
        assert answer.status == 404
        assert not RefusedMark.objects.exists()


def test_a_table_that_played_all_evening_without_a_network_is_read_in_order() -> None:
    hall = an_hour_old(Hall())
    for number, waited in enumerate((2_400, 1_800, 900), start=1):
        sends(hall, waited, number=number)
    text = late(hall)
    assert [text.index(f"{minutes} minutes late") for minutes in (40, 30, 15)] == sorted(
        text.index(f"{minutes} minutes late") for minutes in (40, 30, 15)
    )
    assert len(matches_of(hall.event)[0].marks.filter(waited__gt=0)) == 3


class TestAnAgreement:
    def agrees(self, hall: Hall, waited: int) -> Page:
        said = {"match": hall.match.pk, "game": 1, "side": "A", "entry_key": str(uuid4()), "waited": waited}
        (game,) = fold_match(hall.match, log_of(hall.match).places).games
        return post(hall.phone(), f"{hall.table}/agree", said | {"seen": agreed_text(game)}, follow=False)

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_that_came_late_is_read_at_the_desk(self) -> None:
        hall = an_hour_old(Hall())
        win(hall.match)
        assert self.agrees(hall, 754).status == 302
        assert "sent something late" in hall.desk.open(f"/e/{hall.event.short}/desk").text
        text = late(hall)
        assert "Game 1, " in text
        assert "confirmed" in text
        assert "12 minutes late" in text
        assert "The score did not change" not in text

    def test_that_was_given_in_time_is_not_late_when_it_is_sent_again(self) -> None:
        hall = an_hour_old(Hall())
        win(hall.match)
        for waited in (2, 900):
            self.agrees(hall, waited)
        assert "Nothing received late" in late(hall)

    @pytest.mark.slow
    def test_that_came_late_is_late_in_its_file_and_where_it_is_brought_in(self) -> None:
        hall = an_hour_old(Hall())
        win(hall.match)
        self.agrees(hall, 754)
        copy = assert_the_same(file_of(hall.event))
        assert Agreement.objects.get(match__terms=copy.terms_id).waited == 754


def test_what_the_desk_reads_as_squares_is_late_as_it_would_be_from_the_phone() -> None:
    hall = an_hour_old(Hall())
    match = hall.match
    hands = [{"number": str(number), "side": "A", "contract": "6", "tricks": "7"} for number in (1, 9)]
    entries = [
        {"path": "", "values": hand | {"match": str(match.pk), "entry_key": str(uuid4()), "waited": "754"}}
        for hand in hands
    ]
    value = {"device": "phone", "entries": entries}
    text = "".join(frames_of(Kind.HANDS, hall.code, value, bundle_key(hall.code)))
    for _ in range(2):
        read_bundles(topic=match.card.topic, text=text)
    assert Mark.objects.get().waited == 754
    assert RefusedMark.objects.get().number == 9
    assert late(hall).count("12 minutes late") == 2
