"""Writes by programs: done once for each key, refused with codes and fields."""

from datetime import time
from typing import Any
from uuid import uuid4

import pytest
from rest_framework.fields import empty

from api.operations import OPERATIONS
from clubs.models import RecurringNight, UsualNight
from engine.signed_logs import fingerprint
from federations.services.publishing import write_feed
from jobs.models import Job
from rules import MAINE, DecidedBy, MatchFormat, Side
from scoring.models import Mark
from tests.api.program import Program, a_secret
from tests.builders import play_round, win
from tests.support.hall import Hall
from tournaments.events.services.background_steps import DEFERRED, do_deferred
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
    return Program(a_secret(hall.event.club, hall.owner))


class TestOnce:
    def test_an_event_is_made_once_for_each_key(self, hall: Hall, program: Program) -> None:
        body = {"name": "Jeudi", "held_on": "2026-11-19", "ruleset": "maine", "tables": 4}
        key = str(uuid4())
        path = f"clubs/{hall.event.club.slug}/events"
        first, again = (program.do("post", path, body, key=key) for _ in range(2))
        assert first == again
        assert Event.objects.filter(name="Jeudi").count() == 1

    def test_an_entry_is_added_once_for_each_key(self, hall: Hall, program: Program) -> None:
        key, path = str(uuid4()), f"events/{hall.event.short}/entries"
        body = {"players": ["Rita Roy", "Luc Roy"]}
        first, again = (program.do("post", path, body, key=key) for _ in range(2))
        assert first["number"] == again["number"]

    def test_a_hand_is_marked_once_for_each_key_and_a_key_is_for_one_hand(self, hall: Hall) -> None:
        table, path, key = Program(), f"tables/{hall.code}/hands", str(uuid4())
        for _ in range(2):
            table.do("post", path, {"number": 1, "hand": HAND}, key=key)
        assert Mark.objects.filter(match=hall.match).count() == 1
        body = {"number": 1, "hand": HAND | {"tricks": 8}, "entry_key": key}
        assert table.refused("post", path, body)[:2] == (409, "entry_key_reused")

    def test_a_key_that_is_no_uuid_is_said_to_be_none(self, hall: Hall, program: Program) -> None:
        answer = program.ask("post", f"events/{hall.event.short}/end", **{"idempotency-key": "again"})
        assert (answer.status_code, answer.json()["code"]) == (400, "key_not_a_uuid")

    @pytest.mark.parametrize("key", ["", "again"])
    def test_so_it_is_where_a_key_would_not_be_looked_at(self, hall: Hall, key: str) -> None:
        path = f"tables/{hall.code}/withdraw"
        answer = Program().ask("post", path, **{"idempotency-key": key})
        assert (answer.status_code, answer.json()["code"]) == (400, "key_not_a_uuid")


@pytest.mark.parametrize(
    ("said", "length"),
    [
        ({}, MatchFormat(games_to_win=MAINE.games_to_win)),
        ({"games_to_win": 3}, MatchFormat(games_to_win=3)),
        ({"games_to_win": 2, "minutes": 40}, MatchFormat(games_to_win=2, minutes=40)),
        ({"hands": 8}, MatchFormat(hands=8, decided_by=DecidedBy.POINTS)),
        ({"minutes": 50}, MatchFormat(minutes=50, decided_by=DecidedBy.POINTS)),
    ],
)
def test_matches_are_as_long_as_a_program_says_or_as_the_rules_have_them(
    hall: Hall, program: Program, said: dict[str, int], length: MatchFormat
) -> None:
    body = {"name": "Jeudi", "held_on": "2026-11-19", "ruleset": "maine", "tables": 4, **said}
    program.do("post", f"clubs/{hall.event.club.slug}/events", body)
    assert Event.objects.get(name="Jeudi").terms.match_format == length


class TestAFeed:
    @pytest.mark.slow
    def test_switched_on_answers_where_it_is_and_switched_off_that_there_is_none(
        self, hall: Hall, program: Program
    ) -> None:
        club = hall.event.club
        path, file = f"clubs/{club.slug}/feed", f"http://testserver/c/{club.slug}/feed.json"
        off = {"is_on": False, "address": "", "number": 0, "key": ""}
        assert Program().get(path) == off
        on = program.do("put", path)
        assert on == {"is_on": True, "address": file, "number": 0, "key": ""}
        write_feed(club.pk)
        told = Program().get(path)
        written = Program().get(told["address"].removeprefix("http://testserver"))["feed"]
        assert (told["number"], told["key"]) == (written["number"], fingerprint(written["key"]))
        assert program.do("put", path) == told
        assert program.do("delete", path) == off


class TestWhatMayBeLeftOut:
    def test_a_side_agrees_without_saying_what_it_saw(self, hall: Hall) -> None:
        win(hall.match)
        said = Program().do("post", f"tables/{hall.code}/agree", {"side": "A", "game": 1})
        assert said["table"] == 1

    @pytest.mark.parametrize("hour", ["19:00Z", "7:00", "19h", "19:00:00.5"])
    def test_an_hour_is_that_of_the_clubs_clock(self, hall: Hall, program: Program, hour: str) -> None:
        path = f"events/{hall.event.short}/announcement"
        assert program.refused("put", path, {"starts_at": hour}) == (422, "form_refused", "starts_at")
        assert program.do("put", path, {"starts_at": "19:00"})["announcement"]["starts_at"] == "19:00:00"


class TestWhyNot:
    def test_every_field_that_cannot_be_read_is_named(self, hall: Hall, program: Program) -> None:
        body = {"name": "", "held_on": "soon", "ruleset": "maine", "tables": 4}
        answer = program.ask("post", f"clubs/{hall.event.club.slug}/events", body)
        assert answer.status_code == 422
        assert {one["field"] for one in answer.json()["errors"]} == {"name", "held_on"}
        assert answer.json()["code"] == "form_refused"

    def test_a_service_says_what_it_says_to_people(self, hall: Hall, program: Program) -> None:
        path = f"events/{hall.event.short}/rounds/1/close"
        assert program.refused("post", path)[:2] == (409, "tables_missing")

    @pytest.mark.parametrize("body", [b"{", b"[" * 5000, b"\xff", b"[]", b'"text"', b"null"])
    def test_a_body_that_is_none_is_refused(self, hall: Hall, program: Program, body: bytes) -> None:
        path = f"/api/v1/events/{hall.event.short}/entries"
        answer = program.client.generic("POST", path, body, content_type="application/json")
        assert answer.status_code in (400, 422)
        assert answer.headers["Content-Type"] == "application/problem+json"

    def test_other_methods_and_kinds_of_bodies_are_refused(self, hall: Hall, program: Program) -> None:
        assert program.refused("delete", "clubs") == (405, "method_not_allowed", None)
        path = f"/api/v1/events/{hall.event.short}/entries"
        answer = program.client.generic("POST", path, "a=b", content_type="text/plain")
        assert answer.json()["code"] == "unsupported_media_type"

    def test_too_many_requests_are_told_to_the_second_when_to_go_on(
        self, hall: Hall, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seconds = [0.0, 0.1, 0.2, 0.5]
        monkeypatch.setattr("api.throttles.ANYBODY", 3)
        monkeypatch.setattr("api.throttles.Throttle.timer", lambda _: seconds.pop(0))
        asker = Program(address="198.51.100.9")
        answers = [asker.ask("get", "clubs") for _ in range(4)]
        assert [one.status_code for one in answers] == [200, 200, 200, 429]
        assert [one.headers["RateLimit-Remaining"] for one in answers] == ["2", "1", "0", "0"]
        assert [one.headers["RateLimit-Reset"] for one in answers] == ["60", "60", "60", "60"]
        told = 0.5 + int(answers[-1].headers["Retry-After"])
        seconds += [told - 1, told]
        early = asker.ask("get", "clubs")
        assert (early.status_code, early.headers["RateLimit-Reset"]) == (429, "1")
        assert asker.ask("get", "clubs").status_code == 200


@pytest.mark.slow
class TestAChange:
    """Fields that a change leaves out stay as they are: a program may know fewer fields than there are."""

    def test_of_no_body_makes_up_what_it_does_not_say(self) -> None:
        made_up = {
            (one.name, name)
            for one in OPERATIONS
            if one.method == "put" and one.takes is not None
            for name, field in one.takes().fields.items()
            if field.default is not empty
        }
        assert made_up == set()

    def test_of_a_person_shows_nobody_who_is_hidden_and_what_is_kept_is_read(
        self, hall: Hall, program: Program
    ) -> None:
        people = f"clubs/{hall.event.club.slug}/people"
        said = {"name": "Rita Roy", "contact": "418 555-0101", "is_hidden": True, "is_rated": False}
        said |= {"family": "Roy", "labels": ["junior"], "shows_full_name": True, "is_active": False}
        made = program.do("post", people, said)
        assert said.items() <= made.items()
        path = f"{people}/{made['id']}"
        assert program.do("put", path, {"name": "Rita Leroy"}) == made | {"name": "Rita Leroy"}
        assert program.get(path) == made | {"name": "Rita Leroy"}
        assert program.refused("put", f"{people}/0", {"name": "Rita"}) == (422, "no_such_person", None)

    def test_of_an_entry_keeps_its_other_notes(self, hall: Hall, program: Program) -> None:
        path = f"events/{hall.event.short}/entries/1"
        program.do("put", path, {"team": "Les As", "family": "Roy", "side": "B", "rating": 1600, "table": 2})
        program.do("put", path, {"car": "Dubé"})
        entry = hall.event.entries.get(number=1)
        assert (entry.team, entry.family, entry.side, entry.rating) == ("Les As", "Roy", Side.B, 1600)
        assert (entry.car, entry.table) == ("Dubé", 2)
        program.do("put", path, {"side": None, "table": None})
        entry.refresh_from_db()
        assert (entry.side, entry.table, entry.team) == (None, None, "Les As")

    def test_of_a_night_of_the_calendar_keeps_how_it_is_played(self, hall: Hall, program: Program) -> None:
        assert hall.recurring_night
        assert hall.usual_night
        night, usual = RecurringNight.objects.get(), UsualNight.objects.get()
        RecurringNight.objects.update(usual=usual, place="Sous-sol")
        program.do("put", f"clubs/{hall.event.club.slug}/calendar/{night.pk}", {"starts_at": "18:45"})
        now = RecurringNight.objects.get(pk=night.pk)
        assert (now.starts_at, now.place, now.usual) == (time(18, 45), "Sous-sol", usual)
        assert (now.name, now.first_on, now.last_on) == (night.name, night.first_on, night.last_on)

    def test_of_the_clubs_page_and_of_what_is_announced_keeps_the_rest(
        self, hall: Hall, program: Program
    ) -> None:
        club, event = hall.event.club, hall.event
        program.do("put", f"clubs/{club.slug}/page", {"hall": "Salle Roy", "website": "https://roy.example"})
        program.do("put", f"clubs/{club.slug}/page", {"about": "Le mardi."})
        club.refresh_from_db()
        assert (club.hall, club.website, club.about) == ("Salle Roy", "https://roy.example", "Le mardi.")
        path = f"events/{event.short}/announcement"
        program.do("put", path, {"starts_at": "19:00", "bring": "Des jetons"})
        said = program.do("put", path, {"place": "Salle Roy"})["announcement"]
        assert (said["starts_at"], said["bring"], said["place"]) == ("19:00:00", "Des jetons", "Salle Roy")

    def test_of_a_season_and_of_dues_keeps_the_rest(self, hall: Hall, program: Program) -> None:
        club, days = f"clubs/{hall.event.club.slug}", {"starts": "2026-09-01", "ends": "2027-05-31"}
        ladders = [{"name": "Général", "best": 8}, {"name": "Paires", "unit": "pair"}]
        made = program.do("post", f"{club}/seasons", {"name": "2026", "ladders": ladders, **days})["id"]
        path = f"{club}/seasons/{made}"
        program.do("put", path, {"name": "2026-2027"})
        now = {
            "name": "2026-2027",
            "ladders": ladders,
            **days,
            "left_out": [],
            "is_closed": False,
            "changed_nights": [],
        }
        assert program.get(f"{path}/settings") == now | {"id": made}
        program.do("put", path, {"ladders": [*ladders, {"name": "Présences", "presence": 5}]})
        (*_, last) = program.get(f"{path}/settings")["ladders"]
        assert last == {"name": "Présences", "presence": 5}
        program.do("post", f"{path}/close")
        assert program.get(f"{path}/settings")["is_closed"] is True
        assert program.refused("put", f"{club}/seasons/0", {"name": "X"})[0] == 404
        program.do("post", f"{club}/dues", {"name": "2026", "amount": 1500, **days})
        (asked,) = program.get(f"{club}/dues")["results"]
        program.do("put", f"{club}/dues/{asked['id']}", {"amount": 2000})
        assert program.get(f"{club}/dues")["results"] == [asked | {"amount": 2000}]

    def test_of_a_federation_keeps_the_rest(self, hall: Hall, program: Program) -> None:
        kept, rule = hall.kept_federation, {"counts": "rank_points", "rank_points": [10, 6], "best": 8}
        path = f"clubs/{hall.event.club.slug}/federations/{kept.pk}"
        before = program.get(path)
        program.do("put", path, {"ladder": rule})
        program.do("put", path, {"name": "Côte-Nord"})
        now = program.get(path)
        assert now == before | {"name": "Côte-Nord", "ladder": now["ladder"]}
        assert rule.items() <= now["ladder"].items()
        program.do("put", path, {each: now[each] for each in ("name", "starts", "ends", "ladder")})
        assert program.get(path) == now
        assert program.refused("put", f"clubs/{hall.event.club.slug}/federations/0", {"name": "X"})[0] == 404

    def test_of_an_address_that_is_off_leaves_it_off(self, hall: Hall, program: Program) -> None:
        addresses = f"clubs/{hall.event.club.slug}/webhooks"
        body = {"address": "https://example.com/told", "kinds": ["table.result"]}
        path = f"{addresses}/{program.do('post', addresses, body)['id']}"
        program.do("put", path, {"is_on": False})
        moved = program.do("put", path, {"address": "https://example.com/elsewhere"})
        assert (moved["is_on"], moved["kinds"]) == (False, ["table.result"])

    def test_of_a_board_and_of_prizes_keeps_the_rest(self, hall: Hall, program: Program) -> None:
        event = f"events/{hall.event.short}"
        board = program.do("post", f"{event}/boards", {"name": "Scène", "first_table": 1, "last_table": 2})
        path = f"{event}/boards/{board['number']}"
        assert program.do("put", path, {"is_dark": True}) == board | {"is_dark": True}
        assert program.refused("put", f"{event}/boards/99", {"name": "X"})[1] == "no_such_board"
        said = {"name": "Paniers", "amounts": [2500, 1000], "places": 2, "is_public": False}
        made = program.do("post", f"{event}/prize-categories", said)["id"]
        program.do("put", f"{event}/prize-categories/{made}", {"prize": "Un panier"})
        (category,) = program.get(f"{event}/prizes")["categories"]
        assert {"name": "Paniers", "amounts": [2500, 1000], "is_public": False}.items() <= category.items()
        winner = hall.event.entries.get(number=1).player_1_id
        program.do("post", f"{event}/prizes", {"name": "Un jambon", "amount": 1500, "winners": [winner]})
        (prize,) = program.get(f"{event}/prizes")["results"]
        program.do("put", f"{event}/prizes/{prize['id']}", {"is_public": True})
        (now,) = program.get(f"{event}/prizes")["results"]
        assert now == prize | {"is_public": True}
        program.do("put", f"{event}/cash-rules", {"prize_share": 60, "rounding_step": 5})
        program.do("put", f"{event}/cash-rules", {"starting_cash": 5000})
        kept = {"prize_share": 60, "rounding_step": 5, "starting_cash": 5000}
        assert kept.items() <= program.get(f"{event}/prizes").items()


class TestWhatCannotBe:
    """Is said at the field of the body, as the program wrote it, with what to send instead."""

    @pytest.mark.parametrize("body", ["[]", '"Rita Roy"', "null", "5"])
    def test_a_body_that_is_no_object(self, hall: Hall, program: Program, body: str) -> None:
        path = f"/api/v1/clubs/{hall.event.club.slug}/people"
        said = program.client.generic("POST", path, body, content_type="application/json").json()
        assert (said["code"], said["field"]) == ("not_an_object", None)
        assert said["detail"] == "Send one JSON object."

    def test_a_hand_that_is_no_object(self, hall: Hall) -> None:
        answer = Program().ask("post", f"tables/{hall.code}/hands", {"number": 1, "hand": []})
        (said,) = answer.json()["errors"]
        assert said == {"code": "invalid", "field": "hand", "detail": "Send one JSON object."}

    def test_a_value_that_is_none_of_those_that_there_are(self, hall: Hall, program: Program) -> None:
        answer = program.ask("post", f"events/{hall.event.short}/order", {"way": "by_height"})
        (said,) = answer.json()["errors"]
        assert (said["code"], said["field"]) == ("invalid_choice", "way")
        assert said["detail"].startswith("“by_height” is not allowed. Choose one of: ")

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
    def test_what_a_page_would_say_at_a_field_of_another_name(
        self, hall: Hall, program: Program, path: str, body: dict[str, Any], code: str, field: str
    ) -> None:
        assert program.refused("post", f"events/{hall.event.short}/{path}", body) == (422, code, field)

    @pytest.mark.parametrize(
        ("path", "body", "field"),
        [
            ("entries", {"players": ["Rita Roy", "Luc Roy"]}, "players.0"),
            ("entries/people", {"people": [1, 2]}, "people"),
        ],
    )
    def test_who_comes_when_all_is_over_is_a_field_of_the_body(
        self, hall: Hall, program: Program, path: str, body: dict[str, Any], field: str
    ) -> None:
        play_round(hall.event)
        close_round(event_id=hall.event.pk, number=1)
        end_event(event_id=hall.event.pk)
        said = program.refused("post", f"events/{hall.event.short}/{path}", body)
        assert said == (409, "event_ended", field)


class TestAtATable:
    def test_it_agrees_calls_the_desk_takes_the_call_back_and_names_who_dealt(self, hall: Hall) -> None:
        table, path = Program(), f"tables/{hall.code}"
        assert table.do("post", f"{path}/dealer", {"seat": 2})["first_dealer"] == 2
        assert table.do("post", f"{path}/dispute", {"note": "Come"})["is_disputed"] is True
        assert table.do("post", f"{path}/withdraw")["is_disputed"] is False
        assert (
            table.do("post", f"{path}/pencil", {"act": "ask", "device": "Tableur"})["match"] == hall.match.pk
        )

    def test_a_hand_is_corrected_and_taken_back(self, hall: Hall) -> None:
        table, path = Program(), f"tables/{hall.code}/hands"
        first = table.do("post", path, {"number": 1, "hand": HAND})
        body = {"number": 1, "hand": HAND | {"tricks": 8}, "supersedes": str(first["id"])}
        second = table.do("post", path, body)
        body = {"number": 1, "hand": {"kind": "undone"}, "supersedes": str(second["id"])}
        assert table.do("post", path, body)["summary"]["running"] == [0, 0]

    @pytest.mark.slow
    def test_marks_that_differ_wait_until_one_replaces_the_newest_of_them(
        self, hall: Hall, program: Program
    ) -> None:
        table, path = Program(), f"tables/{hall.code}/hands"
        table.do("post", path, {"number": 1, "hand": HAND})
        newest = table.do("post", path, {"number": 1, "hand": HAND | {"side": "B"}})
        assert newest["status"] == "rival"
        at_desk = f"events/{hall.event.short}/rounds/1/tables/1"
        hands = [hand for game in program.get(at_desk)["games"] for hand in game["hands"]]
        assert [hand["is_contested"] for hand in hands] == [True]
        assert program.get(at_desk)["is_contested"] is True
        tables = program.get(f"events/{hall.event.short}/rounds/1")["tables"]
        assert [table["number"] for table in tables if table["is_contested"]] == [1]
        ruling = {"number": 1, "hand": HAND, "reason": "As the table says."}
        assert program.do("post", f"{at_desk}/hands", ruling)["status"] == "echo"
        settled = program.do("post", f"{at_desk}/hands", ruling | {"supersedes": str(newest["id"])})
        assert (settled["status"], settled["summary"]["running"]) == ("current", [6, 0])
        assert program.get(at_desk)["is_contested"] is False

    def test_the_desk_settles_its_call_and_rules(self, hall: Hall, program: Program) -> None:
        Program().do("post", f"tables/{hall.code}/dispute", {"note": "Come"})
        desk = f"events/{hall.event.short}/rounds/1/tables/1"
        assert program.do("post", f"{desk}/settle", {"ruling": "As marked."})["is_disputed"] is False
        program.do("post", f"{desk}/hands", {"number": 1, "hand": HAND, "reason": "As the table says."})
        assert Mark.objects.get(match=hall.match).account == hall.owner


def test_who_plays_where_is_put_right_and_undone(hall: Hall, program: Program) -> None:
    event = f"events/{hall.event.short}"
    ruled = program.do("post", f"{event}/rounds/1/tables/1/forfeit", {"winner": "B"})
    assert ruled["tables"][0]["sides"][1]["has_won"] is True
    line = hall.event.actions.latest("pk")
    program.do("post", f"{event}/history/{line.pk}/undo")
    assert program.get(f"{event}/rounds/1/tables/1")["ruling"] == ""


class TestOfALargeEvent:
    """The worker takes its steps: the answer is 202, and the round as it is so far."""

    @pytest.fixture(autouse=True)
    def all_are_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tournaments.events.services.background_steps.LARGE", 1)

    @pytest.mark.slow
    def test_a_draw_is_a_draft_without_tables_until_the_worker_was_there(
        self, hall: Hall, program: Program
    ) -> None:
        play_round(hall.event)
        rounds = f"events/{hall.event.short}/rounds"
        answer = program.ask("post", rounds, {"seed": 7}, **{"idempotency-key": str(uuid4())})
        assert (answer.status_code, answer.json()["number"]) == (202, 2)
        assert (answer.json()["state"], answer.json()["tables"]) == ("draft", [])
        assert program.ask("get", f"{rounds}/2").status_code == 404
        work()
        assert program.get(f"{rounds}/2")["tables"]

    @pytest.mark.slow
    def test_a_round_is_as_it_was_until_the_worker_was_there(self, hall: Hall, program: Program) -> None:
        play_round(hall.event)
        draw_round(event_id=hall.event.pk, seed=1)
        rounds = f"events/{hall.event.short}/rounds"
        answer = program.ask("post", f"{rounds}/2/publish")
        assert (answer.status_code, answer.json()["state"]) == (202, "draft")
        work()
        assert program.get(f"{rounds}/2")["state"] == "published"

    def test_final_standings_are_the_events(self, hall: Hall, program: Program) -> None:
        answer = program.ask("post", f"events/{hall.event.short}/publish-final")
        assert (answer.status_code, answer.json()["id"]) == (202, hall.event.short)


def work() -> None:
    """Do what is queued for the worker."""
    for job in Job.objects.filter(kind__in=DEFERRED):
        do_deferred(job.key)


class TestTheRanking:
    def test_of_a_new_event_is_the_usual_one_of_its_stages_where_nothing_is_said(
        self, hall: Hall, program: Program
    ) -> None:
        body = {"name": "Poules", "held_on": "2026-11-19", "ruleset": "maine", "tables": 4}
        said = {"stages": [{"format": "pools"}], "ranking": {"order": ["match_wins"]}}
        program.do("post", f"clubs/{hall.event.club.slug}/events", body | said)
        assert Event.objects.get(name="Poules").ranking == {
            "order": ["match_wins"],
            "scheduled_bye": "nothing",
            "across_pools": "rates",
        }

    def test_that_says_nothing_of_pools_leaves_these_as_they_are(self, hall: Hall, program: Program) -> None:
        for kept in ({"across_pools": "without_last", "scheduled_bye": "nothing"}, {}):
            Event.objects.filter(pk=hall.event.pk).update(ranking={"order": ["lots"], **kept})
            program.do("post", f"events/{hall.event.short}/ranking", {"ranking": {"order": ["difference"]}})
            hall.event.refresh_from_db()
            assert hall.event.ranking == {"order": ["difference"], **kept}
