"""Codes between a table and the desk: their texts, and what becomes of their contents."""

import json
from itertools import chain
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from errors import Refusal
from operations.data_dir import PROJECT
from scoring.bundles import FRAME_LENGTH, Bundle, Kind, bundle_key, bundles_in, frames_of
from scoring.models import Match
from scoring.phone import codes_of_round
from scoring.presenters import table_screen
from scoring.queries import match_with_hands
from scoring.services import ReadBundle, close_matches, dispute, name_first_dealer, read_bundles
from scoring.table_access import TableSession
from tests.builders import (
    TWO_GAMES,
    a_match,
    a_running_night,
    code_of,
    fresh,
    matches_of,
    play,
    score,
    statuses,
)

VECTORS = json.loads((PROJECT / "tests/vectors/bundles.json").read_text())
KEY = "the key of a table"
VALUES = st.dictionaries(st.text(max_size=20), st.text() | st.integers() | st.lists(st.uuids().map(str)))
LONG = {"keys": [str(uuid4()) for _ in range(60)]}


def read(text: str, key: str = KEY) -> Any:
    (bundle,) = bundles_in(text)
    return bundle.value(key)


class TestFrames:
    @pytest.mark.slow
    @given(value=VALUES, data=st.data())
    def test_are_read_in_any_order_and_as_often_as_one_likes(self, value: Any, data: st.DataObject) -> None:
        frames = frames_of(Kind.HANDS, "123456", value | LONG, KEY)
        assert len(frames) > 1
        seen = data.draw(st.permutations(frames + data.draw(st.lists(st.sampled_from(frames)))))
        assert read("\n".join(seen)) == value | LONG

    @given(data=st.data())
    def test_with_one_sign_changed_are_refused(self, data: st.DataObject) -> None:
        text = "".join(frames_of(Kind.HANDS, "123456", LONG, KEY))
        place = data.draw(st.integers(0, len(text) - 1))
        changed = chr(ord(text[place]) ^ (1 << data.draw(st.integers(0, 6))))
        assume(changed.upper() != text[place])
        damaged = text[:place] + changed + text[place + 1 :]
        with pytest.raises(Refusal) as caught:
            list(map(Bundle.value, bundles_in(damaged), [KEY] * 9))
        assert caught.value.code in {"bundle_damaged", "bundle_incomplete"}

    def test_wrapped_by_a_mail_program_and_in_small_letters_are_read(self) -> None:
        text = "".join(frames_of(Kind.HANDS, "123456", LONG, KEY)).lower()
        assert read("\r\n ".join(text[start : start + 70] for start in range(0, len(text), 70))) == LONG

    def test_that_are_missing_are_named(self) -> None:
        frames = frames_of(Kind.HANDS, "123456", LONG, KEY)
        with pytest.raises(Refusal) as caught:
            read("".join(frames[1:-1]))
        assert caught.value.code == "bundle_incomplete"
        assert caught.value.details == {"missing": f"1, {len(frames)}", "count": len(frames)}

    def test_of_several_tables_are_kept_apart(self) -> None:
        both = [frames_of(Kind.HANDS, code, LONG | {"code": code}, KEY) for code in ("111111", "222222")]
        found = list(bundles_in("".join(chain.from_iterable(zip(*both, strict=True)))))
        assert [bundle.value(KEY)["code"] for bundle in found] == ["111111", "222222"]

    @pytest.mark.parametrize(
        "text", ["", "  ", "hello", "CHM1:H:123456:AAAAAAAA:0/1:AA.", "https://example.org"]
    )
    def test_are_not_any_text(self, text: str) -> None:
        assert code_of(read, text) == "bundle_damaged"

    def test_under_another_key_are_foreign(self) -> None:
        (frame,) = frames_of(Kind.HANDS, "123456", {}, KEY)
        assert code_of(read, frame, "another key") == "bundle_foreign"

    def test_are_no_larger_than_a_phone_shows_well(self) -> None:
        assert max(map(len, frames_of(Kind.HANDS, "123456", LONG, KEY))) <= FRAME_LENGTH + 30

    @pytest.mark.parametrize("case", VECTORS, ids=lambda case: case["name"])
    @pytest.mark.parametrize("form", ["raw", "compressed"])
    def test_are_those_of_the_script(self, case: dict[str, Any], form: str) -> None:
        assert read("".join(case[form]), case["key"]) == case["value"]


def told(match: Match, *entries: dict[str, str], device: str = "phone") -> str:
    """The codes of a phone at the match's table; an entry names where it goes under ``to``."""
    listed = []
    for entry in entries:
        values = {"entry_key": str(uuid4()), "match": str(match.pk)} | entry
        listed.append({"path": values.pop("to", ""), "values": values})
    code = match.card.code
    return "".join(frames_of(Kind.HANDS, code, {"device": device, "entries": listed}, bundle_key(code)))


def read_at_the_desk(match: Match, text: str) -> ReadBundle:
    (bundle,) = read_bundles(topic=match.card.topic, text=text)
    return bundle


def counts(bundle: ReadBundle) -> tuple[int, int, list[str]]:
    return bundle.taken, bundle.repeated, [entry.refusal.code for entry in bundle.refused]


@pytest.mark.django_db
class TestWhatATableMarked:
    def test_is_taken_once_however_often_it_is_read(self) -> None:
        match = a_match()
        text = told(match, {"number": "1", "said": "A-6-7"}, {"number": "2", "said": "B-7-7"})
        assert counts(read_at_the_desk(match, text)) == (2, 0, [])
        before = fresh(match).revision
        assert counts(read_at_the_desk(match, text)) == (0, 2, [])
        assert score(match) == [6, 7]
        assert statuses(match) == [(1, "current"), (2, "current")]
        assert fresh(match).revision == before
        assert {mark.device for mark in match.marks.all()} == {"phone"}

    def test_with_corrections_and_agreements_is_as_the_table_saw_it(self) -> None:
        match = a_match()
        first, winning = str(uuid4()), {"number": "2", "said": "A-gros_charlemagne-8"}
        text = told(
            match,
            {"to": "/dealer", "seat": "2", "seen": "0"},
            {"number": "1", "said": "A-6-7", "entry_key": first},
            {"number": "1", "said": "A-8-8", "supersedes": first},
            winning,
            {"to": "/agree", "side": "A", "game": "1", "seen": "40-0 A points"},
            {"to": "/agree", "side": "B", "game": "1", "seen": "40-0 A points"},
        )
        assert counts(read_at_the_desk(match, text)) == (6, 0, [])
        match = fresh(match)
        assert match.is_over
        assert match.first_dealer == 2
        assert match.agreements.count() == 2
        assert counts(read_at_the_desk(match, text)) == (0, 6, [])

    def test_that_is_refused_holds_nothing_up(self) -> None:
        match = a_match()
        text = told(
            match,
            {"number": "5", "said": "A-6-7"},
            {"number": "1", "said": "nonsense"},
            {"number": "1", "match": "no"},
            {"number": "1", "match": "99999"},
            {"to": "/agree", "side": "C", "game": "1"},
            {"number": "1", "said": "A-6-7"},
        )
        bundle = read_at_the_desk(match, text)
        codes = [entry.refusal.code for entry in bundle.refused]
        assert bundle.taken == 1
        assert [codes[0], *codes[2:]] == ["number_skips", "not_a_number", "no_such_match", "no_such_side"]
        assert bundle.refused[0].number == 5
        assert score(match) == [6, 0]

    def test_after_its_round_was_closed_is_refused_unless_it_was_there(self) -> None:
        match = a_match()
        one, other = {"number": "1", "said": "A-6-7"}, {"number": "2", "said": "B-7-7"}
        one["entry_key"] = str(uuid4())
        read_at_the_desk(match, told(match, one))
        close_matches(match_ids=[match.pk])
        bundle = read_at_the_desk(match, told(match, one, other))
        assert counts(bundle) == (0, 1, ["bundle_old"])
        assert bundle.refused[0].refusal.details == {"round": 1}
        assert score(match) == [6, 0]

    def test_that_differs_from_what_another_phone_sent_waits_for_the_table(self) -> None:
        match = a_match()
        play(match, "A 6 7")
        bundle = read_at_the_desk(match, told(match, {"number": "1", "said": "B-6-7"}))
        assert bundle.match is not None
        assert bundle.match.has_rivals

    def test_does_not_take_back_what_was_said_since(self) -> None:
        match = a_match(match_format=TWO_GAMES)
        name_first_dealer(match_id=match.pk, seat=1)
        assert counts(read_at_the_desk(match, told(match, {"to": "/dealer", "seat": "2", "seen": "0"}))) == (
            0,
            0,
            ["dealer_changed"],
        )
        assert fresh(match).first_dealer == 1
        winning = str(uuid4())
        text = told(
            match,
            {"number": "1", "said": "A-gros_charlemagne-8", "entry_key": winning},
            {"to": "/agree", "side": "A", "game": "1", "seen": "32-0 A points"},
        )
        read_at_the_desk(match, text)
        correction = {"number": "1", "said": "A-6-7", "supersedes": winning}
        read_at_the_desk(match, told(match, correction))
        assert counts(read_at_the_desk(match, text)) == (0, 2, [])
        assert score(match) == [6, 0]

    def test_calls_the_desk_and_takes_back_that_call_only(self) -> None:
        match, key = a_match(), str(uuid4())
        call = {"to": "/dispute", "entry_key": key}
        assert counts(read_at_the_desk(match, told(match, call))) == (1, 0, [])
        withdrawal = {"to": "/withdraw", "call": key}
        assert counts(read_at_the_desk(match, told(match, call, withdrawal))) == (1, 1, [])
        dispute(match_id=match.pk, entry_key=uuid4())
        assert counts(read_at_the_desk(match, told(match, call, withdrawal))) == (0, 2, [])
        assert match.disputes.filter(settled_at=None).count() == 1

    def test_at_another_event_is_refused(self) -> None:
        here, elsewhere = a_match(), a_match()
        text = told(here, {"number": "1", "said": "A-6-7"})
        (bundle,) = read_bundles(topic=elsewhere.card.topic, text=text)
        assert bundle.refusal is not None
        assert bundle.refusal.code == "bundle_of_another_event"
        assert statuses(here) == []

    def test_at_another_installation_is_refused(self) -> None:
        match = a_match()
        code = match.card.code
        foreign = frames_of(Kind.HANDS, code, {"device": "", "entries": []}, "another key")
        unknown = frames_of(Kind.HANDS, "000000", {"entries": []}, bundle_key("000000"))
        desks = frames_of(Kind.ROUND, code, {"entries": []}, bundle_key(code))
        for text in map("".join, (foreign, unknown, desks)):
            refusal = read_at_the_desk(match, text).refusal
            assert refusal is not None
            assert refusal.code == "bundle_foreign"

    @pytest.mark.parametrize(
        "value",
        [
            {},
            {"entries": {}},
            {"entries": [1]},
            {"entries": [{"path": "/settle", "values": {}}]},
            {"entries": [{"path": []}]},
        ],
    )
    def test_in_no_form_of_ours_is_refused(self, value: dict[str, Any]) -> None:
        match = a_match()
        code = match.card.code
        refusal = read_at_the_desk(
            match, "".join(frames_of(Kind.HANDS, code, value, bundle_key(code)))
        ).refusal
        assert refusal is not None
        assert refusal.code == "bundle_damaged"


@pytest.mark.django_db
def test_the_desk_gives_a_table_its_match_as_squares_that_only_its_phones_take() -> None:
    event = a_running_night(4)
    match, other = matches_of(event)
    play(match, "A 6 7")
    session = TableSession(match=match_with_hands(match.pk) or match, url="", people=0, device="@desk")
    texts = "".join(codes_of_round(session, table_screen(fresh(match)), call=None))
    said = read(texts, bundle_key(match.card.code))
    assert said["match"]["pk"] == match.pk
    assert [side["letter"] for side in said["sides"]] == ["A", "B"]
    assert [mark["number"] for mark in said["marks"]] == [1]
    assert "bundle_key" not in said
    assert code_of(read, texts, bundle_key(other.card.code)) == "bundle_foreign"
