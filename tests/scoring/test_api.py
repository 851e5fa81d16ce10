"""API of a table: JSON requests and responses, refusals with a code, a field and a sentence."""

import json
import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from operations.data_dir import PROJECT
from rules import BAS_SAINT_LAURENT, MAINE
from scoring.models import Mark
from tests.builders import (
    compute_standings,
    get_score,
    list_statuses,
    mark,
    matches_of,
    play,
    play_round,
    reload_match,
    win,
)
from tests.support.hall import Hall
from tournaments.events.services.lifecycle import end_event
from tournaments.rounds.services.rounds import close_round

pytestmark = pytest.mark.django_db


class Program:
    """An API client that knows a table's code."""

    def __init__(self, hall: Hall, *, language: str = "en") -> None:
        self.hall = hall
        self.client = Client(enforce_csrf_checks=True, headers={"accept-language": language})

    def read(self) -> tuple[int, Any]:
        answer = self.client.get(f"/api/tables/{self.hall.code}")
        return answer.status_code, answer.json()

    def send(self, body: Any, *, raw: bool = False) -> tuple[int, Any]:
        text = body if raw else json.dumps(body)
        answer = self.client.post(f"/api/tables/{self.hall.code}/hands", text, content_type="application/json")
        return answer.status_code, answer.json()

    def hand(self, **changed: Any) -> dict[str, Any]:
        """Build the body that records the next hand, with some values changed."""
        hand_data = {"side": "A", "contract": "6", "tricks": 7}
        body = {"match": self.hall.match.pk, "entry_key": str(uuid4()), "number": 1, "hand": hand_data}
        return body | changed


@pytest.fixture
def hall() -> Hall:
    return Hall()


@pytest.fixture
def program(hall: Hall) -> Program:
    return Program(hall)


class TestTableState:
    def test_api_returns_match_rules_players_and_marks(self, hall: Hall, program: Program) -> None:
        play(hall.match, "A 6 7", "B mulot failed")
        status, body = program.read()
        assert status == 200
        assert (body["match"], body["round"], body["table"]) == (hall.match.pk, 1, 1)
        assert body["ruleset"]["key"] == "canadian"
        assert body["format"]["games_to_win"] == 1
        assert len(body["players"]) == 4
        assert [(one["number"], one["status"], one["hand"]["contract"]) for one in body["marks"]] == [
            (1, "current", "6"),
            (2, "current", "mulot"),
        ]
        assert body["summary"]["running"] == [13, 0]
        assert body["revision"] == 2

    def test_unknown_code_is_refused(self, hall: Hall) -> None:
        answer = Client(headers={"accept-language": "en"}).get("/api/tables/000000")
        assert answer.status_code == 404
        assert answer.json() == {
            "code": "unknown_code",
            "field": "code",
            "detail": "No table has this code. Check the six digits on the card.",
        }

    @pytest.mark.long
    def test_table_of_an_ended_event_is_refused(self, hall: Hall, program: Program) -> None:
        play_round(hall.event)
        end_event(event_id=hall.event.pk)
        status, body = program.read()
        assert (status, body["code"]) == (404, "evening_over")


class TestSendingHands:
    def test_sent_hand_is_recorded_with_the_new_state(self, hall: Hall, program: Program) -> None:
        status, body = program.send(program.hand())
        assert status == 201
        assert body["id"] == Mark.objects.get().pk
        assert body["status"] == "current"
        assert body["summary"]["running"] == [6, 0]

    def test_repeated_hand_gets_the_first_answer(self, hall: Hall, program: Program) -> None:
        body = program.hand()
        answers = [program.send(body) for _ in range(3)]
        assert answers[0] == answers[1] == answers[2]
        assert list_statuses(hall.match) == [(1, "current")]

    def test_reused_key_with_another_hand_is_refused(self, hall: Hall, program: Program) -> None:
        body = program.hand()
        program.send(body)
        status, answer = program.send(body | {"hand": {"side": "B", "contract": "6", "tricks": 7}})
        assert (status, answer["code"], answer["field"]) == (409, "entry_key_reused", "entry_key")

    def test_correction_supersedes_the_earlier_mark(self, hall: Hall, program: Program) -> None:
        first = mark(hall.match, "A 6 7")
        body = program.hand(hand={"side": "A", "contract": "7", "outcome": "made"}, supersedes=first.pk)
        assert program.send(body)[0] == 201
        assert get_score(hall.match) == [7, 0]

    def test_conflicting_hand_becomes_a_rival_mark(self, hall: Hall, program: Program) -> None:
        mark(hall.match, "A 7 7")
        assert program.send(program.hand())[1]["status"] == "rival"
        assert reload_match(hall.match).has_rivals

    def test_numbers_may_be_sent_as_text(self, hall: Hall, program: Program) -> None:
        body = program.hand(match=str(hall.match.pk), number="1", hand={"said": "A-6-7"})
        assert program.send(body)[0] == 201

    @pytest.mark.parametrize(("device", "stored_device"), [("scanner 1", "scanner 1"), (None, ""), ("@desk", "desk")])
    def test_device_name_cannot_claim_to_be_the_desk(
        self, hall: Hall, program: Program, device: str | None, stored_device: str
    ) -> None:
        assert program.send(program.hand(device=device))[0] == 201
        assert hall.match.marks.get().device == stored_device


BAD_HANDS: list[tuple[dict[str, Any], str, str]] = [
    ({"tricks": 9}, "tricks_out_of_range", "tricks"),
    ({"tricks": -1}, "tricks_out_of_range", "tricks"),
    ({"tricks": "huit"}, "not_a_number", "tricks"),
    ({"tricks": 7.5}, "not_a_number", "tricks"),
    ({"tricks": 1e300}, "not_a_number", "tricks"),
    ({"tricks": True}, "not_a_number", "tricks"),
    ({"tricks": [7]}, "not_a_number", "tricks"),
    ({"tricks": {"of": 7}}, "not_a_number", "tricks"),
    ({"contract": 9}, "no_such_bid", "contract"),
    ({"contract": ["6"]}, "no_such_bid", "contract"),
    ({"contract": "\ud800"}, "no_such_bid", "contract"),
    ({"contract": "\x00"}, "no_such_bid", "contract"),
    ({"contract": None}, "contract_required", "contract"),
    ({"side": "north"}, "no_such_side", "side"),
    ({"side": None}, "side_required", "side"),
    ({"tricks": None}, "result_required", "tricks"),
    ({"outcome": "failed"}, "tricks_contradict_outcome", "tricks"),
    ({"contract": "mulot", "tricks": 0, "trump": "H"}, "trump_not_allowed", "trump"),
    ({"mode": "\ud800"}, "no_such_mode", "mode"),
    ({"kind": "\ud800"}, "no_such_kind", "kind"),
    ({"dealer": 7}, "no_such_seat", "dealer"),
    ({"kind": "totals", "points_a": 1, "points_b": 2, "awarded": True}, "totals_winner_required", "winner"),
    ({"awarded": True}, "director_only", "kind"),
    ({"awarded": "perhaps"}, "not_yes_or_no", "awarded"),
    ({"kind": "undone"}, "no_such_mark", "number"),
]

BAD_BODIES: list[tuple[dict[str, Any], str, str]] = [
    ({"hand": None}, "not_an_object", "hand"),
    ({"hand": []}, "not_an_object", "hand"),
    ({"hand": "A 6 7"}, "not_an_object", "hand"),
    ({"match": None}, "not_a_number", "match"),
    ({"match": 10**40}, "not_a_number", "match"),
    ({"match": -1}, "not_a_number", "match"),
    ({"match": {"pk": 1}}, "not_a_number", "match"),
    ({"number": 1.0}, "not_a_number", "number"),
    ({"number": 0}, "number_skips", "number"),
    ({"number": 10**14}, "number_skips", "number"),
    ({"entry_key": None}, "no_such_key", "entry_key"),
    ({"entry_key": 5}, "no_such_key", "entry_key"),
    ({"entry_key": ["a"]}, "no_such_key", "entry_key"),
    ({"entry_key": "x" * 100_000}, "no_such_key", "entry_key"),
    ({"supersedes": 10**14}, "no_such_mark", "supersedes"),
    ({"supersedes": "x"}, "not_a_number", "supersedes"),
]


class TestRefusals:
    @pytest.mark.parametrize(("bad_values", "code", "field"), BAD_HANDS)
    def test_invalid_hand_names_code_field_and_sentence(
        self, hall: Hall, program: Program, bad_values: dict[str, Any], code: str, field: str
    ) -> None:
        hand = {"side": "A", "contract": "6", "tricks": 7} | bad_values
        status, body = program.send(program.hand(hand=hand))
        assert 400 <= status < 500
        assert (body["code"], body["field"]) == (code, field)
        assert body["detail"].endswith((".", "?"))
        assert set(body) == {"code", "field", "detail"}
        assert not Mark.objects.exists()

    @pytest.mark.parametrize(("changed", "code", "field"), BAD_BODIES)
    def test_invalid_body_names_code_and_field(
        self, hall: Hall, program: Program, changed: dict[str, Any], code: str, field: str
    ) -> None:
        status, body = program.send(program.hand(**changed))
        assert 400 <= status < 500
        assert (body["code"], body["field"]) == (code, field)
        assert len(body["detail"]) < 1_000
        assert not Mark.objects.exists()

    @pytest.mark.parametrize("body", [[], None, 5, "text", True, [[[]]], {}])
    def test_json_of_another_shape_is_refused(self, program: Program, body: Any) -> None:
        status, answer = program.send(body)
        assert (status, answer["code"]) == (400, "not_an_object")

    @pytest.mark.parametrize(
        "text", ["{", "huit", "{'a': 1}", "[" * 100_000, "[NaN]", '{"number": ' + "9" * 5_000 + "}", "\udcff"]
    )
    def test_invalid_json_is_refused(self, program: Program, text: str) -> None:
        status, body = program.send(text.encode("utf-8", "surrogateescape"), raw=True)
        assert (status, body["code"], body["field"]) == (400, "not_json", None)
        assert body["detail"] == "This is not JSON."

    def test_field_given_twice_is_refused(self, program: Program) -> None:
        status, body = program.send('{"hand": {"tricks": 5, "tricks": 6}}', raw=True)
        assert (status, body["code"], body["field"]) == (400, "field_twice", "tricks")

    @pytest.mark.slow
    def test_oversized_body_is_refused(self, program: Program) -> None:
        text = json.dumps(program.hand(device="x" * 20_000_000))
        status, body = program.send(text, raw=True)
        assert status == 413
        assert set(body) == {"code", "field", "detail"}
        assert not Mark.objects.exists()

    @pytest.mark.long
    def test_bid_unknown_to_the_rules_is_refused(self) -> None:
        program = Program(Hall(ruleset=MAINE))
        status, body = program.send(program.hand(hand={"side": "A", "contract": "8", "tricks": 8}))
        assert (status, body["code"]) == (422, "no_such_bid")

    def test_finished_match_accepts_no_hand(self, hall: Hall, program: Program) -> None:
        win(hall.match)
        status, body = program.send(program.hand(number=3))
        assert (status, body["code"]) == (409, "match_over")

    @pytest.mark.long
    def test_closed_round_accepts_no_correction(self, hall: Hall, program: Program) -> None:
        first, _ = win(hall.match)
        win(matches_of(hall.event)[1])
        close_round(event_id=hall.event.pk, number=1)
        status, body = program.send(program.hand(supersedes=first.pk))
        assert (status, body["code"]) == (409, "match_closed")

    def test_refusal_uses_the_requested_language(self, hall: Hall) -> None:
        bad = {"hand": {"side": "A", "contract": "6", "tricks": 9}}
        english, french = (Program(hall, language=one) for one in ("en", "fr"))
        messages = [one.send(one.hand(**bad))[1]["detail"] for one in (english, french)]
        assert messages[0] != messages[1]

    @pytest.mark.long
    def test_match_at_another_table_is_refused(self, program: Program) -> None:
        status, body = program.send(program.hand(match=Hall(ruleset=BAS_SAINT_LAURENT).match.pk))
        assert (status, body["code"]) == (404, "no_such_match")

    @pytest.mark.parametrize("method", ["put", "patch", "delete"])
    def test_unsupported_method_is_refused_in_json(self, hall: Hall, program: Program, method: str) -> None:
        answer = getattr(program.client, method)(f"/api/tables/{hall.code}/hands")
        assert answer.status_code == 405
        assert answer.json()["detail"]

    def test_form_body_is_refused_in_json(self, hall: Hall, program: Program) -> None:
        answer = program.client.post(f"/api/tables/{hall.code}/hands", {"match": "1"})
        assert answer.status_code == 415
        assert answer.json()["detail"]


class TestApiGuide:
    """Examples in ``docs/api/guide.md``, compared with real responses."""

    PAGE = (PROJECT / "docs/api/guide.md").read_text(encoding="utf-8")
    EXAMPLE = r"^    (GET|POST) (\S+)\n(?:    (\{.*?\})\n)?    (\d+) (\{.*?\})\n\n"
    EXAMPLES = re.findall(EXAMPLE, PAGE, re.MULTILINE | re.DOTALL)

    def test_guide_has_examples_of_every_kind(self) -> None:
        assert len(self.EXAMPLES) == self.PAGE.count("\n    GET") + self.PAGE.count("\n    POST") == 7

    @pytest.mark.parametrize("example", EXAMPLES, ids=[f"{method} {path}" for method, path, *_ in EXAMPLES])
    def test_guide_examples_match_real_answers(self, hall: Hall, example: tuple[str, ...]) -> None:
        mark(hall.match, "A 6 7")
        compute_standings(hall.event)
        names = {"EVENT": hall.event.short, "CLUB": hall.event.club.slug, "CODE": hall.code}
        names |= {"MATCH": str(hall.match.pk), '"number": 1': '"number": 2'}
        method, path, sent, status, shown = example
        for name, value in names.items():
            path, sent = path.replace(name, value), sent.replace(name, value)
        client = Client(headers={"accept-language": "en"})
        answer = client.get(path) if method == "GET" else client.post(path, sent, content_type="application/json")
        assert answer.status_code == int(status)
        self.assert_alike(json.loads(shown), answer.json())

    def assert_alike(self, example: dict[str, Any], response: dict[str, Any]) -> None:
        """Check that the example has every name of the response; its rows may show only some of theirs."""
        assert list(response) == list(example)
        for row in example.get("rows", ()):
            assert row.keys() <= response["rows"][0].keys()
        if "detail" in example:
            assert response == example
