"""Scorekeeping phone of a table: the first one that has marked, until another one asks."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from scoring.models import Match
from scoring.scorekeeper import PATIENCE, Scorekeeper, scorekeeper_seen_by
from scoring.services import answer_scorekeeping_request, request_scorekeeping
from tests.builders import a_match, fresh, mark

NOON = datetime(2026, 10, 3, 12, tzinfo=UTC)
MOMENT = timedelta(seconds=1)
PHONES = ("one", "other", "third")

ACTS = st.lists(
    st.tuples(st.sampled_from(PHONES), st.sampled_from(["mark", "ask", "give", "keep"]), st.integers(0, 40)),
    max_size=30,
)


@given(acts=ACTS)
def test_one_phone_holds_it_and_whoever_asks_has_an_answer_in_thirty_seconds(
    acts: list[tuple[str, str, int]],
) -> None:
    now, pencil = NOON, Scorekeeper()
    for device, act, seconds in acts:
        now += timedelta(seconds=seconds)
        before = pencil = pencil.at(now)
        if act == "mark":
            pencil = pencil.marked_by(device)
        elif act == "ask":
            pencil = pencil.requested_by(device, now)
        else:
            pencil = pencil.answered_by(device, gives=act == "give")
        seen = {phone: scorekeeper_seen_by(pencil, phone) for phone in PHONES}
        holders = [phone for phone in PHONES if pencil.holder and not seen[phone].is_elsewhere]
        assert holders == [pencil.holder] * bool(pencil.holder)
        assert before.holder in (pencil.holder, "") or (act, device) == ("give", before.holder)
        assert pencil.asker == "" or pencil.asker != pencil.holder
        if pencil.asker:
            assert pencil.at(now + PATIENCE).holder == pencil.asker


@pytest.mark.parametrize("shift", [timedelta(hours=-1), timedelta(hours=1), timedelta(minutes=-5)])
def test_whoever_asked_before_the_clock_was_set_does_not_wait_for_it(shift: timedelta) -> None:
    asked = Scorekeeper(holder="one").requested_by("other", NOON)
    assert asked.at(NOON + MOMENT).holder == "one"
    assert asked.at(NOON + shift).holder == "other"


@pytest.mark.django_db
class TestAtATable:
    def test_the_first_phone_that_marks_takes_it_up(self) -> None:
        match = a_match()
        mark(match, "A 6 7", device="one")
        mark(match, "A 6 7", device="other")
        assert fresh(match).scorekeeper == Scorekeeper(holder="one")

    def test_what_other_phones_send_is_recorded_all_the_same(self) -> None:
        match = a_match()
        mark(match, "A 6 7", device="one")
        mark(match, "A 6 7", device="other")
        assert fresh(match).marks.filter(status="current").count() == 2

    def test_a_repeated_question_is_no_new_one(self) -> None:
        match = a_match()
        mark(match, "A 6 7", device="one")
        request_scorekeeping(match_id=match.pk, device="other")
        before = fresh(match)
        request_scorekeeping(match_id=match.pk, device="other")
        request_scorekeeping(match_id=match.pk, device="third")
        answer_scorekeeping_request(match_id=match.pk, device="third", gives=True)
        after = fresh(match)
        assert (after.scorekeeper, after.revision) == (before.scorekeeper, before.revision)

    def test_each_answer_is_heard(self) -> None:
        match = a_match()
        mark(match, "A 6 7", device="one")
        for gives, holder in ((False, "one"), (True, "other")):
            request_scorekeeping(match_id=match.pk, device="other")
            answer_scorekeeping_request(match_id=match.pk, device="one", gives=gives)
            assert fresh(match).scorekeeper == Scorekeeper(holder=holder)

    def test_a_page_is_another_one_once_nobody_has_answered(self, client: Client) -> None:
        match = a_match()
        address = f"/t/{match.card.code}"
        client.get(address)  # a device of its own
        mark(match, "A 6 7", device="one")
        looking_on = client.get(address)
        assert b'value="ask"' in looking_on.content
        client.post(f"{address}/pencil", {"match": match.pk, "act": "ask"})
        asked = client.get(address, headers={"HX-Request": "true"})
        assert b'value="ask"' not in asked.content
        assert b'id="lanes"' not in asked.content
        tag = asked.headers["ETag"]
        still = client.get(address, headers={"HX-Request": "true", "If-None-Match": tag})
        assert still.status_code == 304
        Match.objects.update(pencil_asked_at=fresh(match).pencil_asked_at - PATIENCE)  # type: ignore[operator]
        marking = client.get(address, headers={"HX-Request": "true", "If-None-Match": tag})
        assert marking.status_code == 200
        assert b'id="lanes"' in marking.content
