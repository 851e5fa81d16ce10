"""QR codes between a table and the desk: their encoding, and the recording of their contents."""

import json
from itertools import chain
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from errors import Refusal
from operations.data_dir import PROJECT
from scoring.bundles import FRAME_LENGTH, Bundle, Kind, build_frames, derive_bundle_key, parse_bundles
from scoring.models import Match
from scoring.phone import build_round_codes
from scoring.presenters.table import table_screen
from scoring.queries import find_match
from scoring.services.agreement import call_desk
from scoring.services.bundles import RecordedBundle, record_bundles
from scoring.services.matches import close_matches, name_first_dealer
from scoring.table_access import TableSession
from tests.builders import (
    TWO_GAMES,
    build_match,
    build_running_night,
    get_refusal_code,
    get_score,
    list_statuses,
    matches_of,
    play,
    reload_match,
)

VECTORS = json.loads((PROJECT / "tests/vectors/bundles.json").read_text())
KEY = "the key of a table"
VALUES = st.dictionaries(st.text(max_size=20), st.text() | st.integers() | st.lists(st.uuids().map(str)))
LONG = {"keys": [str(uuid4()) for _ in range(60)]}


def read(text: str, key: str = KEY) -> Any:
    (bundle,) = parse_bundles(text)
    return bundle.read_content(key)


class TestFrames:
    @pytest.mark.long
    @given(value=VALUES, data=st.data())
    def test_frames_are_read_in_any_order_and_repetition(self, value: Any, data: st.DataObject) -> None:
        frames = build_frames(Kind.HANDS, "123456", value | LONG, KEY)
        assert len(frames) > 1
        seen = data.draw(st.permutations(frames + data.draw(st.lists(st.sampled_from(frames)))))
        assert read("\n".join(seen)) == value | LONG

    @given(data=st.data())
    def test_frame_with_a_changed_character_is_refused(self, data: st.DataObject) -> None:
        text = "".join(build_frames(Kind.HANDS, "123456", LONG, KEY))
        place = data.draw(st.integers(0, len(text) - 1))
        changed = chr(ord(text[place]) ^ (1 << data.draw(st.integers(0, 6))))
        assume(changed.upper() != text[place])
        damaged = text[:place] + changed + text[place + 1 :]
        with pytest.raises(Refusal) as caught:
            list(map(Bundle.read_content, parse_bundles(damaged), [KEY] * 9))
        assert caught.value.code in {"bundle_damaged", "bundle_incomplete"}

    def test_wrapped_and_lowercase_frames_are_read(self) -> None:
        text = "".join(build_frames(Kind.HANDS, "123456", LONG, KEY)).lower()
        assert read("\r\n ".join(text[start : start + 70] for start in range(0, len(text), 70))) == LONG

    def test_missing_frames_are_named(self) -> None:
        frames = build_frames(Kind.HANDS, "123456", LONG, KEY)
        with pytest.raises(Refusal) as caught:
            read("".join(frames[1:-1]))
        assert caught.value.code == "bundle_incomplete"
        assert caught.value.details == {"missing": f"1, {len(frames)}", "count": len(frames)}

    def test_frames_of_several_tables_are_separated(self) -> None:
        both = [build_frames(Kind.HANDS, code, LONG | {"code": code}, KEY) for code in ("111111", "222222")]
        found = list(parse_bundles("".join(chain.from_iterable(zip(*both, strict=True)))))
        assert [bundle.read_content(KEY)["code"] for bundle in found] == ["111111", "222222"]

    @pytest.mark.parametrize("text", ["", "  ", "hello", "CHM1:H:123456:AAAAAAAA:0/1:AA.", "https://example.org"])
    def test_arbitrary_text_is_not_a_frame(self, text: str) -> None:
        assert get_refusal_code(read, text) == "bundle_damaged"

    def test_frame_with_another_key_is_refused(self) -> None:
        (frame,) = build_frames(Kind.HANDS, "123456", {}, KEY)
        assert get_refusal_code(read, frame, "another key") == "bundle_foreign"

    def test_frames_fit_on_a_phone_screen(self) -> None:
        assert max(map(len, build_frames(Kind.HANDS, "123456", LONG, KEY))) <= FRAME_LENGTH + 30

    @pytest.mark.parametrize("case", VECTORS, ids=lambda case: case["name"])
    @pytest.mark.parametrize("form", ["raw", "compressed"])
    def test_frames_of_the_script_are_read(self, case: dict[str, Any], form: str) -> None:
        assert read("".join(case[form]), case["key"]) == case["value"]


def told(match: Match, *entries: dict[str, str], device: str = "phone") -> str:
    """Return the QR code texts of a phone at the match's table; ``to`` is the path of an entry."""
    listed = []
    for entry in entries:
        values = {"entry_key": str(uuid4()), "match": str(match.pk)} | entry
        listed.append({"path": values.pop("to", ""), "values": values})
    code = match.card.code
    return "".join(build_frames(Kind.HANDS, code, {"device": device, "entries": listed}, derive_bundle_key(code)))


def read_at_the_desk(match: Match, text: str) -> RecordedBundle:
    (bundle,) = record_bundles(topic=match.card.topic, text=text)
    return bundle


def get_counts(bundle: RecordedBundle) -> tuple[int, int, list[str]]:
    return bundle.recorded_count, bundle.repeated, [entry.refusal.code for entry in bundle.refused]


@pytest.mark.django_db
class TestTableBundle:
    def test_bundle_is_recorded_once(self) -> None:
        match = build_match()
        text = told(match, {"number": "1", "said": "A-6-7"}, {"number": "2", "said": "B-7-7"})
        assert get_counts(read_at_the_desk(match, text)) == (2, 0, [])
        before = reload_match(match).revision
        assert get_counts(read_at_the_desk(match, text)) == (0, 2, [])
        assert get_score(match) == [6, 7]
        assert list_statuses(match) == [(1, "current"), (2, "current")]
        assert reload_match(match).revision == before
        assert {mark.device for mark in match.marks.all()} == {"phone"}

    def test_bundle_restores_corrections_and_confirmations(self) -> None:
        match = build_match()
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
        assert get_counts(read_at_the_desk(match, text)) == (6, 0, [])
        match = reload_match(match)
        assert match.is_over
        assert match.first_dealer == 2
        assert match.agreements.count() == 2
        assert get_counts(read_at_the_desk(match, text)) == (0, 6, [])

    def test_refused_entry_does_not_block_the_bundle(self) -> None:
        match = build_match()
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
        assert bundle.recorded_count == 1
        assert [codes[0], *codes[2:]] == ["number_skips", "not_a_number", "no_such_match", "no_such_side"]
        assert bundle.refused[0].number == 5
        assert get_score(match) == [6, 0]

    def test_bundle_of_a_closed_round_adds_no_hand(self) -> None:
        match = build_match()
        one, other = {"number": "1", "said": "A-6-7"}, {"number": "2", "said": "B-7-7"}
        one["entry_key"] = str(uuid4())
        read_at_the_desk(match, told(match, one))
        close_matches(match_ids=[match.pk])
        bundle = read_at_the_desk(match, told(match, one, other))
        assert get_counts(bundle) == (0, 1, ["bundle_old"])
        assert bundle.refused[0].refusal.details == {"round": 1}
        assert get_score(match) == [6, 0]

    def test_conflicting_bundle_waits_for_the_table(self) -> None:
        match = build_match()
        play(match, "A 6 7")
        bundle = read_at_the_desk(match, told(match, {"number": "1", "said": "B-6-7"}))
        assert bundle.match is not None
        assert bundle.match.has_rivals

    @pytest.mark.slow
    def test_old_bundle_does_not_undo_later_changes(self) -> None:
        match = build_match(match_format=TWO_GAMES)
        name_first_dealer(match_id=match.pk, seat=1)
        assert get_counts(read_at_the_desk(match, told(match, {"to": "/dealer", "seat": "2", "seen": "0"}))) == (
            0,
            0,
            ["dealer_changed"],
        )
        assert reload_match(match).first_dealer == 1
        winning = str(uuid4())
        text = told(
            match,
            {"number": "1", "said": "A-gros_charlemagne-8", "entry_key": winning},
            {"to": "/agree", "side": "A", "game": "1", "seen": "32-0 A points"},
        )
        read_at_the_desk(match, text)
        correction = {"number": "1", "said": "A-6-7", "supersedes": winning}
        read_at_the_desk(match, told(match, correction))
        assert get_counts(read_at_the_desk(match, text)) == (0, 2, [])
        assert get_score(match) == [6, 0]

    def test_bundle_withdraws_only_its_own_call(self) -> None:
        match, key = build_match(), str(uuid4())
        call = {"to": "/dispute", "entry_key": key}
        assert get_counts(read_at_the_desk(match, told(match, call))) == (1, 0, [])
        withdrawal = {"to": "/withdraw", "call": key}
        assert get_counts(read_at_the_desk(match, told(match, call, withdrawal))) == (1, 1, [])
        call_desk(match_id=match.pk, entry_key=uuid4())
        assert get_counts(read_at_the_desk(match, told(match, call, withdrawal))) == (0, 2, [])
        assert match.disputes.filter(settled_at=None).count() == 1

    def test_bundle_of_another_event_is_refused(self) -> None:
        here, elsewhere = build_match(), build_match()
        text = told(here, {"number": "1", "said": "A-6-7"})
        (bundle,) = record_bundles(topic=elsewhere.card.topic, text=text)
        assert bundle.refusal is not None
        assert bundle.refusal.code == "bundle_of_another_event"
        assert list_statuses(here) == []

    def test_bundle_of_another_installation_is_refused(self) -> None:
        match = build_match()
        code = match.card.code
        foreign = build_frames(Kind.HANDS, code, {"device": "", "entries": []}, "another key")
        unknown = build_frames(Kind.HANDS, "000000", {"entries": []}, derive_bundle_key("000000"))
        desks = build_frames(Kind.ROUND, code, {"entries": []}, derive_bundle_key(code))
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
    def test_malformed_bundle_is_refused(self, value: dict[str, Any]) -> None:
        match = build_match()
        code = match.card.code
        refusal = read_at_the_desk(
            match, "".join(build_frames(Kind.HANDS, code, value, derive_bundle_key(code)))
        ).refusal
        assert refusal is not None
        assert refusal.code == "bundle_damaged"


@pytest.mark.django_db
def test_desk_qr_codes_are_readable_only_at_their_table() -> None:
    event = build_running_night(4)
    match, other = matches_of(event)
    play(match, "A 6 7")
    session = TableSession(match=find_match(match.pk) or match, url="", people=0, device="@desk")
    texts = "".join(build_round_codes(session, table_screen(reload_match(match)), call=None))
    bundle = read(texts, derive_bundle_key(match.card.code))
    assert bundle["match"]["pk"] == match.pk
    assert [side["letter"] for side in bundle["sides"]] == ["A", "B"]
    assert [mark["number"] for mark in bundle["marks"]] == [1]
    assert "bundle_key" not in bundle
    assert get_refusal_code(read, texts, derive_bundle_key(other.card.code)) == "bundle_foreign"
