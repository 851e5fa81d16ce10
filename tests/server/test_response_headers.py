"""Headers of every response: the installation, the receipt of a hand, the redirect for scripts."""

import json
from typing import Any
from urllib.parse import unquote
from uuid import UUID, uuid4

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from scoring.models import Mark
from server.answers import installation_id
from tests.builders import play, play_round, win
from tests.support.hall import Hall
from tournaments.events.services.lifecycle import end_event

pytestmark = pytest.mark.django_db


class TestInstallationHeader:
    @pytest.mark.parametrize(
        ("path", "status"),
        [
            ("/", 200),
            ("/t/{code}", 200),
            ("/t/000000", 404),
            ("/nowhere", 404),
            ("/club/{slug}", 302),
            ("/api/tables/{code}", 200),
            ("/api/tables/000000", 404),
            ("/robots.txt", 200),
            ("/static/js/theme.js", 200),
            ("/e/{short}.json", 200),
        ],
    )
    def test_every_response_kind_has_the_installation_header(self, path: str, status: int) -> None:
        hall = Hall()
        names = {"code": hall.code, "slug": hall.event.club.slug, "short": hall.event.short}
        answer = Client().get(path.format(**names))
        assert answer.status_code == status
        assert answer.headers["Charlemagne"] == installation_id()

    def test_not_modified_response_has_the_installation_header(self) -> None:
        client, path = Client(), Hall().table
        tag = client.get(path).headers["ETag"]
        answer = client.get(path, headers={"if-none-match": tag})
        assert answer.status_code == 304
        assert answer.headers["Charlemagne"] == installation_id()

    def test_csrf_refusal_has_the_installation_header(self) -> None:
        answer = Client(enforce_csrf_checks=True).post(Hall().table)
        assert answer.status_code == 403
        assert answer.headers["Charlemagne"] == installation_id()

    def test_server_error_has_the_installation_header(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("scoring.queries.card_with_code", lambda code: 1 / 0)
        answer = Client(raise_request_exception=False).get("/t/123456")
        assert answer.status_code == 500
        assert answer.headers["Charlemagne"] == installation_id()

    def test_page_and_header_name_the_same_installation(self) -> None:
        page = Hall().desk.open("/")
        assert page.find_one("html").attrs["data-installation"] == page.response.headers["Charlemagne"]

    def test_installation_id_depends_on_the_secret_key(self, settings: Settings) -> None:
        before = installation_id()
        settings.SECRET_KEY = "another"
        assert installation_id() != before
        assert len(before) == 16


class Table:
    """The scorekeeper at table 1, with an idempotency key for the hand."""

    def __init__(self, hall: Hall, path: str = "", client: Client | None = None) -> None:
        self.hall, self.path, self.client = hall, path or hall.table, client or Client()
        self.key = uuid4()

    def send_hand(self, notation: str = "A-6-7", *, headers: dict[str, str] | None = None, **more: Any) -> Any:
        body = {"match": self.hall.match.pk, "entry_key": str(self.key), "number": 1, "said": notation} | more
        return self.client.post(self.path, body, headers=headers)


def get_receipt(answer: Any, key: UUID) -> str | None:
    """Return the outcome in the receipt for this key; None if there is no receipt."""
    found: str | None = answer.headers.get("Charlemagne-Entry")
    said_of, _, outcome = (found or "").partition(" ")
    return outcome if said_of == str(key) else None


class TestHandReceipt:
    @pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
    def test_receipt_says_recorded_for_every_repeat(self, headers: dict[str, str]) -> None:
        table = Table(Hall())
        for _ in range(2):
            assert get_receipt(table.send_hand(headers=headers), table.key) == "recorded"
        assert Mark.objects.count() == 1

    def test_receipt_says_asked_before_a_confirmation(self) -> None:
        table = Table(Hall())
        assert get_receipt(table.send_hand("A-gros_charlemagne-8"), table.key) == "asked"
        assert not Mark.objects.exists()
        assert get_receipt(table.send_hand("A-gros_charlemagne-8", confirmed="1"), table.key) == "recorded"

    @pytest.mark.parametrize("language", ["en", "fr"])
    def test_receipt_of_a_refused_hand_gives_the_reason(self, language: str) -> None:
        table = Table(Hall())
        answer = table.send_hand(number=7, headers={"accept-language": language})
        assert get_receipt(answer, table.key) == "refused"
        sentence = unquote(answer.headers["Charlemagne-Reason"])
        assert sentence in answer.content.decode().replace("&#x27;", "'")

    def test_reused_key_with_another_hand_is_refused(self) -> None:
        table = Table(Hall())
        table.send_hand()
        assert get_receipt(table.send_hand("A-7-7"), table.key) == "refused"

    @pytest.mark.long
    def test_ended_table_refuses_new_hands_but_confirms_known_ones(self) -> None:
        hall = Hall()
        early, late = Table(hall), Table(hall)
        early.send_hand()
        play_round(hall.event)
        end_event(event_id=hall.event.pk)
        assert get_receipt(early.send_hand(), early.key) == "recorded"
        assert get_receipt(late.send_hand(), late.key) == "refused"

    def test_unknown_table_code_gets_a_refused_receipt(self) -> None:
        table = Table(Hall(), path="/t/000000")
        assert get_receipt(table.send_hand(), table.key) == "refused"

    @pytest.mark.long
    def test_rate_limited_guess_gets_no_receipt(self) -> None:
        table = Table(Hall(), path="/t/000000")
        answers = [table.send_hand() for _ in range(40)]
        assert answers[-1].status_code == 429
        assert get_receipt(answers[-1], table.key) is None

    def test_expired_form_token_gets_no_receipt(self) -> None:
        table = Table(Hall(), client=Client(enforce_csrf_checks=True))
        answer = table.send_hand()
        assert answer.status_code == 403
        assert get_receipt(answer, table.key) is None

    @pytest.mark.slow
    def test_stranger_at_the_desk_gets_no_receipt(self) -> None:
        hall = Hall()
        stranger = Client()
        stranger.force_login(Hall().owner)
        for client in (Client(), stranger):
            table = Table(hall, hall.desk_match, client)
            answer = table.send_hand()
            assert answer.status_code in (302, 404)
            assert get_receipt(answer, table.key) is None

    def test_score_sheet_gets_a_receipt_and_a_redirect(self) -> None:
        hall = Hall()
        client = Client()
        client.force_login(hall.owner)
        table = Table(hall, f"{hall.desk_match}/sheet", client)
        typed: dict[str, Any] = {"kind": "totals", "reason": "score sheet", "points_b": "7", "said": ""}
        assert get_receipt(table.send_hand(points_a="12", **typed), table.key) == "refused"
        answer = table.send_hand(points_a="32", **typed, headers={"HX-Request": "true"})
        assert get_receipt(answer, table.key) == "recorded"
        assert answer.headers["HX-Redirect"] == hall.match.card.desk_page
        assert get_receipt(table.send_hand(points_a="32", **typed), table.key) == "recorded"

    def test_api_request_gets_a_receipt(self) -> None:
        hall, key = Hall(), uuid4()
        hand = {"side": "A", "contract": "6", "tricks": 7}
        body = {"match": hall.match.pk, "entry_key": str(key), "number": 1, "hand": hand}
        path = f"/api/tables/{hall.code}/hands"
        for number, outcome in ((9, "refused"), (1, "recorded"), (1, "recorded")):
            text = json.dumps(body | {"number": number})
            answer = Client().post(path, text, content_type="application/json")
            assert get_receipt(answer, key) == outcome

    @pytest.mark.parametrize("body", ["{", "[]", '{"entry_key": 7}', "[" * 100_000])
    def test_request_without_a_key_gets_no_receipt(self, body: str) -> None:
        answer = Client().post(f"/api/tables/{Hall().code}/hands", body, content_type="application/json")
        assert 400 <= answer.status_code < 500
        assert "Charlemagne-Entry" not in answer.headers

    def test_page_view_gets_no_receipt(self) -> None:
        hall = Hall()
        play(hall.match, "A 6 7")
        win(hall.match)
        assert "Charlemagne-Entry" not in Client().get(hall.table).headers


class TestScriptRedirect:
    def test_script_receives_the_next_address_in_a_header(self) -> None:
        hall = Hall()
        client = Client()
        client.force_login(hall.owner)
        draw = f"/e/{hall.event.short}/desk/rounds/1/begin"
        answer = client.post(draw, headers={"Charlemagne-Form": "1"})
        assert (answer.status_code, answer.content) == (204, b"")
        assert answer.headers["Charlemagne-Address"] == f"/e/{hall.event.short}/desk"
        assert "Location" not in answer.headers
        assert client.post(draw).headers["Location"] == f"/e/{hall.event.short}/desk"
