"""Scorekeeper role at a table: the first phone that marks holds it until another phone asks for it."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from scoring.models import Match
from scoring.scorekeeper import ANSWER_TIMEOUT, Scorekeeper, build_scorekeeper_view
from scoring.services.scorekeeper import answer_scorekeeper_request, request_scorekeeper_role
from tests.builders import build_match, mark, reload_match

NOON = datetime(2026, 10, 3, 12, tzinfo=UTC)
MOMENT = timedelta(seconds=1)
PHONES = ("one", "other", "third")

ACTS = st.lists(
    st.tuples(st.sampled_from(PHONES), st.sampled_from(["mark", "ask", "give", "keep"]), st.integers(0, 40)),
    max_size=30,
)


@pytest.mark.slow
@given(acts=ACTS)
def test_scorekeeper_role_has_one_holder_and_a_timeout(
    acts: list[tuple[str, str, int]],
) -> None:
    now, pencil = NOON, Scorekeeper()
    for device, act, seconds in acts:
        now += timedelta(seconds=seconds)
        before = pencil = pencil.apply_timeout(now)
        if act == "mark":
            pencil = pencil.record_mark(device)
        elif act == "ask":
            pencil = pencil.add_request(device, now)
        else:
            pencil = pencil.answer_request(device, gives=act == "give")
        seen = {phone: build_scorekeeper_view(pencil, phone) for phone in PHONES}
        holders = [phone for phone in PHONES if pencil.holder and not seen[phone].is_elsewhere]
        assert holders == [pencil.holder] * bool(pencil.holder)
        assert before.holder in (pencil.holder, "") or (act, device) == ("give", before.holder)
        assert pencil.asker == "" or pencil.asker != pencil.holder
        if pencil.asker:
            assert pencil.apply_timeout(now + ANSWER_TIMEOUT).holder == pencil.asker


@pytest.mark.parametrize("shift", [timedelta(hours=-1), timedelta(hours=1), timedelta(minutes=-5)])
def test_clock_change_ends_the_wait_for_an_answer(shift: timedelta) -> None:
    scorekeeper = Scorekeeper(holder="one").add_request("other", NOON)
    assert scorekeeper.apply_timeout(NOON + MOMENT).holder == "one"
    assert scorekeeper.apply_timeout(NOON + shift).holder == "other"


@pytest.mark.django_db
class TestTableScorekeeper:
    def test_first_marking_phone_becomes_the_scorekeeper(self) -> None:
        match = build_match()
        mark(match, "A 6 7", device="one")
        mark(match, "A 6 7", device="other")
        assert reload_match(match).scorekeeper == Scorekeeper(holder="one")

    def test_hands_from_other_phones_are_still_recorded(self) -> None:
        match = build_match()
        mark(match, "A 6 7", device="one")
        mark(match, "A 6 7", device="other")
        assert reload_match(match).marks.filter(status="current").count() == 2

    def test_repeated_request_changes_nothing(self) -> None:
        match = build_match()
        mark(match, "A 6 7", device="one")
        request_scorekeeper_role(match_id=match.pk, device="other")
        before = reload_match(match)
        request_scorekeeper_role(match_id=match.pk, device="other")
        request_scorekeeper_role(match_id=match.pk, device="third")
        answer_scorekeeper_request(match_id=match.pk, device="third", gives=True)
        after = reload_match(match)
        assert (after.scorekeeper, after.revision) == (before.scorekeeper, before.revision)

    def test_holder_can_keep_or_give_the_role(self) -> None:
        match = build_match()
        mark(match, "A 6 7", device="one")
        for gives, holder in ((False, "one"), (True, "other")):
            request_scorekeeper_role(match_id=match.pk, device="other")
            answer_scorekeeper_request(match_id=match.pk, device="one", gives=gives)
            assert reload_match(match).scorekeeper == Scorekeeper(holder=holder)

    @pytest.mark.slow
    def test_unanswered_request_updates_the_page(self, client: Client) -> None:
        match = build_match()
        address = f"/t/{match.card.code}"
        client.get(address)  # gives this client a device of its own
        mark(match, "A 6 7", device="one")
        looking_on = client.get(address)
        assert b'value="ask"' in looking_on.content
        client.post(f"{address}/pencil", {"match": match.pk, "act": "ask"})
        response = client.get(address, headers={"HX-Request": "true"})
        assert b'value="ask"' not in response.content
        assert b'id="lanes"' not in response.content
        tag = response.headers["ETag"]
        still = client.get(address, headers={"HX-Request": "true", "If-None-Match": tag})
        assert still.status_code == 304
        Match.objects.update(pencil_asked_at=reload_match(match).pencil_asked_at - ANSWER_TIMEOUT)  # type: ignore[operator]
        marking = client.get(address, headers={"HX-Request": "true", "If-None-Match": tag})
        assert marking.status_code == 200
        assert b'id="lanes"' in marking.content
