"""Reads without an API key: what the public pages show, and nothing else."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.models import Scope
from engine.visibility import RanksRelease, Results
from scoring.services.agreement import call_desk
from tests.api.program import Program, create_secret
from tests.builders import build_club, build_event, build_running_night, compute_standings, mark, play_round
from tests.support.hall import Hall
from tournaments.models import Event, Seating
from tournaments.publishing.services.publishing import change_release
from tournaments.rounds.services.rounds import draw_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    hall = Hall()
    mark(hall.match, "A 6 7")
    return hall


@pytest.fixture
def program() -> Program:
    return Program()


def release(event: Event, **changed: Any) -> None:
    change_release(event_id=event.pk, release=replace(event.release, **changed))


def test_clubs_link_to_events_tables_and_hands(hall: Hall, program: Program) -> None:
    (club,) = program.get("clubs")["results"]
    (event,) = program.get(f"clubs/{club['id']}/events")["results"]
    assert event["id"] == hall.event.short
    (round_,) = program.get(f"events/{event['id']}/rounds")["results"]
    tables = program.get(f"events/{event['id']}/rounds/{round_['number']}")["tables"]
    whole = program.get(f"events/{event['id']}/rounds/1/tables/{tables[0]['number']}")
    assert whole["games"][0]["hands"][0]["hand"]["contract"] == "6"
    assert whole["games"][0]["points"][0] > 0
    assert (whole["match"], whole["code"]) == (None, None)


@pytest.mark.slow
def test_unseated_entry_waits_in_a_bracket_or_has_a_bye() -> None:
    for draw_format, kind in (("knockout", "waits"), ("swiss", "bye")):
        event = build_running_night(3, draw_format=draw_format)
        (bye,) = Program().get(f"events/{event.short}/rounds/1")["byes"]
        assert bye["kind"] == kind


@pytest.mark.long
@pytest.mark.parametrize(("code", "kind"), [("bye_asked", "requested_bye"), ("fewest_byes", "bye"), ("waits", None)])
def test_unseated_entry_shows_how_the_ranking_counts_it(code: str, kind: str | None) -> None:
    event = build_running_night(3, draw_format="swiss")
    Seating.objects.filter(table=None).update(reasons=[{"code": code}])
    (bye,) = Program().get(f"events/{event.short}/rounds/1")["byes"]
    assert bye["counts_as"] == kind
    release(event, ranked=RanksRelease.NEVER)
    (bye,) = Program().get(f"events/{event.short}/rounds/1")["byes"]
    assert bye["counts_as"] is None


def test_the_standings_have_rank_entry_and_figures(hall: Hall, program: Program) -> None:
    play_round(hall.event)
    compute_standings(hall.event)
    found = program.get(f"events/{hall.event.short}/standings")
    assert found["after_round"] == 1
    assert {"rank", "entry", "entry_id", "names", "figures"} <= set(found["results"][0])


@pytest.mark.long
def test_draft_is_visible_only_to_the_club(hall: Hall, program: Program) -> None:
    play_round(hall.event)
    draw_round(event_id=hall.event.pk, seed=1)
    address = f"events/{hall.event.short}/rounds"
    assert [one["number"] for one in program.get(address)["results"]] == [1]
    assert program.get_refusal("get", f"{address}/2") == (404, "not_found", None)
    mine = Program(create_secret(hall.event.club, hall.owner, "read"))
    assert [one["state"] for one in mine.get(address)["results"]] == ["closed", "draft"]
    assert mine.get(f"{address}/2")["state"] == "draft"


@pytest.mark.slow
def test_hidden_results_stay_hidden(hall: Hall, program: Program) -> None:
    event = f"events/{hall.event.short}"
    release(hall.event, results=Results.NOTHING, ranked=RanksRelease.NEVER)
    whole = program.get(f"{event}/rounds/1/tables/1")
    assert whole["games"] == []
    assert [side["points"] for side in whole["sides"]] == [None, None]
    assert program.get_refusal("get", f"{event}/standings")[0] == 404
    assert program.get_refusal("get", f"{event}/hands")[0] == 404
    release(Event.objects.get(pk=hall.event.pk), is_public=False)
    assert program.get_refusal("get", event)[0] == 404
    assert program.get("events")["results"] == []
    another = build_club("Ailleurs", owner=hall.owner)
    theirs = Program(create_secret(another, hall.owner))
    assert theirs.get_refusal("get", event)[0] == 404
    mine = Program(create_secret(hall.event.club, hall.owner, "read"))
    assert mine.get(event)["shows"]["is_public"] is False


@pytest.mark.slow
def test_list_is_read_page_by_page(program: Program) -> None:
    club = build_club()
    for _ in range(5):
        build_event(0, club=club)
    seen, address = [], f"clubs/{club.slug}/events?limit=2"
    while address:
        page = program.get(address)
        seen += [one["id"] for one in page["results"]]
        address = page["next"] and page["next"].removeprefix("http://testserver")
    assert len(seen) == len(set(seen)) == 5


def test_lists_can_be_filtered_and_invalid_filters_are_named(hall: Hall, program: Program) -> None:
    assert len(program.get("events?state=running")["results"]) == 1
    assert program.get("events?state=ended")["results"] == []
    assert program.get("events?since=2100-01-01")["results"] == []
    assert program.get_refusal("get", "events?since=soon") == (422, "not_a_date", "since")
    assert program.get_refusal("get", "events?state=soon") == (422, "no_such_choice", "state")


@pytest.mark.parametrize("path", ["clubs", "events/{short}", "events/{short}/rounds/1", "events/{short}/standings"])
def test_unchanged_resource_gets_304_per_language(hall: Hall, program: Program, path: str) -> None:
    path = path.format(short=hall.event.short)
    first = program.send_request("get", path)
    again = program.send_request("get", path, **{"if-none-match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    in_french = Program(language="fr").send_request("get", path)
    assert in_french.headers["Content-Language"] == "fr"


def test_changed_resource_gets_a_new_tag(hall: Hall, program: Program) -> None:
    path = f"events/{hall.event.short}/rounds/1"
    tag = program.send_request("get", path).headers["ETag"]
    mark(hall.match, "B 7 8")
    assert program.send_request("get", path, **{"if-none-match": tag}).status_code == 200


@pytest.mark.parametrize(
    ("query", "code", "field"),
    [
        ("limit=0", "no_such_limit", "limit"),
        ("limit=-1", "no_such_limit", "limit"),
        ("limit=x", "no_such_limit", "limit"),
        ("limit=201", "no_such_limit", "limit"),
        ("cursor=x", "no_such_cursor", "cursor"),
    ],
)
def test_invalid_page_parameter_is_named(program: Program, query: str, code: str, field: str) -> None:
    assert program.get_refusal("get", f"clubs?{query}") == (400, code, field)


def test_cors_allows_any_site_and_rate_limit_is_announced(program: Program) -> None:
    assert program.send_request("get", "clubs").headers["Access-Control-Allow-Origin"] == "*"
    before = program.send_request("options", "clubs")
    assert "Authorization" in before.headers["Access-Control-Allow-Headers"]
    assert program.send_request("get", "clubs").headers["RateLimit-Limit"] == "600"


@pytest.mark.parametrize("path", ["/api/v1/nowhere", "/api/nowhere", "/nowhere.json", "/e/nowhere/standings.json"])
def test_unknown_address_returns_a_json_problem(program: Program, path: str) -> None:
    answer = program.send_request("get", path)
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "not_found"


@pytest.mark.parametrize(
    ("language", "detail"),
    [("fr", "Il n’y a rien à cette adresse."), ("en", "There is nothing at this address.")],
)
def test_problem_detail_uses_the_readers_language(language: str, detail: str) -> None:
    assert Program(language=language).send_request("get", "clubs/nowhere").json()["detail"] == detail


@pytest.mark.slow
def test_api_root_links_to_the_reference(program: Program) -> None:
    for path in ("/api/", "/api/v1/"):
        assert b"/api/v1/schema" in program.send_request("get", path).content


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("clubs", 2),
        ("events", 2),
        ("events/{short}", 3),
        ("events/{short}/entries", 5),
        ("events/{short}/rounds", 4),
        ("events/{short}/rounds/1", 12),
        ("events/{short}/rounds/1/tables/1", 16),
        ("events/{short}/standings", 7),
    ],
)
def test_query_count_does_not_depend_on_the_size_of_the_data(path: str, most: int) -> None:
    counts = []
    for pairs in (4, 16):
        hall = Hall(pairs) if pairs != 4 else Hall()
        path_ = path.format(short=hall.event.short)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            Program().get(path_)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= most


def test_desk_sees_open_calls_with_their_notes(hall: Hall) -> None:
    key = uuid4()
    call_desk(match_id=hall.match.pk, note="7 or 8 tricks?", entry_key=key)
    desk = Program(create_secret(hall.event.club, hall.owner, Scope.SCORE))
    address = f"events/{hall.event.short}/disputes"
    (call,) = desk.get(address)["results"]
    assert (call["round"], call["table"]) == (hall.match.round_number, hall.match.card.number)
    assert (call["call"], call["note"]) == (str(key), "7 or 8 tricks?")
    where = f"events/{hall.event.short}/rounds/{call['round']}/tables/{call['table']}"
    desk.call("post", f"{where}/settle", {"ruling": "Seven.", "call": call["call"]})
    assert desk.get(address)["results"] == []
    assert Program().get_refusal("get", address)[0] == 401
