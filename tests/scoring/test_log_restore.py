"""A server restored to an older state gets the missing marks back from the phones' logs."""

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
from scoring.fold import fold_match, load_log
from scoring.log_digests import build_sent_log
from scoring.models import Match
from scoring.phone import build_phone_match
from scoring.phone_logs import parse_phone_logs
from scoring.presenters.table import table_screen
from scoring.services.agreement import record_agreement
from scoring.services.cache_check import rebuild_match
from scoring.services.log_restore import restore_log
from scoring.services.matches import close_matches, name_first_dealer
from scoring.table_access import TableSession
from tests.builders import (
    TWO_GAMES,
    build_account,
    build_match,
    get_score,
    list_statuses,
    mark,
    matches_of,
    play,
    play_round,
    reload_match,
    start_next_round,
)
from tests.long_runs import choose_count
from tests.scoring.test_match_properties import STEPS, Step
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, build_hand_form, post_form

pytestmark = pytest.mark.django_db


def load_match(match: Match) -> Match:
    found = queries.find_match(match.pk)
    assert found is not None
    return found


def build_phone_log(match: Match, device: str = "phone") -> dict[str, Any]:
    """Return the log that a phone stores, after a round trip through JSON."""
    session = TableSession(match=load_match(match), url="/t/123456", people=0, device=device)
    phone_match = build_phone_match(session, table_screen(session.match), call=None, etag="")
    found: dict[str, Any] = json.loads(json.dumps(phone_match))
    return found


def bring(match: Match, log_data: dict[str, Any], device: str = "phone") -> dict[UUID, Refusal]:
    (phone_log,) = parse_phone_logs(json.dumps([log_data]), device=device)
    return restore_log(match_id=match.pk, phone_log=phone_log, device=device)


def put_back(state: str) -> None:
    """Roll back to the savepoint, as restoring an older copy of the data folder does."""
    transaction.savepoint_rollback(state)


def list_reasons(not_taken: dict[UUID, Refusal]) -> list[str]:
    return [refusal.code for refusal in not_taken.values()]


def read_match_rows(match: Match) -> dict[str, Any]:
    found = load_match(match)
    log = load_log(found)
    return {
        "log": [
            (str(each.entry_key), each.number, each.record_data, each.status, each.director, each.created_at)
            for each in sorted(found.marks.all(), key=lambda each: each.pk)
        ],
        "standing": log.places,
        "rivals": sorted(log.rivals),
        "agreements": sorted((each.game, each.side, each.agreed_to) for each in found.agreements.all()),
        "cached": (found.summary, found.is_over, found.has_rivals, found.first_dealer),
        "digest": build_sent_log(found).digests[-1],
    }


def agree_to_all_games(match: Match) -> None:
    found = reload_match(match)
    for game in fold_match(found, load_log(found).places).games:
        for side in Side:
            record_agreement(match_id=match.pk, side=side, game=game.number)


class Director:
    """A table that takes the steps of a match, some of them as a director."""

    def __init__(self, match: Match, account: Account) -> None:
        self.match, self.account = match, account

    def take(self, step: Step) -> None:
        """Record the step's mark; a refused mark leaves no trace."""
        if step.back != 2:
            step.take(self.match)
            return
        with suppress(Refusal):
            mark(self.match, step.text, key=step.key, director=self.account)


@pytest.mark.slow
@settings(max_examples=choose_count(25, long=400), deadline=None)
@given(steps=STEPS, data=st.data())
def test_phones_restore_a_truncated_log_in_any_order(steps: list[Step], data: st.DataObject) -> None:
    match = build_match(CANADIAN, TWO_GAMES)
    writer = Director(match, build_account())
    cut = data.draw(st.integers(0, len(steps)), label="cut")
    for step in steps[:cut]:
        writer.take(step)
    copy = transaction.savepoint()
    phone_logs, states = [build_phone_log(match)], [read_match_rows(match)]
    for place, step in enumerate(steps[cut:]):
        writer.take(step)
        if place == 0:
            name_first_dealer(match_id=match.pk, seat=3)
        agree_to_all_games(match)
        phone_logs.append(build_phone_log(match, f"phone {place}"))
        states.append(read_match_rows(match))
    put_back(copy)
    parts = data.draw(st.lists(st.integers(0, len(phone_logs) - 1), min_size=1, max_size=5), label="parts")
    for part in parts:
        assert bring(match, phone_logs[part], f"phone {part}") == {}
    restored, original = read_match_rows(match), states[max(parts)]
    assert restored.pop("agreements") == sorted({*original.pop("agreements")})
    assert restored == original
    assert rebuild_match(match_id=match.pk) == []


class TestRestoredLog:
    def test_returned_log_is_recorded_once(self) -> None:
        match = build_match()
        copy = transaction.savepoint()
        play(match, "A 6 7", "B 7 7")
        phone_log = build_phone_log(match)
        put_back(copy)
        assert list_statuses(match) == []
        for _ in range(3):
            bring(match, phone_log)
        assert list_statuses(match) == [(1, "current"), (2, "current")]
        assert get_score(match) == [6, 7]

    def test_marks_of_other_devices_are_flagged_as_restored(self) -> None:
        match = build_match()
        copy = transaction.savepoint()
        mark(match, "A 6 7", device="phone")
        mark(match, "B 7 7", device="another")
        phone_log = build_phone_log(match)
        put_back(copy)
        bring(match, phone_log)
        own, others = match.marks.order_by("pk")
        assert (own.device, own.is_restored) == ("phone", False)
        assert others.is_restored

    def test_restored_marks_conflict_with_newer_ones_until_chosen(self) -> None:
        match = build_match()
        copy = transaction.savepoint()
        first, _ = play(match, "A 6 7", "B 7 7")
        mark(match, "A 8 8", replaced=first)
        phone_log = build_phone_log(match)
        put_back(copy)
        play(match, "A 5 5", "B 7 7")
        assert bring(match, phone_log) == {}
        found = reload_match(match)
        assert found.has_rivals
        log = load_log(found)
        assert {each.record_data["contract"] for each in log.get_marks(1)} == {"5", "8"}
        assert len(log.get_marks(2)) == 1

    def test_restored_ruling_keeps_its_director(self) -> None:
        match, director = build_match(), build_account("Ghislaine Cyr")
        copy = transaction.savepoint()
        mark(match, "A 6 made awarded", director=director)
        phone_log = build_phone_log(match)
        put_back(copy)
        assert bring(match, phone_log) == {}
        (ruled,) = match.marks.all()
        assert (ruled.director, ruled.record_data["awarded"]) == ("Ghislaine Cyr", True)

    def test_forged_director_mark_is_refused(self) -> None:
        match, director = build_match(), build_account("Ghislaine Cyr")
        copy = transaction.savepoint()
        play(match, "A 6 7")
        mark(match, "A 6 made awarded", director=director)
        phone_log = build_phone_log(match)
        put_back(copy)
        phone_log["marks"][1]["record"] |= {"side": "B"}
        assert list_reasons(bring(match, phone_log)) == ["director_only"]
        assert list_statuses(match) == [(1, "current")]

    def test_closed_round_accepts_no_restored_log_until_reopened(self) -> None:
        match = build_match()
        copy = transaction.savepoint()
        play(match, "A 6 7")
        phone_log = build_phone_log(match)
        put_back(copy)
        close_matches(match_ids=[match.pk])
        assert list_reasons(bring(match, phone_log)) == ["match_closed"]
        Match.objects.update(closed_at=None)
        assert bring(match, phone_log) == {}
        assert get_score(match) == [6, 0]

    def test_log_of_another_match_is_refused(self) -> None:
        one, other = build_match(), build_match()
        play(one, "A 6 7")
        assert list_reasons(bring(other, build_phone_log(one))) == ["entry_key_reused"]
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
def test_malformed_log_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match="log_unreadable"):
        parse_phone_logs(text, device="")


def test_log_digest_requires_the_key_and_distinguishes_logs(
    settings: Any,
) -> None:
    match = build_match()
    copy = transaction.savepoint()
    play(match, "A 6 7")
    one = build_phone_log(match)
    put_back(copy)
    play(match, "A 6 7")
    assert one["digest"].partition(".")[0] == build_phone_log(match)["digest"].partition(".")[0]
    assert one["digest"] != build_phone_log(match)["digest"]
    settings.SECRET_KEY = "of another installation"
    (phone_log,) = parse_phone_logs(json.dumps([one]), device="")
    assert not phone_log.is_sealed


def read_known_values(page: Page) -> dict[str, Any]:
    """Return the values that a phone stores from the page."""
    found: dict[str, Any] = json.loads(page.find_one("template", id="known").text)
    return found


def answer_to(phone: Browser, hall: Hall, *phone_log: dict[str, Any]) -> dict[str, Any]:
    page = post_form(phone, f"{hall.table}/log", {"logs": json.dumps(phone_log)})
    found: dict[str, Any] = json.loads(page.html)
    return found


def get_outcome(phone: Browser, hall: Hall, hand: dict[str, Any]) -> str:
    """Send the hand and return its outcome from the receipt header."""
    key, outcome = post_form(phone, hall.table, hand, follow=False).response.headers["Charlemagne-Entry"].split()
    assert key == hand["entry_key"]
    return str(outcome)


class TestTablePhone:
    @pytest.fixture
    def hall(self) -> Hall:
        return Hall()

    @pytest.fixture
    def phone(self, hall: Hall) -> Browser:
        return hall.add_phone()

    @pytest.mark.slow
    def test_hand_after_lost_marks_waits_until_they_return(self, hall: Hall, phone: Browser) -> None:
        copy = transaction.savepoint()
        play(hall.match, "A 6 7", "B 7 7")
        phone_values = read_known_values(phone.open(hall.table))
        third = build_hand_form(reload_match(hall.match), heard=phone_values["digest"])
        put_back(copy)
        assert get_outcome(phone, hall, third) == "behind"
        assert list_statuses(hall.match) == []
        answer = answer_to(phone, hall, phone_values)
        assert answer["logs"][0]["not_taken"] == {}
        assert answer["known"]["digest"] == phone_values["digest"]
        assert get_outcome(phone, hall, third) == "recorded"
        assert list_statuses(hall.match) == [(1, "current"), (2, "current"), (3, "current")]

    @pytest.mark.long
    def test_outdated_phone_still_records_a_hand(self, hall: Hall, phone: Browser) -> None:
        phone_values = read_known_values(phone.open(hall.table))
        play(hall.match, "A 6 7")
        second = build_hand_form(reload_match(hall.match), heard=phone_values["digest"])
        assert get_outcome(phone, hall, second) == "recorded"

    @pytest.mark.slow
    def test_lost_round_returns_once_it_is_redrawn(self, hall: Hall, phone: Browser) -> None:
        play_round(hall.event)
        copy = transaction.savepoint()
        start_next_round(hall.event)
        play(matches_of(hall.event, 2)[0], "A 6 7", "B 7 7")
        phone_values = read_known_values(phone.open(hall.table))
        third = build_hand_form(reload_match(matches_of(hall.event, 2)[0]), heard=phone_values["digest"])
        put_back(copy)
        assert get_outcome(phone, hall, third) == "behind"
        answer = answer_to(phone, hall, phone_values)
        assert answer["logs"] == [{"known": None, "not_taken": {}}]
        assert answer["known"]["match"]["round_number"] == 1
        start_next_round(hall.event)
        answer = answer_to(phone, hall, phone_values)
        assert answer["logs"][0]["known"]["match"]["round_number"] == 2
        assert get_score(matches_of(hall.event, 2)[0]) == [6, 7]

    def test_log_of_other_players_is_not_restored(self, hall: Hall, phone: Browser) -> None:
        play(hall.match, "A 6 7")
        phone_values = read_known_values(phone.open(hall.table))
        identity = phone_values["match"]["identity"]
        identity |= {"opened_at": "2026-01-01T00:00:00+00:00", "names": identity["names"][::-1]}
        phone_values["marks"][0]["key"] = "00000000-0000-4000-8000-000000000000"
        assert answer_to(phone, hall, phone_values)["logs"] == [{"known": None, "not_taken": {}}]
        assert get_score(hall.match) == [6, 0]

    @pytest.mark.long
    def test_phone_learns_of_a_server_restart(self, hall: Hall, phone: Browser, settings: Any) -> None:
        settings.STARTED_AT = "18:00"
        has = {"HTTP_IF_NONE_MATCH": read_known_values(phone.open(hall.table))["etag"], "HTTP_HX_REQUEST": "true"}
        assert phone.client.get(hall.table, **has).status_code == 304
        settings.STARTED_AT = "20:00"
        answer = phone.client.get(hall.table, **has)
        assert answer.status_code == 200
        assert read_known_values(Page(answer))["since"] == "20:00"

    def test_table_page_refuses_a_malformed_log(self, hall: Hall, phone: Browser) -> None:
        assert post_form(phone, f"{hall.table}/log", {"logs": "[{}]"}).status == 422
