"""Headers of every answer, and the key that an answer to a hand names."""

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


class TestTheMark:
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
    def test_is_on_pages_refusals_redirects_files_and_what_programs_are_told(
        self, path: str, status: int
    ) -> None:
        hall = Hall()
        names = {"code": hall.code, "slug": hall.event.club.slug, "short": hall.event.short}
        answer = Client().get(path.format(**names))
        assert answer.status_code == status
        assert answer.headers["Charlemagne"] == installation_id()

    def test_is_on_what_has_not_changed(self) -> None:
        client, path = Client(), Hall().table
        tag = client.get(path).headers["ETag"]
        answer = client.get(path, headers={"if-none-match": tag})
        assert answer.status_code == 304
        assert answer.headers["Charlemagne"] == installation_id()

    def test_is_on_what_the_framework_refuses(self) -> None:
        answer = Client(enforce_csrf_checks=True).post(Hall().table)
        assert answer.status_code == 403
        assert answer.headers["Charlemagne"] == installation_id()

    def test_is_on_what_failed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("scoring.queries.card_with_code", lambda code: 1 / 0)
        answer = Client(raise_request_exception=False).get("/t/123456")
        assert answer.status_code == 500
        assert answer.headers["Charlemagne"] == installation_id()

    def test_is_what_the_page_says_of_itself(self) -> None:
        page = Hall().desk.open("/")
        assert page.one("html").attrs["data-installation"] == page.response.headers["Charlemagne"]

    def test_is_another_ones_with_another_key_and_tells_nothing_of_it(self, settings: Settings) -> None:
        before = installation_id()
        settings.SECRET_KEY = "another"
        assert installation_id() != before
        assert len(before) == 16


class Table:
    """Scorekeeper at table 1, with a key for the hand."""

    def __init__(self, hall: Hall, path: str = "", client: Client | None = None) -> None:
        self.hall, self.path, self.client = hall, path or hall.table, client or Client()
        self.key = uuid4()

    def sends(self, said: str = "A-6-7", *, headers: dict[str, str] | None = None, **more: Any) -> Any:
        body = {"match": self.hall.match.pk, "entry_key": str(self.key), "number": 1, "said": said} | more
        return self.client.post(self.path, body, headers=headers)


def told(answer: Any, key: UUID) -> str | None:
    """Return what became of the hand with this key; None: nothing was said of it."""
    found: str | None = answer.headers.get("Charlemagne-Entry")
    said_of, _, outcome = (found or "").partition(" ")
    return outcome if said_of == str(key) else None


class TestTheReceiptOfAHand:
    @pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
    def test_says_that_it_is_recorded_each_time_that_it_arrives(self, headers: dict[str, str]) -> None:
        table = Table(Hall())
        for _ in range(2):
            assert told(table.sends(headers=headers), table.key) == "recorded"
        assert Mark.objects.count() == 1

    def test_says_that_it_is_asked_about_before_it_is_recorded(self) -> None:
        table = Table(Hall())
        assert told(table.sends("A-gros_charlemagne-8"), table.key) == "asked"
        assert not Mark.objects.exists()
        assert told(table.sends("A-gros_charlemagne-8", confirmed="1"), table.key) == "recorded"

    @pytest.mark.parametrize("language", ["en", "fr"])
    def test_says_that_it_is_refused_and_why(self, language: str) -> None:
        table = Table(Hall())
        answer = table.sends(number=7, headers={"accept-language": language})
        assert told(answer, table.key) == "refused"
        sentence = unquote(answer.headers["Charlemagne-Reason"])
        assert sentence in answer.content.decode().replace("&#x27;", "'")

    def test_says_refused_of_a_key_that_another_hand_has(self) -> None:
        table = Table(Hall())
        table.sends()
        assert told(table.sends("A-7-7"), table.key) == "refused"

    @pytest.mark.slow
    def test_says_refused_at_a_table_that_is_no_more_unless_it_came_before(self) -> None:
        hall = Hall()
        early, late = Table(hall), Table(hall)
        early.sends()
        play_round(hall.event)
        end_event(event_id=hall.event.pk)
        assert told(early.sends(), early.key) == "recorded"
        assert told(late.sends(), late.key) == "refused"

    def test_says_refused_with_a_code_that_no_table_has(self) -> None:
        table = Table(Hall(), path="/t/000000")
        assert told(table.sends(), table.key) == "refused"

    @pytest.mark.slow
    def test_says_nothing_while_codes_are_being_guessed(self) -> None:
        table = Table(Hall(), path="/t/000000")
        answers = [table.sends() for _ in range(40)]
        assert answers[-1].status_code == 429
        assert told(answers[-1], table.key) is None

    def test_says_nothing_where_the_token_of_the_form_is_too_old(self) -> None:
        table = Table(Hall(), client=Client(enforce_csrf_checks=True))
        answer = table.sends()
        assert answer.status_code == 403
        assert told(answer, table.key) is None

    @pytest.mark.slow
    def test_says_nothing_at_the_desk_to_whoever_is_not_signed_in_or_not_of_the_club(self) -> None:
        hall = Hall()
        stranger = Client()
        stranger.force_login(Hall().owner)
        for client in (Client(), stranger):
            table = Table(hall, hall.ruled, client)
            answer = table.sends()
            assert answer.status_code in (302, 404)
            assert told(answer, table.key) is None

    def test_is_given_for_a_sheet_which_leads_on(self) -> None:
        hall = Hall()
        client = Client()
        client.force_login(hall.owner)
        table = Table(hall, f"{hall.ruled}/sheet", client)
        typed: dict[str, Any] = {"kind": "totals", "reason": "score sheet", "points_b": "7", "said": ""}
        assert told(table.sends(points_a="12", **typed), table.key) == "refused"
        answer = table.sends(points_a="32", **typed, headers={"HX-Request": "true"})
        assert told(answer, table.key) == "recorded"
        assert answer.headers["HX-Redirect"] == hall.match.card.desk_page
        assert told(table.sends(points_a="32", **typed), table.key) == "recorded"

    def test_is_given_to_programs(self) -> None:
        hall, key = Hall(), uuid4()
        hand = {"side": "A", "contract": "6", "tricks": 7}
        body = {"match": hall.match.pk, "entry_key": str(key), "number": 1, "hand": hand}
        path = f"/api/tables/{hall.code}/hands"
        for number, outcome in ((9, "refused"), (1, "recorded"), (1, "recorded")):
            text = json.dumps(body | {"number": number})
            answer = Client().post(path, text, content_type="application/json")
            assert told(answer, key) == outcome

    @pytest.mark.parametrize("body", ["{", "[]", '{"entry_key": 7}', "[" * 100_000])
    def test_is_not_given_for_what_has_no_key(self, body: str) -> None:
        answer = Client().post(f"/api/tables/{Hall().code}/hands", body, content_type="application/json")
        assert 400 <= answer.status_code < 500
        assert "Charlemagne-Entry" not in answer.headers

    def test_is_given_to_nobody_who_looks(self) -> None:
        hall = Hall()
        play(hall.match, "A 6 7")
        win(hall.match)
        assert "Charlemagne-Entry" not in Client().get(hall.table).headers


class TestTheAddressOfTheNextPage:
    def test_is_told_to_a_script_which_goes_there_itself(self) -> None:
        hall = Hall()
        client = Client()
        client.force_login(hall.owner)
        draw = f"/e/{hall.event.short}/desk/rounds/1/begin"
        answer = client.post(draw, headers={"Charlemagne-Form": "1"})
        assert (answer.status_code, answer.content) == (204, b"")
        assert answer.headers["Charlemagne-Address"] == f"/e/{hall.event.short}/desk"
        assert "Location" not in answer.headers
        assert client.post(draw).headers["Location"] == f"/e/{hall.event.short}/desk"
