"""Writes through the API: idempotency keys, partial updates, and refusals with codes and fields."""

from datetime import time, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import caches
from django.db.models import F
from rest_framework.fields import empty

from api.operations import OPERATIONS
from api.tasks import sweep_idempotency_keys
from clubs.models import IdempotencyKey, RateLimitCounter, RecurringNight, UsualNight
from engine.signed_logs import get_fingerprint
from federations.services.publishing import write_feed
from jobs.models import Job
from rules import MAINE, MatchCriterion, MatchFormat, Side
from scoring.models import Mark
from tests.api.program import ROOT, Program, create_secret
from tests.builders import play_round, win
from tests.support.hall import Hall
from tournaments.events.services.background_steps import DEFERRED_SERVICES, run_deferred_step
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Event
from tournaments.rounds.services.rounds import close_round, draw_round

pytestmark = pytest.mark.django_db

HAND = {"side": "A", "contract": "6", "tricks": 7}


@pytest.fixture
def hall() -> Hall:
    return Hall()


@pytest.fixture
def program(hall: Hall) -> Program:
    return Program(create_secret(hall.event.club, hall.owner))


class TestIdempotency:
    def test_event_is_created_once_per_key(self, hall: Hall, program: Program) -> None:
        body = {"name": "Jeudi", "held_on": "2026-11-19", "ruleset": "maine", "tables": 4}
        key = str(uuid4())
        path = f"clubs/{hall.event.club.slug}/events"
        first, again = (program.call("post", path, body, key=key) for _ in range(2))
        assert first == again
        assert Event.objects.filter(name="Jeudi").count() == 1

    def test_entry_is_added_once_per_key(self, hall: Hall, program: Program) -> None:
        key, path = str(uuid4()), f"events/{hall.event.short}/entries"
        body = {"players": ["Rita Roy", "Luc Roy"]}
        first, again = (program.call("post", path, body, key=key) for _ in range(2))
        assert first["number"] == again["number"]

    def test_key_of_another_request_is_refused(self, hall: Hall, program: Program) -> None:
        headers, people = {"idempotency-key": str(uuid4())}, f"clubs/{hall.event.club.slug}/people"
        first = program.send_request("post", people, {"name": "Zoé Un"}, **headers).json()
        for method, path, body in (
            ("post", people, {"name": "Zoé Deux"}),
            ("put", f"{people}/{first['id']}", {"name": "Zoé Deux"}),
            ("post", f"events/{hall.event.short}/end", None),
        ):
            answer = program.send_request(method, path, body, **headers)
            assert (answer.status_code, answer.json()["code"]) == (409, "key_reused")
        assert program.send_request("post", people, {"name": "Zoé Un"}, **headers).json() == first

    def test_claimed_key_is_deleted_after_a_week(self, hall: Hall, program: Program) -> None:
        for name in ("Zoé Un", "Zoé Deux"):
            program.call("post", f"clubs/{hall.event.club.slug}/people", {"name": name})
        old, new = IdempotencyKey.objects.all()
        old.claimed_at -= timedelta(days=8)
        old.save()
        sweep_idempotency_keys()
        assert IdempotencyKey.objects.get() == new

    def test_hand_is_recorded_once_per_key(self, hall: Hall) -> None:
        table, path, key = Program(), f"tables/{hall.code}/hands", str(uuid4())
        for _ in range(2):
            table.call("post", path, {"number": 1, "hand": HAND}, key=key)
        assert Mark.objects.filter(match=hall.match).count() == 1
        body = {"number": 1, "hand": HAND | {"tricks": 8}, "entry_key": key}
        assert table.get_refusal("post", path, body)[:2] == (409, "entry_key_reused")

    def test_key_that_is_no_uuid_is_refused(self, hall: Hall, program: Program) -> None:
        answer = program.send_request("post", f"events/{hall.event.short}/end", **{"idempotency-key": "again"})
        assert (answer.status_code, answer.json()["code"]) == (400, "key_not_a_uuid")

    @pytest.mark.parametrize("key", ["", "again"])
    def test_invalid_key_is_refused_even_if_unused(self, hall: Hall, key: str) -> None:
        path = f"tables/{hall.code}/withdraw"
        answer = Program().send_request("post", path, **{"idempotency-key": key})
        assert (answer.status_code, answer.json()["code"]) == (400, "key_not_a_uuid")


@pytest.mark.parametrize(
    ("length_settings", "length"),
    [
        ({}, MatchFormat(games_to_win=MAINE.games_to_win)),
        ({"games_to_win": 3}, MatchFormat(games_to_win=3)),
        ({"games_to_win": 2, "minutes": 40}, MatchFormat(games_to_win=2, minutes=40)),
        ({"hands": 8}, MatchFormat(hands=8, decided_by=MatchCriterion.POINTS)),
        ({"minutes": 50}, MatchFormat(minutes=50, decided_by=MatchCriterion.POINTS)),
    ],
)
def test_match_length_defaults_to_the_ruleset(
    hall: Hall, program: Program, length_settings: dict[str, int], length: MatchFormat
) -> None:
    body = {"name": "Jeudi", "held_on": "2026-11-19", "ruleset": "maine", "tables": 4, **length_settings}
    program.call("post", f"clubs/{hall.event.club.slug}/events", body)
    assert Event.objects.get(name="Jeudi").terms.match_format == length


class TestFeed:
    @pytest.mark.slow
    def test_feed_can_be_turned_on_and_off(self, hall: Hall, program: Program) -> None:
        club = hall.event.club
        path, file = f"clubs/{club.slug}/feed", f"http://testserver/c/{club.slug}/feed.json"
        off = {"is_on": False, "address": "", "number": 0, "key": ""}
        assert Program().get(path) == off
        on = program.call("put", path)
        assert on == {"is_on": True, "address": file, "number": 0, "key": ""}
        write_feed(club.pk)
        feed = Program().get(path)
        written = Program().get(feed["address"].removeprefix("http://testserver"))["feed"]
        assert (feed["number"], feed["key"]) == (written["number"], get_fingerprint(written["key"]))
        assert program.call("put", path) == feed
        assert program.call("delete", path) == off


class TestOptionalFields:
    def test_side_may_agree_without_the_seen_result(self, hall: Hall) -> None:
        win(hall.match)
        answer = Program().call("post", f"tables/{hall.code}/agree", {"side": "A", "game": 1})
        assert answer["table"] == 1

    @pytest.mark.parametrize("hour", ["19:00Z", "7:00", "19h", "19:00:00.5"])
    def test_event_start_must_be_a_local_hh_mm_time(self, hall: Hall, program: Program, hour: str) -> None:
        path = f"events/{hall.event.short}/announcement"
        assert program.get_refusal("put", path, {"starts_at": hour}) == (422, "form_refused", "starts_at")
        assert program.call("put", path, {"starts_at": "19:00"})["announcement"]["starts_at"] == "19:00:00"


class TestRefusals:
    def test_every_unreadable_field_is_named(self, hall: Hall, program: Program) -> None:
        body = {"name": "", "held_on": "soon", "ruleset": "maine", "tables": 4}
        answer = program.send_request("post", f"clubs/{hall.event.club.slug}/events", body)
        assert answer.status_code == 422
        assert {one["field"] for one in answer.json()["errors"]} == {"name", "held_on"}
        assert answer.json()["code"] == "form_refused"

    def test_service_refusal_has_its_code(self, hall: Hall, program: Program) -> None:
        path = f"events/{hall.event.short}/rounds/1/close"
        assert program.get_refusal("post", path)[:2] == (409, "tables_missing")

    @pytest.mark.parametrize("body", [b"{", b"[" * 5000, b"\xff", b"[]", b'"text"', b"null"])
    def test_malformed_body_is_refused(self, hall: Hall, program: Program, body: bytes) -> None:
        path = f"/api/v1/events/{hall.event.short}/entries"
        answer = program.client.generic("POST", path, body, content_type="application/json")
        assert answer.status_code in (400, 422)
        assert answer.headers["Content-Type"] == "application/problem+json"

    def test_wrong_method_or_media_type_is_refused(self, hall: Hall, program: Program) -> None:
        assert program.get_refusal("delete", "clubs") == (405, "method_not_allowed", None)
        path = f"/api/v1/events/{hall.event.short}/entries"
        answer = program.client.generic("POST", path, "a=b", content_type="text/plain")
        assert answer.json()["code"] == "unsupported_media_type"

    def test_throttled_request_says_when_to_retry(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("api.views.ANYBODY", 3)
        asker, answers = Program(address="198.51.100.9"), []
        for _ in range(4):
            answers.append(asker.send_request("get", "clubs"))
            caches["rates"].clear()  # another process answers the next one
        assert [one.status_code for one in answers] == [200, 200, 200, 429]
        assert [one.headers["RateLimit-Remaining"] for one in answers] == ["2", "1", "0", "0"]
        assert [one.headers["RateLimit-Reset"] for one in answers] == ["60", "60", "60", "60"]
        assert answers[-1].headers["Retry-After"] == "60"
        RateLimitCounter.objects.update(wait_until=F("wait_until") - timedelta(seconds=50))
        early = asker.send_request("get", "clubs")
        assert (early.status_code, early.headers["RateLimit-Reset"]) == (429, "10")
        RateLimitCounter.objects.update(wait_until=F("wait_until") - timedelta(seconds=10))
        assert asker.send_request("get", "clubs").status_code == 200

    def test_few_requests_are_counted_without_the_database(self, program: Program) -> None:
        first, second = (program.send_request("get", "clubs") for _ in range(2))
        assert int(first.headers["RateLimit-Remaining"]) == int(second.headers["RateLimit-Remaining"]) + 1
        assert not RateLimitCounter.objects.exists()


@pytest.mark.slow
class TestPartialUpdates:
    """Updates keep the fields that the body leaves out: a client may know fewer fields than there are."""

    @pytest.mark.long
    def test_put_bodies_have_no_default_values(self) -> None:
        made_up = {
            (one.name, name)
            for one in OPERATIONS
            if one.method == "put" and one.request_shape is not None
            for name, field in one.request_shape().fields.items()
            if field.default is not empty
        }
        assert made_up == set()

    @pytest.mark.long
    def test_person_update_keeps_omitted_fields(self, hall: Hall, program: Program) -> None:
        people = f"clubs/{hall.event.club.slug}/people"
        person_values = {"name": "Rita Roy", "contact": "418 555-0101", "is_hidden": True, "is_rated": False}
        person_values |= {"family": "Roy", "labels": ["junior"], "shows_full_name": True, "is_active": False}
        made = program.call("post", people, person_values)
        assert person_values.items() <= made.items()
        path = f"{people}/{made['id']}"
        assert program.call("put", path, {"name": "Rita Leroy"}) == made | {"name": "Rita Leroy"}
        assert program.get(path) == made | {"name": "Rita Leroy"}
        assert program.get_refusal("put", f"{people}/0", {"name": "Rita"}) == (422, "no_such_person", None)

    @pytest.mark.long
    def test_entry_update_keeps_omitted_fields(self, hall: Hall, program: Program) -> None:
        path = f"events/{hall.event.short}/entries/1"
        program.call("put", path, {"team": "Les As", "family": "Roy", "side": "B", "rating": 1600, "table": 2})
        program.call("put", path, {"car": "Dubé"})
        entry = hall.event.entries.get(number=1)
        assert (entry.team, entry.family, entry.side, entry.rating) == ("Les As", "Roy", Side.B, 1600)
        assert (entry.car, entry.table) == ("Dubé", 2)
        program.call("put", path, {"side": None, "table": None})
        entry.refresh_from_db()
        assert (entry.side, entry.table, entry.team) == (None, None, "Les As")

    def test_calendar_update_keeps_the_night_template(self, hall: Hall, program: Program) -> None:
        assert hall.recurring_night
        assert hall.night_template
        night, usual = RecurringNight.objects.get(), UsualNight.objects.get()
        RecurringNight.objects.update(usual=usual, place="Sous-sol")
        program.call("put", f"clubs/{hall.event.club.slug}/calendar/{night.pk}", {"starts_at": "18:45"})
        now = RecurringNight.objects.get(pk=night.pk)
        assert (now.starts_at, now.place, now.usual) == (time(18, 45), "Sous-sol", usual)
        assert (now.name, now.first_on, now.last_on) == (night.name, night.first_on, night.last_on)

    @pytest.mark.long
    def test_club_page_and_announcement_updates_keep_omitted_fields(self, hall: Hall, program: Program) -> None:
        club, event = hall.event.club, hall.event
        program.call("put", f"clubs/{club.slug}/page", {"hall": "Salle Roy", "website": "https://roy.example"})
        program.call("put", f"clubs/{club.slug}/page", {"about": "Le mardi."})
        club.refresh_from_db()
        assert (club.hall, club.website, club.about) == ("Salle Roy", "https://roy.example", "Le mardi.")
        path = f"events/{event.short}/announcement"
        program.call("put", path, {"starts_at": "19:00", "bring": "Des jetons"})
        announcement = program.call("put", path, {"place": "Salle Roy"})["announcement"]
        assert (announcement["starts_at"], announcement["bring"], announcement["place"]) == (
            "19:00:00",
            "Des jetons",
            "Salle Roy",
        )

    def test_season_and_dues_updates_keep_omitted_fields(self, hall: Hall, program: Program) -> None:
        club, days = f"clubs/{hall.event.club.slug}", {"starts": "2026-09-01", "ends": "2027-05-31"}
        ladders = [{"name": "Général", "best": 8}, {"name": "Paires", "unit": "pair"}]
        made = program.call("post", f"{club}/seasons", {"name": "2026", "ladders": ladders, **days})["id"]
        path = f"{club}/seasons/{made}"
        program.call("put", path, {"name": "2026-2027"})
        now = {
            "name": "2026-2027",
            "ladders": ladders,
            **days,
            "left_out": [],
            "is_closed": False,
            "changed_nights": [],
        }
        assert program.get(f"{path}/settings") == now | {"id": made}
        program.call("put", path, {"ladders": [*ladders, {"name": "Présences", "presence": 5}]})
        (*_, last) = program.get(f"{path}/settings")["ladders"]
        assert last == {"name": "Présences", "presence": 5}
        program.call("post", f"{path}/close")
        assert program.get(f"{path}/settings")["is_closed"] is True
        assert program.get_refusal("put", f"{club}/seasons/0", {"name": "X"})[0] == 404
        program.call("post", f"{club}/dues", {"name": "2026", "amount": 1500, **days})
        (dues_period,) = program.get(f"{club}/dues")["results"]
        program.call("put", f"{club}/dues/{dues_period['id']}", {"amount": 2000})
        assert program.get(f"{club}/dues")["results"] == [dues_period | {"amount": 2000}]

    @pytest.mark.long
    def test_federation_update_keeps_omitted_fields(self, hall: Hall, program: Program) -> None:
        federation, rule = hall.saved_federation, {"counts": "rank_points", "rank_points": [10, 6], "best": 8}
        path = f"clubs/{hall.event.club.slug}/federations/{federation.pk}"
        before = program.get(path)
        program.call("put", path, {"ladder": rule})
        program.call("put", path, {"name": "Côte-Nord"})
        now = program.get(path)
        assert now == before | {"name": "Côte-Nord", "ladder": now["ladder"]}
        assert rule.items() <= now["ladder"].items()
        program.call("put", path, {each: now[each] for each in ("name", "starts", "ends", "ladder")})
        assert program.get(path) == now
        assert program.get_refusal("put", f"clubs/{hall.event.club.slug}/federations/0", {"name": "X"})[0] == 404

    def test_webhook_update_leaves_it_disabled(self, hall: Hall, program: Program) -> None:
        addresses = f"clubs/{hall.event.club.slug}/webhooks"
        body = {"address": "https://example.com/told", "kinds": ["table.result"]}
        path = f"{addresses}/{program.call('post', addresses, body)['id']}"
        program.call("put", path, {"is_on": False})
        moved = program.call("put", path, {"address": "https://example.com/elsewhere"})
        assert (moved["is_on"], moved["kinds"]) == (False, ["table.result"])

    def test_board_and_prize_updates_keep_omitted_fields(self, hall: Hall, program: Program) -> None:
        event = f"events/{hall.event.short}"
        board = program.call("post", f"{event}/boards", {"name": "Scène", "first_table": 1, "last_table": 2})
        path = f"{event}/boards/{board['number']}"
        assert program.call("put", path, {"is_dark": True}) == board | {"is_dark": True}
        assert program.get_refusal("put", f"{event}/boards/99", {"name": "X"})[1] == "no_such_board"
        category_values = {"name": "Paniers", "amounts": [2500, 1000], "places": 2, "is_public": False}
        made = program.call("post", f"{event}/prize-categories", category_values)["id"]
        program.call("put", f"{event}/prize-categories/{made}", {"prize": "Un panier"})
        (category,) = program.get(f"{event}/prizes")["categories"]
        assert {"name": "Paniers", "amounts": [2500, 1000], "is_public": False}.items() <= category.items()
        winner = hall.event.entries.get(number=1).player_1_id
        program.call("post", f"{event}/prizes", {"name": "Un jambon", "amount": 1500, "winners": [winner]})
        (prize,) = program.get(f"{event}/prizes")["results"]
        program.call("put", f"{event}/prizes/{prize['id']}", {"is_public": True})
        (now,) = program.get(f"{event}/prizes")["results"]
        assert now == prize | {"is_public": True}
        program.call("put", f"{event}/cash-rules", {"prize_share": 60, "rounding_step": 5})
        program.call("put", f"{event}/cash-rules", {"starting_cash": 5000})
        cash_rules = {"prize_share": 60, "rounding_step": 5, "starting_cash": 5000}
        assert cash_rules.items() <= program.get(f"{event}/prizes").items()


class TestInvalidFields:
    """Refusals name the field as the client wrote it, and say what to send instead."""

    @pytest.mark.parametrize("body", ["[]", '"Rita Roy"', "null", "5"])
    def test_body_that_is_no_object_is_refused(self, hall: Hall, program: Program, body: str) -> None:
        path = f"/api/v1/clubs/{hall.event.club.slug}/people"
        problem = program.client.generic("POST", path, body, content_type="application/json").json()
        assert (problem["code"], problem["field"]) == ("not_an_object", None)
        assert problem["detail"] == "Send one JSON object."

    def test_hand_that_is_no_object_is_refused_at_its_field(self, hall: Hall) -> None:
        answer = Program().send_request("post", f"tables/{hall.code}/hands", {"number": 1, "hand": []})
        (error,) = answer.json()["errors"]
        assert error == {"code": "invalid", "field": "hand", "detail": "Send one JSON object."}

    @pytest.mark.parametrize(("sections", "field"), [(5, "sections"), ([5], "sections.0")])
    def test_part_of_another_kind_is_refused_at_its_field(
        self, hall: Hall, program: Program, sections: Any, field: str
    ) -> None:
        refusal = program.get_refusal("post", f"events/{hall.event.short}/sections", {"sections": sections})
        assert refusal == (422, "form_refused", field)

    def test_unknown_choice_refusal_lists_the_allowed_ones(self, hall: Hall, program: Program) -> None:
        answer = program.send_request("post", f"events/{hall.event.short}/order", {"way": "by_height"})
        (error,) = answer.json()["errors"]
        assert (error["code"], error["field"]) == ("invalid_choice", "way")
        assert error["detail"].startswith("“by_height” is not allowed. Choose one of: ")

    @pytest.mark.parametrize(
        ("path", "body", "field", "near"),
        [
            ("tables", {"tabel_count": 3}, "tabel_count", " (did you mean “table_count”?)"),
            ("tables", {"table_count": 3, "é\ud800": 3}, "é?", ""),
            ("start", {"reason": "Late"}, "reason", ""),
            ("sections", {"sections": [{"name": "A"}, {"nam": "B"}]}, "sections.1.nam", " (did you mean “name”?)"),
            ("rounds/1/tables/1/hands", {"number": 1, "hand": {"trick": 7}}, "hand.trick", " (did you mean “tricks”?)"),
        ],
    )
    def test_unknown_field_refusal_names_the_nearest_one(
        self, hall: Hall, program: Program, path: str, body: dict[str, Any], field: str, near: str
    ) -> None:
        problem = program.send_request("post", f"events/{hall.event.short}/{path}", body).json()
        assert (problem["status"], problem["code"], problem["field"]) == (400, "field_unknown", field)
        assert problem["detail"] == f"Unknown field “{field.rpartition('.')[2]}”{near}. Correct its name or remove it."

    def test_unknown_setting_refusal_names_the_nearest_one(self, hall: Hall, program: Program) -> None:
        stages = [{"format": "swiss", "settings": {"criterias": []}}]
        problem = program.send_request("post", f"events/{hall.event.short}/stages", {"stages": stages}).json()
        assert (problem["status"], problem["code"]) == (422, "no_such_setting")
        assert problem["field"] == "stages.0.settings.criterias"
        assert problem["detail"] == (
            "This setting does not exist (did you mean “criteria”?). Correct its name or remove it."
        )

    def test_field_given_twice_is_refused(self, hall: Hall, program: Program) -> None:
        address = f"{ROOT}events/{hall.event.short}/tables"
        body = '{"table_count": 3, "table_count": 4}'
        problem = program.client.post(address, body, content_type="application/json").json()
        assert (problem["status"], problem["code"], problem["field"]) == (400, "field_twice", "table_count")
        assert problem["detail"] == "The field “table_count” is given twice. Remove one of the two."

    @pytest.mark.parametrize(
        ("path", "body", "code", "field"),
        [
            ("entries", {"players": ["Rita Roy"]}, "name_required", "players.1"),
            ("entries", {"players": ["Rita <Roy>", "Luc Roy"]}, "strange_character", "players.0"),
            ("pairs", {"numbers": [1]}, "tick_two_who_look", "numbers"),
            ("prizes", {"name": "x" * 200, "winners": [1]}, "prize_too_long", "name"),
            ("prizes", {"name": "Un jambon", "winners": []}, "winner_required", "winners"),
        ],
    )
    def test_service_refusal_names_the_field_of_the_body(
        self, hall: Hall, program: Program, path: str, body: dict[str, Any], code: str, field: str
    ) -> None:
        assert program.get_refusal("post", f"events/{hall.event.short}/{path}", body) == (422, code, field)

    @pytest.mark.parametrize(
        ("path", "body", "field"),
        [
            ("entries", {"players": ["Rita Roy", "Luc Roy"]}, "players.0"),
            ("entries/people", {"people": [1, 2]}, "people"),
        ],
    )
    def test_entry_into_an_ended_event_is_refused_at_its_field(
        self, hall: Hall, program: Program, path: str, body: dict[str, Any], field: str
    ) -> None:
        play_round(hall.event)
        close_round(event_id=hall.event.pk, number=1)
        end_event(event_id=hall.event.pk)
        refusal = program.get_refusal("post", f"events/{hall.event.short}/{path}", body)
        assert refusal == (409, "event_ended", field)


class TestTableOperations:
    def test_table_names_the_dealer_calls_the_desk_and_withdraws(self, hall: Hall) -> None:
        table, path = Program(), f"tables/{hall.code}"
        assert table.call("post", f"{path}/dealer", {"seat": 2})["first_dealer"] == 2
        assert table.call("post", f"{path}/dispute", {"note": "Come"})["is_disputed"] is True
        assert table.call("post", f"{path}/withdraw")["is_disputed"] is False
        assert table.call("post", f"{path}/pencil", {"act": "ask", "device": "Tableur"})["match"] == hall.match.pk

    def test_hand_is_corrected_and_undone(self, hall: Hall) -> None:
        table, path = Program(), f"tables/{hall.code}/hands"
        first = table.call("post", path, {"number": 1, "hand": HAND})
        body = {"number": 1, "hand": HAND | {"tricks": 8}, "supersedes": str(first["id"])}
        second = table.call("post", path, body)
        body = {"number": 1, "hand": {"kind": "undone"}, "supersedes": str(second["id"])}
        assert table.call("post", path, body)["summary"]["running"] == [0, 0]

    @pytest.mark.long
    def test_conflicting_marks_wait_until_one_is_chosen(self, hall: Hall, program: Program) -> None:
        table, path = Program(), f"tables/{hall.code}/hands"
        table.call("post", path, {"number": 1, "hand": HAND})
        newest = table.call("post", path, {"number": 1, "hand": HAND | {"side": "B"}})
        assert newest["status"] == "rival"
        at_desk = f"events/{hall.event.short}/rounds/1/tables/1"
        hands = [hand for game in program.get(at_desk)["games"] for hand in game["hands"]]
        assert [hand["is_contested"] for hand in hands] == [True]
        assert program.get(at_desk)["is_contested"] is True
        tables = program.get(f"events/{hall.event.short}/rounds/1")["tables"]
        assert [table["number"] for table in tables if table["is_contested"]] == [1]
        ruling = {"number": 1, "hand": HAND, "reason": "As the table says."}
        assert program.call("post", f"{at_desk}/hands", ruling)["status"] == "echo"
        settled = program.call("post", f"{at_desk}/hands", ruling | {"supersedes": str(newest["id"])})
        assert (settled["status"], settled["summary"]["running"]) == ("current", [6, 0])
        assert program.get(at_desk)["is_contested"] is False

    def test_desk_settles_a_call_and_records_a_ruling(self, hall: Hall, program: Program) -> None:
        Program().call("post", f"tables/{hall.code}/dispute", {"note": "Come"})
        desk = f"events/{hall.event.short}/rounds/1/tables/1"
        assert program.call("post", f"{desk}/settle", {"ruling": "As marked."})["is_disputed"] is False
        program.call("post", f"{desk}/hands", {"number": 1, "hand": HAND, "reason": "As the table says."})
        assert Mark.objects.get(match=hall.match).account == hall.owner


@pytest.mark.slow
def test_forfeit_is_recorded_and_undone(hall: Hall, program: Program) -> None:
    event = f"events/{hall.event.short}"
    ruled = program.call("post", f"{event}/rounds/1/tables/1/forfeit", {"winner": "B"})
    assert ruled["tables"][0]["sides"][1]["has_won"] is True
    line = hall.event.actions.latest("pk")
    program.call("post", f"{event}/history/{line.pk}/undo")
    assert program.get(f"{event}/rounds/1/tables/1")["ruling"] == ""


class TestLargeEvents:
    """The worker draws and publishes in a large event: the API answers 202 with the present state."""

    @pytest.fixture(autouse=True)
    def all_are_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tournaments.events.services.background_steps.LARGE", 1)

    @pytest.mark.slow
    def test_large_draw_is_an_empty_draft_until_the_worker_runs(self, hall: Hall, program: Program) -> None:
        play_round(hall.event)
        rounds = f"events/{hall.event.short}/rounds"
        answer = program.send_request("post", rounds, {"seed": 7}, **{"idempotency-key": str(uuid4())})
        assert (answer.status_code, answer.json()["number"]) == (202, 2)
        assert (answer.json()["state"], answer.json()["tables"]) == ("draft", [])
        assert program.send_request("get", f"{rounds}/2").status_code == 404
        run_deferred_jobs()
        assert program.get(f"{rounds}/2")["tables"]

    @pytest.mark.slow
    def test_large_round_keeps_its_state_until_the_worker_runs(self, hall: Hall, program: Program) -> None:
        play_round(hall.event)
        draw_round(event_id=hall.event.pk, seed=1)
        rounds = f"events/{hall.event.short}/rounds"
        answer = program.send_request("post", f"{rounds}/2/publish")
        assert (answer.status_code, answer.json()["state"]) == (202, "draft")
        run_deferred_jobs()
        assert program.get(f"{rounds}/2")["state"] == "published"

    def test_publishing_final_standings_returns_the_event(self, hall: Hall, program: Program) -> None:
        answer = program.send_request("post", f"events/{hall.event.short}/publish-final")
        assert (answer.status_code, answer.json()["id"]) == (202, hall.event.short)


def run_deferred_jobs() -> None:
    """Run the services that were deferred to the worker."""
    for job in Job.objects.filter(kind__in=DEFERRED_SERVICES):
        run_deferred_step(job.key)


class TestRankingRules:
    def test_new_event_takes_default_rules_for_its_stages(self, hall: Hall, program: Program) -> None:
        body = {"name": "Poules", "held_on": "2026-11-19", "ruleset": "maine", "tables": 4}
        stage_settings = {"stages": [{"format": "pools"}], "ranking": {"order": ["match_wins"]}}
        program.call("post", f"clubs/{hall.event.club.slug}/events", body | stage_settings)
        assert Event.objects.get(name="Poules").ranking == {
            "order": ["match_wins"],
            "scheduled_bye": "nothing",
            "across_pools": "rates",
        }

    def test_ranking_update_keeps_omitted_pool_rules(self, hall: Hall, program: Program) -> None:
        for pool_rules in ({"across_pools": "without_last", "scheduled_bye": "nothing"}, {}):
            Event.objects.filter(pk=hall.event.pk).update(ranking={"order": ["lots"], **pool_rules})
            program.call("post", f"events/{hall.event.short}/ranking", {"ranking": {"order": ["difference"]}})
            hall.event.refresh_from_db()
            assert hall.event.ranking == {"order": ["difference"], **pool_rules}
