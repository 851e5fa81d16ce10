"""A server that was put back to an older state gets from the phones what it lacks."""

import json
from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from clubs.models import Account
from errors import Refusal
from rules import CANADIAN, Side
from scoring import queries
from scoring.fold import fold_match, log_of
from scoring.log_digests import log_as_said
from scoring.models import Match
from scoring.phone import match_for_phone
from scoring.phone_logs import parse_phone_logs
from scoring.presenters import table_screen
from scoring.services import agree, bring_back_log, close_matches, name_first_dealer, rebuild
from scoring.table_access import TableSession
from tests.builders import (
    TWO_GAMES,
    a_match,
    an_account,
    fresh,
    mark,
    matches_of,
    next_round,
    play,
    play_round,
    score,
    statuses,
)
from tests.long import often
from tests.scoring.test_match_laws import STEPS, Step
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, post, typed_hand

pytestmark = pytest.mark.django_db


def whole(match: Match) -> Match:
    found = queries.match_with_hands(match.pk)
    assert found is not None
    return found


def kept_by(match: Match, device: str = "phone") -> dict[str, Any]:
    """Return what a phone at the table keeps, as JSON that has been on its disk."""
    session = TableSession(match=whole(match), url="/t/123456", people=0, device=device)
    known = match_for_phone(session, table_screen(session.match), call=None, etag="")
    found: dict[str, Any] = json.loads(json.dumps(known))
    return found


def bring(match: Match, known: dict[str, Any], device: str = "phone") -> dict[UUID, Refusal]:
    (kept,) = parse_phone_logs(json.dumps([known]), device=device)
    return bring_back_log(match_id=match.pk, kept=kept, device=device)


def put_back(state: str) -> None:
    """To how all was when its savepoint was made, as a copy of the data folder puts it back."""
    transaction.savepoint_rollback(state)


def reasons(not_taken: dict[UUID, Refusal]) -> list[str]:
    return [refusal.code for refusal in not_taken.values()]


def everything_of(match: Match) -> dict[str, Any]:
    found = whole(match)
    log = log_of(found)
    return {
        "log": [
            (str(each.entry_key), each.number, each.record_data, each.status, each.director, each.created_at)
            for each in sorted(found.marks.all(), key=lambda each: each.pk)
        ],
        "standing": log.places,
        "rivals": sorted(log.rivals),
        "agreements": sorted((each.game, each.side, each.agreed_to) for each in found.agreements.all()),
        "cached": (found.summary, found.is_over, found.has_rivals, found.first_dealer),
        "digest": log_as_said(found).digests[-1],
    }


def agree_to_all(match: Match) -> None:
    found = fresh(match)
    for game in fold_match(found, log_of(found).places).games:
        for side in Side:
            agree(match_id=match.pk, side=side, game=game.number)


class Director:
    """Takes the steps of a match, some of them as a director."""

    def __init__(self, match: Match, account: Account) -> None:
        self.match, self.account = match, account

    def take(self, step: Step) -> None:
        """Take the marks; refused ones leave nothing."""
        if step.back != 2:
            step.take(self.match)
            return
        with suppress(Refusal):
            mark(self.match, step.text, key=step.key, director=self.account)


@pytest.mark.slow
@settings(max_examples=often(25, long=400), deadline=None)
@given(steps=STEPS, data=st.data())
def test_a_log_cut_anywhere_is_whole_again_whichever_phones_bring_their_parts_in_whatever_order(
    steps: list[Step], data: st.DataObject
) -> None:
    match = a_match(CANADIAN, TWO_GAMES)
    writer = Director(match, an_account())
    cut = data.draw(st.integers(0, len(steps)), label="cut")
    for step in steps[:cut]:
        writer.take(step)
    copy = transaction.savepoint()
    kept, states = [kept_by(match)], [everything_of(match)]
    for place, step in enumerate(steps[cut:]):
        writer.take(step)
        if place == 0:
            name_first_dealer(match_id=match.pk, seat=3)
        agree_to_all(match)
        kept.append(kept_by(match, f"phone {place}"))
        states.append(everything_of(match))
    put_back(copy)
    parts = data.draw(st.lists(st.integers(0, len(kept) - 1), min_size=1, max_size=5), label="parts")
    for part in parts:
        assert bring(match, kept[part], f"phone {part}") == {}
    restored, original = everything_of(match), states[max(parts)]
    assert restored.pop("agreements") == sorted({*original.pop("agreements")})
    assert restored == original
    assert rebuild(match_id=match.pk) == []


class TestALogThatComesBack:
    def test_is_written_once_however_often_it_comes(self) -> None:
        match = a_match()
        copy = transaction.savepoint()
        play(match, "A 6 7", "B 7 7")
        kept = kept_by(match)
        put_back(copy)
        assert statuses(match) == []
        for _ in range(3):
            bring(match, kept)
        assert statuses(match) == [(1, "current"), (2, "current")]
        assert score(match) == [6, 7]

    def test_leaves_its_own_marks_to_the_phone_and_says_which_came_back_by_it(self) -> None:
        match = a_match()
        copy = transaction.savepoint()
        mark(match, "A 6 7", device="phone")
        mark(match, "B 7 7", device="another")
        kept = kept_by(match)
        put_back(copy)
        bring(match, kept)
        own, others = match.marks.order_by("pk")
        assert (own.device, own.is_brought_back) == ("phone", False)
        assert others.is_brought_back

    def test_stands_beside_what_was_marked_meanwhile_until_the_table_chooses(self) -> None:
        match = a_match()
        copy = transaction.savepoint()
        first, _ = play(match, "A 6 7", "B 7 7")
        mark(match, "A 8 8", replacing=first)
        kept = kept_by(match)
        put_back(copy)
        play(match, "A 5 5", "B 7 7")
        assert bring(match, kept) == {}
        found = fresh(match)
        assert found.has_rivals
        log = log_of(found)
        assert {each.record_data["contract"] for each in log.marks_at(1)} == {"5", "8"}
        assert len(log.marks_at(2)) == 1

    def test_keeps_what_a_director_ruled(self) -> None:
        match, director = a_match(), an_account("Ghislaine Cyr")
        copy = transaction.savepoint()
        mark(match, "A 6 made awarded", director=director)
        kept = kept_by(match)
        put_back(copy)
        assert bring(match, kept) == {}
        (ruled,) = match.marks.all()
        assert (ruled.director, ruled.record_data["awarded"]) == ("Ghislaine Cyr", True)

    def test_is_not_taken_for_a_directors_where_a_phone_has_changed_a_word_of_it(self) -> None:
        match, director = a_match(), an_account("Ghislaine Cyr")
        copy = transaction.savepoint()
        play(match, "A 6 7")
        mark(match, "A 6 made awarded", director=director)
        kept = kept_by(match)
        put_back(copy)
        kept["marks"][1]["record"] |= {"side": "B"}
        assert reasons(bring(match, kept)) == ["director_only"]
        assert statuses(match) == [(1, "current")]

    def test_of_a_closed_round_stays_on_the_phone_until_the_desk_opens_it(self) -> None:
        match = a_match()
        copy = transaction.savepoint()
        play(match, "A 6 7")
        kept = kept_by(match)
        put_back(copy)
        close_matches(match_ids=[match.pk])
        assert reasons(bring(match, kept)) == ["match_closed"]
        Match.objects.update(closed_at=None)
        assert bring(match, kept) == {}
        assert score(match) == [6, 0]

    def test_cannot_take_a_key_of_another_match(self) -> None:
        one, other = a_match(), a_match()
        play(one, "A 6 7")
        assert reasons(bring(other, kept_by(one))) == ["entry_key_reused"]
        assert not other.marks.exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[1]",
        "[{}]",
        '[{"match": {"pk": 1, "identity": null}}]',
        "[" * 2000,
        "[" + "{}," * 20 + "{}]",
    ],
)
def test_what_is_no_log_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match="log_unreadable"):
        parse_phone_logs(text, device="")


def test_a_digest_tells_logs_of_as_many_marks_apart_and_is_that_of_none_without_the_key(
    settings: Any,
) -> None:
    match = a_match()
    copy = transaction.savepoint()
    play(match, "A 6 7")
    one = kept_by(match)
    put_back(copy)
    play(match, "A 6 7")
    assert one["digest"].partition(".")[0] == kept_by(match)["digest"].partition(".")[0]
    assert one["digest"] != kept_by(match)["digest"]
    settings.SECRET_KEY = "of another installation"
    (kept,) = parse_phone_logs(json.dumps([one]), device="")
    assert not kept.is_sealed


def known_in(page: Page) -> dict[str, Any]:
    """Return what a phone keeps of a page."""
    found: dict[str, Any] = json.loads(page.one("template", id="known").text)
    return found


def answer_to(phone: Browser, hall: Hall, *kept: dict[str, Any]) -> dict[str, Any]:
    page = post(phone, f"{hall.table}/log", {"logs": json.dumps(kept)})
    found: dict[str, Any] = json.loads(page.html)
    return found


def outcome(phone: Browser, hall: Hall, hand: dict[str, Any]) -> str:
    """Return what the phone is told of a hand that it sends."""
    key, said = post(phone, hall.table, hand, follow=False).response.headers["Charlemagne-Entry"].split()
    assert key == hand["entry_key"]
    return str(said)


class TestAtTheTable:
    @pytest.fixture
    def hall(self) -> Hall:
        return Hall()

    @pytest.fixture
    def phone(self, hall: Hall) -> Browser:
        return hall.phone()

    @pytest.mark.slow
    def test_a_hand_that_follows_what_is_no_more_there_waits_until_that_is_back(
        self, hall: Hall, phone: Browser
    ) -> None:
        copy = transaction.savepoint()
        play(hall.match, "A 6 7", "B 7 7")
        known = known_in(phone.open(hall.table))
        third = typed_hand(fresh(hall.match), heard=known["digest"])
        put_back(copy)
        assert outcome(phone, hall, third) == "behind"
        assert statuses(hall.match) == []
        answer = answer_to(phone, hall, known)
        assert answer["logs"][0]["not_taken"] == {}
        assert answer["known"]["digest"] == known["digest"]
        assert outcome(phone, hall, third) == "recorded"
        assert statuses(hall.match) == [(1, "current"), (2, "current"), (3, "current")]

    def test_a_hand_of_a_phone_that_knows_less_is_marked_as_ever(self, hall: Hall, phone: Browser) -> None:
        known = known_in(phone.open(hall.table))
        play(hall.match, "A 6 7")
        second = typed_hand(fresh(hall.match), heard=known["digest"])
        assert outcome(phone, hall, second) == "recorded"

    @pytest.mark.slow
    def test_a_round_that_is_gone_comes_back_once_it_is_drawn_again(self, hall: Hall, phone: Browser) -> None:
        play_round(hall.event)
        copy = transaction.savepoint()
        next_round(hall.event)
        play(matches_of(hall.event, 2)[0], "A 6 7", "B 7 7")
        known = known_in(phone.open(hall.table))
        third = typed_hand(fresh(matches_of(hall.event, 2)[0]), heard=known["digest"])
        put_back(copy)
        assert outcome(phone, hall, third) == "behind"
        answer = answer_to(phone, hall, known)
        assert answer["logs"] == [{"known": None, "not_taken": {}}]
        assert answer["known"]["match"]["round_number"] == 1
        next_round(hall.event)
        answer = answer_to(phone, hall, known)
        assert answer["logs"][0]["known"]["match"]["round_number"] == 2
        assert score(matches_of(hall.event, 2)[0]) == [6, 7]

    def test_a_log_of_other_people_is_not_put_into_the_match_that_has_its_key_now(
        self, hall: Hall, phone: Browser
    ) -> None:
        play(hall.match, "A 6 7")
        known = known_in(phone.open(hall.table))
        identity = known["match"]["identity"]
        identity |= {"opened_at": "2026-01-01T00:00:00+00:00", "names": identity["names"][::-1]}
        known["marks"][0]["key"] = "00000000-0000-4000-8000-000000000000"
        assert answer_to(phone, hall, known)["logs"] == [{"known": None, "not_taken": {}}]
        assert score(hall.match) == [6, 0]

    def test_a_phone_hears_that_the_server_was_started_since_though_nothing_has_changed(
        self, hall: Hall, phone: Browser, settings: Any
    ) -> None:
        settings.STARTED_AT = "18:00"
        has = {"HTTP_IF_NONE_MATCH": known_in(phone.open(hall.table))["etag"], "HTTP_HX_REQUEST": "true"}
        assert phone.client.get(hall.table, **has).status_code == 304
        settings.STARTED_AT = "20:00"
        answer = phone.client.get(hall.table, **has)
        assert answer.status_code == 200
        assert known_in(Page(answer))["since"] == "20:00"

    def test_what_is_no_log_is_refused(self, hall: Hall, phone: Browser) -> None:
        assert post(phone, f"{hall.table}/log", {"logs": "[{}]"}).status == 422
